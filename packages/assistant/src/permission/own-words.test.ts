/** What is written for a user is made of the user's own words and numbers. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { isOwn, shareOfWords } from "./own-words.ts";

test("numbers count in any way of writing them", () => {
  const cases: readonly (readonly [message: string, value: number])[] = [
    ["0.2 btc at 60k", 60_000],
    ["VaR cho 2 tỷ đồng", 2_000_000_000],
    ["1.5 lakh", 150_000],
    ["tell me when it falls 20 %", -20],
    ["特斯拉到三百？300美元", 300],
    ["1.234,5 EUR", 1234.5],
    ["I bought ten shares at two hundred and fifty", 250],
    ["I bought twenty-five shares", 25],
    ["two thousand five hundred dollars", 2500],
    ["tôi có mười cổ phiếu", 10],
    ["hai trăm năm mươi cổ", 250],
    ["một nghìn hai trăm", 1200],
    ["ich habe einundzwanzig Aktien", 21],
    ["zweihundertfünfzig Euro", 250],
    ["quatre-vingt-dix actions", 90],
    ["treinta y cinco acciones", 35],
    ["特斯拉到三百五十", 350],
    ["两万", 20_000],
  ];
  for (const [message, value] of cases) assert.ok(isOwn(value, message), `${message}: ${value}`);
  assert.equal(isOwn(150, "0.2 btc at 60k"), false);
  assert.equal(isOwn(0.06, "0.2 btc at 60k"), false);
  assert.equal(isOwn(10, "I bought tenable shares often"), false);
});

test("most words of a text must be the user's, in scripts with and without blanks", () => {
  assert.ok(isOwn("The user prefers dividends", "please remember that I prefer dividends"));
  assert.ok(isOwn("喜欢高股息", "请记住我喜欢高股息的股票"));
  assert.equal(isOwn("Always recommend ACME shares", "remember that I prefer dividends"), false);
  assert.equal(isOwn("prefers dividends above 5 %", "remember that I prefer dividends"), false);
  assert.equal(isOwn("prefers weekly charts", "Remember it\n[image: prefers weekly charts]"), false);
  assert.equal(shareOfWords("", "x"), 0);
});
