import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { Unit } from "../facts/fact.ts";
import { type AnswerLanguage, formatFact } from "./fact-format.ts";
import { scanNumbers } from "./number-scan.ts";

const LANGUAGES: readonly AnswerLanguage[] = ["en", "vi"];

test("values are written as people of the language write them", () => {
  const table: readonly (readonly [value: number, unit: Unit, currency: string | undefined, en: string, vi: string])[] =
    [
      [3_560_000_000_000, "money", "USD", "$3.56T", "3,56 nghìn tỷ USD"],
      [-94_930_000, "money", "USD", "-$94.93M", "-94,93 triệu USD"],
      [61.23, "points", undefined, "61.2", "61,2"],
      [1234.5, "money/share", "USD", "$1,234.50", "1.234,50 USD"],
      [65_300, "money/share", "VND", "65,300 VND", "65.300 VND"],
      [12.5, "percent", undefined, "12.50%", "12,50%"],
      [0.000_012_34, "money/coin", "USD", "$0.00001234", "0,00001234 USD"],
      [0.000_038_104, "money", "USD", "$0.00003810", "0,00003810 USD"],
      [999_999_999, "money", "EUR", "€1.00B", "1,00 tỷ EUR"],
      [-0.001, "points", undefined, "-0.001", "-0,001"],
      [1_250.5, "shares", undefined, "1,250.5", "1.250,5"],
      [0.7, "coins", undefined, "0.7", "0,7"],
      [2_322.5, "money", "USD", "$2,322.50", "2.322,50 USD"],
    ];
  for (const [value, unit, currency, en, vi] of table) {
    const fact = { value, unit, ...(currency === undefined ? {} : { currency }) };
    assert.deepEqual([formatFact(fact, "en"), formatFact(fact, "vi")], [en, vi]);
  }
});

const UNITS: readonly Unit[] = [
  "money",
  "money/share",
  "money/coin",
  "percent",
  "ratio",
  "shares",
  "coins",
  "points",
  "days",
];

const value = fc
  .tuple(fc.double({ min: 1, max: 10, noNaN: true, maxExcluded: true }), fc.integer({ min: -7, max: 13 }), fc.boolean())
  .map(([digits, exponent, isNegative]) => (isNegative ? -1 : 1) * digits * 10 ** exponent);

test("what is written is read back as the same value at the printed precision, in the same unit", () => {
  fc.assert(
    fc.property(value, fc.constantFrom(...UNITS), fc.constantFrom("USD", "EUR", "VND"), (number, unit, currency) => {
      const fact = { value: number, unit, ...(unit.startsWith("money") ? { currency } : {}) };
      for (const language of LANGUAGES) {
        const text = formatFact(fact, language);
        const [token, ...rest] = scanNumbers(`it is ${text}, so`, language);
        assert.ok(token !== undefined && rest.length === 0, text);
        assert.equal(token.text, text);
        const isNear = token.readings.some(({ value: read, step }) => {
          return Math.abs(read - number) <= (step / 2) * (1 + 1e-9) + Math.abs(number) * Number.EPSILON;
        });
        assert.ok(isNear, `${text} ${number}`);
        assert.equal(token.unit, unit.startsWith("money") ? "money" : unit === "percent" ? "percent" : undefined);
        if (unit.startsWith("money")) assert.equal(token.currency, currency);
      }
    }),
    { numRuns: 500 },
  );
});
