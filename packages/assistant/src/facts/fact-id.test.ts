import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { scanFactId, toFactId } from "./fact-id.ts";

const name = fc.stringMatching(/^[a-zA-Z0-9_-]{1,12}$/);
const number = fc.integer({ min: 1, max: 99 });
const lane = fc.oneof(
  fc.constant(""),
  fc.tuple(number, name).map(([turn, crew]) => `${turn}/${crew}/`),
  fc.tuple(number, name, name).map(([turn, group, member]) => `${turn}/${group}/${member}/`),
  fc.tuple(number, name, number, name, name).map((parts) => `${parts.join("/")}/`),
);
const call = fc.tuple(lane, number, number, number).map(([where, ...steps]) => `${where}${steps.join(".")}`);

const isId = (text: string): boolean => scanFactId(text, 0) === text.length;

test("an id ends by itself, whatever of an expression or a sentence comes after it", () => {
  const after = fc.constantFrom("", "/2", "/f1.1.1.1", "-3", "-f2/a/1.1.1.1", "*2", ")", " ", "}", ".", ", and", "^2");
  fc.assert(
    fc.property(call, number, after, (position, n, rest) => {
      const id = toFactId(position, n);
      assert.equal(scanFactId(`x ${id}${rest}`, 2), 2 + id.length);
    }),
  );
});

test("what only looks like an id is not one", () => {
  const wrong = ["", "f", "f3", "3.2.1.4", "f3.2.1.", "f.1.2", "f3.2.1.0", "f3..1", "fa/b/1.1.1.1", "f2//1.1.1.1"];
  const more = ["f2/alpha", "f2/al pha/1.1.1.1", "f3.2.1.4x", "f3.2.1.4/2", "{f3.2.1.4", "F3.2.1.4", "f2/1.1.1.1/"];
  for (const text of [...wrong, ...more]) assert.equal(isId(text), false, text);
});

test("no text breaks the scanner, and what it finds is an id", () => {
  const text = fc.string({ unit: fc.constantFrom("f", "1", "0", ".", "/", "a", "-", "{", "}", " ") });
  fc.assert(
    fc.property(text, fc.nat(20), (given, from) => {
      const end = scanFactId(given, from);
      if (end !== undefined) assert.ok(isId(given.slice(from, end)));
    }),
  );
});
