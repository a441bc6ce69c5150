import assert from "node:assert/strict";
import { test } from "node:test";
import { formatOf } from "./format.ts";

const en = formatOf("en");
const NOW = Date.UTC(2026, 0, 15, 12);

test("money has four digits under a dollar, and two above", () => {
  assert.equal(en.money(0), "$0.00");
  assert.equal(en.money(0.0184), "$0.0184");
  assert.equal(en.money(12.5), "$12.50");
});

test("durations are in the reader's scale", () => {
  assert.deepEqual([141, 4_480, 90_000, 7_200_000].map(en.duration), ["141 ms", "4.5 s", "1.5 min", "2 h"]);
  assert.equal(formatOf("vi").duration(4_480), "4,5 s");
});

test("durations that are read aloud have whole words", () => {
  assert.equal(en.spoken(17_800), "17.8 seconds");
  assert.equal(formatOf("vi").spoken(17_800), "17,8 giây");
});

test("times are relative within a day, and days beyond", () => {
  assert.equal(en.ago(NOW - 5 * 60_000, NOW), "5 min. ago");
  assert.equal(en.ago(NOW - 3 * 86_400_000, NOW), "Jan 12");
  assert.equal(en.ago(NOW, NOW), "now");
});

test("Vietnamese writes numbers its own way", () => {
  assert.equal(formatOf("vi").number(1_234.5), "1.234,5");
});
