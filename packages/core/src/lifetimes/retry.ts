/**
 * Retry: how long to wait before another try.
 *
 * The ceiling doubles from the minimum to the maximum. The wait is random between a share of the ceiling and the whole,
 * so that many that failed together do not retry together.
 */

/** Bounds of a wait; `leastShare` of the ceiling is always waited. */
export type Backoff = Readonly<{ minMs: number; maxMs: number; leastShare: number }>;

/** Whole milliseconds to wait before retry number `attempt`, which is 1 for the first. */
export function backoffMs(attempt: number, limits: Backoff, random: () => number): number {
  // Past 2^30 the ceiling is the maximum anyway; without the cap, 0 * Infinity would be NaN.
  const ceilingMs = Math.min(limits.maxMs, limits.minMs * 2 ** Math.min(attempt - 1, 30));
  return Math.round((limits.leastShare + random() * (1 - limits.leastShare)) * ceilingMs);
}
