import assert from "node:assert/strict";
import { test } from "node:test";
import { BatonError, type Json } from "@baton/core";
import { Scope, SystemClock } from "@baton/core/ports";
import * as fc from "fast-check";
import { MarketError } from "../../market/port/market-error.ts";
import { getHistoricalPrice } from "../../tools/price/price-history.ts";
import { getPriceChange, getStockPrice, getStockQuote } from "../../tools/price/price.ts";
import { getBands, getMACD, getRSI, getSMA, getTechnicalIndicators } from "../../tools/technical/technical.ts";
import { PROVENANCE, stubMarket } from "../../tools/testing/stub-market.ts";
import { type Chart, CHART_TYPES, ChartSchema } from "./chart.ts";
import { resolveCharts } from "./resolve-charts.ts";
import { callOf, called, DATA, IDENTITY, ITEM, MARKET, resolve, ROW, toCall } from "./testing/chart-calls.ts";

const NONE = [
  "getCryptoNews",
  "getGeneralNews",
  "webSearch",
  "getIndexComponents",
  "getEconomicCalendar",
  "resolveSymbol",
  "getFilings",
  "readFilingSection",
  "searchFilings",
  "getInstitutionalHoldings",
  "getRates",
  "getEconomicSeries",
  "convertCurrency",
  "compareSources",
];

const GIVES: ReadonlyMap<string, (typeof CHART_TYPES)[number]> = new Map([
  ["calculateVaR", "showStockChart"],
  ["getSharpeRatio", "showStockChart"],
  ["getVolatilityAnalysis", "showStockChart"],
  ["getCryptoPrice", "cryptoChart"],
  ["getCryptoQuote", "cryptoChart"],
  ["getCryptoMarkets", "cryptoChart"],
  ["getIncomeStatement", "showStockFinancials"],
  ["getBalanceSheet", "showStockFinancials"],
  ["getCashFlow", "showStockFinancials"],
  ["getKeyMetrics", "showStockFinancials"],
  ["getRatios", "showStockFinancials"],
  ["getFinancialGrowth", "showStockFinancials"],
  ["getDividends", "showStockFinancials"],
  ["getInsiderTrades", "showStockFinancials"],
  ["getStockNews", "showStockNews"],
  ["getEarnings", "showStockNews"],
  ["getMarketOverview", "showMarketOverview"],
  ["getGainers", "showTrendingStocks"],
  ["getLosers", "showTrendingStocks"],
  ["getMostActive", "showTrendingStocks"],
  ["getScreener", "showTrendingStocks"],
  ["getSectorPerformance", "showStockHeatmap"],
]);

const typesOf = (charts: readonly Chart[]) => charts.map(({ type }) => type);

for (const [tool, type] of GIVES) {
  test(`${tool} gives ${type}`, async () => {
    const [chart, ...others] = await resolve([callOf(tool)], ["ACME", "BTCUSD"]);
    assert.deepEqual([chart?.type, chart?.primary, chart?.metadata, others], [type, true, { source_tool: tool }, []]);
    assert.deepEqual(chart?.data.provenance, PROVENANCE);
  });
}

for (const tool of NONE) {
  test(`${tool} gives no chart`, async () => {
    assert.deepEqual(await resolve([toCall(tool, { ...IDENTITY, rows: [ROW], items: [ITEM], price: 1 })]), []);
  });
}

test("price tools give a card, technical tools a chart", async () => {
  const args = { symbol: "ACME" };
  for (const make of [getStockPrice, getStockQuote, getPriceChange, getHistoricalPrice]) {
    assert.deepEqual(typesOf(await resolve([await called(make, args)])), ["showStockPrice"]);
  }
  for (const make of [getTechnicalIndicators, getRSI, getMACD, getSMA, getBands]) {
    assert.deepEqual(typesOf(await resolve([await called(make, args)])), ["showStockChart"]);
  }
});

test("charts come in the order of their types, at most three, and only the first is primary", async () => {
  const all = [...DATA.keys()].map(callOf);
  const charts = await resolve(all.toReversed(), ["ACME", "BTCUSD"]);
  assert.deepEqual(typesOf(charts), ["showStockChart", "cryptoChart", "showStockFinancials"]);
  assert.deepEqual(
    charts.map(({ primary }) => primary),
    [true, false, false],
  );
  const [first] = await resolve([callOf("getGainers"), callOf("getMarketOverview")]);
  assert.equal(first?.type, "showMarketOverview");
});

test("any calls in any order give charts that fit the shapes, in order, at most three", async () => {
  const tools = fc
    .subarray([...DATA.keys(), ...NONE], { minLength: 0 })
    .chain((some) => fc.shuffledSubarray(some, { minLength: some.length }));
  await fc.assert(
    fc.asyncProperty(tools, fc.subarray(["ACME", "BTCUSD", "BOLT"]), async (chosen, symbols) => {
      const charts = await resolve(chosen.map(callOf), symbols);
      assert.ok(charts.length <= 3);
      const places = charts.map(({ type }) => CHART_TYPES.indexOf(type));
      assert.deepEqual(
        places,
        places.toSorted((a, b) => a - b),
      );
      for (const [at, chart] of charts.entries()) {
        assert.deepEqual(ChartSchema.parse(chart), chart);
        assert.equal(chart.primary, at === 0);
        assert.ok(chart.symbols.every((symbol) => symbols.includes(symbol)));
      }
    }),
    { numRuns: 60 },
  );
});

test("only symbols of the question have charts, in whatever spelling; what is about the market needs none", async () => {
  const rsi = await called(getRSI, { symbol: "acme" });
  assert.deepEqual(await resolve([rsi], ["BOLT"]), []);
  assert.deepEqual(await resolve([rsi], []), []);
  assert.deepEqual((await resolve([rsi], ["acme"]))[0]?.symbols, ["ACME"]);
  const market = ["getMarketOverview", "getGainers", "getSectorPerformance"].map(callOf);
  const charts = await resolve(market, []);
  assert.deepEqual(typesOf(charts), ["showMarketOverview", "showTrendingStocks", "showStockHeatmap"]);
  for (const { symbols } of charts) assert.deepEqual(symbols, []);
});

test("two symbols have a chart each, in the order of the calls", async () => {
  const charts = await resolve(
    [await called(getRSI, { symbol: "BOLT" }), await called(getRSI, { symbol: "ACME" })],
    ["ACME", "BOLT"],
  );
  assert.deepEqual(
    charts.map(({ symbols }) => symbols),
    [["BOLT"], ["ACME"]],
  );
});

test("no data, several meanings and unreadable results give no chart", async () => {
  const outputs: readonly Json[] = [
    { no_data: true, message: "none" },
    { ambiguous: true, message: "which?", candidates: [] },
    "text",
    null,
    [],
    { data: IDENTITY },
    { data: { ...IDENTITY, price: "ten" }, provenance: { kind: "invented", source: "x", as_of: "y" } },
  ];
  for (const tool of [...DATA.keys(), "getRSI", "getStockPrice"]) {
    for (const output of outputs) assert.deepEqual(await resolve([{ tool, args: {}, output, call: "1.1.1" }]), []);
  }
});

test("a source that fails means no chart of what it should have, and the others are drawn", async () => {
  const failing = stubMarket({ bars: () => Promise.reject(new MarketError("upstream", "down")) });
  assert.deepEqual(await resolve([callOf("getCryptoPrice")], ["BTCUSD"], failing), []);
  assert.deepEqual(await resolve([toCall("getPriceChange", { ...IDENTITY, changes: [] })], ["ACME"], failing), []);
  const several = [callOf("getCryptoPrice"), callOf("calculateVaR"), callOf("getGainers")];
  assert.deepEqual(typesOf(await resolve(several, ["ACME", "BTCUSD"], failing)), [
    "showStockChart",
    "showTrendingStocks",
  ]);
  const [overview] = await resolve([callOf("getMarketOverview")], [], failing);
  assert.deepEqual(overview?.type === "showMarketOverview" && overview.data.indices[0]?.spark, []);
});

test("a cancelled run has no charts", async () => {
  const scope = Scope.root({ clock: new SystemClock() });
  await scope.cancel(new BatonError("cancelled", "stopped"));
  assert.deepEqual(await resolveCharts({ calls: [callOf("getGainers")], symbols: [], market: MARKET, scope }), []);
});

test("insiders' trades are drawn by month, apart from the statements of the same source", async () => {
  const charts = await resolve([callOf("getInsiderTrades"), callOf("getIncomeStatement")]);
  assert.deepEqual(
    charts.map(({ data }) => ("periods" in data ? [data.periods, data.lines] : [])),
    [
      [["2024-01"], [{ name: "shares sold by insiders", unit: "shares", values: [5] }]],
      [
        ["FY2016"],
        [
          { name: "revenue", unit: "money", values: [5] },
          { name: "net income", unit: "money", values: [2] },
        ],
      ],
    ],
  );
});
