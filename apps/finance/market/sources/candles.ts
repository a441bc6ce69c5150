/**
 * Candles: bars as sources send them, in any order and with gaps, made into columns.
 */
import type { Bars } from "../port/bars.ts";

/** One bar; what is unknown is undefined. `t` is in UTC seconds. */
export type SourceCandle = Readonly<{ [Column in keyof Bars]: number | undefined }>;

type Whole = Readonly<{ [Column in keyof Bars]: number }>;

/** Options for the candles to keep. */
export interface CandleOptions {
  /** The newest so many. */
  readonly limit?: number | undefined;
  /** Without one, such as an index, a missing volume is 0; else a bar that lacks it is incomplete. */
  readonly hasVolume: boolean;
}

/** Oldest first, one bar a time, without incomplete ones, and how many those were. */
export function toBars(candles: readonly SourceCandle[], { limit, hasVolume }: CandleOptions) {
  const byTime = new Map<number, Whole>();
  let dropped = 0;
  for (const { t, o, h, l, c, v = hasVolume ? undefined : 0 } of candles) {
    const isIncomplete = [t, o, h, l, c, v].includes(undefined);
    if (isIncomplete || t === undefined || o === undefined || h === undefined) dropped++;
    else if (l !== undefined && c !== undefined && v !== undefined && !byTime.has(t))
      byTime.set(t, { t, o, h, l, c, v });
  }
  const whole = [...byTime.values()].toSorted((one, other) => one.t - other.t);
  const kept = limit === undefined ? whole : whole.slice(-Math.max(1, limit));
  const column = (name: keyof Bars) => Float64Array.from(kept, (candle) => candle[name]);
  const bars: Bars = { t: column("t"), o: column("o"), h: column("h"), l: column("l"), c: column("c"), v: column("v") };
  return { bars, dropped };
}
