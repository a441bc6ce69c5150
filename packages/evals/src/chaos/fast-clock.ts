/**
 * Fast clock: time that passes many times as fast, so that a fault which costs minutes of waiting is seen in seconds.
 */
import { type Clock, SystemClock } from "@baton/core/ports";

/** A minute of limits and backoff is so many times shorter. */
const SPEED = 100;

/** Opens a clock that began now. */
export function openFastClock(): Clock {
  const real = new SystemClock();
  const began = real.now();
  return {
    now: () => began + (real.now() - began) * SPEED,
    monotonic: () => real.monotonic() * SPEED,
    after: (delayMs, run) => real.after(delayMs / SPEED, run),
    soon: (run) => real.soon(run),
    breathe: () => real.breathe(),
    random: () => real.random(),
  };
}
