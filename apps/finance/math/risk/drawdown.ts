/**
 * Drawdown: the deepest fall from a peak to a later trough.
 */

/** A fall as a fraction (−0.25 is a loss of 25 %; 0 if nothing ever fell), and where it began and ended. */
export type Drawdown = Readonly<{ value: number; peak: number; trough: number }>;

/** The deepest drawdown of positive values; the earliest of equal ones. */
export function maxDrawdown(values: Float64Array): Drawdown {
  let deepest: Drawdown = { value: 0, peak: 0, trough: 0 };
  let [peak, peakValue] = [0, values[0] ?? 0];
  values.forEach((value, index) => {
    if (value > peakValue) [peak, peakValue] = [index, value];
    const fall = peakValue > 0 ? value / peakValue - 1 : 0;
    if (fall < deepest.value) deepest = { value: fall, peak, trough: index };
  });
  return deepest;
}
