/**
 * SMA: simple moving average.
 */
import { at } from "./column.ts";
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
  const found = new Float64Array(column.length);
  for (let index = 0; index < column.length; index++) found[index] = stream.push(at(column, index));
  return found;
}
