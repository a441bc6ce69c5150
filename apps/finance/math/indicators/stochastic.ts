/**
 * Stochastic: where the close stands in the range of the last bars, 0 to 100: the slow one, TA-Lib's STOCH.
 *
 * Fast %K looks at 5 bars; slow %K is its SMA of 3, %D the SMA of 3 of that. As in TA-Lib fast %K is 0 if the range
 * is zero, and both outputs start together.
 */
import type { Bars } from "../../market/port/bars.ts";
import { at } from "./column.ts";
import { openSma } from "./sma.ts";
import { openExtremes } from "./window.ts";

/** Periods in bars. */
export type StochasticOptions = Readonly<{ fastK?: number; slowK?: number; slowD?: number }>;
/** One bar's values; NaN until there are any. */
export type StochasticPoint = Readonly<{ k: number; d: number }>;
/** The two columns. */
export type Stochastic = Readonly<Record<keyof StochasticPoint, Float64Array>>;

/** Opens a slow stochastic. */
export function openStochastic({ fastK = 5, slowK = 3, slowD = 3 }: StochasticOptions = {}): {
  push(high: number, low: number, close: number): StochasticPoint;
} {
  const [extremes, slow, slower] = [openExtremes(fastK), openSma(slowK), openSma(slowD)];
  return {
    push(high, low, close) {
      extremes.push(high, low);
      const range = extremes.highest() - extremes.lowest();
      if (Number.isNaN(range)) return { k: Number.NaN, d: Number.NaN };
      const k = slow.push(range === 0 ? 0 : 100 * ((close - extremes.lowest()) / range));
      const d = Number.isNaN(k) ? k : slower.push(k);
      return { k: Number.isNaN(d) ? d : k, d };
    },
  };
}

/** Slow stochastic of bars; the first `fastK + slowK + slowD - 3` values are NaN. */
export function stochastic({ h, l, c }: Pick<Bars, "h" | "l" | "c">, options: StochasticOptions = {}): Stochastic {
  const stream = openStochastic(options);
  const blank = () => new Float64Array(c.length);
  const [k, d] = [blank(), blank()];
  for (let index = 0; index < c.length; index++) {
    const point = stream.push(at(h, index), at(l, index), at(c, index));
    k[index] = point.k;
    d[index] = point.d;
  }
  return { k, d };
}
