/**
 * Level: when a measured percentage is a reason to act.
 */

type Level = "ok" | "warning" | "critical";

/** From which percentage on a value is a warning, and from which it is critical. */
interface Thresholds {
  readonly warning: number;
  readonly critical: number;
}

/** The level of a percentage. */
export function toLevel(percent: number, { warning, critical }: Thresholds): Level {
  if (percent >= critical) return "critical";
  return percent >= warning ? "warning" : "ok";
}

/** A share as a percentage with one decimal; 0 of nothing. */
export const toPercent = (part: number, whole: number): number =>
  whole > 0 ? Math.round((1_000 * part) / whole) / 10 : 0;

/** Bytes as gibibytes with two decimals. */
export const toGibibytes = (bytes: number): number => Math.round((100 * bytes) / 1_024 ** 3) / 100;
