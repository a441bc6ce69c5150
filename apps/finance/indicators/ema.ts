/**
 * EMA: exponential moving average, and Wilder's smoothing, which differs only in its weight.
 *
 * As in TA-Lib the first value is the SMA of the first n.
 */
import { checkPeriod } from "./column.ts";
import type { Stream } from "./sma.ts";

/** Opens an EMA: the newest value has the weight 2 / (period + 1). */
export function openEma(period: number): Stream {
  return openSmoothing(period, 2 / (period + 1));
}

/** Opens Wilder's smoothing: the newest value has the weight 1 / period. */
export function openWilder(period: number): Stream {
  return openSmoothing(period, 1 / period);
}

/** EMA of a column; the first `period - 1` values are NaN. */
export function ema(column: Float64Array, period = 20): Float64Array {
  const stream = openEma(period);
  return column.map((value) => stream.push(value));
}

function openSmoothing(period: number, weight: number): Stream {
  const size = checkPeriod(period);
  let count = 0;
  let smoothed = 0;
  return {
    push(value) {
      count = Math.min(count + 1, size + 1);
      smoothed += (value - smoothed) * (count > size ? weight : 1 / count);
      return count < size ? Number.NaN : smoothed;
    },
  };
}
