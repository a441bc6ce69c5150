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
/** The three columns. */
export type Macd = Readonly<Record<"line" | "signal" | "histogram", Float64Array>>;

/** MACD of a column; the first `slow + signal - 2` values of each output are NaN. */
export function macd(column: Float64Array, { fast = 12, slow = 26, signal = 9 }: MacdOptions = {}): Macd {
  const short = Math.min(checkPeriod(fast, "fast"), checkPeriod(slow, "slow"));
  const long = Math.max(fast, slow);
  const [fastEma, slowEma, signalEma] = [openEma(short), openEma(long), openEma(checkPeriod(signal, "signal"))];
  const lines = column.map((value, index) => {
    const slowValue = slowEma.push(value);
    return index < long - short ? Number.NaN : fastEma.push(value) - slowValue;
  });
  const signals = lines.map((line) => (Number.isNaN(line) ? line : signalEma.push(line)));
  return {
    line: lines.map((line, index) => (Number.isNaN(at(signals, index)) ? Number.NaN : line)),
    signal: signals,
    histogram: lines.map((line, index) => line - at(signals, index)),
  };
}
