/**
 * RSI: relative strength index, 0 to 100, with Wilder's smoothing.
 *
 * As in TA-Lib it is 0 while nothing has moved at all: a flat series is not oversold, it has no strength to measure.
 */
import { at } from "./column.ts";
import { openWilder } from "./ema.ts";

/** RSI of a column; the first `period` values are NaN. */
export function rsi(column: Float64Array, period = 14): Float64Array {
  const [gains, losses] = [openWilder(period), openWilder(period)];
  return column.map((value, index) => {
    const change = value - at(column, index - 1);
    if (Number.isNaN(change)) return Number.NaN;
    const gain = gains.push(Math.max(change, 0));
    const loss = losses.push(Math.max(-change, 0));
    return gain + loss === 0 ? 0 : 100 * (gain / (gain + loss));
  });
}
