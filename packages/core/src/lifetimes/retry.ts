/**
 * Retry: how long to wait before another try.
 *
 * The ceiling doubles from the minimum to the maximum and the wait is random below it, so that many that failed
 * together do not retry together.
 */

/** Whole milliseconds to wait before retry number `attempt`, which is 1 for the first. */
export function backoffMs(
  attempt: number,
  limits: { readonly minMs: number; readonly maxMs: number },
  random: () => number,
): number {
  // Past 2^30 the ceiling is the maximum anyway; without the cap, 0 * Infinity would be NaN.
  const ceilingMs = Math.min(limits.maxMs, limits.minMs * 2 ** Math.min(attempt - 1, 30));
  return Math.round(random() * ceilingMs);
}
