/**
 * Still clock: a clock for pictures. It begins at the same time in every product and goes on only when it is told to, so
 * that runs of equal work have equal times. What has to wait waits by the machine's clock.
 */
import { type Clock, SystemClock } from "@baton/core/ports";

const BEGIN = Date.UTC(2026, 0, 15, 10, 30);

/** The clock, and how it goes on. */
export interface StillClock extends Clock {
  advance(ms: number): void;
}

/** A clock that stands still. */
export function toStillClock(): StillClock {
  const machine = new SystemClock();
  let now = BEGIN;
  return {
    now: () => now,
    advance: (ms) => {
      now += ms;
    },
    monotonic: () => machine.monotonic(),
    after: (delayMs, run) => machine.after(delayMs, run),
    soon: (run) => machine.soon(run),
    breathe: () => machine.breathe(),
    random: () => machine.random(),
  };
}
