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
/** The two columns. */
export type Stochastic = Readonly<Record<"k" | "d", Float64Array>>;

/** Slow stochastic of bars; the first `fastK + slowK + slowD - 3` values are NaN. */
export function stochastic({ h, l, c }: Pick<Bars, "h" | "l" | "c">, options: StochasticOptions = {}): Stochastic {
  const { fastK = 5, slowK = 3, slowD = 3 } = options;
  const [extremes, slow, slower] = [openExtremes(fastK), openSma(slowK), openSma(slowD)];
  const smoothed = c.map((close, index) => {
    extremes.push(at(h, index), at(l, index));
    const range = extremes.highest() - extremes.lowest();
    if (Number.isNaN(range)) return Number.NaN;
    return slow.push(range === 0 ? 0 : 100 * ((close - extremes.lowest()) / range));
  });
  const d = smoothed.map((k) => (Number.isNaN(k) ? k : slower.push(k)));
  return { k: smoothed.map((k, index) => (Number.isNaN(at(d, index)) ? Number.NaN : k)), d };
}
