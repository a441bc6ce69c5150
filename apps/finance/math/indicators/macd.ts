/**
 * MACD: the fast EMA less the slow one, the EMA of that as its signal, and the difference of both.
 *
 * As in TA-Lib both EMAs start on the same bar, that of the first slow value, all three outputs start together, and
 * the shorter of the two periods is the fast one in whichever order they are given.
 */
import { at, checkPeriod } from "./column.ts";
import { openEma } from "./ema.ts";

/** Periods in bars. */
export type MacdOptions = Readonly<{ fast?: number; slow?: number; signal?: number }>;
/** One bar's values; NaN until there are any. */
export type MacdPoint = Readonly<{ line: number; signal: number; histogram: number }>;
/** The three columns. */
export type Macd = Readonly<Record<keyof MacdPoint, Float64Array>>;

/** Opens a MACD. */
export function openMacd({ fast = 12, slow = 26, signal = 9 }: MacdOptions = {}): { push(value: number): MacdPoint } {
  const short = Math.min(checkPeriod(fast, "fast"), checkPeriod(slow, "slow"));
  const long = Math.max(fast, slow);
  const [fastEma, slowEma, signalEma] = [openEma(short), openEma(long), openEma(checkPeriod(signal, "signal"))];
  let untilFast = long - short;
  return {
    push(value) {
      const slowValue = slowEma.push(value);
      untilFast = Math.max(untilFast - 1, -1);
      const line = untilFast < 0 ? fastEma.push(value) - slowValue : Number.NaN;
      const smoothed = Number.isNaN(line) ? Number.NaN : signalEma.push(line);
      return { line: Number.isNaN(smoothed) ? smoothed : line, signal: smoothed, histogram: line - smoothed };
    },
  };
}

/** MACD of a column; the first `slow + signal - 2` values of each output are NaN. */
export function macd(column: Float64Array, options: MacdOptions = {}): Macd {
  const stream = openMacd(options);
  const blank = () => new Float64Array(column.length);
  const [line, signal, histogram] = [blank(), blank(), blank()];
  for (let index = 0; index < column.length; index++) {
    const point = stream.push(at(column, index));
    line[index] = point.line;
    signal[index] = point.signal;
    histogram[index] = point.histogram;
  }
  return { line, signal, histogram };
}
