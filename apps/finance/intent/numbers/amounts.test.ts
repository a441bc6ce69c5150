import assert from "node:assert/strict";
import { test } from "node:test";
import { readAmounts, toNumber } from "./amounts.ts";

const values = (text: string, language: "en" | "vi" = "en") => readAmounts(text, language).map(({ value }) => value);

test("thousands and decimals are read as both languages write them", () => {
  assert.equal(toNumber("1,234.5", "en"), 1234.5);
  assert.equal(toNumber("1.234,5", "vi"), 1234.5);
  assert.equal(toNumber("1.234,5", "en"), 1234.5);
  assert.equal(toNumber("1.234", "vi"), 1234);
  assert.equal(toNumber("1.234", "en"), 1.234);
  assert.equal(toNumber("1,234", "vi"), 1234);
  assert.equal(toNumber("0,8", "vi"), 0.8);
  assert.equal(toNumber("2,5", "en"), 2.5);
  assert.equal(toNumber("1.000.000", "en"), 1_000_000);
});

test("scales multiply, in words and letters", () => {
  assert.deepEqual(values("$20k, 3.5m, 10bn, 2 trillion and 7 thousand"), [20_000, 3_500_000, 10e9, 2e12, 7_000]);
  assert.deepEqual(values("50 nghìn đô, 100 triệu đồng, 10 tỷ, 3,5 nghìn tỷ", "vi"), [50_000, 100e6, 10e9, 3.5e12]);
  assert.deepEqual(values("10 ty usd va 5 trieu", "vi"), [10e9, 5e6]);
  assert.deepEqual(values("between 2 and 10 billion"), [2e9, 10e9]);
});

test("percent and money are marked, and percent is not money", () => {
  const [percent, money, plain] = readAmounts("99% of $500 in 20 days", "en");
  assert.deepEqual([percent?.isPercent, percent?.isMoney], [true, false]);
  assert.deepEqual([money?.isPercent, money?.isMoney], [false, true]);
  assert.deepEqual([plain?.isPercent, plain?.isMoney], [false, false]);
  assert.equal(readAmounts("3 phần trăm", "vi")[0]?.isPercent, true);
  assert.equal(readAmounts("50 đô la", "vi")[0]?.isMoney, true);
});

test("digits inside words and dates are no amounts", () => {
  assert.deepEqual(values("H100 chips and GPT4"), []);
  assert.deepEqual(values("2010-05-03"), [2010]);
  assert.deepEqual(values("MA50 and RSI14"), [50, 14]);
});
