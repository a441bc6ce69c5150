/**
 * Scope at: a scope whose clock starts at a given time and whose short waits are over at once.
 */
import { type Clock, Scope } from "@baton/core/ports";
import { SkipShortWaitsClock } from "../../testing/skip-short-waits-clock.ts";

/** When most tests take place: a Thursday afternoon in New York. */
export const NOW = Date.parse("2026-03-05T20:30:00Z");

/** A root scope at that time, and its clock. */
export function scopeAt(startMs: number = NOW): Readonly<{ scope: Scope; clock: Clock; waits: readonly number[] }> {
  const hasty = new SkipShortWaitsClock();
  const shift = startMs - hasty.now();
  const clock: Clock = {
    now: () => hasty.now() + shift,
    monotonic: () => hasty.monotonic(),
    after: (delayMs, run) => hasty.after(delayMs, run),
    soon: (run) => hasty.soon(run),
    breathe: () => hasty.breathe(),
    random: () => hasty.random(),
  };
  return { scope: Scope.root({ clock }), clock, waits: hasty.waits };
}
