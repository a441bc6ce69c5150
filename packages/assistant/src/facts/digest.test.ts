import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { MAX_DIGEST_CHARS, toDigest, toFactLine } from "./digest.ts";
import type { Fact } from "./fact.ts";

const DAY = "2024-11-22";

const factOf = (n: number, more: Partial<Fact> = {}): Fact => ({
  id: `f3.1.1.${n}`,
  call: "3.1.1",
  path: "",
  value: n,
  unit: "ratio",
  symbol: "NVDA",
  metric: `metric ${n}`,
  as_of: `${DAY}T16:00:00-05:00`,
  kind: "snapshot",
  source: "embedded",
  ...more,
});

const linesOf = (facts: readonly Fact[], more: object = {}) =>
  toDigest(facts, { head: "look NVDA", day: DAY, ...more }).split("\n");

test("facts of a subject that the head does not name are headed by it", () => {
  const left = factOf(1, { symbol: "^GSPC", metric: "annual volatility", unit: "percent" });
  const lines = linesOf([left], { names: new Map([["^GSPC", "S&P 500"]]), tail: ["missing: NVDA"] });
  assert.deepEqual(lines, ["look NVDA", "^GSPC S&P 500", "f3.1.1.1 annual volatility 1.00 %", "missing: NVDA"]);
});

test("facts of one subject are a line each, with the period if it is not the head's day", () => {
  const price = factOf(1, { metric: "price", value: 141.95, unit: "money/share", currency: "USD" });
  const change = factOf(2, { metric: "change of the day", value: -3.22, unit: "percent" });
  const year = factOf(3, { metric: "net margin", period: { start: "2016-01-01", end: "2016-12-31", label: "FY2016" } });
  assert.deepEqual(linesOf([price, change, year], { tail: ["missing: 52-week range"] }), [
    "look NVDA",
    "f3.1.1.1 price 141.95 USD",
    "f3.1.1.2 change of the day -3.22 %",
    "f3.1.1.3 net margin 3.00 (FY2016)",
    "missing: 52-week range",
  ]);
});

test("several subjects are a row each with the same columns; what one lacks is a dash", () => {
  const facts = ["A", "B"].flatMap((symbol, at) => [
    factOf(2 * at + 1, { symbol, metric: "price", unit: "money/share", currency: "USD" }),
    ...(at === 0 ? [] : [factOf(4, { symbol, metric: "P/E", period: { end: "2016-12-31" } })]),
  ]);
  assert.deepEqual(linesOf(facts, { currency: "USD", names: new Map([["A", "Acme (NYSE)"]]) }), [
    "look NVDA",
    "columns: price | P/E (2016-12-31)",
    "A Acme (NYSE): f3.1.1.1 1.00 | –",
    "B: f3.1.1.3 3.00 | f3.1.1.4 4.00",
  ]);
});

test("periods are columns; many periods are rows; one measure over time is one line", () => {
  const of = (metric: string, years: readonly number[]) =>
    years.map((year) =>
      factOf(year, { metric, period: { end: `${year}-12-31`, label: `FY${year}` }, value: 2, unit: "percent" }),
    );
  assert.deepEqual(linesOf([...of("a", [2016, 2015]), ...of("b", [2016])]), [
    "look NVDA",
    "f3.1.1.2016 b 2.00 % (FY2016)",
    "a: FY2016 f3.1.1.2016 2.00 % | FY2015 f3.1.1.2015 2.00 %",
  ]);
  assert.deepEqual(linesOf([...of("a", [2016, 2015]), ...of("b", [2016, 2015])]), [
    "look NVDA",
    "columns: FY2016 (to 2016-12-31) | FY2015",
    "a: f3.1.1.2016 2.00 % | f3.1.1.2015 2.00 %",
    "b: f3.1.1.2016 2.00 % | f3.1.1.2015 2.00 %",
  ]);
  const many = Array.from({ length: 12 }, (_, at) => 2016 - at);
  assert.match(linesOf([...of("a", many), ...of("b", many)])[2] ?? "", /^FY2016: f\S+ 2\.00 % \| f\S+ 2\.00 %$/);
});

test("a digest never exceeds its bound, has whole lines, and says what is left out", () => {
  const some = fc.array(fc.string({ maxLength: 400, unit: "binary" }), { maxLength: 40 });
  fc.assert(
    fc.property(
      fc.tuple(fc.nat(300), fc.nat(3)),
      some,
      fc.string({ maxLength: 900 }),
      ([count, subjects], words, head) => {
        const facts = Array.from({ length: count }, (_, at) =>
          factOf(at + 1, { symbol: `S${at % (subjects + 1)}`, metric: `m${at % 7} ${at}` }),
        );
        const digest = toDigest(facts, { head, day: DAY, quoted: words, tail: words.map((word) => word.slice(0, 40)) });
        assert.ok(digest.length <= MAX_DIGEST_CHARS, `${digest.length}`);
        const lines = digest.split("\n").filter((line) => /^f3\.1\.1\.\d+ m/.test(line));
        assert.ok(lines.every((line) => /\d\.\d\d$/.test(line)));
      },
    ),
  );
});

test("names from outside cannot begin a line or a cell of their own", () => {
  const fact = factOf(1, { symbol: "A\nf9.9.9.9 B 1", metric: "x · y\u2028z | f8.8.8.8" });
  assert.equal(toFactLine(fact), `f3.1.1.1 A f9.9.9.9 B 1 x y z f8.8.8.8 1.00 (${DAY})`);
});
