/** Marks around figures survive, and without them the text is as it was. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { type AnswerFigure, markFigures, splitFigures } from "./figures.ts";

const figure = (start: number, end: number): AnswerFigure => ({
  start,
  end,
  kind: "backed",
  call: "1.1.1",
  fact: { call: "1.1.1", label: "", path: "", value: "", asOf: "", kind: "" },
});

test("a figure is where its place says, and leads to its fact", () => {
  const text = "RSI is 54.6, MACD $0.43.";
  const figures = [figure(7, 11), figure(18, 23)];
  assert.deepEqual(splitFigures(markFigures(text, figures)), [
    "RSI is ",
    { figure: 0, text: "54.6" },
    ", MACD ",
    { figure: 1, text: "$0.43" },
    ".",
  ]);
});

test("whatever the places are, no character is lost", () => {
  const property = fc.property(
    fc.string({ unit: "binary", maxLength: 80 }),
    fc.array(fc.tuple(fc.nat(90), fc.nat(12)), { maxLength: 8 }),
    (text, places) => {
      const figures = places
        .map(([start, length]) => figure(start, start + length + 1))
        .toSorted((one, other) => one.start - other.start);
      const pieces = splitFigures(markFigures(text, figures));
      const joined = pieces.map((piece) => (typeof piece === "string" ? piece : piece.text)).join("");
      assert.equal(joined, text.replaceAll(/[\uE000-\uE002]/gu, "\uFFFD"));
    },
  );
  fc.assert(property);
});

test("a text that has the marks itself is shown as text", () => {
  assert.deepEqual(splitFigures(markFigures("\uE0000\uE001x\uE002", [])), ["\uFFFD0\uFFFDx\uFFFD"]);
});
