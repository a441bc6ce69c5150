/**
 * Exit code: the exit codes of `baton`.
 */
import type { Outcome } from "@baton/core";

/** Wrong usage, or an invalid crew. */
export const USAGE_ERROR = 2;

/** The exit code of each outcome of a run. */
export const EXIT_CODES: Readonly<Record<Outcome, number>> = {
  done: 0,
  failed: 1,
  paused: 3,
  limit: 4,
  cancelled: 130,
};
