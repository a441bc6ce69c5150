/**
 * ADX: how strong a trend is, and +DI and −DI: which way it goes; each 0 to 100, with Wilder's smoothing.
 *
 * As in TA-Lib sums start with the first n − 1 movements, a bar without any range or direction leaves the ADX as it
 * was, and all three are 0 on a flat series.
 */
import type { Bars } from "../../market/port/bars.ts";
import { openTrueRange } from "./atr.ts";
import { at, checkPeriod } from "./column.ts";
import { openWilder } from "./ema.ts";
import type { Stream } from "./sma.ts";

/** One bar's values; NaN until there are any. */
export type AdxPoint = Readonly<{ adx: number; plusDi: number; minusDi: number }>;
/** The three columns. */
export type Adx = Readonly<Record<keyof AdxPoint, Float64Array>>;

/** Opens an ADX. */
export function openAdx(period: number): { push(high: number, low: number, close: number): AdxPoint } {
  const ranges = openTrueRange();
  const smoothing = openWilder(period);
  const plus = openWilderSum(period);
  const minus = openWilderSum(period);
  const total = openWilderSum(period);
  const state = { high: Number.NaN, low: Number.NaN, adx: Number.NaN };

  const smooth = (plusDi: number, minusDi: number) => {
    const sum = plusDi + minusDi;
    if (Number.isNaN(sum)) return;
    if (sum === 0 && !Number.isNaN(state.adx)) return;
    state.adx = smoothing.push(sum === 0 ? 0 : 100 * (Math.abs(plusDi - minusDi) / sum));
  };

  return {
    push(high, low, close) {
      const range = ranges.push(high, low, close);
      const up = high - state.high;
      const down = state.low - low;
      state.high = high;
      state.low = low;
      if (Number.isNaN(range)) return { adx: Number.NaN, plusDi: Number.NaN, minusDi: Number.NaN };
      const sum = total.push(range);
      const plusSum = plus.push(up > 0 && up > down ? up : 0);
      const minusSum = minus.push(down > 0 && down > up ? down : 0);
      const plusDi = sum === 0 ? 0 : 100 * (plusSum / sum);
      const minusDi = sum === 0 ? 0 : 100 * (minusSum / sum);
      smooth(plusDi, minusDi);
      return { adx: state.adx, plusDi, minusDi };
    },
  };
}

/** ADX, +DI and −DI of bars; the first `2 * period - 1` values of the ADX and `period` of the others are NaN. */
export function adx({ h, l, c }: Pick<Bars, "h" | "l" | "c">, period = 14): Adx {
  const stream = openAdx(period);
  const blank = () => new Float64Array(c.length);
  const [trend, plusDi, minusDi] = [blank(), blank(), blank()];
  for (let index = 0; index < c.length; index++) {
    const point = stream.push(at(h, index), at(l, index), at(c, index));
    trend[index] = point.adx;
    plusDi[index] = point.plusDi;
    minusDi[index] = point.minusDi;
  }
  return { adx: trend, plusDi, minusDi };
}

/** Wilder's running sum: from the n-th value on, each step takes away an n-th of it. */
function openWilderSum(period: number): Stream {
  const size = checkPeriod(period);
  const state = { count: 0, sum: 0 };
  return {
    push(value) {
      if (state.count < size) state.count++;
      state.sum = state.count < size ? state.sum + value : state.sum - state.sum / size + value;
      return state.count < size ? Number.NaN : state.sum;
    },
  };
}
