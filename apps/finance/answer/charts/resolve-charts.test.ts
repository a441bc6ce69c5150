import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryCache } from "@baton/assistant";
import type { Json } from "@baton/core";
import { Scope, SystemClock } from "@baton/core/ports";
import { callTool, toolContext } from "@baton/core/testing";
import { parseJson } from "@baton/core/util";
import { createTools } from "../../tools/catalogue.ts";
import { FULL_MARKET } from "../../tools/testing/full-market.ts";
import { stubMarket } from "../../tools/testing/stub-market.ts";
import { ASKED } from "../../tools/testing/tool-calls.ts";
import type { ChartCall } from "./chart-input.ts";
import { resolveCharts } from "./resolve-charts.ts";

const tools = createTools(FULL_MARKET, { cache: new MemoryCache() });

async function called(name: string, args: Json): Promise<ChartCall> {
  const tool = tools.find((one) => one.name === name);
  assert.ok(tool, name);
  const output = parseJson(JSON.stringify(await callTool(tool, args, toolContext()()))) ?? null;
  return { tool: name, args, output, call: "1.1.1" };
}

async function resolve(calls: readonly ChartCall[], symbols: readonly string[], market = FULL_MARKET) {
  await using scope = Scope.root({ clock: new SystemClock() });
  return await resolveCharts({ calls, symbols, market, scope });
}

/** The chart of each tool; those that are not here have none. */
const TYPES: Readonly<Record<string, string>> = {
  showStockChart:
    "getTechnicalIndicators getRSI getMACD getSMA getEMA getBands calculateVaR getSharpeRatio getVolatilityAnalysis runBacktest compareChart",
  showStockPrice: "getStockPrice getStockQuote getHistoricalPrice getIntradayPrices getPriceChange",
  cryptoChart: "getCryptoPrice getCryptoQuote getCryptoHistorical getCryptoMarkets",
  showStockFinancials:
    "getBalanceSheet getIncomeStatement getCashFlow getKeyMetrics getFinancialGrowth getRatios getDividends getInsiderTrades",
  showStockNews: "getStockNews getEarnings",
  showMarketOverview: "getMarketOverview",
  showTrendingStocks: "getGainers getLosers getMostActive getScreener",
  showStockHeatmap: "getSectorPerformance",
};
const TYPE_OF = new Map(Object.entries(TYPES).flatMap(([type, names]) => names.split(" ").map((name) => [name, type])));

test("each tool gives the chart of the specification, or none", async () => {
  for (const [name, args] of ASKED) {
    const { from: _, to: __, ...recent } = args;
    const onStub = parseJson(
      JSON.stringify(name === "runBacktest" ? recent : args)
        .replaceAll("AAPL", "ACME")
        .replaceAll("MSFT", "BOLT")
        .replaceAll("Apple", "ACME"),
    );
    const charts = await resolve([await called(name, onStub ?? {})], ["ACME", "BOLT", "BTCUSD"]);
    assert.deepEqual([...new Set(charts.map(({ type }) => type))], [TYPE_OF.get(name) ?? []].flat(), name);
    for (const { metadata, data } of charts) {
      assert.equal(metadata.source_tool, name);
      assert.ok("provenance" in data);
    }
  }
});

test("at most three charts, in the order of the types, the first is primary, and only of symbols of the question", async () => {
  const calls = await Promise.all([
    called("getGainers", {}),
    called("getStockQuote", { symbols: ["ACME", "BOLT"] }),
    called("getRSI", { symbol: "ACME" }),
    called("getMarketOverview", {}),
  ]);
  const charts = await resolve(calls, ["ACME"]);
  assert.deepEqual(
    charts.map(({ type, symbols, primary }) => [type, symbols, primary]),
    [
      ["showStockChart", ["ACME"], true],
      ["showStockPrice", ["ACME"], false],
      ["showMarketOverview", [], false],
    ],
  );
  const both = await resolve(calls.slice(1, 2), ["ACME", "BOLT"]);
  assert.deepEqual(
    both.map(({ symbols }) => symbols),
    [["ACME"], ["BOLT"]],
  );
});

test("a comparison is one chart with a line for each, in percent from the first common day", async () => {
  const [chart] = await resolve([await called("compareChart", { symbols: ["ACME", "BTCUSD"] })], ["ACME"]);
  assert.ok(chart?.type === "showStockChart");
  assert.deepEqual(chart.symbols, ["ACME", "BTCUSD"]);
  const [pane] = chart.data.panes;
  assert.deepEqual(
    pane?.series.map(({ name, points }) => [name, points[0]?.[1]]),
    [
      ["ACME", 0],
      ["BTCUSD", 0],
    ],
  );
});

test("a coin that a price tool found has the chart of coins; statements draw what was asked for", async () => {
  const coins = await resolve([await called("getStockQuote", { symbol: "BTCUSD" })], ["BTCUSD"]);
  assert.deepEqual(
    coins.map(({ type }) => type),
    ["cryptoChart"],
  );
  const [chart] = await resolve(
    [await called("getIncomeStatement", { symbol: "ACME", statement: "balance" })],
    ["ACME"],
  );
  assert.ok(chart?.type === "showStockFinancials");
  assert.equal(chart.data.lines[0]?.name, "total assets");
  assert.deepEqual(chart.data.periods, ["FY2020", "FY2021", "FY2022", "FY2023", "FY2024"]);
});

test("no data gives no chart, and a result that cannot be read neither", async () => {
  const none: ChartCall = { tool: "getStockQuote", args: {}, output: { no_data: true, message: "no" }, call: "1" };
  const odd: ChartCall = { tool: "getRSI", args: {}, output: { data: { bars: 1 } }, call: "2" };
  assert.deepEqual(await resolve([none, odd], ["ACME"], stubMarket({})), []);
});
