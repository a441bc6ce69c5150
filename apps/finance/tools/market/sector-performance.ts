/**
 * Sector performance: how the sectors of the US market did on a day.
 */
import type { Figure } from "@baton/assistant";
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import type { Day as DayText } from "../../market/port/market-data.ts";
import { MarketError } from "../../market/port/market-error.ts";
import { Day } from "../frame/arguments.ts";
import { defineMarketTool } from "../frame/market-tool.ts";
import { explainNone, toClosed } from "../shared/closed-days.ts";
import { cite } from "../shared/figures.ts";

interface ShownSector {
  readonly sector: string;
  readonly change_percent: number;
  readonly count?: number;
  readonly market_cap?: number;
  readonly currency?: string;
}
interface ShownSectors {
  readonly day: DayText;
  /** Best first. */
  readonly sectors: readonly ShownSector[];
}

/** Sectors by change. */
export const sectorPerformanceTool = defineMarketTool<Readonly<{ date?: string | undefined }>, ShownSectors>({
  name: "getSectorPerformance",
  category: "market",
  description: "Change of each sector of the US market on one day, best first.",
  says: `sector performance; which sectors are up today; best and worst sectors; sector heatmap; hiệu suất các ngành;
    ngành nào tăng mạnh nhất hôm nay; nhóm ngành dẫn dắt thị trường; sector returns; which industries are up;
    technology versus energy sector; nhóm ngành tăng giảm; dòng tiền vào ngành nào`,
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
        ...omitUndefined({ count }),
        ...(marketCap === undefined ? {} : { market_cap: marketCap, currency: "USD" }),
      }))
      .toSorted((a, b) => b.change_percent - a.change_percent);
    return { data: { day: date ?? provenance.as_of.slice(0, 10), sectors }, provenance };
  },
  figures: ({ day, sectors }) => {
    const period = { end: day };
    const of = (name: "change_percent" | "market_cap" | "count", words: { unit: Figure["unit"]; metric: string }) =>
      sectors.flatMap((row, at) =>
        cite({ symbol: row.sector, currency: row.currency ?? "USD" }, [
          { path: `data.sectors[${at}].${name}`, value: row[name], ...words, period },
        ]),
      );
    return [
      ...of("change_percent", { unit: "percent", metric: "sector change" }),
      ...of("market_cap", { unit: "money", metric: "sector market cap" }),
      ...of("count", { unit: "count", metric: "stocks in the sector" }),
    ];
  },
});

function noSectors(date: DayText | undefined): MarketError {
  const none = new MarketError("no_data", `there is no sector performance${date === undefined ? "" : ` on ${date}`}`);
  return date === undefined ? none : (toClosed({ from: date, to: date }) ?? none);
}
