/**
 * Bollinger bands: the SMA, and lines some standard deviations above and below it.
 *
 * As in TA-Lib the deviation is the population's (divided by n). A flat window has three equal bands.
 */
import { at } from "./column.ts";
import { openMoments } from "./window.ts";

/** The period in bars, and how many deviations away the bands are. */
export type BollingerOptions = Readonly<{ period?: number; deviations?: number }>;
/** One bar's values; NaN until there are any. */
export type BollingerPoint = Readonly<{ upper: number; middle: number; lower: number }>;
/** The three columns. */
export type Bollinger = Readonly<Record<keyof BollingerPoint, Float64Array>>;

/** Opens Bollinger bands. */
export function openBollinger({ period = 20, deviations = 2 }: BollingerOptions = {}): {
  push(value: number): BollingerPoint;
} {
  const moments = openMoments(period);
  return {
    push(value) {
      const middle = moments.push(value);
      const width = deviations * moments.deviation();
      return { upper: middle + width, middle, lower: middle - width };
    },
  };
}

/** Bollinger bands of a column; the first `period - 1` values are NaN. */
export function bollinger(column: Float64Array, options: BollingerOptions = {}): Bollinger {
  const stream = openBollinger(options);
  const blank = () => new Float64Array(column.length);
  const [upper, middle, lower] = [blank(), blank(), blank()];
  for (let index = 0; index < column.length; index++) {
    const point = stream.push(at(column, index));
    upper[index] = point.upper;
    middle[index] = point.middle;
    lower[index] = point.lower;
  }
  return { upper, middle, lower };
}
