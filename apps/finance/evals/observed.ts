/**
 * Observed: what an assistant did with a question, as its log tells it.
 */
import type { Json, Outcome } from "@baton/core";
import type { Intent } from "../intent/intent.ts";

/** How a call ended. */
export type CallStatus = "ok" | "no_data" | "ambiguous" | "failed" | "denied";

/** A call of a tool. */
export interface ObservedCall {
  readonly tool: string;
  readonly args: { readonly [name: string]: Json };
  readonly status: CallStatus;
}

/** How the numbers of the answer are backed. */
export interface ObservedFigures {
  readonly figures: number;
  readonly referenced: number;
  readonly matched: number;
  readonly unverified: readonly Readonly<{ text: string; why: string }>[];
}

/** What was done with a question. */
export interface Observed {
  readonly outcome: Outcome;
  readonly intent?: Pick<
    Intent,
    "query_type" | "validated_symbols" | "complexity" | "response_language" | "route" | "by"
  >;
  readonly calls: readonly ObservedCall[];
  /** Types of charts, in their order. */
  readonly charts: readonly string[];
  readonly figures?: ObservedFigures;
  /** The answer. */
  readonly text: string;
  readonly warnings: readonly string[];
  /** Times that a reply was begun again. */
  readonly restarts: number;
  /** Replies of models that are not the crew's own programs, and their tokens. */
  readonly modelCalls: number;
  readonly tokens: number;
  readonly firstDeltaMs?: number;
  readonly doneMs: number;
}
