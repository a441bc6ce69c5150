/**
 * Run counts: what the record of a run counts.
 */

/** What a record counts, before anything was counted. */
export const NO_COUNTS = {
  agent: "",
  turns: 0,
  steps: 0,
  calls: 0,
  inputTokens: 0,
  outputTokens: 0,
  costUsd: 0,
} as const;
