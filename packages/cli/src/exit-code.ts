/**
 * Exit code: how the command tells the shell what became of it.
 */
import type { Outcome } from "@baton/core";

/** Wrong usage, or an invalid crew. */
export const UNUSABLE = 2;

/** What a run's outcome is to the shell. */
export const EXIT_CODES: Readonly<Record<Outcome, number>> = {
  done: 0,
  failed: 1,
  paused: 3,
  limit: 4,
  cancelled: 130,
};
