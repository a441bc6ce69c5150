/**
 * Bar chart: the bars of a symbol with all that this run's results have to draw over and below them.
 *
 * Series and marks are drawn only on bars of the series they were computed from.
 */
import type { Listing } from "../../market/port/listing.ts";
import { z } from "zod";
import { askCoin, askDaily, type Rows, type Window } from "./ask-bars.ts";
import type { BarChart, Marker, Pane } from "./chart.ts";
import { joinBars, thinPoints } from "./downsample-for-chart.ts";
import { type Asking, type Found, isSameOrigin } from "./chart-input.ts";
import { barsOf, drawingsOf, markersOf, toSeconds } from "./output-rows.ts";
import { toPanes } from "./panes.ts";

/** What a chart is drawn of; all results are of one symbol and one origin. */
export type BarQuestion = Readonly<{ listing: Listing; results: readonly [Found, ...Found[]] }>;

/** A chart before its points are counted. */
export type WholeChart = Omit<BarChart, "bars" | "interval"> & Readonly<{ rows: Rows }>;

const DAY_S = 86_400;
/** Two windows of a year may differ by holidays. */
const SLACK_S = 10 * DAY_S;
const COIN_BARS = { interval: "1h", limit: 200 } as const;

const PeriodSchema = z.object({ start: z.string(), end: z.string() });
const WindowSchema = z.object({ window: PeriodSchema.optional(), period: PeriodSchema.optional() });

/** Daily bars with the results of technical and risk tools and backtests. */
export async function toStockChart(question: BarQuestion, asking: Asking): Promise<WholeChart | undefined> {
  const { results } = question;
  const rows = coveringRows(results) ?? (await askRows(question, asking)) ?? ownRows(results);
  if (rows === undefined || rows.bars.length === 0) return undefined;
  return isSameOrigin(rows.provenance, results[0].provenance) ? toWhole(question, rows) : undefined;
}

/** The bars that a result holds itself, if they begin where the results do. */
function coveringRows(results: readonly Found[]): Rows | undefined {
  const own = ownRows(results);
  const start = windowOf(results)?.start ?? Infinity;
  return (own?.bars[0]?.t ?? Infinity) <= start + SLACK_S ? own : undefined;
}

/** The bars of all windows; the call with the earliest one says by which days. */
async function askRows({ listing, results }: BarQuestion, asking: Asking): Promise<Rows | undefined> {
  const window = windowOf(results);
  const { args } = results.find((found) => windowOf([found])?.start === window?.start) ?? results[0];
  return askDaily({ listing, args, window }, asking).catch(() => undefined);
}

/** Bars of a coin. */
export async function toCoinChart(question: BarQuestion, asking: Asking): Promise<WholeChart | undefined> {
  const rows = ownRows(question.results) ?? (await askCoin(question.listing, COIN_BARS, asking));
  return rows.bars.length === 0 ? undefined : toWhole(question, rows);
}

/** The chart with at most so many points in each series. */
export function toFitting({ rows, panes, markers = [], ...rest }: WholeChart, most: number): BarChart {
  const { bars, each } = joinBars(rows.bars, most);
  const thin = (pane: Pane): Pane => ({
    ...pane,
    series: pane.series.map((one) => ({ ...one, points: thinPoints(one.points, most) })),
  });
  return {
    ...rest,
    interval: each === 1 ? rows.interval : `${each} × ${rows.interval}`,
    bars,
    panes: panes.map(thin),
    ...(markers.length === 0 ? {} : { markers: markers.slice(-most) }),
  };
}

function toWhole({ listing, results }: BarQuestion, rows: Rows): WholeChart {
  const { symbol, name } = listing;
  const { currency = listing.currency } = rows;
  const markers = toUnique(results.flatMap(markersOf));
  const drawings = results.map(drawingsOf);
  const panes = toPanes({
    series: drawings.flatMap(({ series }) => series),
    levels: drawings.flatMap(({ levels }) => levels),
  });
  return {
    symbol,
    name,
    currency,
    rows,
    panes,
    provenance: rows.provenance,
    ...(markers.length === 0 ? {} : { markers }),
  };
}

/** Oldest first; of two that say the same, one. */
function toUnique(markers: readonly Marker[]): Marker[] {
  const byPlace = new Map(markers.map((marker) => [`${marker.t} ${marker.side}`, marker]));
  return [...byPlace.values()].toSorted((a, b) => a.t - b.t);
}

/** The bars that a result holds itself: of several the most. */
function ownRows(results: readonly Found[]): Rows | undefined {
  const own = results.flatMap((found): readonly Rows[] => {
    const bars = barsOf(found);
    return bars === undefined ? [] : [{ ...bars, provenance: found.provenance }];
  });
  return own.toSorted((a, b) => b.bars.length - a.bars.length)[0];
}

/** From the first to the last day that a result speaks of; undefined if it names none. */
function windowOf(results: readonly Found[]): Window | undefined {
  const times = results.flatMap((found) => {
    const { window, period = window } = WindowSchema.safeParse(found.data).data ?? {};
    const ends = drawingsOf(found).series.flatMap(({ points }) => [points[0]?.[0], points.at(-1)?.[0]]);
    return [...ends, toSeconds(period?.start), toSeconds(period?.end)].filter((t) => t !== undefined);
  });
  if (times.length === 0) return undefined;
  const start = times.reduce((least, t) => Math.min(least, t), Infinity);
  return { start, end: times.reduce((most, t) => Math.max(most, t), -Infinity) + DAY_S - 1 };
}
