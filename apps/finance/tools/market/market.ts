/**
 * Market tools: the markets as a whole: indices, sectors, members of indices, and what is announced for the economy.
 */
import type { Figure } from "@baton/assistant";
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import type { Breadth, Day as DayText } from "../../market/port/market-data.ts";
import { MarketError } from "../../market/port/market-error.ts";
import type { Provenance } from "../../market/port/provenance.ts";
import { Day, limitOf } from "../frame/arguments.ts";
import { explainNone, toClosed } from "../shared/closed-days.ts";
import { cite, dayOf } from "../shared/figures.ts";
import { defineMarketTool } from "../frame/market-tool.ts";
import { type ShownRow, toRowFigures, toRowLines, toShownRow } from "../shared/market-rows.ts";
import { identify, type ListingIdentity } from "../frame/require-listing.ts";

interface ShownOverview {
  readonly indices: readonly ShownRow[];
  readonly breadth?: Breadth;
}

/** The figures of markets as a whole have this symbol. */
const MARKET = "US";

/** The indices and how many stocks rose and fell. */
export const getMarketOverview = defineMarketTool<Record<string, never>, ShownOverview>({
  name: "getMarketOverview",
  category: "market",
  description:
    "The US market at a glance: S&P 500, Dow Jones, Nasdaq, Russell 2000 and VIX with their changes, and how many " +
    "stocks rose and fell if that is known. Use it for how the market did; getSectorPerformance has sectors.",
  says: `market overview; how is the stock market today; S&P 500 Dow Nasdaq VIX; market indices;
    advancers and decliners; tổng quan thị trường; thị trường hôm nay thế nào; các chỉ số chứng khoán;
    chỉ số VIX; how is the stock market doing overall; indices today; market mood and VIX fear;
    chỉ số chứng khoán hôm nay; tình hình thị trường`,
  isCommon: true,
  chart: { type: "showMarketOverview", about: "call" },
  input: z.strictObject({}),
  ttlMs: 60_000,
  run: async (_input, { market, context: { scope } }) => {
    const { data, provenance } = await market.overview({}, scope);
    if (data.indices.length === 0 && data.breadth === undefined) {
      throw new MarketError("no_data", "no index has a price");
    }
    return { data: { indices: data.indices.map(toShownRow), ...omitUndefined({ breadth: data.breadth }) }, provenance };
  },
  figures: ({ indices, breadth }, provenance) => [
    ...toRowFigures("indices", indices, provenance),
    ...(breadth === undefined ? [] : toBreadthFigures(breadth, provenance)),
  ],
  describe: ({ indices }) => toRowLines(indices),
});

function toBreadthFigures(breadth: Breadth, provenance: Provenance): readonly Figure[] {
  const period = dayOf(provenance);
  const of = (name: keyof Breadth, metric: string) =>
    ({ path: `data.breadth.${name}`, value: breadth[name], unit: "count", metric, period }) as const;
  const cited = [of("up", "stocks that rose"), of("down", "stocks that fell"), of("flat", "stocks unchanged")];
  return cite({ symbol: MARKET, currency: "USD" }, cited);
}

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
export const getSectorPerformance = defineMarketTool<Readonly<{ date?: string | undefined }>, ShownSectors>({
  name: "getSectorPerformance",
  category: "market",
  description:
    "Average change in percent of each sector of the US market on one day, best first. Use it for which sectors lead " +
    "or lag; getScreener finds the stocks of a sector.",
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

interface Component extends ListingIdentity {
  readonly sector?: string;
  readonly weight_percent?: number;
}
interface Components {
  readonly index: string;
  readonly index_name: string;
  readonly count: number;
  readonly components: readonly Component[];
}
type IndexInput = Readonly<{ index: "sp500" | "nasdaq" | "dowjones"; limit: number }>;

const INDEX_NAMES = { sp500: "S&P 500", nasdaq: "Nasdaq", dowjones: "Dow Jones Industrial Average" } as const;

/** Members of an index. */
export const getIndexComponents = defineMarketTool<IndexInput, Components>({
  name: "getIndexComponents",
  category: "market",
  description:
    "Companies that are members of an index (S&P 500, Nasdaq, Dow Jones), with sector and weight if it is known. Use " +
    "it for which companies are in an index; getMarketOverview has the level of the index.",
  says: `components of the S&P 500; which companies are in the Dow Jones; Nasdaq members; index constituents;
    thành phần chỉ số S&P 500; các công ty trong Dow Jones; danh sách cổ phiếu của chỉ số; who is in the index;
    members of an index; rổ chỉ số gồm những mã nào; thành viên VN30 S&P`,
  input: z.strictObject({
    index: z
      .enum(["sp500", "nasdaq", "dowjones"])
      .default("sp500")
      .describe("sp500: S&P 500; nasdaq: Nasdaq; dowjones: Dow Jones Industrial Average; default sp500"),
    limit: limitOf(50, 600),
  }),
  ttlMs: 24 * 60 * 60_000,
  run: async ({ index, limit }, { market, context: { scope } }) => {
    const { data, provenance } = await market.constituents({ index, limit }, scope);
    const components = data.slice(0, limit).map(({ listing, sector, weightPercent }) => ({
      ...identify(listing),
      ...omitUndefined({ sector, weight_percent: weightPercent }),
    }));
    const index_name = INDEX_NAMES[index];
    if (components.length === 0) throw new MarketError("no_data", `the members of the ${index_name} are not known`);
    return { data: { index, index_name, count: components.length, components }, provenance };
  },
  figures: ({ index_name, components }, provenance) =>
    components.flatMap((row, at) =>
      cite(row, [
        {
          path: `data.components[${at}].weight_percent`,
          value: row.weight_percent,
          unit: "percent",
          metric: `weight in the ${index_name}`,
          period: dayOf(provenance),
        },
      ]),
    ),
  describe: ({ components }) =>
    components.map(({ symbol, name, sector }) =>
      [symbol, name, sector].filter((part) => part !== undefined).join(", "),
    ),
});
