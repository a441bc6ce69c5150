import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { MarketData } from "../market/port/market-data.ts";
import { openPack } from "../market/pack/pack.ts";
import {
  getBalanceSheet,
  getCashFlow,
  getFinancialGrowth,
  getIncomeStatement,
  getKeyMetrics,
  getRatios,
} from "./fundamental/fundamental.ts";
import { getDividends, getEarnings } from "./fundamental/payouts.ts";
import { getSharpeRatio } from "./risk/risk.ts";
import { openLiveWorld } from "./testing/live-world.ts";
import { pick, pickAll } from "./testing/pick.ts";
import { answerOf, inspect, toolOn } from "./testing/stub-market.ts";

/** Statements come from the SEC alone: there is no key. */
let world: Awaited<ReturnType<typeof openLiveWorld>>;
let market: MarketData;
before(async () => {
  const env = { FMP_API_KEY: undefined };
  world = await openLiveWorld({ pack: openPack(), clock: { now: () => Date.now() }, env });
  market = world.market;
});
after(() => world[Symbol.asyncDispose]());

const NOT_FACTS = /^data\.(count|of)$/;

const STATEMENT_TOOLS = { getIncomeStatement, getBalanceSheet, getCashFlow, getKeyMetrics, getRatios };

for (const [name, make] of Object.entries(STATEMENT_TOOLS)) {
  test(`${name} has years and quarters of the SEC whose numbers are facts with start and end`, async () => {
    for (const period of ["annual", "quarter"] as const) {
      const { output, uncited, facts } = await inspect(toolOn(market, make), { symbol: "AAPL", period }, NOT_FACTS);
      assert.equal(pick(output, "provenance.source"), "sec", JSON.stringify(output).slice(0, 200));
      assert.deepEqual(uncited, []);
      const isOfDay = make === getBalanceSheet;
      for (const fact of facts) {
        const { start, end = "" } = fact.period ?? {};
        if (isOfDay) assert.equal(start, undefined);
        else assert.ok(start !== undefined && start < end, JSON.stringify(fact));
        const days = (Date.parse(end) - Date.parse(start ?? end)) / 86_400_000;
        const [least, most] = isOfDay ? [0, 0] : period === "annual" ? [330, 380] : [60, 120];
        assert.ok(days >= least && days <= most, `${fact.metric} ${start} to ${end}`);
      }
    }
  });
}

test("the last twelve months come from the SEC, and say of which quarters", async () => {
  for (const make of [getKeyMetrics, getRatios]) {
    const answer = await answerOf(market, make, { symbol: "AAPL", period: "ttm" });
    assert.deepEqual(pick(answer, "data.periods.*.label"), ["TTM"]);
    assert.equal(pick(answer, "data.periods.0.derived"), "Q2 2025 + Q3 2025 + Q4 2025 + Q1 2026");
  }
});

test("a fourth quarter is marked as derived in its period and in every fact, and no other quarter is", async () => {
  for (const make of [getIncomeStatement, getRatios]) {
    const { output, facts } = await inspect(toolOn(market, make), { symbol: "AAPL", period: "quarter", limit: 5 });
    const labels = [pick(output, "data.periods.*.label")].flat();
    const fourth = labels.indexOf("Q4 2025");
    assert.match(String(pick(output, `data.periods.${fourth}.derived`)), /^FY2025 − 9 months to /);
    assert.deepEqual(
      new Set(
        facts.filter(({ path }) => path.startsWith(`data.periods[${fourth}]`)).map(({ period }) => period?.label),
      ),
      new Set(["Q4 2025 (derived)"]),
    );
    const reported = facts.filter(({ period }) => period?.label === "Q3 2025" || period?.label === "Q1 2026");
    assert.ok(reported.length > 0);
  }
});

test("quarters of a cash flow, which are reported as years to date, say what they are computed from", async () => {
  const { facts } = await inspect(toolOn(market, getCashFlow), { symbol: "AAPL", period: "quarter", limit: 4 });
  const marked = facts.filter(({ period }) => period?.label?.endsWith("(derived)") === true);
  const plain = facts.filter(({ period }) => period?.label?.startsWith("Q1") === true);
  assert.ok(marked.length > 0 && plain.every(({ period }) => period?.label === "Q1 2026"));
});

test("growth, earnings and dividends come from the SEC; a quarter that is derived says so", async () => {
  const growth = await inspect(toolOn(market, getFinancialGrowth), { symbol: "AAPL" }, NOT_FACTS);
  assert.deepEqual([growth.uncited, growth.facts.length > 0], [[], true]);
  const { output, uncited, facts } = await inspect(toolOn(market, getEarnings), { symbol: "AAPL" });
  assert.deepEqual([pick(output, "provenance.source"), uncited], ["sec", []]);
  const labels = [pick(output, "data.earnings.*.label")].flat();
  const fourth = labels.findIndex((label) => String(label).startsWith("Q4"));
  assert.equal(pick(output, `data.earnings.${fourth}.is_derived`), true);
  const told = facts
    .filter(({ path }) => path.startsWith(`data.earnings[${fourth}]`))
    .map(({ period }) => period?.label);
  assert.ok(told.length > 0 && told.every((label) => label?.endsWith("(derived)") === true), told.join());
  const dividends = await answerOf(market, getDividends, { symbol: "AAPL", lookback_days: 3_000 });
  assert.equal(pick(dividends, "provenance.source"), "sec");
});

test("two classes of one company have the same statements", async () => {
  const [one, other] = await Promise.all(
    ["GOOGL", "GOOG"].map((symbol) => answerOf(market, getIncomeStatement, { symbol, limit: 2 })),
  );
  assert.deepEqual(pick(one, "data.periods"), pick(other, "data.periods"));
  assert.deepEqual(pickAll(one, "data.symbol"), ["GOOGL"]);
});

test("the Sharpe ratio takes the 3-month Treasury of the last day and says so, in percent", async () => {
  const { output, facts } = await inspect(toolOn(market, getSharpeRatio), { symbol: "AAPL" });
  assert.deepEqual(pickAll(output, "data.risk_free.from", "data.risk_free.source"), ["treasury", "treasury"]);
  const percent = Number(pick(output, "data.risk_free.rate_percent"));
  assert.ok(percent > 3 && percent < 6, `${percent}`);
  const fact = facts.find(({ metric }) => metric === "risk-free rate");
  assert.deepEqual([fact?.["source"], fact?.unit, fact?.value], ["treasury", "percent", percent]);
  assert.equal(pick(output, "data.risk_free.day"), pick(output, "data.window.end"));
});
