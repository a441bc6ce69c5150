/**
 * ADX: how strong a trend is, and +DI and −DI: which way it goes; each 0 to 100, with Wilder's smoothing.
 *
 * As in TA-Lib sums start with the first n − 1 movements, a bar without any range or direction leaves the ADX as it
 * was, and all three are 0 on a flat series.
 */
import type { Bars } from "../../market/port/bars.ts";
import { trueRanges } from "./atr.ts";
import { at, checkPeriod } from "./column.ts";
import { openWilder } from "./ema.ts";
import type { Stream } from "./sma.ts";

/** The three columns. */
export type Adx = Readonly<Record<"adx" | "plusDi" | "minusDi", Float64Array>>;

/** ADX, +DI and −DI of bars; the first `2 * period - 1` values of the ADX and `period` of the others are NaN. */
export function adx(bars: Pick<Bars, "h" | "l" | "c">, period = 14): Adx {
  const { h, l } = bars;
  const total = toSums(trueRanges(bars), period);
  const ups = h.map((high, index) => high - at(h, index - 1));
  const downs = l.map((low, index) => at(l, index - 1) - low);
  const indexOf = (moves: Float64Array, others: Float64Array) => {
    const own = moves.map((move, at0) => (Number.isNaN(move) ? move : move > 0 && move > at(others, at0) ? move : 0));
    return toSums(own, period).map((sum, index) => (at(total, index) === 0 ? 0 : 100 * (sum / at(total, index))));
  };
  const [plusDi, minusDi] = [indexOf(ups, downs), indexOf(downs, ups)];
  const smoothing = openWilder(period);
  let trend = Number.NaN;
  const found = plusDi.map((plus, index) => {
    const sum = plus + at(minusDi, index);
    const isFlat = sum === 0 && !Number.isNaN(trend);
    if (Number.isNaN(sum) || isFlat) return trend;
    trend = smoothing.push(sum === 0 ? 0 : 100 * (Math.abs(plus - at(minusDi, index)) / sum));
    return trend;
  });
  return { adx: found, plusDi, minusDi };
}

/** Wilder's running sums of a column whose first value is missing. */
function toSums(column: Float64Array, period: number): Float64Array {
  const sums = openWilderSum(period);
  return column.map((value) => (Number.isNaN(value) ? value : sums.push(value)));
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
