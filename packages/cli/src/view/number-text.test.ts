import assert from "node:assert/strict";
import { test } from "node:test";
import { formatAge, countNoun, formatDuration, formatUsd } from "./number-text.ts";

test("durations have the unit people would use", () => {
  const texts = [-1, 0, 999.4, 999.6, 1_449, 59_949, 59_950, 125_000].map(formatDuration);
  assert.deepEqual(texts, ["0 ms", "0 ms", "999 ms", "1.0 s", "1.4 s", "59.9 s", "1 min 0 s", "2 min 5 s"]);
});

test("counts agree with their noun, and small amounts of money do not vanish", () => {
  assert.deepEqual([countNoun(1, "turn"), countNoun(1_204, "turn")], ["1 turn", "1,204 turns"]);
  assert.deepEqual([formatUsd(1.204), formatUsd(0.001234), formatUsd(0)], ["$1.20", "$0.0012", "$0"]);
});

test("an age is whole units of the largest that fits", () => {
  assert.deepEqual([-5, 4_900, 60_000, 3_599_999, 3_600_000, 172_800_000].map(formatAge), [
    "0 s",
    "4 s",
    "1 min",
    "59 min",
    "1 h",
    "2 days",
  ]);
});
