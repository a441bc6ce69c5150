import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { scanNumbers } from "./number-scan.ts";

const scan = (text: string, language = "en") =>
  scanNumbers(text, language).map(({ text: found, readings: [first], unit, currency }) =>
    [found, first?.value, unit, currency, first?.step].filter((one) => one !== undefined),
  );

const valuesIn = (text: string, language = "en") =>
  scanNumbers(text, language).map(({ readings: [first] }) => first?.value);

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
    valuesIn("between 10-20, or -5 and −6 or +7"),
    [10, 20, -5, -6, 7].filter((value) => value !== 20),
  );
});

test("digits of words, forms, names and addresses are not numbers", () => {
  for (const text of ["Q3", "10-K", "SMA50", "COVID-19", "https://a.example/2024?x=99", "52-week", "3rd", "AAPL2x"]) {
    assert.deepEqual(scan(text), [], text);
  }
});

test("a day is one number, its year", () => {
  assert.deepEqual(valuesIn("on 2024-11-22."), [2024]);
});

test("the other language's signs are understood if they can mean nothing else", () => {
  assert.deepEqual(valuesIn("61,2"), [61.2]);
  assert.deepEqual(valuesIn("61.2", "vi"), [61.2]);
  assert.deepEqual(valuesIn("1,234"), [1234]);
  assert.deepEqual(valuesIn("1.234", "vi"), [1234]);
  assert.deepEqual(
    scanNumbers("1.234", "de")[0]?.readings.map(({ value }) => value),
    [1234, 1.234],
  );
});

/** Texts of many languages, and the numbers in them. */
const WRITTEN: readonly (readonly [text: string, ...values: number[]])[] = [
  ["0.2 btc at 60k", 0.2, 60_000],
  ["25 lakh rupees, 25,00,000 inr, 3 crore", 2_500_000, 2_500_000, 30_000_000],
  ["股价3.5亿美元，上涨12％", 350_000_000, 12],
  ["1 234,50 € et 2 milliards", 1234.5, 2e9],
  ["1.234.567,89 EUR; 3 Mio.; 2 Mrd.", 1_234_567.89, 3e6, 2e9],
  ["٢٥٠ и 5 млн, 2 nghìn tỷ, 1,5tr", 250, 5e6, 2e12, 1.5e6],
];

test("numbers of many languages are read", () => {
  for (const [text, ...values] of WRITTEN) assert.deepEqual(valuesIn(text), values, text);
});

test("a sign between two numbers belongs to one of them", () => {
  assert.deepEqual(
    scanNumbers("1$1", "en").map(({ text, currency }) => [text, currency]),
    [
      ["1", undefined],
      ["$1", "USD"],
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
        assert.ok(token.readings.length > 0);
        for (const { value, step } of token.readings) assert.ok(Number.isFinite(value) && step > 0);
        last = token.end;
      }
    }),
  );
});
