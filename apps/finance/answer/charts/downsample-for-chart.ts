/**
 * Downsample: fewer points that look the same: every extreme, the first and the last value stay.
 *
 * Bars are joined in runs of equal length: first open, highest high, lowest low, last close, sum of volumes. Of a line
 * each stretch keeps its lowest and its highest point, and one gap if it has any.
 */
import type { ChartBar, ChartPoint } from "./chart.ts";

/** Bars, and how many of the given ones each stands for. */
export type JoinedBars = Readonly<{ bars: ChartBar[]; each: number }>;

/** At most `most` bars; the last one may stand for fewer than the others. */
export function joinBars(bars: readonly ChartBar[], most: number): JoinedBars {
  const each = Math.max(1, Math.ceil(bars.length / Math.max(1, most)));
  if (each === 1) return { bars: [...bars], each };
  const joined: ChartBar[] = [];
  for (let at = 0; at < bars.length; at += each) {
    const one = joinOne(bars.slice(at, at + each));
    if (one !== undefined) joined.push(one);
  }
  return { bars: joined, each };
}

function joinOne(run: readonly ChartBar[]): ChartBar | undefined {
  const [first] = run;
  if (first === undefined) return undefined;
  const volumes = run.flatMap(({ v }) => (v === null ? [] : [v]));
  return {
    t: first.t,
    o: run.find(({ o }) => o !== null)?.o ?? null,
    h: extremeOf(run, "h", Math.max),
    l: extremeOf(run, "l", Math.min),
    c: run.findLast(({ c }) => c !== null)?.c ?? null,
    v: volumes.length === 0 ? null : volumes.reduce((sum, v) => sum + v, 0),
  };
}

function extremeOf(
  run: readonly ChartBar[],
  field: "h" | "l",
  choose: (a: number, b: number) => number,
): number | null {
  return run.reduce<number | null>((best, { [field]: value }) => {
    if (value === null) return best;
    return best === null ? value : choose(best, value);
  }, null);
}

/** The fewest points a line is reduced to: its ends, and one stretch. */
const LEAST = 5;
const PER_STRETCH = 3;

/** At most `most` points (five are the least), in their order. */
export function downsamplePoints(points: readonly ChartPoint[], most: number): ChartPoint[] {
  if (points.length <= Math.max(LEAST, most)) return [...points];
  const first = points[0];
  const last = points.at(-1);
  if (first === undefined || last === undefined) return [];
  const inner = points.slice(1, -1);
  const stretches = Math.max(1, Math.floor((Math.max(LEAST, most) - 2) / PER_STRETCH));
  const kept: ChartPoint[] = [first];
  for (let at = 0; at < stretches; at++) {
    const start = Math.floor((at * inner.length) / stretches);
    const end = Math.floor(((at + 1) * inner.length) / stretches);
    kept.push(...thinStretch(inner.slice(start, end)));
  }
  kept.push(last);
  return kept;
}

/** The lowest and the highest point, and the first gap, in their order. */
function thinStretch(points: readonly ChartPoint[]): readonly ChartPoint[] {
  const low = findExtreme(points, (a, b) => a < b);
  const high = findExtreme(points, (a, b) => a > b);
  const gap = points.findIndex(([, y]) => y === null);
  const kept = new Set([low, high, gap].filter((index) => index !== -1));
  return points.filter((_, index) => kept.has(index));
}

function findExtreme(points: readonly ChartPoint[], isBetter: (a: number, b: number) => boolean): number {
  let best = -1;
  let value = 0;
  for (const [index, [, y]] of points.entries()) {
    if (y === null || (best !== -1 && !isBetter(y, value))) continue;
    best = index;
    value = y;
  }
  return best;
}
