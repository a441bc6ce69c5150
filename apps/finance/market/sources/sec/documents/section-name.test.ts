import assert from "node:assert/strict";
import { test } from "node:test";
import { type FormKind, parseSection } from "./section-name.ts";

const nameOf = (text: string, kind: FormKind): string => {
  const found = parseSection(text, kind);
  return found === undefined ? "-" : [found.part, found.item].filter(Boolean).join(" ");
};

test("an item is read from its number, however it is written", () => {
  for (const text of [
    "1A",
    "1a",
    "Item 1A",
    "ITEM 1A.",
    "Item 1A. Risk Factors",
    "1A: risk factors",
    "10-K item 1A",
    "mục 1A",
  ]) {
    assert.equal(nameOf(text, "annual"), "1A", text);
  }
  assert.equal(nameOf("part II, item 1A", "quarterly"), "II 1A");
  for (const text of ["2.02", "Item 2.02", "8-K item 2.02", "2.02 Results of Operations", "item 2.02 results"]) {
    assert.equal(nameOf(text, "current"), "2.02", text);
  }
});

test("a name means another item in each form", () => {
  const cases: readonly (readonly [text: string, annual: string, quarterly: string, current: string])[] = [
    ["risk factors", "1A", "II 1A", "-"],
    ["Yếu tố rủi ro", "1A", "II 1A", "-"],
    ["rủi ro thị trường", "7A", "I 3", "-"],
    ["MD&A", "7", "I 2", "-"],
    ["Management’s Discussion and Analysis of Financial Condition", "7", "I 2", "-"],
    ["results of operations", "7", "I 2", "2.02"],
    ["Financial statements", "8", "I 1", "9.01"],
    ["legal proceedings", "3", "II 1", "-"],
    ["departure of directors", "10", "-", "5.02"],
    ["the weather", "-", "-", "-"],
  ];
  for (const [text, ...expected] of cases) {
    const found = (["annual", "quarterly", "current"] as const).map((kind) => nameOf(text, kind));
    assert.deepEqual(found, expected, text);
  }
});

test("a number that is not an item is not a section", () => {
  for (const text of ["", "7 things", "100", "1.5 billion", "x".repeat(10_000), "item ".repeat(2_000)]) {
    assert.equal(nameOf(text, "annual"), "-", text.slice(0, 20));
  }
});
