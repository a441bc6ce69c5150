import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "@baton/core";
import { getHistoricalPrice } from "../../tools/price/price-history.ts";
import { getStockPrice, getStockQuote } from "../../tools/price/price.ts";
import { getMACD, getRSI, getTechnicalIndicators } from "../../tools/technical/technical.ts";
import { barsOf, BOLT, PROVENANCE, sourced, stubMarket } from "../../tools/testing/stub-market.ts";
import {
  callOf,
  called,
  CANDLES,
  CLOSES,
  dataOf,
  IDENTITY,
  ITEM,
  QUOTE,
  resolve,
  toCall,
} from "./testing/chart-calls.ts";

test("results of one symbol are drawn in one chart: averages over the bars, oscillators below with their levels", async () => {
  const calls = [
    await called(getRSI, { symbol: "ACME" }),
    await called(getMACD, { symbol: "ACME" }),
    await called(getTechnicalIndicators, { symbol: "ACME", timeframe: "1M", indicators: ["RSI", "SMA", "BB"] }),
  ];
  const charts = await resolve(calls);
  assert.equal(charts.length, 1);
  const { bars, panes, interval } = dataOf(charts, "showStockChart");
  assert.equal(interval, "1day");
  assert.ok(bars.length > 250);
  const drawn = panes.map(({ name, series }) => [name, ...series.map((one) => `${one.name} ${one.kind}`)]);
  assert.deepEqual(drawn, [
    ["price", "SMA(20) line", "BB(20,2) upper band", "BB(20,2) middle line", "BB(20,2) lower band"],
    ["RSI", "RSI(14) line"],
    ["MACD", "MACD(12,26,9) line", "MACD(12,26,9) signal line", "MACD(12,26,9) histogram histogram"],
  ]);
  assert.deepEqual(panes[1]?.levels, [
    { y: 30, label: "oversold" },
    { y: 70, label: "overbought" },
  ]);
  assert.equal(panes[1]?.series[0]?.points.at(-1)?.[0], bars.at(-1)?.t);
  assert.equal(panes[1]?.series[0]?.points.length, bars.length);
  assert.equal(bars.at(-1)?.c, CLOSES.at(-1));
});

test("a chart is drawn of the bars that results hold: no source is asked, and without bars there is no chart", async () => {
  const asked: string[] = [];
  const market = stubMarket({ bars: async () => (asked.push("bars"), sourced(barsOf(CLOSES))) });
  const { bars } = dataOf(await resolve([callOf("calculateVaR")], ["ACME"], market), "showStockChart");
  assert.deepEqual(
    bars.map(({ c }) => c),
    CLOSES,
  );
  assert.deepEqual(await resolve([toCall("calculateVaR", { ...IDENTITY, var_percent: -2 })], ["ACME"], market), []);
  assert.deepEqual(asked, []);
});

test("a card has what is known of a price, null for the rest, and a line of closes", async () => {
  const card = dataOf(await resolve([await called(getStockPrice, { symbol: "ACME" })]), "showStockPrice");
  const { spark, ...rest } = card;
  assert.deepEqual(rest, {
    symbol: "ACME",
    name: "Acme Inc.",
    currency: "USD",
    price: 10,
    change: -0.5,
    change_percent: -4.76,
    day: [null, null],
    year: [8, 12],
    volume: 7e6,
    market_cap: 5e9,
    provenance: PROVENANCE,
  });
  assert.equal(spark.length, 63);
  assert.equal(spark.at(-1)?.[1], CLOSES.at(-1));
});

test("a card says of its line if that is simulated and the price is real", async () => {
  const real = { kind: "snapshot" } as const;
  const market = stubMarket({
    quote: async () => sourced(QUOTE, real),
    bars: async () => sourced(barsOf(CLOSES)),
  });
  const card = dataOf(
    await resolve([await called(getStockPrice, { symbol: "ACME" }, market)], ["ACME"], market),
    "showStockPrice",
  );
  assert.deepEqual([card.provenance.kind, card.spark_provenance?.kind], ["snapshot", "synthetic"]);
});

test("several price results of a symbol are one card: figures of the quote, the line of the history", async () => {
  const calls = [
    await called(getHistoricalPrice, { symbol: "ACME", limit: 5 }),
    await called(getStockPrice, { symbol: "ACME" }),
    await called(getStockQuote, { symbol: "ACME" }),
  ];
  const charts = await resolve(calls);
  assert.equal(charts.length, 1);
  assert.deepEqual(charts[0]?.metadata, { source_tool: "getStockQuote" });
  const { price, spark } = dataOf(charts, "showStockPrice");
  assert.deepEqual([price, spark.length], [10, 5]);
});

test("a history alone gives the price, range and change of its last day", async () => {
  const history = await called(getHistoricalPrice, { symbol: "ACME", limit: 5 });
  const alone = stubMarket({});
  const { price, change, day, year, volume } = dataOf(await resolve([history], ["ACME"], alone), "showStockPrice");
  const [before = 0, last = 0] = CLOSES.slice(-2);
  assert.deepEqual([price, day, year, volume], [last, [last - 1, last + 1], [null, null], 1_000]);
  assert.ok(Math.abs((change ?? 0) - (last - before)) < 1e-9);
});

test("no series has more than 2,000 points, and a chart fits into a note", async () => {
  const many = barsOf(Array.from({ length: 9_000 }, (_, at) => 100.123456789 + Math.sin(at / 7) * Math.PI));
  const points: Json = Array.from(many.t, (t, at) => [t, many.c[at] ?? 0]);
  const series: Json = ["A", "B", "C", "D"].map((name) => ({ name, pane: "P", kind: "line", points }));
  const own: Json = Array.from(many.t, (t, at) => {
    const [c = 0, h = 0, l = 0] = [many.c[at], many.h[at], many.l[at]];
    return { t, o: c, h, l, c, v: 1 };
  });
  const call = toCall("calculateVaR", { ...IDENTITY, series, bars: own });
  const { bars, panes, interval } = dataOf(await resolve([call]), "showStockChart");
  assert.ok(bars.length > 400 && bars.length <= 2_000);
  assert.match(interval, /^\d+ × 1day$/);
  for (const one of panes[0]?.series ?? []) assert.ok(one.points.length <= 2_000 && one.points.length > 400);
  assert.ok(JSON.stringify({ bars, panes }).length < 256 * 1_024);
  assert.equal(Math.max(...bars.map(({ h }) => h ?? 0)), Math.max(...many.h));
  assert.equal(Math.min(...bars.map(({ l }) => l ?? Infinity)), Math.min(...many.l));
});

test("a backtest marks its trades and draws its equity", async () => {
  const t = Date.UTC(2024, 10, 21) / 1_000;
  const equity: Json = {
    name: "equity",
    pane: "equity",
    kind: "line",
    points: [
      [t, 100],
      [t + 86_400, 101],
    ],
  };
  const trades: Json = [
    { date: "2024-11-22", side: "sell" },
    { date: "2024-11-21", side: "buy" },
  ];
  const { panes, markers } = dataOf(
    await resolve([toCall("runBacktest", { ...IDENTITY, series: [equity], trades, bars: CANDLES })]),
    "showStockChart",
  );
  assert.deepEqual(
    panes.map(({ name }) => name),
    ["equity"],
  );
  assert.deepEqual(markers, [
    { t, label: "buy", side: "buy" },
    { t: t + 86_400, label: "sell", side: "sell" },
  ]);
});

test("statements of one source are joined by period, oldest first, with gaps", async () => {
  const older = { label: "FY2015", end: "2015-12-31", currency: "USD", values: { totalAssets: 7 } };
  const calls = [callOf("getIncomeStatement"), toCall("getBalanceSheet", { ...IDENTITY, periods: [older] })];
  const { periods, lines } = dataOf(await resolve(calls), "showStockFinancials");
  assert.deepEqual(periods, ["FY2015", "FY2016"]);
  assert.deepEqual(lines, [
    { name: "revenue", unit: "money", values: [null, 5] },
    { name: "net income", unit: "money", values: [null, 2] },
    { name: "total assets", unit: "money", values: [7, null] },
  ]);
});

test("news of the question's symbols are one list, newest first, each once", async () => {
  const later = { ...ITEM, title: "Bolt closes", published_at: "2024-11-21T10:00:00Z", symbols: ["BOLT"] };
  const calls = [
    callOf("getStockNews"),
    callOf("getStockNews"),
    callOf("getEarnings"),
    toCall("getStockNews", { ...BOLT, items: [later] }),
  ];
  const charts = await resolve(calls, ["ACME", "BOLT"]);
  assert.deepEqual(
    charts.map(({ symbols }) => symbols),
    [["ACME", "BOLT"]],
  );
  const { items } = dataOf(charts, "showStockNews");
  assert.deepEqual(
    items.map(({ title }) => title),
    ["Bolt closes", "Acme opens", "ACME earnings: EPS 1.2, expected 1.1"],
  );
  assert.equal(items[0]?.published_at, Date.UTC(2024, 10, 21, 10) / 1_000);
  assert.equal(items[2]?.url, null);
});

test("lines are in the currency of the newest period, and others are left out", async () => {
  const old = { label: "FY1998", end: "1998-12-31", currency: "DEM", values: { revenue: 3 } };
  const now = { label: "FY1999", end: "1999-12-31", currency: "EUR", values: { revenue: 2 } };
  const call = toCall("getIncomeStatement", { ...IDENTITY, periods: [now, old] });
  const { currency, periods, lines } = dataOf(await resolve([call]), "showStockFinancials");
  assert.deepEqual([currency, periods, lines[0]?.values], ["EUR", ["FY1999"], [2]]);
});

test("sectors are weighed by market cap if all have one, else by their listings, else alike", async () => {
  const energy = { sector: "Energy", change_percent: 1, market_cap: 4e12, count: 9 };
  const weightsOf = async (...sectors: Json[]) =>
    dataOf(await resolve([toCall("getSectorPerformance", { sectors })]), "showStockHeatmap").groups.map(
      (one) => one.weight,
    );
  assert.deepEqual(await weightsOf(energy, { ...energy, market_cap: 1e12 }), [4e12, 1e12]);
  assert.deepEqual(await weightsOf(energy, { sector: "Health", change_percent: -1, count: 3 }), [9, 3]);
  assert.deepEqual(await weightsOf(energy, { sector: "Health", change_percent: -1 }), [1, 1]);
});

test("of two results the longer bars are drawn", async () => {
  const rsi = await called(getRSI, { symbol: "ACME" });
  const { bars, panes } = dataOf(await resolve([rsi, callOf("calculateVaR")]), "showStockChart");
  assert.equal(bars.length, CLOSES.length);
  assert.equal(panes[0]?.name, "RSI");
});

test("a coin is drawn in the currency of its bars", async () => {
  const market = stubMarket({ coinBars: async () => sourced({ ...barsOf(CLOSES), currency: "USDT" }) });
  const { currency, interval } = dataOf(await resolve([callOf("getCryptoPrice")], ["BTCUSD"], market), "cryptoChart");
  assert.deepEqual([currency, interval], ["USDT", "1h"]);
});
