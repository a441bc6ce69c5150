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

/** Joins bars that begin in the same longer interval. */
export function mergeBars(bars: Bars, startOf: (t: number) => number): Bars {
  const starts: number[] = [];
  for (let at = 0; at < bars.t.length; at += 1) {
    if (at === 0 || startOf(bars.t[at] ?? 0) !== startOf(bars.t[at - 1] ?? 0)) starts.push(at);
  }
  const column = () => new Float64Array(starts.length);
  const merged: Bars = { t: column(), o: column(), h: column(), l: column(), c: column(), v: column() };
  for (const [index, start] of starts.entries()) {
    const end = starts[index + 1] ?? bars.t.length;
    merged.t[index] = startOf(bars.t[start] ?? 0);
    merged.o[index] = bars.o[start] ?? 0;
    merged.h[index] = bars.h.subarray(start, end).reduce((most, value) => Math.max(most, value));
    merged.l[index] = bars.l.subarray(start, end).reduce((least, value) => Math.min(least, value));
    merged.c[index] = bars.c[end - 1] ?? 0;
    merged.v[index] = Number(
      bars.v
        .subarray(start, end)
        .reduce((sum, value) => sum + value, 0)
        .toFixed(6),
    );
  }
  return merged;
}
