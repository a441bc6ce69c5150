/**
 * Scale: which value belongs to an event, and which event to a value: places on a time axis, or moments of playing.
 *
 * Values never fall. Between two knots they grow evenly, so the pieces of a text, which have no knot of their own, lie
 * between the events around them.
 */
import { countUpTo } from "../store/growing-text.ts";

/** Events and values, both ways. */
export interface Scale {
  /** The first event. */
  readonly first: number;
  /** The last event. */
  readonly last: number;
  /** The value of the last event; that of the first is 0. */
  readonly length: number;
  readonly valueOf: (seq: number) => number;
  /** The last event whose value is at most this one. */
  readonly seqAt: (value: number) => number;
}

/** Makes up for sums that are not exact. */
const TOLERANCE = 1e-6;

/** A scale through the values of some events; both lists are sorted and equally long. */
export function toScale(seqs: readonly number[], values: readonly number[]): Scale {
  const first = seqs[0] ?? 0;
  const last = seqs.at(-1) ?? 0;
  return {
    first,
    last,
    length: values.at(-1) ?? 0,
    valueOf: (seq) => valueAt(seqs, values, seq),
    seqAt: (value) => Math.max(first, Math.floor(valueAt(values, seqs, value + TOLERANCE) + TOLERANCE)),
  };
}

/** The value at `x` of the line through the knots. */
function valueAt(xs: readonly number[], ys: readonly number[], x: number): number {
  const index = countUpTo(xs, x) - 1;
  const y = ys[Math.max(0, index)] ?? 0;
  const fromX = xs[index];
  const toX = xs[index + 1];
  const toY = ys[index + 1];
  if (fromX === undefined || toX === undefined || toY === undefined) return y;
  return y + ((x - fromX) / (toX - fromX)) * (toY - y);
}
