/**
 * Sparkline: a series of values as the path of a line; where there is no value the line has a gap.
 */

/** How large the drawing is. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The path of the values from left to right; the largest touches the top, zero the bottom. */
export function toPath(values: readonly (number | undefined)[], { width, height }: Size): string {
  const largest = Math.max(...values.map((value) => value ?? 0), 0);
  const step = values.length > 1 ? width / (values.length - 1) : 0;
  let isDrawing = false;
  const parts = values.map((value, index) => {
    if (value === undefined) {
      isDrawing = false;
      return "";
    }
    const x = round(index * step);
    const y = round(largest === 0 ? height : height - (value / largest) * height);
    const part = isDrawing ? `L${x} ${y}` : `M${x} ${y}h0`;
    isDrawing = true;
    return part;
  });
  return parts.join("");
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
