import assert from "node:assert/strict";
import { test } from "node:test";
import { fold, findMatchedFields, parseRunSearch, type RunText } from "./run-text.ts";

const textOf =
  (fields: Partial<RunText>) =>
  (field: keyof RunText): string =>
    fields[field] ?? "";

test("words are single conditions, a phrase is one, and only the last word is a prefix", () => {
  assert.deepEqual(parseRunSearch('Giá "Đồng Việt" vàn'), [
    { words: ["gia"], isPrefix: false },
    { words: ["dong", "viet"], isPrefix: false },
    { words: ["van"], isPrefix: true },
  ]);
  assert.deepEqual(parseRunSearch('a "b c"'), [
    { words: ["a"], isPrefix: false },
    { words: ["b", "c"], isPrefix: false },
  ]);
  assert.deepEqual(parseRunSearch('"b c'), [{ words: ["b", "c"], isPrefix: true }]);
  assert.deepEqual(parseRunSearch('%_[] " "" "'), []);
});

test("a field matches if one condition holds in it", () => {
  const text = textOf({ input: fold("The price of gold"), tool: fold("getPrice") });
  assert.deepEqual(findMatchedFields(text, parseRunSearch("gold pri")), ["input"]);
  assert.deepEqual(findMatchedFields(text, parseRunSearch("gol get")), ["tool"]);
  assert.deepEqual(findMatchedFields(text, parseRunSearch('"gold of"')), []);
  assert.deepEqual(findMatchedFields(text, parseRunSearch('"of gold"')), ["input"]);
});

test("a search has at most 32 words", () => {
  assert.equal(parseRunSearch("a ".repeat(32)).length, 32);
  assert.throws(() => parseRunSearch("a ".repeat(33)), { code: "invalid", message: /33 words/ });
});

test("marks without end are folded in linear time", () => {
  const began = process.cpuUsage();
  for (const marks of ["\u0301\u0323", "\u0315\u0300\u05ae", "\u0f39\u3099"]) fold(`a${marks.repeat(15_000)}`);
  const { user } = process.cpuUsage(began);
  assert.ok(user < 200_000, `${user} µs`);
});
