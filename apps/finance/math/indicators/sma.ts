/**
 * SMA: simple moving average.
 */
import { openMoments } from "./window.ts";

/** One value in, one out; NaN until there is one. */
export interface Stream {
  push(value: number): number;
}

/** Opens an SMA of the last `period` values. */
export function openSma(period: number): Stream {
  return openMoments(period);
}

/** SMA of a column; the first `period - 1` values are NaN. */
export function sma(column: Float64Array, period = 20): Float64Array {
  const stream = openSma(period);
  return column.map((value) => stream.push(value));
}
