import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { computeGrowth, computeKeyMetrics, computeRatios } from "./compute-metrics.ts";
import type { PeriodRow } from "../port/market-data.ts";
import { METRICS } from "./metrics.ts";
import type { Statements } from "./statement-facts.ts";

type Values = Readonly<Record<string, number>>;

const rowOf = (year: number, values: Values, more: Partial<PeriodRow> = {}): PeriodRow => ({
  label: `FY${year}`,
  start: `${year - 1}-10-01`,
  end: `${year}-09-30`,
  currency: "USD",
  values: new Map(Object.entries(values)),
  ...more,
});

/** A made-up company with round numbers. */
const INCOME: Values = {
  revenue: 1000,
  costOfRevenue: 600,
  grossProfit: 400,
  operatingIncome: 200,
  interestExpense: 20,
  incomeBeforeTax: 180,
  incomeTaxExpense: 45,
  netIncome: 135,
  eps: 1.35,
  weightedAverageShsOut: 100,
};
const BALANCE: Values = {
  totalAssets: 2000,
  totalCurrentAssets: 500,
  totalCurrentLiabilities: 250,
  totalLiabilities: 1100,
  totalStockholdersEquity: 900,
  cashAndCashEquivalents: 100,
  shortTermInvestments: 50,
  netReceivables: 100,
  inventory: 60,
  accountPayables: 120,
  longTermDebt: 350,
  shortTermDebt: 50,
  goodwillAndIntangibleAssets: 100,
};
const CASH: Values = {
  operatingCashFlow: 240,
  capitalExpenditure: -80,
  depreciationAndAmortization: 50,
  commonDividendsPaid: -40,
  inventory: -7,
};
const oneYear: Statements = {
  income: [rowOf(2016, INCOME)],
  balance: [rowOf(2016, BALANCE)],
  cash: [rowOf(2016, CASH)],
};
const near = (row: PeriodRow | undefined, expected: Values) => {
  for (const [name, value] of Object.entries(expected)) {
    const found = row?.values.get(name);
    assert.ok(found !== undefined && Math.abs(found - value) < 1e-9, `${name}: ${found}, not ${value}`);
  }
};

test("ratios are those of the statements, with margins, payout and tax in percent", () => {
  const [row] = computeRatios(oneYear);
  near(row, {
    grossProfitMargin: 40,
    ebitMargin: 20,
    ebitdaMargin: 25,
    netProfitMargin: 13.5,
    effectiveTaxRate: 25,
    currentRatio: 2,
    quickRatio: 1.76,
    cashRatio: 0.4,
    debtToEquityRatio: 400 / 900,
    interestCoverageRatio: 10,
    dividendPayoutRatio: (40 / 135) * 100,
    dividendPerShare: 0.4,
    freeCashFlowPerShare: 1.6,
    bookValuePerShare: 9,
    solvencyRatio: 185 / 1100,
    capitalExpenditureCoverageRatio: 3,
    inventoryTurnover: 10,
  });
  assert.deepEqual([row?.label, row?.end, row?.currency], ["FY2016", "2016-09-30", "USD"]);
});

test("key metrics are those of the statements, with returns in percent and cycles in days", () => {
  const [row] = computeKeyMetrics(oneYear);
  near(row, {
    returnOnEquity: 15,
    returnOnAssets: 6.75,
    workingCapital: 250,
    investedCapital: 1200,
    returnOnInvestedCapital: 12.5,
    netDebtToEBITDA: 1.2,
    daysOfSalesOutstanding: 36.5,
    daysOfInventoryOutstanding: 36.5,
    daysOfPayablesOutstanding: 73,
    operatingCycle: 73,
    cashConversionCycle: 0,
    freeCashFlowToFirm: 175,
    tangibleAssetValue: 800,
    netCurrentAssetValue: -600,
    grahamNumber: Math.sqrt(22.5 * 1.35 * 9),
  });
});

test("nothing is said of valuation without a price, nor of a quarter's", () => {
  const priced = { ...oneYear, priceAt: () => 27 };
  near(computeRatios(priced)[0], { priceToEarningsRatio: 20, priceToBookRatio: 3, priceToSalesRatio: 2.7 });
  near(computeKeyMetrics(priced)[0], { marketCap: 2700, enterpriseValue: 3000, evToEBITDA: 12, earningsYield: 5 });
  const quarter = { ...priced, income: [rowOf(2016, INCOME, { start: "2016-07-01" })] };
  for (const statements of [oneYear, quarter]) {
    const [ratios, metrics] = [computeRatios(statements)[0], computeKeyMetrics(statements)[0]];
    assert.equal(ratios?.values.has("priceToEarningsRatio"), false);
    assert.equal(metrics?.values.has("marketCap"), false);
    assert.equal(ratios?.values.has("grossProfitMargin"), true);
  }
});

test("growth is on the year before, in percent, and absent if there is no such year or it was a loss", () => {
  const income = [
    rowOf(2016, { ...INCOME, revenue: 1331 }),
    rowOf(2015, { ...INCOME, revenue: 1210, netIncome: -5 }),
    rowOf(2013, { ...INCOME, revenue: 1000 }),
  ];
  const rows = computeGrowth({ income, balance: [], cash: [] });
  assert.deepEqual(
    rows.map(({ label }) => label),
    ["FY2016"],
  );
  near(rows[0], { revenueGrowth: 10, threeYRevenueGrowthPerShare: 33.1 });
  assert.equal(rows[0]?.values.has("netIncomeGrowth"), false);
  assert.equal(rows[0]?.values.has("fiveYRevenueGrowthPerShare"), false);
});

test("growth is never computed across currencies", () => {
  const income = [rowOf(2016, INCOME), rowOf(2015, INCOME, { currency: "EUR" })];
  assert.deepEqual(computeGrowth({ income, balance: [], cash: [] }), []);
});

test("a quotient by a loss, by nothing or by the unknown is absent", () => {
  const income = [rowOf(2016, { ...INCOME, netIncome: -10, interestExpense: 0 })];
  const balance = [rowOf(2016, { ...BALANCE, totalStockholdersEquity: -50 })];
  const values = computeRatios({ income, balance, cash: oneYear.cash })[0]?.values;
  for (const name of ["dividendPayoutRatio", "interestCoverageRatio", "debtToEquityRatio", "priceToEarningsRatio"]) {
    assert.equal(values?.has(name), false, name);
  }
  assert.equal(computeKeyMetrics({ income, balance, cash: [] })[0]?.values.has("returnOnEquity"), false);
});

test("whatever the statements are, every value is finite, has a known name, and ratios do not depend on the scale", () => {
  const amount = fc.oneof(fc.constant(0), fc.integer({ min: -1_000_000, max: 1_000_000 }));
  const valuesOf = (names: readonly string[]) =>
    fc.record(Object.fromEntries(names.map((name) => [name, amount])), { requiredKeys: [] });
  const statement = fc.record({
    income: valuesOf([...METRICS.income.keys()]),
    balance: valuesOf([...METRICS.balance.keys()]),
    cash: valuesOf([...METRICS.cash_flow.keys()]),
  });
  const isShares = (name: string) => name.startsWith("weightedAverageShsOut");
  fc.assert(
    fc.property(statement, statement, (now, before) => {
      const at = (scale: number): Statements => {
        const scaled = (values: Readonly<Record<string, unknown>>): Values =>
          Object.fromEntries(
            Object.entries(values).map(([name, value]) => [name, Number(value) * (isShares(name) ? 1 : scale)]),
          );
        const rows = (kind: keyof typeof now) => [rowOf(2016, scaled(now[kind])), rowOf(2015, scaled(before[kind]))];
        return { income: rows("income"), balance: rows("balance"), cash: rows("cash") };
      };
      const sets = [
        ["ratios", computeRatios],
        ["key_metrics", computeKeyMetrics],
        ["growth", computeGrowth],
      ] as const;
      for (const [set, compute] of sets) {
        const [plain, scaled] = [compute(at(1)), compute(at(4))];
        const found = plain.flatMap((row, index) =>
          [...row.values].map(([name, value]) => ({ name, value, other: scaled[index]?.values.get(name) })),
        );
        for (const { name, value, other } of found) {
          const unit = METRICS[set].get(name)?.unit;
          assert.ok(unit !== undefined, `${name} is not in the table`);
          assert.ok(Number.isFinite(value), name);
          if (unit === "percent" || unit === "ratio") assert.equal(other, value, name);
        }
      }
    }),
  );
});
