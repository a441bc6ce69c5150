/** Every tool of the catalogue on the embedded data, and the chart it gives. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "@baton/core";
import { Scope, SystemClock } from "@baton/core/ports";
import { parseJson } from "@baton/core/util";
import { callTool, toolContext } from "@baton/core/testing";
import { openMarket } from "../../market/chain/open-market.ts";
import { createTools } from "../../tools/catalogue.ts";
import { ChartSchema } from "./chart.ts";
import { resolveCharts } from "./resolve-charts.ts";

const clock = new SystemClock();
const market = await openMarket({ env: { BATON_FINANCE_DATA: "offline" }, clock });
const tools = new Map(createTools(market).map((tool) => [tool.name, tool]));

/** Draws the result of one call of a tool. */
async function chartOf(name: string, args: { readonly [name: string]: Json }) {
  const tool = tools.get(name);
  assert.ok(tool);
  const output = parseJson(JSON.stringify(await callTool(tool, args, toolContext()()))) ?? null;
  const symbols = typeof args["symbol"] === "string" ? [args["symbol"]] : [];
  await using scope = Scope.root({ clock });
  const [chart] = await resolveCharts({ calls: [{ tool: name, args, output, call: "1.1.1" }], symbols, market, scope });
  return chart === undefined ? undefined : ChartSchema.parse(chart);
}

/** A real company, a made-up one, which has all that a real one has not, and a coin. */
const [REAL, MADE_UP, COIN] = ["NVDA", "FICTEA", "BTCUSD"];

const EXPECTED: readonly (readonly [type: string, symbol: string | undefined, names: string])[] = [
  ["showStockChart", REAL, "getTechnicalIndicators getRSI getMACD getSMA getEMA getBands"],
  ["showStockChart", REAL, "calculateVaR getSharpeRatio getVolatilityAnalysis"],
  ["showStockPrice", REAL, "getStockPrice getStockQuote getHistoricalPrice getIntradayPrices getPriceChange"],
  ["cryptoChart", COIN, "getCryptoPrice getCryptoQuote getCryptoHistorical"],
  ["showStockFinancials", REAL, "getIncomeStatement getBalanceSheet getCashFlow"],
  ["showStockFinancials", MADE_UP, "getKeyMetrics getRatios getFinancialGrowth getDividends"],
  ["showStockNews", MADE_UP, "getStockNews getEarnings"],
  ["showMarketOverview", undefined, "getMarketOverview"],
  ["showTrendingStocks", undefined, "getGainers getLosers getMostActive getScreener"],
  ["showStockHeatmap", undefined, "getSectorPerformance"],
];

for (const [type, symbol, names] of EXPECTED) {
  for (const name of names.split(" ")) {
    test(`${name} gives ${type}${symbol === undefined ? "" : ` of ${symbol}`}`, async () => {
      const chart = await chartOf(name, symbol === undefined ? {} : { symbol });
      assert.deepEqual([chart?.type, chart?.symbols], [type, symbol === undefined ? [] : [symbol]]);
      assert.equal(chart?.data.provenance.source, "embedded");
    });
  }
}

test("nothing is drawn about a real company that the embedded data does not have", async () => {
  for (const name of ["getStockNews", "getEarnings", "getDividends"]) {
    assert.equal(await chartOf(name, { symbol: "NVDA" }), undefined);
  }
});

test("a real price with a simulated line says both, and a chart of simulated bars says so", async () => {
  const card = await chartOf("getStockQuote", { symbol: "NVDA" });
  assert.ok(card?.type === "showStockPrice");
  assert.deepEqual([card.data.provenance.kind, card.data.spark_provenance?.kind], ["snapshot", "synthetic"]);
  assert.equal((await chartOf("calculateVaR", { symbol: "NVDA" }))?.data.provenance.kind, "synthetic");
});

test("a backtest on real history has its bars, its trades and two lines of equity", async () => {
  const args = { symbol: "AAPL", strategy: "sma_cross", from: "2010-01-04", to: "2014-12-31" };
  const chart = await chartOf("runBacktest", args);
  assert.ok(chart?.type === "showStockChart");
  const { bars, panes, markers = [], provenance } = chart.data;
  assert.equal(provenance.kind, "history");
  const days = [bars[0]?.t, bars.at(-1)?.t].map((t) => new Date((t ?? 0) * 1_000).toISOString().slice(0, 10));
  assert.deepEqual(days, ["2010-01-04", "2014-12-31"]);
  assert.deepEqual(
    panes.map(({ series }) => series.length),
    [2],
  );
  const times = new Set(bars.map(({ t }) => t));
  assert.ok(markers.length > 2 && markers.every(({ t }) => times.has(t)));
});
