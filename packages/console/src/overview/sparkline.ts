/**
 * Sparkline: a series of values as columns, one for each; a missing value has no column.
 */

/** The size of the drawing. */
export interface SparklineSize {
  readonly width: number;
  readonly height: number;
}

/** The path of the columns from left to right; the largest touches the top, and what is zero is not drawn. */
export function sparklinePath(values: readonly (number | undefined)[], { width, height }: SparklineSize): string {
  const largest = Math.max(...values.map((value) => value ?? 0), 0);
  const step = width / Math.max(1, values.length);
  const columns = values.map((value = 0, index) => {
    if (value <= 0 || largest <= 0) return "";
    return `M${round((index + 0.5) * step)} ${height}V${round(height - (value / largest) * height)}`;
  });
  return columns.join("");
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
