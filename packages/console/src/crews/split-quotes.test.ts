import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { splitQuotes } from "./split-quotes.ts";

const shown = (message: string) => splitQuotes(message).map(({ text, isCode }) => (isCode ? `<${text}>` : text));

test("what a message quotes is told apart from its words", () => {
  assert.deepEqual(shown("`a`, `b` go round"), ["<a>", ", ", "<b>", " go round"]);
  assert.deepEqual(shown("no quote"), ["no quote"]);
  assert.deepEqual(shown("`a` and one ` alone"), ["<a>", " and one ` alone"]);
});

test("no word of a message is lost", () => {
  const message = fc.string({ unit: fc.constantFrom("`", "a", " ") });
  const strip = (text: string) => text.replaceAll("`", "");
  fc.assert(
    fc.property(message, (text) => {
      const parts = splitQuotes(text);
      assert.equal(strip(parts.map((part) => part.text).join("")), strip(text));
    }),
  );
});
