/**
 * Books: the accounts of made-up companies fit together in every period.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { METRICS } from "../metrics/metrics.ts";
import { keepBooks, toQuarterRow, toYearRow } from "./books.ts";
import { FICTIONAL_COMPANIES } from "./company.ts";
import { dividendsOf, earningsOf, newsOf } from "./events.ts";

const books = fc.record({
  symbol: fc.stringMatching(/^[A-Z]{3,6}$/),
  quarterRevenue: fc.integer({ min: 1_000_000, max: 50_000_000_000 }),
  growth: fc.double({ min: -0.2, max: 0.6, noNaN: true }),
  grossMargin: fc.double({ min: 0.02, max: 0.9, noNaN: true }),
  overhead: fc.double({ min: 0.02, max: 1.2, noNaN: true }),
  shares: fc.integer({ min: 1_000_000, max: 5_000_000_000 }),
  payout: fc.double({ min: 0, max: 1, noNaN: true }),
});

test("in every quarter of any company the balance sheet balances and the cash flow explains the change in cash", () => {
  fc.assert(
    fc.property(books, (company) => {
      let cash: number | undefined;
      for (const { income, balance, cashFlow } of keepBooks(company)) {
        const of = (from: ReadonlyMap<string, number>, name: string) => from.get(name) ?? Number.NaN;
        const [assets, liabilities, equity] = ["totalAssets", "totalLiabilities", "totalStockholdersEquity"].map(
          (name) => of(balance, name),
        );
        assert.equal(assets, (liabilities ?? 0) + (equity ?? 0));
        assert.equal(of(balance, "totalLiabilitiesAndTotalEquity"), assets);
        const flows = ["Operating", "Investing", "Financing"].map((kind) =>
          of(cashFlow, `netCashProvidedBy${kind}Activities`),
        );
        assert.equal(
          flows.reduce((sum, flow) => sum + flow, 0),
          of(cashFlow, "netChangeInCash"),
        );
        assert.equal(of(cashFlow, "cashAtEndOfPeriod"), of(balance, "cashAndCashEquivalents"));
        if (cash !== undefined) assert.equal(of(cashFlow, "cashAtBeginningOfPeriod"), cash);
        cash = of(balance, "cashAndCashEquivalents");
        assert.ok(cash > 0);
        assert.equal(of(income, "revenue") - of(income, "costOfRevenue"), of(income, "grossProfit"));
        assert.equal(of(income, "netIncome"), of(cashFlow, "netIncome"));
        for (const value of [...income.values(), ...balance.values(), ...cashFlow.values()]) {
          assert.ok(Number.isFinite(value));
        }
      }
    }),
    { numRuns: 50 },
  );
});

test("a year's flows are the sum of its quarters, and its balance is that of its last day", () => {
  for (const { quarters } of FICTIONAL_COMPANIES) {
    const four = quarters.slice(0, 4);
    const year = toYearRow(four, "cash_flow", "FY2017");
    assert.deepEqual([year.start, year.end], ["2017-01-01", "2017-12-31"]);
    const sum = four.reduce((total, { cashFlow }) => total + (cashFlow.get("freeCashFlow") ?? 0), 0);
    assert.equal(year.values.get("freeCashFlow"), sum);
    assert.equal(year.values.get("cashAtBeginningOfPeriod"), four[0]?.cashFlow.get("cashAtBeginningOfPeriod"));
    const income = toYearRow(four, "income", "FY2017");
    assert.equal(income.values.get("weightedAverageShsOut"), four[0]?.income.get("weightedAverageShsOut"));
    assert.equal(toYearRow(four, "balance", "FY2017").values, four[3]?.balance);
  }
});

test("about a dozen companies, plainly made up, under names that the metrics know", () => {
  assert.equal(FICTIONAL_COMPANIES.length, 12);
  for (const { stock, quarters } of FICTIONAL_COMPANIES) {
    assert.ok(stock.name.startsWith("Fictional ") && stock.exchange === "FICTIONAL");
    assert.ok(stock.symbol.startsWith("FIC") && stock.symbol.length > 5);
    for (const statement of ["income", "balance", "cash_flow"] as const) {
      const names = quarters.flatMap((quarter) => [...toQuarterRow(quarter, statement).values.keys()]);
      assert.deepEqual(
        names.filter((name) => !METRICS[statement].has(name)),
        [],
      );
    }
  }
});

test("earnings, dividends and news say what the books say", () => {
  for (const company of FICTIONAL_COMPANIES) {
    const [next, last] = earningsOf(company);
    const quarter = company.quarters.at(-1);
    assert.ok(next?.epsActual === undefined && (next?.day ?? "") > "2024-11-22");
    assert.equal(last?.epsActual, quarter?.income.get("eps"));
    assert.equal(last?.revenueActual, quarter?.income.get("revenue"));
    const dividends = dividendsOf(company);
    assert.equal(dividends.length > 0, company.paysDividends);
    const ofYear = dividends.slice(0, 4).reduce((sum, { amount }) => sum + amount, 0);
    const fromYield = (company.stock.price * (company.stock.dividendYieldPercent ?? 0)) / 100;
    assert.ok(Math.abs(ofYear - fromYield) < 0.001, `${ofYear} ${fromYield}`);
    for (const { publishedAt, title, symbols } of newsOf(company)) {
      assert.ok(publishedAt < "2024-11-23" && title.includes("Fictional"));
      assert.deepEqual(symbols, [company.stock.symbol]);
    }
  }
});
