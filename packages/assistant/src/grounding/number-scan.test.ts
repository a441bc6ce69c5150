import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { scanNumbers } from "./number-scan.ts";

const scan = (text: string, language: "en" | "vi" = "en") =>
  scanNumbers(text, language).map(({ text: found, value, unit, currency, step }) =>
    [found, value, unit, currency, step].filter((one) => one !== undefined),
  );

test("numbers are read with sign, currency, scale and unit", () => {
  assert.deepEqual(scan("cap $3.56T, down -12.5%, 1,234.5 points"), [
    ["$3.56T", 3.56e12, "money", "USD", 1e10],
    ["-12.5%", -12.5, "percent", 0.1],
    ["1,234.5", 1234.5, 0.1],
  ]);
  assert.deepEqual(scan("vốn hóa 3,56 nghìn tỷ USD, tăng 12,5%, 1.234,5 điểm, 65.300 đồng", "vi"), [
    ["3,56 nghìn tỷ USD", 3.56e12, "money", "USD", 1e10],
    ["12,5%", 12.5, "percent", 0.1],
    ["1.234,5", 1234.5, 0.1],
    ["65.300 đồng", 65_300, "money", "VND", 1],
  ]);
  assert.deepEqual(scan("2 billion dollars and 3 million"), [
    ["2 billion dollars", 2e9, "money", "USD", 1e9],
    ["3 million", 3e6, 1e6],
  ]);
});

test("a minus is a sign only at the beginning of a number", () => {
  assert.deepEqual(
    scanNumbers("between 10-20, or -5 and −6 or +7", "en").map(({ value }) => value),
    [10, 20, -5, -6, 7].filter((value) => value !== 20),
  );
});

test("digits of words, forms, names and addresses are not numbers", () => {
  for (const text of ["Q3", "10-K", "SMA50", "COVID-19", "https://a.example/2024?x=99", "52-week", "3rd", "AAPL2x"]) {
    assert.deepEqual(scan(text), [], text);
  }
});

test("a day is one number, its year", () => {
  assert.deepEqual(
    scanNumbers("on 2024-11-22.", "en").map(({ value }) => value),
    [2024],
  );
});

test("the other language's signs are understood if they can mean nothing else", () => {
  assert.equal(scanNumbers("61,2", "en")[0]?.value, 61.2);
  assert.equal(scanNumbers("61.2", "vi")[0]?.value, 61.2);
  assert.equal(scanNumbers("1,234", "en")[0]?.value, 1234);
  assert.equal(scanNumbers("1.234", "vi")[0]?.value, 1234);
});

test("a sign between two numbers belongs to one of them", () => {
  assert.deepEqual(
    scanNumbers("1$1", "en").map(({ text, currency }) => [text, currency]),
    [
      ["1$", "USD"],
      ["1", undefined],
    ],
  );
});

test("tokens are in order, do not overlap, and are pieces of the text, whatever the text", () => {
  const word = fc.constantFrom("1", "2,5", "3.5", "$", "%", " ", "-", "tỷ", "B", "USD", "a", "http://", ".", "(", "ệ");
  fc.assert(
    fc.property(fc.array(word, { maxLength: 30 }), fc.constantFrom("en" as const, "vi" as const), (words, language) => {
      const text = words.join("");
      let last = 0;
      for (const token of scanNumbers(text, language)) {
        assert.ok(token.start >= last && token.end > token.start);
        assert.equal(text.slice(token.start, token.end), token.text);
        assert.ok(Number.isFinite(token.value) && token.step > 0);
        last = token.end;
      }
    }),
  );
});
