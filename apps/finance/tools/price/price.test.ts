import assert from "node:assert/strict";
import { test } from "node:test";
import { refusedPaths } from "@baton/core/testing";
import { array, assert as check, integer, property } from "fast-check";
import { z } from "zod";
import type { BarsQuery } from "../../market/port/market-data.ts";
import { MarketError } from "../../market/port/market-error.ts";
import { difference, percentChange } from "../shared/number.ts";
import { getHistoricalPrice, getIntradayPrices } from "./price-history.ts";
import { getPriceChange, getStockPrice, getStockQuote } from "./price.ts";
import {
  ACME,
  answerOf,
  barsOf,
  inspect,
  MARKET,
  PROVENANCE,
  sourced,
  stubMarket,
  toolOn,
} from "../testing/stub-market.ts";

const QUOTE = {
  price: 229.87,
  change: 1.35,
  changePercent: 0.5907,
  open: 228,
  previousClose: 228.52,
  dayLow: 227.5,
  dayHigh: 230.1,
  yearLow: 164,
  yearHigh: 237,
  volume: 38_000_000,
  averageVolume: 45_000_000,
  marketCap: 3.5e12,
  average50: 225,
  average200: 208,
  pe: 37.8,
  eps: 6.08,
  dividendYieldPercent: 0.43,
  beta: 1.24,
  sector: "Technology",
  industry: "Hardware",
};

/** A market that remembers how its bars were asked for. */
function asked(closes: readonly number[]) {
  const queries: BarsQuery[] = [];
  const market = stubMarket({
    bars: async (query) => (queries.push(query), sourced(barsOf(closes), { adjust: query.adjust ?? "split" })),
    intraday: async () => sourced(barsOf(closes)),
  });
  return { market, queries };
}

test("a quote keeps every number exact and cites each with its unit", async () => {
  const market = stubMarket({ quote: async () => sourced(QUOTE) });
  const { facts, uncited } = await inspect(toolOn(market, getStockQuote), { symbol: "ACME" });
  assert.deepEqual(uncited, []);
  const byMetric = new Map(facts.map(({ metric, value, unit, currency }) => [`${metric} ${unit}`, [value, currency]]));
  assert.deepEqual(byMetric.get("price money/share"), [229.87, "USD"]);
  assert.deepEqual(byMetric.get("market cap money"), [3.5e12, "USD"]);
  assert.deepEqual(byMetric.get("change percent"), [0.5907, undefined]);
  assert.deepEqual(byMetric.get("volume shares"), [38_000_000, undefined]);
  assert.deepEqual(byMetric.get("P/E ratio"), [37.8, undefined]);
});

test("an index is counted in points, without a currency", async () => {
  const market = stubMarket({ quote: async () => sourced({ price: 5_969.34 }) });
  const { facts } = await inspect(toolOn(market, getStockPrice), { symbol: "^GSPC" });
  assert.deepEqual([facts[0]?.unit, facts[0]?.currency, facts[0]?.symbol], ["points", undefined, MARKET.symbol]);
});

test("price changes are in the order of their spans, and unknown ones are left out", async () => {
  const market = stubMarket({ change: async () => sourced({ "1Y": 12.5, "1D": -0.2, YTD: Number.NaN }) });
  const { output, facts } = await inspect(toolOn(market, getPriceChange), { symbol: "ACME" });
  assert.deepEqual(output, {
    data: {
      ...ACME,
      changes: [
        { span: "1D", period: { start: "2024-11-21", end: "2024-11-22" }, change_percent: -0.2 },
        { span: "1Y", period: { start: "2023-11-22", end: "2024-11-22" }, change_percent: 12.5 },
      ],
    },
    provenance: PROVENANCE,
  });
  assert.deepEqual(
    facts.map(({ metric, period }) => [metric, period?.start, period?.end]),
    [
      ["price change 1D", "2024-11-21", "2024-11-22"],
      ["price change 1Y", "2023-11-22", "2024-11-22"],
    ],
  );
  const none = stubMarket({ change: async () => sourced({}) });
  const empty = await answerOf(none, getPriceChange, { symbol: "ACME" });
  assert.deepEqual(empty, { no_data: true, message: "no price change of ACME is known", symbol: "ACME" });
});

const History = z.looseObject({
  data: z.looseObject({
    count: z.number(),
    of: z.number().optional(),
    period: z.object({ start: z.string(), end: z.string() }),
    change: z.number(),
    change_percent: z.number(),
    prices: z.array(z.looseObject({ date: z.string().optional(), time: z.string().optional(), close: z.number() })),
  }),
});

test("a history is newest first, with the change over its window and every number a fact or a row", async () => {
  const { market, queries } = asked([228.52, 230, 229.87]);
  const { output, uncited } = await inspect(
    toolOn(market, getHistoricalPrice),
    { symbol: "ACME" },
    /prices\[[12]\]|count/,
  );
  const { data } = History.parse(output);
  assert.deepEqual(
    data.prices.map(({ date, close }) => [date, close]),
    [
      ["2024-11-22", 229.87],
      ["2024-11-21", 230],
      ["2024-11-20", 228.52],
    ],
  );
  assert.equal(data.change, 1.35);
  assert.deepEqual(data.period, { start: "2024-11-20", end: "2024-11-22" });
  assert.deepEqual(uncited, []);
  assert.deepEqual(queries, [{ listing: ACME, adjust: "split", limit: 250 }]);
});

test("a window is asked for by its days, and the newest rows of it are shown with how many there are", async () => {
  const { market, queries } = asked([1, 2, 3, 4]);
  const args = { symbol: "ACME", from: "2024-01-01", to: "2024-12-31", limit: 2, adjust: false };
  const { data } = History.parse(await answerOf(market, getHistoricalPrice, args));
  assert.deepEqual(queries, [{ listing: ACME, adjust: "none", from: "2024-01-01", to: "2024-12-31" }]);
  assert.deepEqual([data.count, data.of, data.prices[0]?.close, data.prices[1]?.close], [2, 4, 4, 3]);
});

test("a window without bars is no data with the reason of the source", async () => {
  const market = stubMarket({ bars: async () => sourced(barsOf([]), { note: "the listing is young" }) });
  const answer = await answerOf(market, getHistoricalPrice, { symbol: "ACME", from: "2024-12-24", to: "2024-12-25" });
  assert.deepEqual(answer, {
    no_data: true,
    message: "there are no daily prices of ACME in that window: the listing is young",
    symbol: "ACME",
  });
});

test("a window of holidays is not missing data: it says that markets were closed, and the trading day before", async () => {
  const bare = () => Promise.reject(new MarketError("no_data", "the source has no daily prices for ACME"));
  for (const bars of [bare, async () => sourced(barsOf([]))]) {
    const market = stubMarket({ bars });
    const ask = (from: string, to: string) => answerOf(market, getHistoricalPrice, { symbol: "ACME", from, to });
    assert.deepEqual(await ask("2024-07-04", "2024-07-04"), {
      no_data: true,
      message: "US markets were closed on 2024-07-04",
      symbol: "ACME",
      available: "the last trading day before is 2024-07-03",
    });
    const easter = await ask("2024-03-29", "2024-03-31");
    assert.match(JSON.stringify(easter), /on every day from 2024-03-29 to 2024-03-31.*before is 2024-03-28/);
    assert.doesNotMatch(JSON.stringify(await ask("2024-07-03", "2024-07-04")), /closed/);
  }
  const abroad = await answerOf(stubMarket({ bars: bare }), getHistoricalPrice, {
    symbol: "VNM.VN",
    from: "2024-07-04",
    to: "2024-07-04",
  });
  assert.doesNotMatch(JSON.stringify(abroad), /closed/);
});

test("intraday rows have moments, at most 2,000", async () => {
  const { market } = asked(Array.from({ length: 2_500 }, (_, at) => at + 1));
  const { data } = History.parse(await answerOf(market, getIntradayPrices, { symbol: "ACME" }));
  assert.deepEqual([data.count, data.of], [2_000, 2_500]);
  assert.equal(data.prices[0]?.time, "2024-11-22T00:00:00Z");
});

test("arguments of histories are checked", async () => {
  const { market } = asked([1]);
  const daily = toolOn(market, getHistoricalPrice);
  assert.deepEqual(await refusedPaths(daily, { symbol: "A", from: "2024-02-30" }), ["from"]);
  assert.deepEqual(await refusedPaths(daily, { symbol: "A", from: "2024-03-01", to: "2024-02-01" }), ["from"]);
  assert.deepEqual(await refusedPaths(daily, { symbol: "A", limit: 0 }), ["limit"]);
  assert.deepEqual(await refusedPaths(toolOn(market, getIntradayPrices), { symbol: "A", interval: "2min" }), [
    "interval",
  ]);
});

test("differences of prices are exact in cents, and a change from nothing has no percentage", () => {
  const cents = integer({ min: 0, max: 10_000_000 });
  check(
    property(array(cents, { minLength: 2, maxLength: 2 }), ([a = 0, b = 0]) => {
      assert.equal(difference(a / 100, b / 100), (a - b) / 100);
    }),
    { seed: 7 },
  );
  assert.equal(percentChange(0, 5), undefined);
  assert.equal(percentChange(100, 107), 7);
});
