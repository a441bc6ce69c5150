import assert from "node:assert/strict";
import { test } from "node:test";
import { assertLinear } from "@baton/core/testing";
import * as fc from "fast-check";
import { Paragraph, wrap } from "./paragraph.ts";
import { displayWidth } from "./width.ts";

const letters = fc.constantFrom("a", "b", " ", " ", "日", "e\u0301", "\n", "long", "👩‍👧");
const texts = fc.array(letters, { maxLength: 60 }).map((parts) => parts.join(""));

test("lines break at spaces, and inside a word only if it is longer than a line", () => {
  assert.deepEqual(wrap("the quick brown fox", 9), ["the quick", "brown fox"]);
  assert.deepEqual(wrap("a incomprehensible b", 8), ["a", "incompre", "hensible", "b"]);
  assert.deepEqual(wrap("日本語テキスト", 5), ["日本", "語テ", "キス", "ト"]);
});

test("the indent of a line is kept, and line feeds are", () => {
  assert.deepEqual(wrap("  - one two\n\n    code", 9), ["  - one", "two", "", "    code"]);
});

test("without a width nothing is broken", () => {
  assert.deepEqual(wrap("one two three", Infinity), ["one two three"]);
});

test("no line is wider than asked for, and no character is lost", () => {
  fc.assert(
    fc.property(texts, fc.integer({ min: 2, max: 20 }), (text, width) => {
      const lines = wrap(text, width);
      for (const line of lines) assert.ok(displayWidth(line.trimEnd()) <= width, JSON.stringify(line));
      const inked = (value: string) => value.replaceAll(/\s/g, "");
      assert.equal(inked(lines.join("")), inked(text));
    }),
  );
});

test("text that streams in gives the same lines as text that is there at once", () => {
  fc.assert(
    fc.property(fc.array(texts, { maxLength: 8 }), fc.integer({ min: 2, max: 20 }), (pieces, width) => {
      const streamed = new Paragraph();
      const whole = new Paragraph();
      const lines = [...pieces.flatMap((piece) => streamed.push(piece, width)), ...streamed.end()];
      assert.deepEqual(lines, [...whole.push(pieces.join(""), width), ...whole.end()]);
    }),
  );
});

test("empty lines at the beginning and the end are not shown, those between are", () => {
  const paragraph = new Paragraph();
  assert.deepEqual([...paragraph.push("\n\na\n\n\nb\n \n", 20), ...paragraph.end()], ["a", "", "", "b"]);
});

test(
  "a line of nothing but spaces or accents that streams in without end costs no more with every piece",
  { timeout: 60_000 },
  () => {
    for (const piece of ["  ", "\u0301"]) {
      const paragraph = new Paragraph();
      for (let count = 0; count < 20_000; count++) {
        paragraph.push(piece, 40);
        assert.ok(paragraph.open.length <= 1_024);
      }
    }
  },
);

test("a long line costs ten times as much if it is ten times as long, not a hundred times", () => {
  assertLinear(10_000, (length) => () => {
    wrap("x ".repeat(length), 40);
    wrap("日".repeat(length), 40);
    wrap(`${" ".repeat(length)}x`, 40);
  });
});
