/**
 * Run view: a run as clients see it, without its log.
 */
import type { Receipt, RunResult } from "@baton/core";
import { omitUndefined } from "@baton/core/util";
import { activeMsOf } from "@baton/durable";
import { type FeedbackRecord, RUN_TEXT_FIELDS, type RunRecord, toShortId } from "@baton/store";
import { z } from "zod";
import { ID } from "../gateway/input/text.ts";

/** The URLs that have more of a run. */
const LINKS = z.object({ self: z.string(), events: z.string(), commands: z.string() });

/** A run that was started. */
export const STARTED = z
  .object({ id: ID, short_id: z.string(), session_id: ID.optional(), links: LINKS })
  .meta({ id: "StartedRun" });

/** Why something failed. */
export const FAILURE = z.looseObject({ code: z.string(), message: z.string() });

const NAMES = z.array(z.string());

/** The fate of all work that a cancel stopped. */
export const RECEIPT = z.object({ stopped: NAMES, finished: NAMES, abandoned: NAMES }).meta({ id: "Receipt" });

/** A receipt in an answer; empty if nothing was running. */
export function toReceipt({ stopped, finished, abandoned }: Receipt = NOTHING): z.infer<typeof RECEIPT> {
  return { stopped: [...stopped], finished: [...finished], abandoned: [...abandoned] };
}

const NOTHING: Receipt = { stopped: [], finished: [], abandoned: [] };

/** A user's judgement of a run. */
export const FEEDBACK = z
  .object({
    rating: z.enum(["up", "down"]),
    comment: z.string().optional(),
    user: z.string(),
    at: z.iso.datetime(),
  })
  .meta({ id: "Feedback" });

/** A judgement in an answer. */
export function toFeedbackView({ rating, comment, user, at }: FeedbackRecord): z.infer<typeof FEEDBACK> {
  return { rating, ...omitUndefined({ comment }), user, at: new Date(at).toISOString() };
}

/** A run without its log. */
export const RUN = z
  .object({
    id: ID,
    short_id: z.string(),
    crew: z.string(),
    user: z.string().meta({ description: "Whose it is: the user of the key that started it" }),
    session_id: ID.optional(),
    request_id: z.string().optional().meta({ description: "The `X-Request-Id` that started it" }),
    status: z.enum(["queued", "running", "paused", "ended"]),
    outcome: z.enum(["done", "paused", "limit", "cancelled", "failed"]).optional(),
    error: FAILURE.optional(),
    input: z.string(),
    options: z.unknown().optional().meta({ description: "The options that the request gave" }),
    after_of: ID.optional().meta({ description: "The run that it follows, as the `after` of that run's crew" }),
    forked_from: z
      .object({ run: ID, seq: z.int() })
      .optional()
      .meta({ description: "The run that it was forked from, and the event" }),
    agent: z.string(),
    agent_calls: z.int(),
    tool_calls: z.int(),
    rounds: z.int(),
    tokens: z.object({
      input: z.int(),
      output: z.int(),
      total: z.int(),
      cached: z.int().meta({ description: "Of `input`: what the provider had in its cache" }),
      cache_write: z.int().meta({ description: "Of `input`: what the provider wrote to its cache" }),
    }),
    cost_usd: z.number(),
    questions: z.array(z.string()),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    duration_ms: z.number(),
    active_ms: z.number().optional().meta({ description: "The time it ran, without the time it waited" }),
    first_text_ms: z.number().optional().meta({ description: "From its start to its first text" }),
    models: z.array(z.string()).optional().meta({ description: "The models that were called" }),
    interrupted: z.literal(true).optional().meta({ description: "It was imported before it had ended" }),
    feedback: FEEDBACK.optional().meta({ description: "Yours, or else the newest of another user" }),
    matched: z.array(z.enum(RUN_TEXT_FIELDS)).optional().meta({ description: "Of a search: where it was found" }),
    links: LINKS,
  })
  .meta({ id: "Run" });

/** An open question; `schema` is that of the answer, and `who` may answer it. */
export const QUESTION = z.looseObject({
  question: z.string(),
  kind: z.string(),
  agent: z.string(),
  text: z.string(),
  tool: z.string().optional(),
  args: z.unknown().optional(),
  schema: z.looseObject({}),
  who: z.string().optional(),
});

/** The result of a segment of a run. */
export const RESULT = z
  .object({
    outcome: z.enum(["done", "paused", "limit", "cancelled", "failed"]),
    agent: z.string(),
    content: z.string(),
    raw: z.string(),
    output: z
      .unknown()
      .optional()
      .meta({ description: "The structured output of the last agent, if it has an output schema" }),
    error: FAILURE.optional(),
    receipt: RECEIPT.optional(),
    questions: z.array(QUESTION),
    usage: z.object({
      input_tokens: z.int(),
      output_tokens: z.int(),
      cached_tokens: z.int(),
      cache_write_tokens: z.int(),
      reasoning_tokens: z.int(),
    }),
    cost_usd: z.number().optional().meta({ description: "Absent if the price of a model is not known" }),
    warnings: z.array(z.object({ agent: z.string(), text: z.string(), code: z.string().optional() })),
  })
  .meta({ id: "RunResult" });

/** The names of crews and paths on a server. */
export type RunViewing = Readonly<{ crews: { idOf(record: RunRecord): string }; basePath: string }>;

/** The short name of a run, for people. */
const toName = (id: string): string => `req-${toShortId(id)}`;

/** The answer to a start. */
export function startedViewOf({ basePath }: RunViewing, { id, session }: RunRecord): z.infer<typeof STARTED> {
  const links = toLinks(basePath, id);
  return { id, short_id: toName(id), ...(session === undefined ? {} : { session_id: session }), links };
}

/** The address of a run on a server. */
export function runPathOf({ basePath }: Pick<RunViewing, "basePath">, id: string): string {
  return `${basePath}/api/runs/${id}`;
}

/** The answer to a question for a run. */
export function toRunView({ crews, basePath }: RunViewing, record: RunRecord): z.infer<typeof RUN> {
  const { id, user, session, requestId, status, outcome, error, input, agent, questions } = record;
  const { createdAt, updatedAt, inputTokens, outputTokens } = record;
  return {
    id,
    short_id: toName(id),
    crew: crews.idOf(record),
    user,
    ...omitUndefined({ session_id: session, request_id: requestId }),
    status,
    ...(outcome === undefined ? {} : { outcome }),
    ...(error === undefined ? {} : { error: { ...error } }),
    input,
    ...omitUndefined({ options: record.options, after_of: record.afterOf }),
    ...omitUndefined({ forked_from: record.forkedFrom && { ...record.forkedFrom } }),
    agent,
    agent_calls: record.turns,
    tool_calls: record.calls,
    rounds: record.steps,
    tokens: {
      input: inputTokens,
      output: outputTokens,
      total: inputTokens + outputTokens,
      cached: record.cachedTokens ?? 0,
      cache_write: record.cacheWriteTokens ?? 0,
    },
    cost_usd: record.costUsd,
    questions: [...questions],
    created_at: new Date(createdAt).toISOString(),
    updated_at: new Date(updatedAt).toISOString(),
    duration_ms: Math.max(0, updatedAt - createdAt),
    ...omitUndefined({ active_ms: activeMsOf(record), first_text_ms: record.firstTextMs }),
    ...omitUndefined({ models: record.models && [...record.models] }),
    ...omitUndefined({ interrupted: record.interrupted, matched: record.matched && [...record.matched] }),
    links: toLinks(basePath, id),
  };
}

/** The outcome of a run in an answer. */
export function toResultView(result: RunResult): z.infer<typeof RESULT> {
  const { outcome, agent, content, raw, output, error, receipt, questions, usage, costUsd, warnings } = result;
  return {
    outcome,
    agent,
    content,
    raw,
    ...omitUndefined({ output }),
    ...(error === undefined ? {} : { error: { ...error } }),
    ...(receipt === undefined ? {} : { receipt: toReceipt(receipt) }),
    questions: questions.map((question) => ({ ...question })),
    usage: {
      input_tokens: usage.inputTokens,
      output_tokens: usage.outputTokens,
      cached_tokens: usage.cachedTokens,
      cache_write_tokens: usage.cacheWriteTokens,
      reasoning_tokens: usage.reasoningTokens,
    },
    ...omitUndefined({ cost_usd: costUsd }),
    warnings: warnings.map((warning) => ({ ...warning })),
  };
}

function toLinks(basePath: string, id: string): z.infer<typeof LINKS> {
  const self = runPathOf({ basePath }, id);
  return { self, events: `${self}/events`, commands: `${self}/commands` };
}
