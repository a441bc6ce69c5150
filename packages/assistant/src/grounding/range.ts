/**
 * Range: a piece of a text by its offsets, and lists of ranges in the order of their starts, searched by halving.
 */

/** A piece of a text; the end is not part of it. */
export type TextRange = Readonly<{ start: number; end: number }>;

/** The index of the last range that starts at or before an offset; -1 if all start after it. */
export function indexBefore(ranges: readonly TextRange[], at: number): number {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle]?.start ?? Infinity) <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The ranges that lie inside another one. */
export function rangesWithin<T extends TextRange>(ranges: readonly T[], { start, end }: TextRange): readonly T[] {
  const found: T[] = [];
  for (let index = indexBefore(ranges, start - 1) + 1; index < ranges.length; index += 1) {
    const range = ranges[index];
    if (range === undefined || range.start > end) break;
    if (range.end <= end) found.push(range);
  }
  return found;
}

/** Whether one of several ranges that do not overlap each other overlaps this one. */
export function isOverlapped(ranges: readonly TextRange[], { start, end }: TextRange): boolean {
  const last = ranges[indexBefore(ranges, end - 1)];
  return last !== undefined && last.end > start;
}
