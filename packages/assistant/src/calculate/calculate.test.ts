import assert from "node:assert/strict";
import { test } from "node:test";
import { calculate } from "./calculate.ts";
import type { Fact, Unit } from "../facts/fact.ts";
import { ARITHMETIC_CASES } from "./testing/arithmetic-cases.ts";

const idOf = (index: number): string => `f1.1.1.${index + 1}`;

const factOf = (value: number, unit: Unit, more: Partial<Fact> = {}): Fact => ({
  id: "f1.1.1.1",
  call: "1.1.1",
  path: "data.value",
  value,
  unit,
  ...(unit.startsWith("money") ? { currency: "USD" } : {}),
  symbol: "A",
  metric: "sales",
  as_of: "2024-11-22T16:00:00-05:00",
  kind: "history",
  source: "embedded",
  ...more,
});

/** Calculates with letters in the place of ids. */
function compute(expression: string, facts: readonly Fact[]) {
  const known = new Map(facts.map((fact, index) => [idOf(index), { ...fact, id: idOf(index) }]));
  const written = expression.replaceAll(/\b[a-h]\b/g, (letter) => idOf(letter.charCodeAt(0) - 97));
  return calculate(written, (id) => known.get(id));
}

function problemOf(expression: string, ...facts: readonly Fact[]): string {
  const result = compute(expression, facts);
  assert.ok(!result.ok, `${expression} gave ${JSON.stringify(result)}`);
  return result.problem;
}

function valueOf(expression: string, ...facts: readonly Fact[]): readonly [number, Unit] {
  const result = compute(expression, facts);
  assert.ok(result.ok, `${expression}: ${JSON.stringify(result)}`);
  return [result.value, result.unit];
}

for (const { title, facts, expression, answer } of ARITHMETIC_CASES) {
  test(`${title}: ${expression}`, () => {
    const { value: expected, unit } = answer;
    const given = facts.map((fact) => factOf(fact.value, fact.unit));
    const result = compute(expression, given);
    assert.ok(result.ok, JSON.stringify(result));
    assert.equal(Number(result.value.toPrecision(12)), expected);
    // What has fewer digits comes out without any noise behind them.
    if (Number(expected.toPrecision(10)) === expected) assert.equal(result.value, expected);
    assert.deepEqual([result.unit, result.currency], [unit, unit.startsWith("money") ? "USD" : undefined]);
  });
}

test("there are many cases", () => {
  assert.ok(ARITHMETIC_CASES.length >= 45);
});

const usd = factOf(100, "money");
const eur = factOf(5, "money", { currency: "EUR" });
const percent = factOf(12.5, "percent");
const ratio = factOf(1.5, "ratio");
const count = factOf(4, "count");
const points = factOf(61, "points");
const shares = factOf(10, "shares");
const price = factOf(20, "money/share");

test("what counts different things cannot be added, subtracted or compared, and the problem names both", () => {
  const pairs: readonly (readonly [Fact, Fact, RegExp])[] = [
    [usd, eur, /USD and EUR/],
    [usd, percent, /USD and percent/],
    [usd, ratio, /USD and ratio/],
    [usd, price, /USD and USD\/shares/],
    [percent, ratio, /percent and ratio/],
    [percent, points, /percent and points/],
    [percent, count, /percent and count/],
    [ratio, count, /ratio and count/],
    [shares, factOf(1, "coins"), /shares and coins/],
    [factOf(1, "days"), count, /days and count/],
  ];
  for (const [one, other, problem] of pairs) {
    for (const expression of ["a + b", "a - b", "min(a, b)", "sum(a, b)", "growth(a, b)", "share(a, b)"]) {
      assert.match(problemOf(expression, one, other), problem, expression);
    }
  }
  assert.match(problemOf("a + 5%", usd), /at character 10: USD and percent cannot be added/);
});

test("units go through products and quotients", () => {
  assert.deepEqual(valueOf("a * b", price, shares), [200, "money"]);
  assert.deepEqual(valueOf("a / b", usd, shares), [10, "money/share"]);
  assert.deepEqual(valueOf("a / b", usd, price), [5, "shares"]);
  assert.deepEqual(valueOf("a / b", usd, count), [25, "money"]);
  assert.deepEqual(valueOf("a * b", count, percent), [0.5, "count"]);
  assert.deepEqual(valueOf("a * 2", percent), [25, "percent"]);
  assert.deepEqual(valueOf("a * a", factOf(50, "percent")), [25, "percent"]);
  assert.deepEqual(valueOf("1 - a", percent), [0.875, "ratio"]);
  assert.deepEqual(valueOf("a / b", usd, percent), [800, "money"]);
  assert.deepEqual(valueOf("(a * a / a) ^ 1", usd), [100, "money"]);
  assert.deepEqual(valueOf("a ^ 2 / a", usd), [100, "money"]);
  assert.deepEqual(valueOf("a * 5%", usd), [5, "money"]);
});

test("a result without a unit of facts is a problem that says which it would have", () => {
  assert.match(problemOf("a * a", usd), /the result would be in USD\^2,/);
  assert.deepEqual(valueOf("1 / a", shares), [0.1, "ratio"]);
  assert.match(problemOf("a / b", eur, usd), /the result would be in EUR\/USD,/);
  assert.match(problemOf("a / b", usd, factOf(3, "days")), /USD\/days/);
});

test("what cannot be computed is a problem with its place", () => {
  const cases: readonly (readonly [string, RegExp])[] = [
    ["a / 0", /^at character 10: division by zero$/],
    ["a / (a - a)", /division by zero/],
    ["0 ^ -1", /division by zero/],
    ["10 ^ 400", /^at character 4: the value is too large$/],
    ["1e999", /^at character 1: the value is too large$/],
    ["(-8) ^ 0.5", /a negative number cannot be raised to a fraction/],
    ["a ^ 0.5", /only to a whole number/],
    ["a ^ 9", /only to a whole number/],
    ["2 ^ a", /an exponent must be a pure number, not USD/],
    ["growth(a, 0 * a)", /division by zero/],
    ["growth(a, -a)", /has no meaning/],
    ["cagr(a, -a, 3)", /same sign/],
    ["cagr(a, a, 0)", /years must be a number above 0/],
    ["cagr(a, a, a)", /years must be a number above 0/],
    ["percent(a)", /percent takes a ratio, not USD/],
    ["growth(a)", /growth takes \(new, old\), not 1 values/],
    ["sum()", /one or more values/],
    ["nothing(a)", /there is no function "nothing"; there are growth\(new, old\)/],
    ["f9.9.9.9", /^at character 1: there is no fact f9.9.9.9$/],
    ["f9.9", /there is no fact f9.9/],
    ["f9x", /not the id of a fact/],
    ["{f1.1.1.1", /} is missing/],
    ["revenue", /neither a fact nor a function/],
    ["", /^at character 1: the expression ends too early$/],
    ["a +", /the expression ends too early/],
    ["(a", /"\)" is missing/],
    ["a)", /"\)" is not expected here/],
    ["a a", /not expected here/],
    ["1_000", /this is not a number/],
    ["1.2.3", /this is not a number/],
    [".", /this is not a number/],
    ["a $ b", /"\$" is not part of an expression/],
    ["1,000 + 1", /"," is not expected here/],
    [`${"(".repeat(65)}1${")".repeat(65)}`, /nested deeper than 64 levels/],
    ["-".repeat(80), /nested deeper than 64 levels/],
    [`2${"^2".repeat(80)}`, /nested deeper than 64 levels/],
    ["1 + ".repeat(600), /the expression has 2400 characters; at most 2000/],
  ];
  for (const [expression, problem] of cases) assert.match(problemOf(expression, usd), problem, expression);
});

test("numbers, signs and powers are read as people write them", () => {
  const cases: readonly (readonly [string, number])[] = [
    ["-2^2", -4],
    ["2^3^2", 512],
    ["2^-1", 0.5],
    ["--3", 3],
    ["+3", 3],
    ["1 - 2 - 3", -4],
    ["8 / 4 / 2", 1],
    ["2 + 3 * 4", 14],
    ["(2 + 3) × 4 ÷ 2 − 1", 9],
    [".5 + 1.e1 + 1E-1", 10.6],
    ["0.1 + 0.2", 0.3],
    ["1.1 * 1.1", 1.21],
    ["0 * -1", 0],
    ["SUM(1, 2)", 3],
  ];
  for (const [expression, expected] of cases) assert.deepEqual(valueOf(expression), [expected, "ratio"], expression);
});

test("ids of lanes and references in braces can be written in an expression", () => {
  const fact = { ...usd, id: "f2/al-pha/1.1.1.1" };
  const lookup = (id: string) => (id === fact.id ? fact : undefined);
  for (const expression of [
    "f2/al-pha/1.1.1.1/2",
    "{f2/al-pha/1.1.1.1}/2",
    "f2/al-pha/1.1.1.1-{f2/al-pha/1.1.1.1}*.5",
  ]) {
    const result = calculate(expression, lookup);
    assert.ok(result.ok && result.value === 50, JSON.stringify(result));
  }
});

test("the new figure is as old as its oldest fact, as real as its least real one, and says how it was made", () => {
  const now = factOf(120, "money", { period: { end: "2016-12-31", label: "FY2016" }, kind: "live" });
  const old = factOf(100, "money", {
    period: { end: "2015-12-31", label: "FY2015" },
    as_of: "2024-11-22T20:59:00Z",
    kind: "delayed",
  });
  const result = compute("growth( a,b )", [now, old]);
  assert.ok(result.ok);
  assert.deepEqual(
    result.uses.map(({ id }) => id),
    ["f1.1.1.1", "f1.1.1.2"],
  );
  assert.equal(result.metric, "growth(sales FY2016, sales FY2015)");
  const both = compute("a / b", [usd, { ...usd, symbol: "B", kind: "history" }]);
  assert.ok(both.ok);
  assert.equal(both.metric, "A sales / B sales");
});
