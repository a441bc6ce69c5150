/**
 * Scope at: a scope whose clock starts at a given time and whose short waits are over at once.
 */
import { type Clock, Scope } from "@baton/core/ports";
import { NOW, SkipShortWaitsClock } from "../../testing/skip-short-waits-clock.ts";

export { NOW };

/** A root scope at that time, and its clock. */
export function scopeAt(startMs: number = NOW): Readonly<{ scope: Scope; clock: Clock; waits: readonly number[] }> {
  const clock = new SkipShortWaitsClock(startMs);
  return { scope: Scope.root({ clock }), clock, waits: clock.waits };
}
