/**
 * ATR: average true range, with Wilder's smoothing.
 *
 * As in TA-Lib the first bar has no true range, because there is no close before it.
 */
import type { Bars } from "../../market/port/bars.ts";
import { at } from "./column.ts";
import { openWilder } from "./ema.ts";

/** One bar in, one value out; NaN until there is one. */
export interface BarStream {
  push(high: number, low: number, close: number): number;
}

/** The range of a bar, the close before it included; NaN for the first. */
export function openTrueRange(): BarStream {
  const state = { previous: Number.NaN };
  return {
    push(high, low, close) {
      const range = Math.max(high, state.previous) - Math.min(low, state.previous);
      state.previous = close;
      return range;
    },
  };
}

/** Opens an ATR. */
export function openAtr(period: number): BarStream {
  const [ranges, smoothing] = [openTrueRange(), openWilder(period)];
  return {
    push(high, low, close) {
      const range = ranges.push(high, low, close);
      return Number.isNaN(range) ? range : smoothing.push(range);
    },
  };
}

/** ATR of bars; the first `period` values are NaN. */
export function atr({ h, l, c }: Pick<Bars, "h" | "l" | "c">, period = 14): Float64Array {
  const stream = openAtr(period);
  const found = new Float64Array(c.length);
  for (let index = 0; index < c.length; index++) found[index] = stream.push(at(h, index), at(l, index), at(c, index));
  return found;
}
