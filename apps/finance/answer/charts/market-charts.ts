/**
 * Market charts: what is about no single symbol: indices, lists of stocks, sectors. Each shows one result as it is.
 */
import { z } from "zod";
import { askSpark, toCloses } from "./ask-bars.ts";
import { type Heatmap, type IndexCard, type MarketOverview, MAX_POINTS, type Trending } from "./chart.ts";
import { downsamplePoints } from "./downsample-for-chart.ts";
import { type ChartSources, type ChartInput, isSameOrigin } from "./chart-input.ts";

const optional = z.number().optional();

const RowSchema = z.object({
  symbol: z.string(),
  name: z.string(),
  price: z.number(),
  change_percent: optional,
  volume: optional,
  market_cap: optional,
});

const OverviewSchema = z.object({
  indices: z.array(RowSchema),
  breadth: z.object({ up: z.int(), down: z.int(), flat: z.int() }).optional(),
});

/** The indices with a line each, and the breadth; undefined if there is neither. */
export async function toMarketOverview(
  { data, provenance }: ChartInput,
  asking: ChartSources,
): Promise<MarketOverview | undefined> {
  const { data: overview } = OverviewSchema.safeParse(data);
  if (overview === undefined) return undefined;
  if (overview.indices.length === 0 && overview.breadth === undefined) return undefined;
  const toCard = async ({ symbol, name, price, change_percent }: z.infer<typeof RowSchema>): Promise<IndexCard> => {
    const listing = asking.market.directory.get(symbol);
    const line = listing === undefined ? undefined : await askSpark(listing, asking).catch(() => undefined);
    const isOwn = line === undefined || isSameOrigin(line.provenance, provenance);
    return {
      symbol,
      name,
      price,
      change_percent: change_percent ?? null,
      spark: downsamplePoints(toCloses(line?.bars ?? []), MAX_POINTS),
      ...(isOwn ? {} : { spark_provenance: line.provenance }),
    };
  };
  const indices = await Promise.all(overview.indices.map(toCard));
  const { breadth } = overview;
  return { indices, ...(breadth === undefined ? {} : { breadth }), provenance };
}

const ListSchema = z.object({ rows: z.array(RowSchema).min(1) });

/** A list of stocks. */
export function toTrending({ tool, rule, data, provenance }: ChartInput): Trending | undefined {
  const { data: list } = ListSchema.safeParse(data);
  if (list === undefined) return undefined;
  const rows = list.rows.map(({ symbol, name, price, change_percent, volume, market_cap }) => ({
    symbol,
    name,
    price,
    change_percent: change_percent ?? null,
    volume: volume ?? null,
    market_cap: market_cap ?? null,
  }));
  return { title: rule?.title ?? tool, rows, provenance };
}

const SectorsSchema = z.object({
  sectors: z
    .array(z.object({ sector: z.string(), change_percent: z.number(), count: optional, market_cap: optional }))
    .min(1),
});

/** Sectors, by market cap if all have one, else by how many listings they hold, else all alike. */
export function toSectorMap({ data, provenance }: ChartInput): Heatmap | undefined {
  const { data: found } = SectorsSchema.safeParse(data);
  if (found === undefined) return undefined;
  const { sectors } = found;
  const measure = (["market_cap", "count"] as const).find((name) => sectors.every((row) => (row[name] ?? 0) > 0));
  const groups = sectors.map((row) => ({
    name: row.sector,
    weight: (measure === undefined ? undefined : row[measure]) ?? 1,
    change_percent: row.change_percent,
  }));
  return { groups, provenance };
}
