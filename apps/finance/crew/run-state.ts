/**
 * Run state: the keys of a run's state that the assistant's programs set and its tools, charts and answers read.
 *
 * What a call leaves behind has a key of its own for each call: `facts/<call>` by @baton/assistant, `calls/<call>` and
 * `digest/<call>` by tools/frame/recorded-call.ts. Outputs are in the log alone (`outputOf`).
 */
import { defineState, type Json } from "@baton/core";
import { z } from "zod";
import { INTENT } from "../intent/intent.ts";

/** Any JSON, with the type that the engine gives it. */
const JSON_VALUE = z.custom<Json>((value) => z.json().safeParse(value).success);

const FAILED_CALL = z.object({ tool: z.string(), args: JSON_VALUE, kind: z.string(), message: z.string() });

/** A call that failed, for the answer to tell. */
export type FailedCall = z.output<typeof FAILED_CALL>;

/** The typed state of a run of the assistant. */
export const runState = defineState({
  /** The user's message. */
  question: z.string().default(""),
  /** Options of the request that control the answer. */
  options: JSON_VALUE.default({}),
  intent: INTENT,
  language: z.enum(["en", "vi"]),
  language_name: z.string(),
  /** Symbols that the question is about. */
  lock: z.array(z.string()),
  /** Tools that the question asks for; without it all are allowed. */
  scope: z.array(z.string()),
  symbols_hint: z.string(),
  tool_list: z.string(),
  /** Blocks of what is kept of the user and the session. */
  profile: z.string().default(""),
  summary: z.string().default(""),
  working: z.string().default(""),
  plan_draft: JSON_VALUE,
  plan: z.looseObject({ title: z.string() }),
  failures: z.array(FAILED_CALL).default([]),
});
