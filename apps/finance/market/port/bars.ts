/**
 * Bars: prices over time, as columns of equal length, oldest first.
 */

/** Open, high, low, close and volume by time. */
export interface Bars {
  /** Start of each bar in UTC seconds; a daily bar's is midnight of its day. */
  readonly t: Float64Array;
  readonly o: Float64Array;
  readonly h: Float64Array;
  readonly l: Float64Array;
  readonly c: Float64Array;
  readonly v: Float64Array;
}

/** The bars from `start` up to, not including, `end`; a view, not a copy. */
export function sliceBars({ t, o, h, l, c, v }: Bars, start: number, end: number = t.length): Bars {
  const cut = (column: Float64Array) => column.subarray(start, end);
  return { t: cut(t), o: cut(o), h: cut(h), l: cut(l), c: cut(c), v: cut(v) };
}
