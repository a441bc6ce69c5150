/**
 * Fork savings: the model calls, and their cost, that a fork does not pay again: those that were finished by its event.
 */
import type { Story } from "../../store/story.ts";

/** Model calls and money that are not paid again. */
export interface ForkSavings {
  readonly calls: number;
  readonly costUsd: number;
}

/** Returns the model calls that were finished by an event, and their cost. */
export function forkSavings({ turns }: Story, seq: number): ForkSavings {
  const done = turns
    .flatMap(({ steps }) => steps)
    .filter(({ to, ended }) => ended !== undefined && (to?.seq ?? Infinity) <= seq);
  return { calls: done.length, costUsd: done.reduce((sum, { ended }) => sum + (ended?.costUsd ?? 0), 0) };
}
