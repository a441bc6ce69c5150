/**
 * Output rows: what tools' results hold of bars, series, levels and trades, parsed once.
 */
import { z } from "zod";
import type { ChartBar, Marker, ChartPoint, ChartSeries } from "./chart.ts";
import type { ChartInput } from "./chart-input.ts";

const optional = z.number().optional();

const CandleSchema = z.object({ t: z.int(), o: optional, h: optional, l: optional, c: z.number(), v: optional });
const PriceSchema = z.object({
  date: z.string().optional(),
  time: z.string().optional(),
  open: optional,
  high: optional,
  low: optional,
  close: z.number(),
  volume: optional,
});
const BarsSchema = z.object({
  bars: z.array(CandleSchema).optional(),
  prices: z.array(PriceSchema).optional(),
  interval: z.string().optional(),
});

const SeriesSchema = z
  .object({
    name: z.string(),
    pane: z.string().optional(),
    kind: z.enum(["line", "histogram", "band"]).default("line"),
    points: z.array(z.tuple([z.int(), z.number().nullable()])),
  })
  .transform(({ pane, ...one }) => ({ ...one, pane: pane ?? one.name }));
const LevelSchema = z.object({ pane: z.string(), y: z.number(), label: z.string() });
const DrawingsSchema = z.object({
  series: z.array(SeriesSchema).default([]),
  levels: z.array(LevelSchema).default([]),
});

/** A series, and the pane it belongs to. */
export type OutputSeries = Readonly<{
  name: string;
  pane: string;
  kind: ChartSeries["kind"];
  points: readonly ChartPoint[];
}>;

/** A level of a pane. */
export type OutputLevel = z.infer<typeof LevelSchema>;

/** Bars that a result itself holds, oldest first. */
export type OutputBars = Readonly<{ bars: readonly ChartBar[]; interval: string }>;

/** The bars or prices of a result; undefined if it has none. */
export function barsOf({ data }: Pick<ChartInput, "data">): OutputBars | undefined {
  const { bars = [], prices = [], interval = "1day" } = BarsSchema.safeParse(data).data ?? {};
  const rows = [...bars.map(ofCandle), ...prices.flatMap(ofPrice)];
  const byTime = new Map(rows.map((row) => [row.t, row]));
  if (byTime.size === 0) return undefined;
  return { bars: [...byTime.values()].toSorted((a, b) => a.t - b.t), interval };
}

function ofCandle({ t, o, h, l, c, v }: z.infer<typeof CandleSchema>): ChartBar {
  return { t, o: o ?? null, h: h ?? null, l: l ?? null, c, v: v ?? null };
}

function ofPrice({ date, time, open, high, low, close, volume }: z.infer<typeof PriceSchema>): readonly ChartBar[] {
  const t = toSeconds(date ?? time);
  return t === undefined ? [] : [ofCandle({ t, o: open, h: high, l: low, c: close, v: volume })];
}

/** The series and levels of a result. */
export function drawingsOf({ data }: Pick<ChartInput, "data">): z.infer<typeof DrawingsSchema> {
  return DrawingsSchema.safeParse(data).data ?? { series: [], levels: [] };
}

const TradesSchema = z.object({
  trades: z.array(z.object({ t: z.int().optional(), date: z.string().optional(), side: z.enum(["buy", "sell"]) })),
});

/** The trades of a backtest, as marks on the bars. */
export function markersOf({ data }: Pick<ChartInput, "data">): readonly Marker[] {
  const trades = TradesSchema.safeParse(data).data?.trades ?? [];
  return trades.flatMap(({ t, date, side }) => {
    const at = t ?? toSeconds(date);
    return at === undefined ? [] : [{ t: at, label: side, side }];
  });
}

/** A day or a moment in UTC seconds. */
export function toSeconds(moment: string | undefined): number | undefined {
  if (moment === undefined) return undefined;
  const ms = Date.parse(moment.length === 10 ? `${moment}T00:00:00Z` : moment);
  return Number.isFinite(ms) ? Math.floor(ms / 1_000) : undefined;
}
