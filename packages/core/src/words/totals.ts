/**
 * Totals: the tokens, money and warnings of a run, event by event.
 */
import type { EventBody } from "./event.ts";
import { addUsage, NO_USAGE, type Usage } from "./message.ts";

/** Something that a reader of the run should know. */
export type RunWarning = Readonly<{ agent: string; text: string; code?: string }>;

/** Sums over all steps of a run, in every lane. */
export interface RunTotals {
  readonly usage: Required<Usage>;
  /** Of the steps whose cost is known. */
  readonly costUsd: number;
  /** Whether the cost of every step is known; a step without tokens costs nothing. */
  readonly isCostKnown: boolean;
  readonly warnings: readonly RunWarning[];
}

/** RunTotals that grow with each fact. */
export type OpenTotals = { -readonly [Key in keyof RunTotals]: RunTotals[Key] } & { warnings: RunWarning[] };

/** Begins to count, from what is counted already. */
export function openTotals(from?: RunTotals): OpenTotals {
  const { usage = addUsage(NO_USAGE, NO_USAGE), costUsd = 0, isCostKnown = true, warnings = [] } = from ?? {};
  return { usage, costUsd, isCostKnown, warnings: [...warnings] };
}

/** Counts a fact. */
export function count(totals: OpenTotals, fact: EventBody): void {
  if (fact.type === "warning.raised") {
    const { agent, text, code } = fact;
    totals.warnings.push(code === undefined ? { agent, text } : { agent, text, code });
  }
  if (fact.type !== "step.ended") return;
  const { usage, costUsd } = fact;
  totals.usage = addUsage(totals.usage, usage);
  totals.costUsd += costUsd ?? 0;
  totals.isCostKnown &&= costUsd !== undefined || (usage.inputTokens === 0 && usage.outputTokens === 0);
}
