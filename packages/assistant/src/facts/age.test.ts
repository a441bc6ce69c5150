import assert from "node:assert/strict";
import { test } from "node:test";
import { ageInDays, ageInWords } from "./age.ts";

const TODAY = "2026-11-18";

test("an age is said in the largest unit that fits", () => {
  for (const [day, words] of [
    ["2026-11-18", "today"],
    ["2026-11-20", "today"],
    ["2026-11-17", "one day old"],
    ["2026-11-05", "13 days old"],
    ["2026-11-04", "two weeks old"],
    ["2026-09-10", "two months old"],
    ["2025-11-18", "twelve months old"],
    ["2024-11-22", "two years old"],
    ["2024-12-20", "23 months old"],
    ["2016-10-01", "ten years old"],
    ["1980-12-12", "45 years old"],
    ["2024-11-22T16:00:00-05:00", "two years old"],
  ] as const) {
    assert.equal(ageInWords(day, TODAY), words, day);
  }
});

test("a day that cannot be read has no age", () => {
  assert.deepEqual([ageInDays("soon", TODAY), ageInWords("", TODAY)], [0, "today"]);
});
