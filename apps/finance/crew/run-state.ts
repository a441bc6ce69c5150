/**
 * Run state: the keys of a run's state that the assistant's programs set and its prompts, tools, charts and answers read.
 *
 * What a call leaves behind has a key of its own for each call: `calls/<call>` and `digest/<call>` by
 * tools/frame/recorded-call.ts. Outputs are in the log alone (`outputOf`).
 */
import { defineState, type Json } from "@baton/core";
import { z } from "zod";
import { INTENT } from "./intent.ts";

/** Any JSON, with the type that the engine gives it. */
const JSON_VALUE = z.custom<Json>((value) => z.json().safeParse(value).success);

/** The typed state of a run of the assistant. */
export const runState = defineState({
  /** The user's message. */
  question: z.string().default(""),
  /** Options of the request that control the answer. */
  options: JSON_VALUE.default({}),
  /** The reply of the agent `intent`, or of the demo, as it came. */
  understood: JSON_VALUE,
  intent: INTENT,
  /** The language of the answer: a BCP 47 tag. */
  language: z.string(),
  /** Symbols that the user's own words name. */
  own_symbols: z.array(z.string()),
  /** Names of the question that no directory knows. */
  unknown_names: z.array(z.string()).default([]),
  /** Blocks for prompts: the listings that names mean, the parts of the question, and what is switched off. */
  symbols: z.string(),
  parts: z.string(),
  switches: z.string(),
  /** Whether the analyst is offered the common tools and finds the others by search. */
  search_tools: z.boolean(),
  /** The tools with their arguments, for the planner. */
  tool_list: z.string(),
  /** Today, the market's state, and which data is in use; and what is kept of the user and the session. */
  market: z.string().default(""),
  profile: z.string().default(""),
  portfolio: z.string().default(""),
  summary: z.string().default(""),
  working: z.string().default(""),
  /** The plan of the planner or the reviewer, as it came. */
  plan_draft: JSON_VALUE,
  plan: z.looseObject({ title: z.string() }),
});
