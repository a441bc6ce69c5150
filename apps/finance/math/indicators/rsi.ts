/**
 * RSI: relative strength index, 0 to 100, with Wilder's smoothing.
 *
 * As in TA-Lib it is 0 while nothing has moved at all: a flat series is not oversold, it has no strength to measure.
 */
import { at } from "./column.ts";
import { openWilder } from "./ema.ts";
import type { Stream } from "./sma.ts";

/** Opens an RSI. */
export function openRsi(period: number): Stream {
  const gains = openWilder(period);
  const losses = openWilder(period);
  const state = { previous: Number.NaN };
  return {
    push(value) {
      const change = value - state.previous;
      state.previous = value;
      if (Number.isNaN(change)) return Number.NaN;
      const gain = gains.push(Math.max(change, 0));
      const loss = losses.push(Math.max(-change, 0));
      return gain + loss === 0 ? 0 : 100 * (gain / (gain + loss));
    },
  };
}

/** RSI of a column; the first `period` values are NaN. */
export function rsi(column: Float64Array, period = 14): Float64Array {
  const stream = openRsi(period);
  const found = new Float64Array(column.length);
  for (let index = 0; index < column.length; index++) found[index] = stream.push(at(column, index));
  return found;
}
