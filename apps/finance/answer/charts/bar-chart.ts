/**
 * Bar chart: the bars of a symbol with all that this run's results have to draw over and below them.
 *
 * Series and marks are drawn only on bars of the series they were computed from.
 */
import type { Listing } from "../../market/port/listing.ts";
import { askCoin, type Rows } from "./ask-bars.ts";
import type { BarChart, Marker, ChartPane } from "./chart.ts";
import { joinBars, downsamplePoints } from "./downsample-for-chart.ts";
import type { ChartSources, ChartInput } from "./chart-input.ts";
import { barsOf, drawingsOf, markersOf } from "./output-rows.ts";
import { toPanes } from "./panes.ts";

/** Input of a bar chart; all results are of one symbol and one origin. */
export type BarQuestion = Readonly<{ listing: Listing; results: readonly [ChartInput, ...ChartInput[]] }>;

/** A chart before its points are counted. */
export type WholeChart = Omit<BarChart, "bars" | "interval"> & Readonly<{ rows: Rows }>;

const COIN_BARS = { interval: "1h", limit: 200 } as const;

/** The bars that technical and risk tools and backtests hold, with their lines and trades. */
export function toStockChart(question: BarQuestion): WholeChart | undefined {
  const rows = ownRows(question.results);
  return rows === undefined || rows.bars.length === 0 ? undefined : toWhole(question, rows);
}

/** Bars of a coin. */
export async function toCoinChart(question: BarQuestion, asking: ChartSources): Promise<WholeChart | undefined> {
  const rows = ownRows(question.results) ?? (await askCoin(question.listing, COIN_BARS, asking));
  return rows.bars.length === 0 ? undefined : toWhole(question, rows);
}

/** The chart with at most so many points in each series. */
export function toFitting({ rows, panes, markers = [], ...rest }: WholeChart, most: number): BarChart {
  const { bars, each } = joinBars(rows.bars, most);
  const thin = (pane: ChartPane): ChartPane => ({
    ...pane,
    series: pane.series.map((one) => ({ ...one, points: downsamplePoints(one.points, most) })),
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
function ownRows(results: readonly ChartInput[]): Rows | undefined {
  const own = results.flatMap((found): readonly Rows[] => {
    const bars = barsOf(found);
    return bars === undefined ? [] : [{ ...bars, provenance: found.provenance }];
  });
  return own.toSorted((a, b) => b.bars.length - a.bars.length)[0];
}
