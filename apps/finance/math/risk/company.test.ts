import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { altmanZ } from "./altman.ts";
import { cagr, enterpriseValue, evToEbitda, fcfYield, growth, margin, mergeStatements } from "./company.ts";
import { piotroski } from "./piotroski.ts";

const of = (values: Readonly<Record<string, number>>) => new Map(Object.entries(values));

test("growth and CAGR are fractions", () => {
  assert.deepEqual(growth(120, 100), { value: 0.19999999999999996 });
  // 100 → 121 in two years
  const { value = 0 } = cagr(100, 121, 2);
  assert.ok(Math.abs(value - 0.1) < 1e-15);
});

test("growth from nothing or from a loss, and CAGR between signs, are not defined", () => {
  for (const found of [
    growth(5, 0),
    growth(5, -5),
    cagr(-1, 5, 3),
    cagr(5, -1, 3),
    cagr(0, 5, 3),
    cagr(1, 2, 0),
    growth(5, Number.NaN),
  ]) {
    assert.equal(found.value, undefined);
    assert.match("reason" in found ? found.reason : "", /not defined|no span/);
  }
});

test("a margin is a share of revenue", () => {
  const values = of({
    revenue: 200,
    costOfRevenue: 120,
    operatingIncome: 30,
    netIncome: -10,
    operatingCashFlow: 50,
    capitalExpenditure: -20,
    ebit: 32,
    depreciationAndAmortization: 8,
  });
  assert.deepEqual(
    (["gross", "operating", "net", "ebitda", "fcf"] as const).map((part) => margin(values, part).value),
    [0.4, 0.15, -0.05, 0.2, 0.15],
  );
});

test("what is reported wins over what could be computed", () => {
  const values = of({
    revenue: 100,
    grossProfit: 45,
    costOfRevenue: 50,
    ebitda: 20,
    ebit: 1,
    depreciationAndAmortization: 1,
    freeCashFlow: 7,
    operatingCashFlow: 1,
    capitalExpenditure: 0,
  });
  assert.deepEqual(
    (["gross", "ebitda", "fcf"] as const).map((part) => margin(values, part).value),
    [0.45, 0.2, 0.07],
  );
});

test("a margin names what is missing, and none is made of revenue that is not positive", () => {
  assert.deepEqual(margin(of({ costOfRevenue: 5 }), "gross"), {
    missing: ["grossProfit", "revenue"],
    reason: "grossProfit is not known; revenue is not known",
  });
  assert.deepEqual(margin(of({ revenue: 0, netIncome: 5 }), "net"), {
    missing: [],
    reason: "revenue is 0: a margin needs a positive one",
  });
});

test("EV/EBITDA adds debt to the market's value and takes cash away", () => {
  const debts = { shortTermDebt: 10, longTermDebt: 40, cashAndCashEquivalents: 20, ebitda: 26 };
  assert.deepEqual(enterpriseValue(of(debts), 100), { value: 130 });
  assert.deepEqual(evToEbitda(of(debts), 100), { value: 5 });
  assert.deepEqual(evToEbitda(of({ netDebt: -74, ebitda: 26 }), 100), { value: 1 });
  assert.deepEqual(evToEbitda(of({ ...debts, ebitda: -3 }), 100), {
    missing: [],
    reason: "ebitda is -3: EV/EBITDA needs a positive one",
  });
  assert.deepEqual(evToEbitda(of({ ebitda: 26 }), undefined), {
    missing: ["marketCap", "netDebt"],
    reason: "marketCap is not known; netDebt is not known",
  });
});

test("FCF yield may be negative, but needs a market capitalisation", () => {
  assert.deepEqual(fcfYield(of({ freeCashFlow: -5 }), 100), { value: -0.05 });
  assert.equal(fcfYield(of({ freeCashFlow: 5 }), 0).value, undefined);
  // a source that writes capital expenditure as a positive amount means the same
  assert.deepEqual(fcfYield(of({ netCashProvidedByOperatingActivities: 15, capitalExpenditure: 5 }), 100), {
    value: 0.1,
  });
});

test("a merged year has the inventory of the balance sheet, not its change in the cash flow", () => {
  const merged = mergeStatements({
    balance: of({ inventory: 50 }),
    cashFlow: of({ inventory: -3, operatingCashFlow: 9 }),
    income: of({ netIncome: 4 }),
  });
  assert.deepEqual(Object.fromEntries(merged), { inventory: 50, operatingCashFlow: 9, netIncome: 4 });
  assert.equal(mergeStatements({}).size, 0);
});

const BEFORE = {
  netIncome: 5,
  totalAssets: 100,
  operatingCashFlow: 6,
  longTermDebt: 30,
  totalCurrentAssets: 40,
  totalCurrentLiabilities: 20,
  weightedAverageShsOut: 10,
  grossProfit: 30,
  revenue: 80,
};
// each of the nine is better than before
const BETTER = {
  netIncome: 8,
  totalAssets: 100,
  operatingCashFlow: 9,
  longTermDebt: 20,
  totalCurrentAssets: 50,
  totalCurrentLiabilities: 20,
  weightedAverageShsOut: 10,
  grossProfit: 40,
  revenue: 90,
};
const passedOf = (current: Readonly<Record<string, number>>) =>
  piotroski(of(current), of(BEFORE)).tests.map(({ passed }) => passed);

test("a company that is better in everything has a Piotroski F of 9", () => {
  const { score, computed } = piotroski(of(BETTER), of(BEFORE));
  assert.deepEqual([score, computed], [9, 9]);
});

/** Figures that fail exactly one of the nine tests, in the order of the tests. */
const FAILURES: readonly Readonly<Record<string, number>>[] = [
  { netIncome: -1, operatingCashFlow: 9, totalAssets: 100 },
  { operatingCashFlow: 0 },
  { netIncome: 5 },
  { operatingCashFlow: 7 },
  { longTermDebt: 30 },
  { totalCurrentAssets: 40 },
  { weightedAverageShsOut: 10.1 },
  { grossProfit: 33 },
  { revenue: 80, grossProfit: 40 },
];

test("each of the nine tests can be failed by itself", () => {
  for (const [index, worse] of FAILURES.entries()) {
    const failed = passedOf({ ...BETTER, ...worse }).flatMap((passed, at) => (passed === true ? [] : [at]));
    // a loss also lowers the return on assets; no cash flow is also less than the income
    const also =
      new Map([
        [0, [2]],
        [1, [3]],
      ]).get(index) ?? [];
    assert.deepEqual(failed, [index, ...also]);
  }
});

test("a test whose values are missing is left out of the score and says what is missing", () => {
  const { longTermDebt: _, ...without } = BETTER;
  const found = piotroski(of(without), of(BEFORE));
  assert.deepEqual([found.score, found.computed], [8, 8]);
  assert.deepEqual(found.tests[4], {
    name: "long-term debt fell relative to assets",
    missing: ["longTermDebt"],
    reason: "longTermDebt is not known",
  });
  assert.deepEqual([piotroski(of({}), of({})).score, piotroski(of({}), of({})).computed], [0, 0]);
  const zero = piotroski(of({ ...BETTER, totalCurrentLiabilities: 0 }), of(BEFORE)).tests[5];
  assert.deepEqual([zero?.passed, zero?.reason], [undefined, "a ratio to 0 is not defined"]);
});

const FIRM = {
  totalAssets: 200,
  totalLiabilities: 120,
  totalCurrentAssets: 80,
  totalCurrentLiabilities: 50,
  retainedEarnings: 40,
  ebit: 20,
  revenue: 240,
};

test("Altman's Z adds five weighted ratios", () => {
  // 1.2 · 30/200 + 1.4 · 40/200 + 3.3 · 20/200 + 0.6 · 300/120 + 240/200 = 0.18 + 0.28 + 0.33 + 1.5 + 1.2
  const { value = 0 } = altmanZ(of(FIRM), 300);
  assert.ok(Math.abs(value - 3.49) < 1e-12);
});

test("Altman's Z is not computed of what is missing, and EBIT may come from income before tax and interest", () => {
  assert.deepEqual(altmanZ(of(FIRM), undefined), { missing: ["marketCap"], reason: "marketCap is not known" });
  const { ebit: _, ...without } = FIRM;
  assert.deepEqual(altmanZ(of({ ...without, incomeBeforeTax: 16, interestExpense: 4 }), 300), altmanZ(of(FIRM), 300));
  assert.deepEqual(altmanZ(of(without), 300), { missing: ["ebit"], reason: "ebit is not known" });
  assert.equal(altmanZ(of({ ...FIRM, totalLiabilities: 0 }), 300).value, undefined);
});

test("whatever the values are, a metric is a finite number or says why it is not", () => {
  const names = [...new Set(Object.keys({ ...FIRM, ...BEFORE, ebitda: 0, netDebt: 0, freeCashFlow: 0 }))];
  const amount = fc.oneof(fc.constant(0), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer());
  const values = fc.dictionary(fc.constantFrom(...names), amount).map(of);
  fc.assert(
    fc.property(values, values, fc.option(amount, { nil: undefined }), (current, previous, cap) => {
      const first = piotroski(current, previous);
      assert.ok(first.score <= first.computed && first.tests.length === 9);
      for (const found of [
        altmanZ(current, cap),
        evToEbitda(current, cap),
        fcfYield(current, cap),
        margin(current, "fcf"),
        margin(current, "gross"),
      ])
        assert.ok(found.value === undefined ? found.reason !== "" : Number.isFinite(found.value));
    }),
  );
});
