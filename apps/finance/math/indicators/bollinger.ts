/**
 * Bollinger bands: the SMA, and lines some standard deviations above and below it.
 *
 * As in TA-Lib the deviation is the population's (divided by n). A flat window has three equal bands.
 */
import { at } from "./column.ts";
import { openMoments } from "./window.ts";

/** The period in bars, and how many deviations away the bands are. */
export type BollingerOptions = Readonly<{ period?: number; deviations?: number }>;
/** The three columns. */
export type Bollinger = Readonly<Record<"upper" | "middle" | "lower", Float64Array>>;

/** Bollinger bands of a column; the first `period - 1` values are NaN. */
export function bollinger(column: Float64Array, { period = 20, deviations = 2 }: BollingerOptions = {}): Bollinger {
  const moments = openMoments(period);
  const widths = new Float64Array(column.length);
  const middle = column.map((value, index) => {
    const mean = moments.push(value);
    widths[index] = deviations * moments.deviation();
    return mean;
  });
  return {
    upper: middle.map((mean, index) => mean + at(widths, index)),
    middle,
    lower: middle.map((mean, index) => mean - at(widths, index)),
  };
}
