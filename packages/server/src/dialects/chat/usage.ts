/**
 * Usage: tokens added up, and as the protocols of OpenAI count them.
 */
import type { Usage } from "@baton/core/ports";
import { addUsage } from "@baton/core/util";

/** Every token of a segment of the run, parts included as parts. */
export type TotalUsage = Readonly<Record<"input" | "cached" | "output" | "reasoning", number>>;

/** Adds one model's usage to what it has used before. */
export function addModelUsage(before: Usage | undefined, more: Usage): Usage {
  return before === undefined ? more : addUsage(before, more);
}

/** Sums the usage of all models. */
export function sumUsage(usage: ReadonlyMap<string, Usage>): TotalUsage {
  const all = [...usage.values()];
  const sum = (read: (one: Usage) => number | undefined) => all.reduce((total, one) => total + (read(one) ?? 0), 0);
  return {
    input: sum(({ inputTokens }) => inputTokens),
    cached: sum(({ cachedTokens }) => cachedTokens),
    output: sum(({ outputTokens }) => outputTokens),
    reasoning: sum(({ reasoningTokens }) => reasoningTokens),
  };
}
