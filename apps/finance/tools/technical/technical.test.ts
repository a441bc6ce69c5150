import assert from "node:assert/strict";
import { test } from "node:test";
import { refusedPaths } from "@baton/core/testing";
import { array, assert as check, asyncProperty, double } from "fast-check";
import { z } from "zod";
import { rsi } from "../../math/indicators/rsi.ts";
import { sliceBars } from "../../market/port/bars.ts";
import { getBands, getEMA, getMACD, getRSI, getSMA, getTechnicalIndicators } from "./technical.ts";
import { answerOf, barsOf, inspect, sourced, stubMarket, toolOn } from "../testing/stub-market.ts";

const WAVES = Array.from({ length: 900 }, (_, day) => 100 + 20 * Math.sin(day / 17) + day / 30);

/** A market with daily bars of these closes, as many as are asked for. */
const marketOf = (closes: readonly number[]) => {
  const all = barsOf(closes);
  const newest = (limit = Infinity) => sourced(sliceBars(all, Math.max(0, all.t.length - limit)));
  return stubMarket({
    bars: async ({ limit }) => newest(limit),
    coinBars: async ({ limit }) => newest(limit),
  });
};

const WAVING = marketOf(WAVES);
const NOT_FIGURES = /^data\.(bars|series|levels|parameters|indicators\[\d+\]\.parameters)/;

const Result = z.looseObject({
  data: z.looseObject({
    symbol: z.string(),
    date: z.string(),
    values: z.record(z.string(), z.number()).optional(),
    reading: z.object({ state: z.string(), rule: z.string() }).optional(),
    window: z.object({ start: z.string(), end: z.string() }),
    bars: z.array(z.object({ t: z.number() }).loose()),
    series: z.array(z.looseObject({ name: z.string(), points: z.array(z.tuple([z.number(), z.number()])) })),
  }),
});

test("RSI is that of the newest year with 250 bars before it, in TA-Lib's conventions", async () => {
  const { data } = Result.parse(await answerOf(WAVING, getRSI, { symbol: "BTCUSD" }));
  assert.deepEqual([data.symbol, data.date], ["BTCUSD", "2024-11-22"]);
  assert.deepEqual(data.window, { start: "2023-11-23", end: "2024-11-22" });
  const shown = 366;
  const expected = rsi(Float64Array.from(WAVES.slice(-(shown + 250))), 14);
  assert.equal(data.bars.length, shown);
  assert.equal(data.values?.["rsi"], expected.at(-1));
  assert.deepEqual(
    data.series[0]?.points.map(([, y]) => y),
    Array.from(expected).slice(-shown),
  );
  assert.equal(data.series[0]?.points.at(-1)?.[0], Date.UTC(2024, 10, 22) / 1_000);
});

test("a reading names the threshold that was crossed", async () => {
  const rising = marketOf(Array.from({ length: 60 }, (_, day) => 100 + day));
  const { data } = Result.parse(await answerOf(rising, getRSI, { symbol: "ACME" }));
  assert.deepEqual(data.reading, { state: "overbought", rule: "above 70: overbought by the usual threshold" });
  const falling = marketOf(Array.from({ length: 60 }, (_, day) => 200 - day));
  assert.equal(Result.parse(await answerOf(falling, getRSI, { symbol: "ACME" })).data.reading?.state, "oversold");
  assert.equal(Result.parse(await answerOf(falling, getSMA, { symbol: "ACME" })).data.reading?.state, "below");
});

test("every value of every indicator is a fact with its unit, and readings reach the model", async () => {
  const all = ["RSI", "MACD", "SMA", "EMA", "BB", "ATR", "STOCH", "ADX", "VWAP", "OBV"];
  const tool = toolOn(WAVING, getTechnicalIndicators);
  const { facts, uncited, digest } = await inspect(tool, { symbol: "ACME", indicators: all }, NOT_FIGURES);
  assert.deepEqual(uncited, []);
  const units = new Map(facts.map(({ metric, unit }) => [metric, unit]));
  assert.equal(units.get("RSI(14)"), "points");
  assert.equal(units.get("MACD(12,26,9) line"), "money/share");
  assert.equal(units.get("BB(20,2) upper band"), "money/share");
  assert.equal(units.get("BB(20,2) bandwidth"), "percent");
  assert.equal(units.get("OBV"), "shares");
  assert.match(digest, /RSI\(14\): (above|below|from)/);
  for (const [make, args] of [
    [getMACD, {}],
    [getEMA, {}],
    [getBands, { stdDev: 1.5 }],
  ] as const) {
    const single = await inspect(toolOn(WAVING, make), { symbol: "BTCUSD", ...args }, NOT_FIGURES);
    assert.deepEqual(single.uncited, []);
    assert.ok(single.facts.every(({ unit, currency }) => (unit === "money/coin") === (currency === "USD")));
  }
});

test("a coin's values are in the currency of its bars", async () => {
  const market = stubMarket({ coinBars: async () => sourced({ ...barsOf(WAVES), currency: "USDT" }) });
  const { facts } = await inspect(toolOn(market, getSMA), { symbol: "BTCUSD" });
  assert.deepEqual([facts[0]?.unit, facts[0]?.currency], ["money/coin", "USDT"]);
});

test("the same indicator is the same in both of its tools", async () => {
  const single = Result.parse(await answerOf(WAVING, getMACD, { symbol: "ACME" })).data;
  const several = await answerOf(WAVING, getTechnicalIndicators, { symbol: "ACME", indicators: ["MACD"] });
  const Several = z.looseObject({
    data: z.looseObject({ indicators: z.array(z.looseObject({ values: z.unknown() })) }),
  });
  assert.deepEqual(Several.parse(several).data.indicators[0]?.values, single.values);
});

test("a shorter timeframe shows less and computes the same from 250 bars before it", async () => {
  const month = Result.parse(await answerOf(WAVING, getTechnicalIndicators, { symbol: "ACME", timeframe: "1M" })).data;
  assert.deepEqual(month.window, { start: "2024-10-23", end: "2024-11-22" });
  assert.equal(month.bars.length, 31);
});

test("a month before the 31st of March begins after the last day of February", async () => {
  const shift = 236 * 86_400;
  const { t, ...columns } = barsOf(WAVES);
  const market = stubMarket({ bars: async () => sourced({ ...columns, t: t.map((time) => time - shift) }) });
  const { data } = Result.parse(await answerOf(market, getTechnicalIndicators, { symbol: "ACME", timeframe: "1M" }));
  assert.deepEqual(data.window, { start: "2024-03-01", end: "2024-03-31" });
});

test("too few bars are no data that says how many there are, and do not hide other indicators", async () => {
  const few = marketOf(WAVES.slice(0, 25));
  assert.deepEqual(await answerOf(few, getMACD, { symbol: "ACME" }), {
    no_data: true,
    message: "MACD(12,26,9) of ACME needs at least 34 daily bars; there are 25",
    symbol: "ACME",
    available: "25 daily bars",
  });
  const some = await answerOf(few, getTechnicalIndicators, { symbol: "ACME" });
  const Some = z.looseObject({
    data: z.looseObject({ indicators: z.array(z.looseObject({ label: z.string() })), missing: z.array(z.unknown()) }),
  });
  const { indicators, missing } = Some.parse(some).data;
  assert.deepEqual(
    indicators.map(({ label }) => label),
    ["RSI(14)", "SMA(20)", "EMA(20)", "BB(20,2)"],
  );
  assert.deepEqual(missing, [{ indicator: "MACD", needs_bars: 34, bars: 25 }]);
});

test("for any prices no value is NaN, null or infinite", async () => {
  await check(
    asyncProperty(
      array(double({ min: 1e-6, max: 1e9, noNaN: true }), { minLength: 1, maxLength: 120 }),
      async (closes) => {
        const args = { symbol: "ACME", indicators: ["RSI", "MACD", "BB", "ATR", "STOCH", "ADX", "VWAP", "OBV"] };
        const text = JSON.stringify(await answerOf(marketOf(closes), getTechnicalIndicators, args));
        assert.doesNotMatch(text, /null|NaN|Infinity/);
      },
    ),
    { numRuns: 60, seed: 20_241_122 },
  );
});

test("arguments outside of their range are refused", async () => {
  assert.deepEqual(await refusedPaths(toolOn(WAVING, getRSI), { symbol: "ACME", period: 1 }), ["period"]);
  assert.deepEqual(await refusedPaths(toolOn(WAVING, getMACD), { symbol: "ACME", fast: 26, slow: 12 }), ["fast"]);
  assert.deepEqual(await refusedPaths(toolOn(WAVING, getBands), { symbol: "ACME", stdDev: 0 }), ["stdDev"]);
  const args = { symbol: "ACME", indicators: ["CCI"], timeframe: "2Y" };
  assert.deepEqual(await refusedPaths(toolOn(WAVING, getTechnicalIndicators), args), ["timeframe", "indicators.0"]);
});
