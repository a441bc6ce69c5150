import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "@baton/core";
import { ToolError } from "@baton/core";
import type { Directory, Listing } from "../market/port/listing.ts";
import { binanceSource } from "../market/sources/coins/binance.ts";
import { fmpSource } from "../market/sources/fmp/fmp.ts";
import { tavilySource } from "../market/sources/news/tavily.ts";
import type { MarketData } from "../market/port/market-data.ts";
import { FakeBinance } from "../market/testing/fake-binance.ts";
import { FakeFmp } from "../market/testing/fmp/fake-fmp.ts";
import { FakeTavily } from "../market/testing/fake-tavily.ts";
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
import { pick } from "./testing/pick.ts";
import { ACME, answerOf, inspect, STUB_DIRECTORY, stubMarket, toolOn } from "./testing/stub-market.ts";

const TODAY = "2026-03-06";

/** A directory in which every text is a stock, or a coin if it ends with USD. */
const EVERYTHING: Directory = {
  ...STUB_DIRECTORY,
  get: (symbol): Listing =>
    symbol.endsWith("USD")
      ? { ...ACME, symbol, name: symbol, exchange: "CRYPTO", type: "crypto" }
      : { ...ACME, symbol, name: symbol },
};

/** Fake services, and a new market over them for each case, because a source remembers faults. */
async function openFakes() {
  const fmp = await FakeFmp.start({ today: TODAY });
  const binance = await FakeBinance.start();
  const tavily = await FakeTavily.start();
  const toMarket = (): MarketData =>
    stubMarket(
      {
        ...fmpSource({ key: "k", baseUrl: fmp.url, directory: EVERYTHING }),
        ...binanceSource({ baseUrl: binance.url }),
        ...tavilySource({ key: "k", baseUrl: tavily.url }),
      },
      { directory: EVERYTHING, mode: "live", today: () => TODAY },
    );
  const close = async () => {
    for (const server of [fmp, binance, tavily]) await server[Symbol.asyncDispose]();
  };
  return { toMarket, [Symbol.asyncDispose]: close };
}

const OF_COMPANY: readonly MarketTool[] = [
  getBalanceSheet,
  getIncomeStatement,
  getCashFlow,
  getKeyMetrics,
  getFinancialGrowth,
  getRatios,
  getEarnings,
  getDividends,
  getStockNews,
];
const OF_COIN: readonly MarketTool[] = [getCryptoPrice, getCryptoQuote, getCryptoHistorical];
const OF_ALL: readonly (readonly [MarketTool, Json])[] = [
  [getGeneralNews, {}],
  [webSearch, { query: "rates" }],
  [getScreener, { sector: "tech" }],
  [getGainers, {}],
  [getLosers, {}],
  [getMostActive, {}],
  [getCryptoNews, {}],
  [getCryptoMarkets, {}],
  [getMarketOverview, {}],
  [getSectorPerformance, { date: TODAY }],
  [getIndexComponents, {}],
  [getEconomicCalendar, {}],
];

/** Numbers that are not facts: counts, pages, and all but the close of older bars. */
const NOT_FACTS = /^provenance\.delay_s$|^data\.(count|page|of|criteria.*|prices\[[1-9]\d*\]\.(open|high|low|volume))$/;

test("every tool answers from the live sources with data whose numbers are all facts", async () => {
  await using fakes = await openFakes();
  const cases = [
    ...OF_COMPANY.map((tool) => [tool, { symbol: "AAPL" }] as const),
    ...OF_COIN.map((tool) => [tool, { symbol: "BTCUSD" }] as const),
    ...OF_ALL,
  ];
  for (const [make, args] of cases) {
    const tool = toolOn(fakes.toMarket(), make);
    const { output, uncited, facts } = await inspect(tool, args, NOT_FACTS);
    assert.ok(pick(output, "data") !== undefined, `${tool.name}: ${JSON.stringify(output).slice(0, 300)}`);
    assert.match(String(pick(output, "provenance.as_of")), /^\d{4}-\d\d-\d\dT/);
    assert.deepEqual(uncited, [], tool.name);
    assert.doesNotMatch(JSON.stringify(output), /null|NaN/);
    const words = [getStockNews, getGeneralNews, getCryptoNews, webSearch, getIndexComponents];
    assert.ok(facts.length > 0 || words.includes(make), tool.name);
  }
});

test("quarters and the last twelve months come from the live source", async () => {
  await using fakes = await openFakes();
  const quarter = await answerOf(fakes.toMarket(), getIncomeStatement, { symbol: "AAPL", period: "quarter", limit: 2 });
  assert.match(String(pick(quarter, "data.periods.0.label")), /^Q[1-4] \d{4}$/);
  assert.match(String(pick(quarter, "data.periods.0.start")), /^\d{4}-\d\d-\d\d$/);
  const ttm = await answerOf(fakes.toMarket(), getRatios, { symbol: "AAPL", period: "ttm" });
  assert.deepEqual(pick(ttm, "data.periods.*.label"), ["TTM"]);
});

test("price and history of a coin are in the currency of the pair that is traded", async () => {
  await using fakes = await openFakes();
  for (const make of OF_COIN) {
    const { output, facts } = await inspect(toolOn(fakes.toMarket(), make), { symbol: "BTCUSD" });
    assert.equal(pick(output, "data.currency"), "USDT");
    assert.ok(facts.every(({ unit, currency }) => !unit.startsWith("money") || currency === "USDT"));
  }
});

test("every fault of a service is a typed error or no data, never a guess", async () => {
  await using fakes = await openFakes();
  for (const symbol of ["ZZ401", "ZZ402", "ZZ402END", "ZZ403", "ZZHTML", "ZZTYPE"]) {
    for (const make of OF_COMPANY) {
      await assert.rejects(answerOf(fakes.toMarket(), make, { symbol }), isTyped);
    }
  }
  for (const make of OF_COMPANY) {
    const none = await answerOf(fakes.toMarket(), make, { symbol: "ZZEMPTY" });
    assert.equal(pick(none, "no_data"), true, JSON.stringify(none).slice(0, 200));
    const empty = await answerOf(fakes.toMarket(), make, { symbol: "ZZNULL" });
    // a report may have a day and nothing else
    assert.equal(pick(empty, "no_data"), make === getEarnings ? undefined : true, JSON.stringify(empty).slice(0, 200));
  }
});

test("faults of coins and of the web search are typed, too", async () => {
  await using fakes = await openFakes();
  for (const make of OF_COIN) {
    await assert.rejects(answerOf(fakes.toMarket(), make, { symbol: "ZZHTMLUSD" }), isTyped);
  }
  for (const word of ["ZZ401", "ZZ432", "ZZHTML"]) {
    await assert.rejects(answerOf(fakes.toMarket(), webSearch, { query: `x ${word}` }), isTyped);
  }
});

function isTyped(thrown: unknown): boolean {
  assert.ok(thrown instanceof ToolError, String(thrown));
  assert.equal(thrown.kind, "permanent", thrown.message);
  assert.match(thrown.message, /^(throttled|not_configured|plan|upstream): /);
  return true;
}
