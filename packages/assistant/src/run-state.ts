/**
 * Run state: the keys of a run's state that the assistant's programs, models and tools set and read.
 */
import { defineState, type Json } from "@baton/core";
import { z } from "zod";

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
  /** The user's message. */
  question: z.string().default(""),
  /** Settings of the request, such as `enable_compaction`. */
  options: JSON_VALUE.default({}),
  compaction: COMPACTION,
  /** The block that prompts show of the conversation so far. */
  summary: z.string().default(""),
});
