/**
 * Observed: what an assistant did with a question, as its log tells it.
 */
import { z } from "zod";
import { INTENT } from "../intent/intent.ts";

/** The result of a call. */
const STATUS = z.enum(["ok", "no_data", "ambiguous", "failed", "denied"]);
export type CallStatus = z.output<typeof STATUS>;

const CALL = z.object({ tool: z.string(), args: z.record(z.string(), z.json()), status: STATUS }).readonly();

/** A call of a tool. */
export type ObservedCall = z.output<typeof CALL>;

/** Counts of the figures in an answer, and those that no fact backs. */
export const FIGURES = z.object({
  figures: z.number(),
  referenced: z.number(),
  matched: z.number(),
  unverified: z.array(z.object({ text: z.string(), why: z.string() })).readonly(),
});

/** The parts of an intent that are scored. */
export const OBSERVED_INTENT = INTENT.pick({
  query_type: true,
  validated_symbols: true,
  complexity: true,
  response_language: true,
  route: true,
  by: true,
});

/** A run as it is scored: outcome, intent, calls and answer. */
export const OBSERVED = z
  .object({
    outcome: z.enum(["done", "paused", "limit", "cancelled", "failed"]),
    intent: OBSERVED_INTENT.exactOptional(),
    calls: z.array(CALL).readonly(),
    /** Types of charts, in their order. */
    charts: z.array(z.string()).readonly(),
    figures: FIGURES.exactOptional(),
    /** The answer. */
    text: z.string(),
    warnings: z.array(z.string()).readonly(),
    /** Times that a reply was begun again. */
    restarts: z.number(),
    /** Replies of models that are not the crew's own programs, and their tokens. */
    modelCalls: z.number(),
    tokens: z.number(),
    firstDeltaMs: z.number().exactOptional(),
    doneMs: z.number(),
  })
  .readonly();

export type EvaluatedRun = z.output<typeof OBSERVED>;
