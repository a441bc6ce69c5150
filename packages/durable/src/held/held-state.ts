/**
 * Held state: what a run that this process holds is doing, and every legal change of that.
 */
import { BatonError } from "@baton/core";

/**
 * `opening`: its past is read, nothing of it executes. `running`: a segment is under way. `resting`: it has paused or ended,
 * and that is on disk. `leaving`: it stops at its last finished step, for another process. `released`: it is not held.
 */
export type HeldState = "opening" | "running" | "resting" | "leaving" | "released";

/** The legal changes. A command may begin a segment before the end of the last one is on disk. */
export const MOVES: Readonly<Record<HeldState, readonly HeldState[]>> = {
  opening: ["running", "resting", "released"],
  running: ["running", "resting", "leaving"],
  resting: ["running", "released"],
  leaving: ["resting"],
  released: [],
};

/** The next state; throws if the change is not legal. */
export function move(run: string, from: HeldState, to: HeldState): HeldState {
  if (MOVES[from].includes(to)) return to;
  throw new BatonError("internal", `run ${run} cannot change from ${from} to ${to}`);
}
