/**
 * Chart: what a console draws beside an answer, as data: eight types, each with its schema.
 *
 * Times are UTC seconds, oldest first. This is the one place with null: what is not known keeps its place. No series
 * has more than 2,000 points, and every chart says where its data comes from.
 */
import { z } from "zod";
import type { MetricSet } from "../../market/metrics/metrics.ts";

/** The types, in the order in which a run's charts are shown. */
export const CHART_TYPES = [
  "showStockChart",
  "showStockPrice",
  "cryptoChart",
  "showStockFinancials",
  "showStockNews",
  "showMarketOverview",
  "showTrendingStocks",
  "showStockHeatmap",
] as const;
export type ChartType = (typeof CHART_TYPES)[number];

/** No series has more. */
export const MAX_POINTS = 2_000;

const Time = z.int();
const Value = z.number().nullable();

/** A value at a time; null is a gap. */
const PointSchema = z.tuple([Time, Value]);
export type ChartPoint = z.infer<typeof PointSchema>;

const PointsSchema = z.array(PointSchema).max(MAX_POINTS);

/** Where the data of a chart comes from. */
export const ProvenanceSchema = z.looseObject({
  kind: z.enum(["live", "delayed", "snapshot", "history"]),
  source: z.string(),
  as_of: z.string(),
});

const BarSchema = z.strictObject({ t: Time, o: Value, h: Value, l: Value, c: Value, v: Value });
export type ChartBar = z.infer<typeof BarSchema>;

const SeriesSchema = z.strictObject({
  name: z.string(),
  kind: z.enum(["line", "histogram", "band"]),
  points: PointsSchema,
});
export type ChartSeries = z.infer<typeof SeriesSchema>;

const PaneSchema = z.strictObject({
  /** The pane `price` lies over the bars; each other one is below them. */
  name: z.string(),
  series: z.array(SeriesSchema),
  levels: z.array(z.strictObject({ y: z.number(), label: z.string() })).optional(),
});
export type ChartPane = z.infer<typeof PaneSchema>;

const MarkerSchema = z.strictObject({ t: Time, label: z.string(), side: z.enum(["buy", "sell"]) });
export type Marker = z.infer<typeof MarkerSchema>;

/** Bars with what is drawn over and below them; volume is the bars' `v`. */
export const BarChartSchema = z.strictObject({
  symbol: z.string(),
  name: z.string(),
  currency: z.string(),
  /** `1day`, `5min`, `1h` …; `3 × 1day` if so many bars were joined to one. */
  interval: z.string(),
  bars: z.array(BarSchema).min(1).max(MAX_POINTS),
  panes: z.array(PaneSchema),
  markers: z.array(MarkerSchema).max(MAX_POINTS).optional(),
  provenance: ProvenanceSchema,
});
export type BarChart = z.infer<typeof BarChartSchema>;

const RangeSchema = z.tuple([Value, Value]);

/** A price with its ranges and a small line of closes. */
export const PriceCardSchema = z.strictObject({
  symbol: z.string(),
  name: z.string(),
  currency: z.string(),
  price: z.number(),
  change: Value,
  change_percent: Value,
  /** Low and high. */
  day: RangeSchema,
  year: RangeSchema,
  volume: Value,
  market_cap: Value,
  spark: PointsSchema,
  /** Of the spark, if it is not that of the price. */
  spark_provenance: ProvenanceSchema.optional(),
  provenance: ProvenanceSchema,
});
export type PriceCard = z.infer<typeof PriceCardSchema>;

/** Lines of statements by period, oldest first; `values` has one value a period. */
export const FinancialsSchema = z.strictObject({
  symbol: z.string(),
  currency: z.string(),
  periods: z.array(z.string()).min(1),
  lines: z.array(z.strictObject({ name: z.string(), unit: z.string(), values: z.array(Value) })).min(1),
  provenance: ProvenanceSchema,
});
export type Financials = z.infer<typeof FinancialsSchema>;

const NewsItemSchema = z.strictObject({
  title: z.string(),
  source: z.string(),
  url: z.string().nullable(),
  published_at: Time,
  symbols: z.array(z.string()),
});

/** Headlines, newest first; untrusted text. */
export const NewsListSchema = z.strictObject({
  items: z.array(NewsItemSchema).min(1),
  provenance: ProvenanceSchema,
});
export type NewsList = z.infer<typeof NewsListSchema>;

const IndexSchema = z.strictObject({
  symbol: z.string(),
  name: z.string(),
  price: z.number(),
  change_percent: Value,
  spark: PointsSchema,
  /** Of the spark, if it is not that of the price. */
  spark_provenance: ProvenanceSchema.optional(),
});
export type IndexCard = z.infer<typeof IndexSchema>;

/** The main indices, none if the source has no levels of them, and how many listings rose and fell. */
export const MarketOverviewSchema = z.strictObject({
  indices: z.array(IndexSchema),
  breadth: z.strictObject({ up: z.int(), down: z.int(), flat: z.int() }).optional(),
  provenance: ProvenanceSchema,
});
export type MarketOverview = z.infer<typeof MarketOverviewSchema>;

const TrendingRowSchema = z.strictObject({
  symbol: z.string(),
  name: z.string(),
  price: z.number(),
  change_percent: Value,
  volume: Value,
  market_cap: Value,
});

/** A list of stocks in the order of the tool. */
export const TrendingSchema = z.strictObject({
  title: z.string(),
  rows: z.array(TrendingRowSchema).min(1),
  provenance: ProvenanceSchema,
});
export type Trending = z.infer<typeof TrendingSchema>;

const HeatSchema = z.strictObject({ weight: z.number().min(0), change_percent: Value });

/** Groups by size and change; `weight` is an area in one unit for the whole map. */
export const HeatmapSchema = z.strictObject({
  groups: z
    .array(
      HeatSchema.extend({ name: z.string(), items: z.array(HeatSchema.extend({ symbol: z.string() })).optional() }),
    )
    .min(1),
  provenance: ProvenanceSchema,
});
export type Heatmap = z.infer<typeof HeatmapSchema>;

const Symbols = z.array(z.string());
const Metadata = z.strictObject({ source_tool: z.string() });
const common = { symbols: Symbols, primary: z.boolean(), metadata: Metadata };

/** A chart, by its type. */
export const ChartSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("showStockChart"), ...common, data: BarChartSchema }),
  z.strictObject({ type: z.literal("cryptoChart"), ...common, data: BarChartSchema }),
  z.strictObject({ type: z.literal("showStockPrice"), ...common, data: PriceCardSchema }),
  z.strictObject({ type: z.literal("showStockFinancials"), ...common, data: FinancialsSchema }),
  z.strictObject({ type: z.literal("showStockNews"), ...common, data: NewsListSchema }),
  z.strictObject({ type: z.literal("showMarketOverview"), ...common, data: MarketOverviewSchema }),
  z.strictObject({ type: z.literal("showTrendingStocks"), ...common, data: TrendingSchema }),
  z.strictObject({ type: z.literal("showStockHeatmap"), ...common, data: HeatmapSchema }),
]);
export type Chart = z.infer<typeof ChartSchema>;

/**
 * The chart of a tool's results. Results are drawn together by symbol, by row of a list, by question, all holdings
 * together, several symbols in one, or each call by itself; `isApart`: not together with results of other tools.
 */
export type ChartRule = Readonly<{
  type: ChartType;
  about: "symbol" | "row" | "question" | "holdings" | "call" | "symbols";
  isApart?: true;
  /** Of a list. */
  title?: string;
  /** Sets of values that are drawn by period. */
  sets?: readonly MetricSet[];
}>;
