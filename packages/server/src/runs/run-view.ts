/**
 * Run view: a run as clients see it, without its log.
 */
import { createHash } from "node:crypto";
import type { RunResult } from "@baton/core";
import type { RunRecord } from "@baton/store";
import { z } from "zod";
import { ID } from "../gateway/text.ts";

/** Where more of a run is. */
const LINKS = z.object({ self: z.string(), events: z.string(), commands: z.string() });

/** A run that was started. */
export const STARTED = z
  .object({ id: ID, short_id: z.string(), session_id: ID.optional(), links: LINKS })
  .meta({ id: "StartedRun" });

/** Why something failed. */
export const FAILURE = z.looseObject({ code: z.string(), message: z.string() });

/** What is known of a run without its log. */
export const RUN = z
  .object({
    id: ID,
    short_id: z.string(),
    crew: z.string(),
    session_id: ID.optional(),
    status: z.enum(["queued", "running", "paused", "ended"]),
    outcome: z.enum(["done", "paused", "limit", "cancelled", "failed"]).optional(),
    error: FAILURE.optional(),
    input: z.string(),
    agent: z.string(),
    agent_calls: z.int(),
    tool_calls: z.int(),
    rounds: z.int(),
    tokens: z.object({ input: z.int(), output: z.int(), total: z.int() }),
    cost_usd: z.number(),
    questions: z.array(z.string()),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    duration_ms: z.number(),
    links: LINKS,
  })
  .meta({ id: "Run" });

/** What a run asks; `schema` is that of the answer, and `who` who alone may give it. */
const QUESTION = z.looseObject({
  question: z.string(),
  kind: z.string(),
  agent: z.string(),
  text: z.string(),
  tool: z.string().optional(),
  args: z.unknown().optional(),
  schema: z.looseObject({}),
  who: z.string().optional(),
});

/** How a life of a run ended. */
export const RESULT = z
  .object({
    outcome: z.enum(["done", "paused", "limit", "cancelled", "failed"]),
    agent: z.string(),
    content: z.string(),
    raw: z.string(),
    error: FAILURE.optional(),
    questions: z.array(QUESTION),
  })
  .meta({ id: "RunResult" });

/** The short name of a run, for people. */
function toShortId(id: string): string {
  const hex = id.replaceAll("-", "");
  const digits = /[0-9a-f]{12}$/.exec(hex)?.[0] ?? createHash("sha256").update(id).digest("hex").slice(0, 12);
  return `req-${digits}`;
}

/** The answer to a start. */
export function toStarted({ id, session }: RunRecord): z.infer<typeof STARTED> {
  return { id, short_id: toShortId(id), ...(session === undefined ? {} : { session_id: session }), links: toLinks(id) };
}

/** The answer to a question for a run; `crew` is what it is called in routes. */
export function toRunView(record: RunRecord, crew: string): z.infer<typeof RUN> {
  const { id, session, status, outcome, error, input, agent, questions, createdAt, updatedAt } = record;
  const { inputTokens, outputTokens } = record;
  return {
    id,
    short_id: toShortId(id),
    crew,
    ...(session === undefined ? {} : { session_id: session }),
    status,
    ...(outcome === undefined ? {} : { outcome }),
    ...(error === undefined ? {} : { error: { ...error } }),
    input,
    agent,
    agent_calls: record.turns,
    tool_calls: record.calls,
    rounds: record.steps,
    tokens: { input: inputTokens, output: outputTokens, total: inputTokens + outputTokens },
    cost_usd: record.costUsd,
    questions: [...questions],
    created_at: new Date(createdAt).toISOString(),
    updated_at: new Date(updatedAt).toISOString(),
    duration_ms: Math.max(0, updatedAt - createdAt),
    links: toLinks(id),
  };
}

/** The outcome of a run in an answer. */
export function toResultView(result: Omit<RunResult, "history" | "receipt">): z.infer<typeof RESULT> {
  const { outcome, agent, content, raw, error, questions } = result;
  return {
    outcome,
    agent,
    content,
    raw,
    ...(error === undefined ? {} : { error: { ...error } }),
    questions: questions.map((question) => ({ ...question })),
  };
}

function toLinks(id: string): z.infer<typeof LINKS> {
  const self = `/api/runs/${id}`;
  return { self, events: `${self}/events`, commands: `${self}/commands` };
}
