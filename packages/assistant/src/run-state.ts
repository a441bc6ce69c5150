/**
 * Run state: the keys of a run's state that the assistant's programs, models and tools set and read.
 *
 * Blocks of context have the ids that a product gives them.
 */
import { defineState, type Json } from "@baton/core";
import { z } from "zod";
import { STORED_PLAN } from "./plan/plan.ts";

/** Any JSON, with the type that the engine gives it. */
const JSON_VALUE = z.custom<Json>((value) => z.json().safeParse(value).success);

/** The conversation that the compactor is to sum up, and the summary that it goes on from. */
const COMPACTION = z.object({
  /** The summary of the first `covered` messages; empty if there is none. */
  text: z.string(),
  covered: z.int().min(0),
  /** The number of messages before the question, and what identifies them. */
  messages: z.int().min(0),
  digest: z.string(),
});

export type Compaction = Readonly<z.output<typeof COMPACTION>>;

/** The typed state of a run. */
export const assistantState = defineState({
  /** The user's message. Any tool can set it: a value that is not text counts as none. */
  question: z.string().default("").catch(""),
  /** Settings of the request, such as `enable_compaction`. */
  options: JSON_VALUE.default({}),
  /** The changes that the question asks for, and the language to answer in, as the product's intent says. */
  intent: z
    .object({ wants: z.array(z.string()), response_language: z.string().optional().catch(undefined) })
    .catch({ wants: [] }),
  /** The symbols that the user's own words name, and their tickers in upper case. */
  own_symbols: z.array(z.string()).default([]).catch([]),
  /** Whether the user is being asked about changes that were postponed. */
  confirming: z.boolean().default(false).catch(false),
  postponed: z
    .array(z.object({ tool: z.string(), args: JSON_VALUE }))
    .default([])
    .catch([]),
  /** A plan that a program made for the plan runner. */
  plan_draft: JSON_VALUE,
  /** The plan of `createPlan` and `updatePlan`. */
  "plan/own": STORED_PLAN,
  /** The plan as the user sees it. */
  plan: JSON_VALUE,
  /** The block that prompts show of the calls of a plan that gave nothing; empty if there are none. */
  not_found: z.string().default(""),
  compaction: COMPACTION,
  /** The block that prompts show of the conversation so far. */
  summary: z.string().default(""),
});
