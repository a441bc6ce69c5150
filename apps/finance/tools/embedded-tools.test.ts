import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { Json } from "@baton/core";
import { z } from "zod";
import type { MarketData } from "../market/port/market-data.ts";
import { openMarket } from "../market/chain/open-market.ts";
import {
  getCryptoHistorical,
  getCryptoMarkets,
  getCryptoNews,
  getCryptoPrice,
  getCryptoQuote,
} from "./crypto/crypto.ts";
import { getGainers, getLosers, getMostActive, getScreener } from "./market/discovery.ts";
import { getEconomicCalendar } from "./economy/economic-calendar.ts";
import {
  getBalanceSheet,
  getCashFlow,
  getFinancialGrowth,
  getIncomeStatement,
  getKeyMetrics,
  getRatios,
} from "./fundamental/fundamental.ts";
import type { MarketTool } from "./frame/market-tool.ts";
import { getIndexComponents, getMarketOverview, getSectorPerformance } from "./market/market.ts";
import { getGeneralNews, getStockNews, webSearch } from "./news/news.ts";
import { getDividends, getEarnings } from "./fundamental/payouts.ts";
import { getHistoricalPrice } from "./price/price-history.ts";
import { getPriceChange } from "./price/price.ts";
import { pick, pickAll } from "./testing/pick.ts";
import { answerOf, inspect, toolOn } from "./testing/stub-market.ts";

let market: MarketData;
before(async () => {
  market = await openMarket({ env: { BATON_FINANCE_DATA: "offline" }, clock: { now: () => Date.UTC(2026, 2, 5) } });
});

/** Numbers that are not facts: counts, pages, criteria, and all but the close of older bars. */
const NOT_FACTS = /^data\.(count|page|of|criteria.*|prices\[[1-9]\d*\]\.(open|high|low|volume))$/;

/** A plainly fictional company of the pack: it has everything. */
const MADE_UP = "FICTEA";

test("with embedded data every number of every tool is a fact with its period", async () => {
  const cases: readonly (readonly [MarketTool, Json])[] = [
    [getIncomeStatement, { symbol: "AAPL" }],
    [getBalanceSheet, { symbol: "MSFT" }],
    [getCashFlow, { symbol: "AAPL" }],
    [getKeyMetrics, { symbol: "AAPL" }],
    [getRatios, { symbol: "AAPL" }],
    [getFinancialGrowth, { symbol: "AAPL" }],
    [getIncomeStatement, { symbol: MADE_UP, period: "quarter" }],
    [getEarnings, { symbol: MADE_UP }],
    [getDividends, { symbol: MADE_UP }],
    [getEconomicCalendar, { from: "2024-10-25", to: "2024-11-20" }],
    [getScreener, { sector: "công nghệ", market_cap_more_than: 1e11, limit: 20 }],
    [getGainers, {}],
    [getLosers, {}],
    [getMostActive, {}],
    [getCryptoPrice, { symbol: "BTC" }],
    [getCryptoQuote, { symbol: "BTCUSDT" }],
    [getCryptoHistorical, { symbol: "Bitcoin" }],
    [getCryptoMarkets, {}],
    [getMarketOverview, {}],
    [getSectorPerformance, {}],
  ];
  for (const [make, args] of cases) {
    const tool = toolOn(market, make);
    const { output, uncited, facts } = await inspect(tool, args, NOT_FACTS);
    assert.ok(facts.length > 0, `${tool.name}: ${JSON.stringify(output).slice(0, 300)}`);
    assert.deepEqual(uncited, [], tool.name);
    assert.equal(pick(output, "provenance.source"), "embedded");
  }
});

test("statements of Apple are those it reported, in units and not in millions", async () => {
  const answer = await answerOf(market, getIncomeStatement, { symbol: "apple" });
  assert.deepEqual(pick(answer, "data.periods.*.label"), ["FY2016", "FY2015", "FY2014", "FY2013"]);
  const newest = "data.periods.0";
  assert.deepEqual(
    pickAll(answer, `${newest}.start`, `${newest}.end`, `${newest}.values.revenue`, `${newest}.values.netIncome`),
    ["2015-09-27", "2016-09-24", 215_639_000_000, 45_687_000_000],
  );
  const growth = await answerOf(market, getFinancialGrowth, { symbol: "AAPL", lookback_years: 1 });
  assert.equal(Number(pick(growth, "data.periods.0.values.revenueGrowth")).toFixed(2), "-7.73");
});

test("nothing is made up about a real company: what is missing is no data with the switch that brings it", async () => {
  const cases: readonly (readonly [MarketTool, Json])[] = [
    [getEarnings, { symbol: "AAPL" }],
    [getDividends, { symbol: "AAPL" }],
    [getStockNews, { symbol: "AAPL" }],
    [getIncomeStatement, { symbol: "SPY" }],
    [getIncomeStatement, { symbol: "AAPL", period: "quarter" }],
    [getRatios, { symbol: "AAPL", period: "ttm" }],
    [getCryptoNews, {}],
    [getIndexComponents, {}],
    [getEconomicCalendar, { country: "US" }],
  ];
  for (const [make, args] of cases) {
    const answer = await answerOf(market, make, args);
    assert.equal(pick(answer, "no_data"), true, JSON.stringify(answer).slice(0, 200));
    assert.match(String(pick(answer, "enable")), /^(?:FMP_API_KEY|BATON_FINANCE_LIVE=on)$/);
  }
  const quarter = await answerOf(market, getCashFlow, { symbol: "AAPL", period: "quarter" });
  assert.match(String(pick(quarter, "available")), /2013.*2016/);
  await assert.rejects(
    answerOf(market, webSearch, { query: "rates" }),
    /^ToolError: not_configured: .*BATON_FINANCE_LIVE=on/,
  );
});

test("news is only of plainly fictional companies, and says so", async () => {
  const { output, digest } = await inspect(toolOn(market, getGeneralNews), {});
  assert.equal(pick(output, "provenance.kind"), "synthetic");
  assert.match(digest, /Fictional/);
});

test("sectors and industries of the snapshot are found by what people call them", async () => {
  const cases: readonly (readonly [args: Readonly<Record<string, string>>, path: string, expected: RegExp])[] = [
    [{ sector: "energy" }, "data.rows.*.industry", /oil|gas|coal|drilling/i],
    [{ sector: "bất động sản" }, "data.rows.*.industry", /^real estate/i],
    [{ industry: "banks" }, "data.rows.*.industry", /banks$/i],
    [{ industry: "phần mềm" }, "data.rows.*.industry", /software/i],
    [{ sector: "healthcare" }, "data.rows.*.sector", /^Health|^Distribution/],
  ];
  for (const [args, path, expected] of cases) {
    const found = [pick(await answerOf(market, getScreener, { ...args, limit: 30 }), path)].flat();
    assert.equal(found.length, 30);
    for (const name of found) assert.match(String(name), expected);
  }
});

test("a ticker of two markets is ambiguous, and a typing error is not guessed", async () => {
  const several = await answerOf(market, getIncomeStatement, { symbol: "VNM" });
  assert.deepEqual(pick(several, "candidates.*.symbol"), ["VNM", "VNM.VN"]);
  const typo = await answerOf(market, getBalanceSheet, { symbol: "Appel" });
  assert.deepEqual(pickAll(typo, "no_data", "candidates.0.symbol"), [true, "AAPL"]);
});

const Changes = z.object({
  data: z.object({
    changes: z.array(
      z.object({
        span: z.string(),
        period: z.strictObject({ start: z.string(), end: z.string() }),
        change_percent: z.number(),
      }),
    ),
  }),
});
const Closes = z.object({ data: z.object({ first_close: z.number(), last_close: z.number() }) });

test("a price change is the one between the closes of the days that its period names", async () => {
  for (const symbol of ["NVDA", "AAPL", "FICTEA"]) {
    const { changes } = Changes.parse(await answerOf(market, getPriceChange, { symbol })).data;
    assert.equal(changes.length, 10);
    for (const { span, period, change_percent } of changes) {
      const window = { symbol, from: period.start, limit: 5_000 };
      const { first_close, last_close } = Closes.parse(await answerOf(market, getHistoricalPrice, window)).data;
      const change = (last_close / first_close - 1) * 100;
      assert.ok(Math.abs(change - change_percent) < 1e-9, `${symbol} ${span} from ${period.start}`);
    }
  }
});
