import assert from "node:assert/strict";
import { test } from "node:test";
import { refusedPaths } from "@baton/core/testing";
import { z } from "zod";
import { sliceBars } from "../../market/port/bars.ts";
import type { BarsQuery } from "../../market/port/market-data.ts";
import type { Provenance } from "../../market/port/provenance.ts";
import { runBacktestTool } from "./backtest.ts";
import { clip } from "../shared/daily.ts";
import { answerOf, barsOf, inspect, sourced, stubMarket, toolOn } from "../testing/stub-market.ts";

const CLOSES = Array.from({ length: 2_000 }, (_, day) => 100 + 30 * Math.sin(day / 25) + day / 50);

/** A market whose bars are of one kind, and how it was asked. */
function marketOf(kind: Provenance["kind"], note?: string) {
  const queries: BarsQuery[] = [];
  const market = stubMarket({
    bars: async (query) => {
      queries.push(query);
      const { from, to, limit = Infinity } = query;
      const all = clip(barsOf(CLOSES), { ...(from && { from }), ...(to && { to }) });
      return sourced(sliceBars(all, Math.max(0, all.t.length - limit)), { kind, ...(note && { note }) });
    },
  });
  return { market, queries };
}

const Tested = z.looseObject({
  data: z.looseObject({
    window: z.object({ start: z.string(), end: z.string() }),
    total_return_percent: z.number(),
    final_value: z.number(),
    trade_count: z.number(),
    benchmark: z.looseObject({ total_return_percent: z.number() }),
    trades: z.array(z.looseObject({ date: z.string(), side: z.enum(["buy", "sell"]) })),
    series: z.array(z.looseObject({ name: z.string(), points: z.array(z.tuple([z.number(), z.number()])) })),
  }),
});

const WINDOW = { from: "2023-01-02", to: "2024-06-28" };

test("a window is tested as it was asked for, with bars before it that only warm up", async () => {
  const { market, queries } = marketOf("history");
  const args = { symbol: "ACME", strategy: "sma_cross", ...WINDOW };
  const { data } = Tested.parse(await answerOf(market, runBacktestTool, args));
  assert.deepEqual(data.window, { start: WINDOW.from, end: WINDOW.to });
  assert.deepEqual(
    queries.map(({ from, to }) => [from, to]),
    [
      [WINDOW.from, WINDOW.to],
      ["2021-11-28", "2023-01-01"],
    ],
  );
  assert.ok(data.trades.every(({ date }) => date >= WINDOW.from && date <= WINDOW.to));
  assert.ok(data.trade_count > 2);
});

test("bars before the window are not used if they are of another kind", async () => {
  const { market } = marketOf("history");
  const mixed = {
    ...market,
    bars: async (...asked: Parameters<typeof market.bars>) => {
      const answer = await market.bars(...asked);
      const isBefore = (asked[0].to ?? "") < WINDOW.from;
      return {
        ...answer,
        provenance: { ...answer.provenance, kind: isBefore ? ("live" as const) : answer.provenance.kind },
      };
    },
  };
  const args = { symbol: "ACME", strategy: "sma_cross", ...WINDOW };
  const cold = Tested.parse(await answerOf(mixed, runBacktestTool, args)).data;
  const warm = Tested.parse(await answerOf(market, runBacktestTool, args)).data;
  assert.deepEqual(cold.window, warm.window);
  assert.notDeepEqual(cold.trades[0], warm.trades[0]);
});

test("buy and hold is its own benchmark, and every number is a fact", async () => {
  const { market } = marketOf("live");
  const args = { symbol: "ACME", strategy: "buy_hold", cost_bps: 0 };
  const but = /trades\[|\.(cash|cost_bps|t|shares)$|series|bars/;
  const { output, uncited, facts } = await inspect(toolOn(market, runBacktestTool), args, but);
  const { data } = Tested.parse(output);
  assert.deepEqual(uncited, []);
  assert.equal(data.total_return_percent, data.benchmark.total_return_percent);
  assert.equal(data.series.length, 1);
  assert.deepEqual([facts[0]?.metric, facts[0]?.unit], ["buy_hold total return", "percent"]);
  const last = data.series[0]?.points.at(-1);
  assert.ok(Math.abs((last?.[1] ?? 0) - data.final_value) < 1e-6);
});

test("a series of many years has at most 2,000 points and keeps its last", async () => {
  const long = stubMarket({ bars: async () => sourced(barsOf([...CLOSES, ...CLOSES, ...CLOSES]), { kind: "live" }) });
  const args = { symbol: "ACME", strategy: "macd", from: "1990-01-01" };
  const { data } = Tested.parse(await answerOf(long, runBacktestTool, args));
  for (const { points } of data.series) {
    assert.ok(points.length <= 2_000 && points.length > 1_000);
    assert.equal(points.at(-1)?.[0], Date.UTC(2024, 10, 22) / 1_000);
  }
});

test("too few bars are no data that says how many there are", async () => {
  const short = stubMarket({ bars: async () => sourced(barsOf(CLOSES.slice(0, 30)), { kind: "live" }) });
  const answer = await answerOf(short, runBacktestTool, { symbol: "ACME", strategy: "sma_cross" });
  assert.match(JSON.stringify(answer), /"no_data":true.*sma_cross needs at least \d+ daily bars.*ACME has 30/);
});

test("arguments of a backtest are checked", async () => {
  const tool = toolOn(marketOf("live").market, runBacktestTool);
  assert.deepEqual(await refusedPaths(tool, { symbol: "A", strategy: "martingale" }), ["strategy"]);
  assert.deepEqual(await refusedPaths(tool, { symbol: "A", strategy: "rsi", cash: 0, cost_bps: -1 }), [
    "cash",
    "cost_bps",
  ]);
});

test("a crossing of averages has the days that were asked for", async () => {
  const { market } = marketOf("history");
  const args = { symbol: "ACME", strategy: "sma_cross", fast: 50, slow: 200, ...WINDOW };
  const { data } = z
    .looseObject({ data: z.looseObject({ rule: z.string() }) })
    .parse(await answerOf(market, runBacktestTool, args));
  assert.match(data.rule, /SMA\(50\) of closes is above SMA\(200\)/);
  const crossed = await refusedPaths(toolOn(market, runBacktestTool), { ...args, fast: 100, slow: 50 });
  assert.deepEqual(crossed, ["fast"]);
});
