import assert from "node:assert/strict";
import { test } from "node:test";
import { refusedPaths } from "@baton/core/testing";
import type { PeriodKind, PeriodRow } from "../../market/port/market-data.ts";
import { MarketError } from "../../market/port/market-error.ts";
import {
  getBalanceSheet,
  getCashFlow,
  getFinancialGrowth,
  getIncomeStatement,
  getKeyMetrics,
  getRatios,
} from "./fundamental.ts";
import type { MarketTool } from "../frame/market-tool.ts";
import { getDividends, getEarnings } from "./payouts.ts";
import { pick, pickAll } from "../testing/pick.ts";
import {
  ABROAD,
  ACME,
  answerOf,
  HOME,
  inspect,
  PROVENANCE,
  sourced,
  stubMarket,
  toolOn,
} from "../testing/stub-market.ts";

const rowOf = (label: string, end: string, values: Readonly<Record<string, number>>): PeriodRow => ({
  label,
  end,
  currency: "EUR",
  values: new Map(Object.entries(values)),
});

const INCOME = [
  rowOf("FY2015", "2015-12-31", { revenue: 100, netIncome: 9, eps: 0.9, unheardOf: 1 }),
  rowOf("FY2016", "2016-12-31", { netIncome: 10, revenue: 110, weightedAverageShsOut: 10 }),
];
const statements = stubMarket({
  statements: async ({ period }) => {
    if (period !== "annual") throw new MarketError("no_data", "only years", { enable: "FMP_API_KEY" });
    return sourced(INCOME);
  },
  metrics: async ({ set, period }) => {
    if (period === "ttm") return sourced([]);
    const values =
      set === "ratios" ? { netProfitMargin: 9.1, priceToEarningsRatio: 0.5 } : { revenueGrowth: 10, marketCap: 5 };
    return sourced([rowOf("FY2016", "2016-12-31", { ...values, interestCoverageRatio: 0 })]);
  },
});

test("statements are shown newest first, in the currency of the statement, with their start", async () => {
  const answer = await answerOf(statements, getIncomeStatement, { symbol: "acme" });
  assert.deepEqual(pick(answer, "data"), {
    ...ACME,
    period: "annual",
    periods: [
      {
        label: "FY2016",
        start: "2016-01-01",
        end: "2016-12-31",
        currency: "EUR",
        values: { revenue: 110, netIncome: 10, weightedAverageShsOut: 10 },
      },
      {
        label: "FY2015",
        start: "2015-01-01",
        end: "2015-12-31",
        currency: "EUR",
        values: { revenue: 100, netIncome: 9, eps: 0.9 },
      },
    ],
  });
});

test("a period begins after the one before it, else by whole months; one that counts in weeks has no guessed start", async () => {
  const startsOf = async (period: PeriodKind, rows: readonly (readonly [label: string, end: string])[]) => {
    const metrics = async () => sourced(rows.map(([label, end]) => rowOf(label, end, { currentRatio: 1 })));
    const { facts } = await inspect(toolOn(stubMarket({ metrics }), getRatios), { symbol: "ACME", period });
    return facts.map(({ period: span }) => span?.start);
  };
  const weeks = [
    ["FY2016", "2016-09-24"],
    ["FY2015", "2015-09-26"],
  ] as const;
  assert.deepEqual(await startsOf("annual", weeks), ["2015-09-27", undefined]);
  assert.deepEqual(await startsOf("quarter", [["Q4 2016", "2016-02-29"]]), ["2015-12-01"]);
  assert.deepEqual(await startsOf("ttm", [["TTM", "2026-03-05"]]), ["2025-03-06"]);
  const changed = [
    ["FY2016", "2016-12-31"],
    ["FY2016T", "2016-06-30"],
  ] as const;
  assert.deepEqual(await startsOf("annual", changed), [undefined, "2015-07-01"]);
});

test("every value is a figure with unit, currency and period, and the headlines of all periods come first", async () => {
  const { facts, uncited, digest } = await inspect(toolOn(statements, getIncomeStatement), { symbol: "ACME" });
  assert.deepEqual(uncited, []);
  assert.deepEqual(
    facts.map(({ metric, value, unit, currency, period }) => [metric, value, unit, currency, period?.label]),
    [
      ["revenue", 110, "money", "EUR", "FY2016"],
      ["net income", 10, "money", "EUR", "FY2016"],
      ["revenue", 100, "money", "EUR", "FY2015"],
      ["net income", 9, "money", "EUR", "FY2015"],
      ["EPS", 0.9, "money/share", "EUR", "FY2015"],
      ["weighted average shares", 10, "shares", undefined, "FY2016"],
    ],
  );
  assert.deepEqual(facts[0]?.period, { start: "2016-01-01", end: "2016-12-31", label: "FY2016" });
  assert.match(digest, /ACME revenue 110 EUR · FY2016/);
});

test("a limit is kept whatever the source gives", async () => {
  const answer = await answerOf(statements, getIncomeStatement, { symbol: "ACME", limit: 1 });
  assert.deepEqual(pick(answer, "data.periods.*.label"), ["FY2016"]);
});

test("quarters of a source that has only years are no data that names the years", async () => {
  const answer = await answerOf(statements, getIncomeStatement, { symbol: "ACME", period: "quarter" });
  assert.deepEqual(answer, {
    no_data: true,
    message: "there are no quarterly income statements of ACME (Acme Inc.); there are annual FY2015, FY2016",
    symbol: "ACME",
    available: "annual FY2015, FY2016",
    enable: "FMP_API_KEY",
  });
  const ttm = await answerOf(statements, getRatios, { symbol: "ACME", period: "ttm" });
  assert.deepEqual(pickAll(ttm, "no_data", "available"), [true, "annual FY2016"]);
});

test("what a source says of the years it has is not asked for again", async () => {
  const asked: PeriodKind[] = [];
  const market = stubMarket({
    statements: async ({ period }) => {
      asked.push(period);
      throw new MarketError("no_data", "only years", { symbol: "ACME", available: "annual 2012–2016" });
    },
  });
  const answer = await answerOf(market, getCashFlow, { symbol: "ACME", period: "quarter" });
  assert.deepEqual([pick(answer, "available"), asked], ["annual 2012–2016", ["quarter"]]);
});

test("a failure that is not a lack of data stays what it is", async () => {
  const market = stubMarket({
    statements: () => Promise.reject(new MarketError("upstream", "broken")),
  });
  await assert.rejects(
    answerOf(market, getBalanceSheet, { symbol: "ACME", period: "quarter" }),
    /^ToolError: upstream/,
  );
});

test("metrics have their units, and a coverage of nothing is absent", async () => {
  const { facts, uncited } = await inspect(toolOn(statements, getRatios), { symbol: "ACME" });
  assert.deepEqual(
    facts.map(({ metric, unit, currency }) => [metric, unit, currency]),
    [
      ["P/E", "ratio", undefined],
      ["net margin", "percent", undefined],
    ],
  );
  assert.deepEqual(uncited, []);
  const growth = await inspect(toolOn(statements, getFinancialGrowth), { symbol: "ACME" });
  assert.deepEqual(
    growth.facts.map(({ metric, unit }) => [metric, unit]),
    [["revenue growth", "percent"]],
  );
});

test("a balance sheet is of a day", async () => {
  const market = stubMarket({
    statements: async () => sourced([{ ...rowOf("FY2016", "2016-12-31", { inventory: 3 }), start: "2016-01-01" }]),
  });
  const { facts } = await inspect(toolOn(market, getBalanceSheet), { symbol: "ACME" });
  assert.deepEqual([facts[0]?.metric, facts[0]?.period], ["inventory", { end: "2016-12-31", label: "FY2016" }]);
});

const EARNINGS = stubMarket({
  earnings: async () =>
    sourced([
      { day: "2024-10-31", currency: "USD", epsActual: 1.1, epsEstimated: 1, revenueActual: 90, revenueEstimated: 100 },
      { day: "2025-04-30", currency: "USD", epsEstimated: 3 },
      { day: "2025-01-30", currency: "USD", epsEstimated: 2 },
      { day: "2024-09-30", currency: "USD" },
      { day: "2024-07-31", currency: "USD", epsActual: -1, epsEstimated: -2 },
    ]),
});

test("earnings are newest first, with the surprise in percent, also of a loss", async () => {
  const { output, facts, uncited, digest } = await inspect(toolOn(EARNINGS, getEarnings), { symbol: "ACME" });
  assert.deepEqual(pick(output, "data.earnings.*.day"), ["2024-10-31", "2024-07-31"]);
  assert.deepEqual(pick(output, "data.earnings.*.eps_surprise_percent"), [10, 50]);
  assert.deepEqual(pick(output, "data.earnings.*.revenue_surprise_percent"), [-10, undefined]);
  assert.deepEqual(uncited, []);
  assert.equal(facts.find(({ metric }) => metric === "reported revenue")?.unit, "money");
  assert.match(digest, /next report: 2025-01-30/);
});

test("the nearest report to come is beside those that were made, which alone count for the limit", async () => {
  const answer = await answerOf(EARNINGS, getEarnings, { symbol: "ACME", limit: 1 });
  assert.deepEqual(pick(answer, "data.next_report"), { day: "2025-01-30", currency: "USD", eps_estimated: 2 });
  assert.deepEqual(pick(answer, "data.earnings.*.day"), ["2024-10-31"]);
});

test("dividends are those of the window, with the sum of what was paid", async () => {
  const dividend = (day: string, amount: number) => ({ day, amount, currency: "USD" });
  const days = [dividend("2024-12-05", 0.3), dividend("2024-05-01", 0.1), dividend("2024-08-01", 0.2)];
  const market = stubMarket({
    dividends: async ({ from }) => {
      assert.equal(from, "2023-11-23");
      return sourced([...days, dividend("2020-01-01", 9)]);
    },
  });
  const { output, uncited, facts } = await inspect(toolOn(market, getDividends), { symbol: "ACME" });
  assert.deepEqual(pick(output, "data.period"), { start: "2023-11-23", end: "2024-11-22" });
  assert.equal(pick(output, "data.total"), 0.3);
  assert.deepEqual(pick(output, "data.dividends.*.day"), ["2024-12-05", "2024-08-01", "2024-05-01"]);
  assert.deepEqual(uncited, []);
  assert.ok(facts.every(({ unit, currency }) => unit === "money/share" && currency === "USD"));
});

test("no reports and no dividends are no data, and name the company", async () => {
  const market = stubMarket({ earnings: async () => sourced([]), dividends: async () => sourced([]) });
  for (const tool of [getEarnings, getDividends]) {
    const answer = await answerOf(market, tool, { symbol: "ACME" });
    assert.equal(pick(answer, "no_data"), true);
    assert.match(String(pick(answer, "message")), /of ACME \(Acme Inc\.\)/);
  }
});

const ALL: readonly MarketTool[] = [
  getBalanceSheet,
  getIncomeStatement,
  getCashFlow,
  getKeyMetrics,
  getFinancialGrowth,
  getRatios,
  getEarnings,
  getDividends,
];

test("an unknown symbol is no data with candidates, one of two markets is ambiguous", async () => {
  const empty = stubMarket({});
  for (const tool of ALL) {
    const unknown = await answerOf(empty, tool, { symbol: "QQQQQ" });
    assert.deepEqual(pickAll(unknown, "no_data", "candidates"), [true, [ACME]]);
    const several = await answerOf(empty, tool, { symbol: "VNM" });
    assert.deepEqual(pickAll(several, "ambiguous", "candidates"), [true, [HOME, ABROAD]]);
  }
});

test("arguments that do not fit are refused, each by its name", async () => {
  const market = stubMarket({});
  const cases: readonly (readonly [MarketTool, Record<string, string | number>, string])[] = [
    [getBalanceSheet, { symbol: "ACME", period: "ttm" }, "period"],
    [getIncomeStatement, { symbol: "ACME", limit: 0 }, "limit"],
    [getCashFlow, { symbol: "ACME", limit: 1.5 }, "limit"],
    [getKeyMetrics, { symbol: "ACME", period: "yearly" }, "period"],
    [getRatios, { symbol: "" }, "symbol"],
    [getFinancialGrowth, { symbol: "ACME", lookback_years: 31 }, "lookback_years"],
    [getEarnings, { symbol: "ACME", limit: "4" }, "limit"],
    [getDividends, { symbol: "ACME", lookback_days: 0 }, "lookback_days"],
  ];
  for (const [tool, args, path] of cases) assert.deepEqual(await refusedPaths(toolOn(market, tool), args), [path]);
});

test("a result has the provenance of its source", async () => {
  const answer = await answerOf(statements, getKeyMetrics, { symbol: "ACME" });
  assert.deepEqual(pick(answer, "provenance"), PROVENANCE);
});
