/**
 * ATR: average true range, with Wilder's smoothing.
 *
 * As in TA-Lib the first bar has no true range, because there is no close before it.
 */
import type { Bars } from "../../market/port/bars.ts";
import { at } from "./column.ts";
import { openWilder } from "./ema.ts";

/** The range of each bar, the close before it included; NaN for the first. */
export function trueRanges({ h, l, c }: Pick<Bars, "h" | "l" | "c">): Float64Array {
  return h.map((high, index) => Math.max(high, at(c, index - 1)) - Math.min(at(l, index), at(c, index - 1)));
}

/** ATR of bars; the first `period` values are NaN. */
export function atr(bars: Pick<Bars, "h" | "l" | "c">, period = 14): Float64Array {
  const smoothing = openWilder(period);
  return trueRanges(bars).map((range) => (Number.isNaN(range) ? range : smoothing.push(range)));
}
