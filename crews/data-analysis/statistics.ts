/**
 * Statistics: summaries, regression, correlation, comparison and outliers of lists of numbers.
 *
 * Standard deviations are those of a sample (n − 1); quartiles interpolate between neighbours. Each function says how
 * many values it needs and throws a `validation` tool error for fewer, so that no number is made from too little.
 */
import { ToolError } from "@baton/core";
import { twoSidedP, twoSidedT } from "./student-t.ts";

/** A straight line through points, and how far to trust it. */
interface Line {
  readonly slope: number;
  readonly intercept: number;
  readonly rSquared: number;
  /** Probability of a slope at least this far from 0 if there were no trend. */
  readonly p: number;
  /** Standard deviation of the points around the line. */
  readonly residual: number;
  readonly count: number;
  readonly meanX: number;
  /** Sum of squared distances of x from its mean. */
  readonly spreadX: number;
}

/** A value and the range that holds the next observation with 95 % probability. */
interface Prediction {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** An unusual value: where it stands, and what makes it unusual. */
interface Outlier {
  readonly index: number;
  readonly value: number;
  readonly zScore: number;
}

/** The arithmetic mean. */
export function mean(values: readonly number[]): number {
  need(values, 1);
  return sum(values) / values.length;
}

/** The variance of a sample. */
function variance(values: readonly number[]): number {
  need(values, 2);
  const center = mean(values);
  return sum(values.map((value) => (value - center) ** 2)) / (values.length - 1);
}

/** The standard deviation of a sample. */
export const deviation = (values: readonly number[]): number => Math.sqrt(variance(values));

/** The value below which a share of the values lies. */
export function quantile(values: readonly number[], share: number): number {
  need(values, 1);
  const sorted = values.toSorted((a, b) => a - b);
  const position = (sorted.length - 1) * share;
  const below = sorted[Math.floor(position)] ?? NaN;
  const above = sorted[Math.ceil(position)] ?? NaN;
  return below + (above - below) * (position - Math.floor(position));
}

/** The least-squares line through (0, y₀), (1, y₁), …: a trend over equal steps. */
export function fitLine(values: readonly number[]): Line {
  need(values, 3);
  const count = values.length;
  const meanX = (count - 1) / 2;
  const meanY = mean(values);
  const spreadX = sum(values.map((_, x) => (x - meanX) ** 2));
  const slope = sum(values.map((y, x) => (x - meanX) * (y - meanY))) / spreadX;
  const intercept = meanY - slope * meanX;
  const unexplained = sum(values.map((y, x) => (y - intercept - slope * x) ** 2));
  const total = sum(values.map((y) => (y - meanY) ** 2));
  const residual = Math.sqrt(unexplained / (count - 2));
  const t = slope === 0 ? 0 : slope / (residual / Math.sqrt(spreadX));
  const rSquared = total === 0 ? 0 : 1 - unexplained / total;
  return { slope, intercept, rSquared, p: twoSidedP(t, count - 2), residual, count, meanX, spreadX };
}

/** The prediction of the line for a step, with the range for one new observation. */
export function predict(line: Line, x: number): Prediction {
  const value = line.intercept + line.slope * x;
  const error = line.residual * Math.sqrt(1 + 1 / line.count + (x - line.meanX) ** 2 / line.spreadX);
  const margin = twoSidedT(0.05, line.count - 2) * error;
  return { value, low: value - margin, high: value + margin };
}

/** Pearson's correlation of two lists of the same length, and how likely it is by chance. */
export function correlate(first: readonly number[], second: readonly number[]) {
  need(first, 3);
  if (first.length !== second.length) throw new ToolError("validation", "both columns need the same number of values");
  const [meanFirst, meanSecond] = [mean(first), mean(second)];
  const shared = sum(first.map((value, index) => (value - meanFirst) * ((second[index] ?? NaN) - meanSecond)));
  const spread = Math.sqrt(variance(first) * variance(second)) * (first.length - 1);
  if (spread === 0) throw new ToolError("validation", "a column that never changes has no correlation with anything");
  const r = Math.max(-1, Math.min(1, shared / spread));
  const t = r * Math.sqrt((first.length - 2) / (1 - r * r));
  return { r, p: twoSidedP(t, first.length - 2), count: first.length };
}

/** Welch's t-test of two samples, with the size of the difference in standard deviations (Cohen's d). */
export function compare(first: readonly number[], second: readonly number[]) {
  const [a, b] = [variance(first) / first.length, variance(second) / second.length];
  const difference = mean(first) - mean(second);
  if (a + b === 0) throw new ToolError("validation", "both sets never change, so there is nothing to test");
  const t = difference / Math.sqrt(a + b);
  const degrees = (a + b) ** 2 / (a ** 2 / (first.length - 1) + b ** 2 / (second.length - 1));
  const pooled = Math.sqrt(
    ((first.length - 1) * variance(first) + (second.length - 1) * variance(second)) /
      (first.length + second.length - 2),
  );
  return { difference, t, degrees, p: twoSidedP(t, degrees), cohensD: difference / pooled };
}

/** Values more than `threshold` standard deviations away from the mean. */
export function outliersByZScore(values: readonly number[], threshold: number): readonly Outlier[] {
  return withScores(values).filter(({ zScore }) => Math.abs(zScore) > threshold);
}

/** Values more than `factor` interquartile ranges below the first or above the third quartile (Tukey's fences). */
export function outliersByFences(values: readonly number[], factor: number): readonly Outlier[] {
  need(values, 4);
  const [first, third] = [quantile(values, 0.25), quantile(values, 0.75)];
  const reach = factor * (third - first);
  return withScores(values).filter(({ value }) => value < first - reach || value > third + reach);
}

function withScores(values: readonly number[]): readonly Outlier[] {
  const center = mean(values);
  const spread = deviation(values);
  return values.map((value, index) => ({ index, value, zScore: spread === 0 ? 0 : (value - center) / spread }));
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

function need(values: readonly number[], count: number): void {
  if (values.length < count) {
    throw new ToolError("validation", `at least ${count} values are needed, there are ${values.length}`);
  }
}
