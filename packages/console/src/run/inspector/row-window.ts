/**
 * Row window: which rows of a long list are drawn, and how far it is scrolled to show one of them.
 */

/** A list of rows of one height, scrolled to a place. */
export interface Scrolled {
  readonly count: number;
  readonly rowHeight: number;
  readonly top: number;
  readonly height: number;
}

/** Rows that are drawn beyond those that can be seen, above and below. */
const MORE = 5;

/** The first row that is drawn, and the row after the last one. */
export function visibleRows({ count, rowHeight, top, height }: Scrolled): Readonly<{ from: number; to: number }> {
  const first = Math.floor(Math.max(0, top) / rowHeight);
  const shown = Math.ceil(height / rowHeight) + 1;
  const from = Math.max(0, Math.min(count, first - MORE));
  return { from, to: Math.min(count, Math.max(from, first + shown + MORE)) };
}

/** Returns the scroll position at which a row is visible; the same position if it is visible already. */
export function scrollTopFor({ count, rowHeight, top, height }: Scrolled, row: number): number {
  const at = Math.min(Math.max(0, row), Math.max(0, count - 1)) * rowHeight;
  if (at >= top && at + rowHeight <= top + height) return top;
  return Math.max(0, at - Math.max(0, (height - rowHeight) / 2));
}
