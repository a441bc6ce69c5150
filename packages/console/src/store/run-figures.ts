/**
 * Run figures: what a run took, the same on every page: from the fold of its log, and its turns as the server counts them.
 */
import type { RunStore } from "./run-store.ts";

/** Turns, tokens as they were billed, and money. */
export interface RunFigures {
  readonly turns: number;
  readonly input: number;
  readonly output: number;
  /** Of `input`: what the provider had in its cache. */
  readonly cached: number;
  readonly costUsd: number;
}

/** The figures of a run as it is now. */
export function runFigures(store: RunStore): RunFigures {
  const { usage, costUsd } = store.viewAt("live");
  const { inputTokens: input, outputTokens: output, cachedTokens: cached } = usage;
  return { turns: store.story.turns.length, input, output, cached, costUsd };
}
