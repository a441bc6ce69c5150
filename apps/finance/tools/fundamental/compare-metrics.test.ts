import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { sliceBars } from "../../market/port/bars.ts";
import { clip } from "../shared/daily.ts";
import { answerOf, barsOf, sourced, stubMarket } from "../testing/stub-market.ts";
import { compareMetricsTool } from "./compare-metrics.ts";

const CLOSES = Array.from({ length: 900 }, (_, day) => 100 + 30 * Math.sin(day / 7) + day / 50);
const Compared = z.looseObject({
  data: z.looseObject({
    correlations: z.array(
      z.looseObject({ value: z.number(), period: z.looseObject({ start: z.string().optional(), end: z.string() }) }),
    ),
  }),
});

test("prices that end on different days are correlated up to the earlier one", async () => {
  const all = barsOf(CLOSES);
  const end = new Date(1_000 * (all.t[500] ?? 0)).toISOString().slice(0, 10);
  const market = stubMarket({
    bars: async ({ listing, from = "", to, limit = Infinity }) => {
      const own = clip(all, {
        from,
        to: listing.symbol === "ACME" && (to === undefined || to > end) ? end : (to ?? "9999-12-31"),
      });
      return sourced(sliceBars(own, Math.max(0, own.t.length - limit)));
    },
  });
  const args = { symbols: ["ACME", "BOLT"], metrics: ["correlation"] };
  const { correlations } = Compared.parse(await answerOf(market, compareMetricsTool, args)).data;
  assert.deepEqual(
    correlations.map(({ value, period }) => [Math.round(value * 1_000) / 1_000, period.end]),
    [[1, end]],
  );
  const since = new Date(1_000 * (all.t[440] ?? 0)).toISOString().slice(0, 10);
  const [own] = Compared.parse(await answerOf(market, compareMetricsTool, { ...args, from: since })).data.correlations;
  assert.deepEqual([own?.period.start, own?.period.end], [since, end], "a window begins on the day that was asked for");
});
