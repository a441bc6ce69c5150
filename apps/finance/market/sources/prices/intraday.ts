/**
 * Intraday: bars of minutes joined to longer ones, counted from the opening of each session.
 */
import type { Interval } from "../../port/market-data.ts";
import type { SourceCandle } from "../candles.ts";

/** Seconds of each interval. */
export const INTERVAL_S: Readonly<Record<Interval, number>> = {
  "1min": 60,
  "5min": 300,
  "15min": 900,
  "30min": 1_800,
  "1hour": 3_600,
  "4hour": 14_400,
};

type Whole = Readonly<{ t: number; o: number; h: number; l: number; c: number; v: number }>;

/** Options for joining bars. */
export interface Joining {
  readonly seconds: number;
  /** The opening of the session that a time in seconds belongs to. */
  readonly openOf: (seconds: number) => number;
}

/** Joins bars, oldest first; incomplete ones are left out. */
export function joinCandles(candles: readonly SourceCandle[], { seconds, openOf }: Joining): readonly SourceCandle[] {
  const joined = new Map<number, Whole>();
  for (const { t, o, h, l, c, v } of candles.toSorted((one, other) => (one.t ?? 0) - (other.t ?? 0))) {
    if (t === undefined || o === undefined || h === undefined || l === undefined || c === undefined) continue;
    const open = openOf(t);
    const start = open + Math.floor((t - open) / seconds) * seconds;
    const before = joined.get(start) ?? { t: start, o, h, l, c, v: 0 };
    joined.set(start, { ...before, h: Math.max(before.h, h), l: Math.min(before.l, l), c, v: before.v + (v ?? 0) });
  }
  return [...joined.values()];
}
