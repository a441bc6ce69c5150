/**
 * Sector performance: how the sectors of the US market did on a day.
 */
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import type { Day as DayText } from "../../market/port/market-data.ts";
import { MarketError } from "../../market/port/market-error.ts";
import { Day } from "../frame/arguments.ts";
import { defineMarketTool } from "../frame/market-tool.ts";
import { explainNone, toClosed } from "../shared/closed-days.ts";
import { citeFields, type FigureRow } from "../shared/figures.ts";

/** Sectors by change. */
export const sectorPerformanceTool = defineMarketTool({
  name: "getSectorPerformance",
  category: "market",
  description: "Change of each sector of the US market on one day, best first.",
  chart: { type: "showStockHeatmap", about: "call" },
  input: z.strictObject({ date: Day.optional().describe("Day as YYYY-MM-DD; default the latest trading day") }),
  ttlMs: 5 * 60_000,
  run: async ({ date }, { market, context: { scope } }) => {
    const { data, provenance } = await market
      .sectors({ ...omitUndefined({ day: date }) }, scope)
      .catch((thrown: unknown) => {
        throw explainNone(thrown, () => (date === undefined ? undefined : toClosed({ from: date, to: date })));
      });
    if (data.length === 0) throw noSectors(date);
    const sectors = data
      .map(({ sector, changePercent, count, marketCap }) => ({
        sector,
        change_percent: changePercent,
        ...omitUndefined({ count, market_cap: marketCap, currency: marketCap === undefined ? undefined : "USD" }),
      }))
      .toSorted((a, b) => b.change_percent - a.change_percent);
    return { data: { day: date ?? provenance.as_of.slice(0, 10), sectors }, provenance };
  },
  figures: ({ day, sectors }) => {
    const of = (...row: FigureRow) =>
      sectors.flatMap((sector, at) =>
        citeFields(
          { symbol: sector.sector, currency: sector.currency ?? "USD", period: { end: day } },
          [`data.sectors[${at}]`, sector],
          [row],
        ),
      );
    return [
      ...of("change_percent", "percent", "sector change"),
      ...of("market_cap", "money", "sector market cap"),
      ...of("count", "count", "stocks in the sector"),
    ];
  },
});

function noSectors(date: DayText | undefined): MarketError {
  const none = new MarketError("no_data", `there is no sector performance${date === undefined ? "" : ` on ${date}`}`);
  return date === undefined ? none : (toClosed({ from: date, to: date }) ?? none);
}
