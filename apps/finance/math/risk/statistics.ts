/**
 * Statistics: mean, sample deviation, quantile and correlation of columns. What is not defined is undefined, not NaN.
 */
import { at } from "../indicators/column.ts";

/** A deviation of returns up to this is rounding: they are all the same. */
export const ROUNDING = 1e-12;

/** Arithmetic mean of at least one value. */
export function mean(values: Float64Array): number {
  return values.reduce((average, value, index) => average + (value - average) / (index + 1), 0);
}

/** Sample standard deviation (divided by n − 1) of at least two values; exactly 0 if they are equal. */
export function deviation(values: Float64Array): number {
  return Math.sqrt(covariance(values, values));
}

/** Sample covariance of two columns of equal length, at least two values each. */
export function covariance(one: Float64Array, other: Float64Array): number {
  const [oneMean, otherMean] = [mean(one), mean(other)];
  const sum = one.reduce((total, value, index) => total + (value - oneMean) * (at(other, index) - otherMean), 0);
  return sum / (one.length - 1);
}

/** Pearson's correlation of the returns of two series on the same days; undefined if one of them never changes. */
export function correlation(one: Float64Array, other: Float64Array): number | undefined {
  const [oneDeviation, otherDeviation] = [deviation(one), deviation(other)];
  if (!(Math.min(oneDeviation, otherDeviation) > ROUNDING)) return undefined;
  return Math.max(-1, Math.min(1, covariance(one, other) / oneDeviation / otherDeviation));
}

/** The quantile of at least one value, as R's type 7: linear between the two nearest. */
export function quantile(values: Float64Array, probability: number): number {
  const sorted = values.toSorted();
  const position = (sorted.length - 1) * probability;
  const low = at(sorted, Math.floor(position));
  return low + (position - Math.floor(position)) * (at(sorted, Math.ceil(position)) - low);
}
