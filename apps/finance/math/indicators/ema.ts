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
  const state = { count: 0, smoothed: 0 };
  return {
    push(value) {
      if (state.count === size) {
        state.smoothed += (value - state.smoothed) * weight;
        return state.smoothed;
      }
      state.count++;
      state.smoothed += (value - state.smoothed) / state.count;
      return state.count < size ? Number.NaN : state.smoothed;
    },
  };
}
