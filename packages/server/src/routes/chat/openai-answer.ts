/**
 * OpenAI answer: a segment as OpenAI's clients want it, streamed or whole; one that leaves cancels the run.
 *
 * These clients retry what failed. Once a run has begun the answer forbids it, because a retry would start another run;
 * only a run that the server's shutdown cancelled before it did anything may be retried.
 */
import type { RunEvent, RunResult } from "@baton/core";
import { readAll } from "@baton/store";
import { z } from "zod";
import { collectChat, collectResponse } from "../../dialects/openai/collect.ts";
import type { DialectOptions } from "../../dialects/dialect.ts";
import { unavailable } from "../../gateway/to-problem.ts";
import { type GatewayContext, setHeader } from "../../gateway/gateway-env.ts";
import { Problem } from "../../gateway/problem.ts";
import { outcomeOf, setRunHeaders, streamSegment, dialectContextOf } from "../../runs/segment-answer.ts";
import type { RequestSegment } from "../../runs/request-segment.ts";
import type { Service } from "../../service.ts";

const COLLECTS = { openai: collectChat, responses: collectResponse } as const;

/** Of a request: the last answer alone. */
export const FINAL_ONLY = z.boolean().nullish().meta({
  description: "Only the last answer, once it is whole: no texts of other agents, no names before texts, no calls",
});

/** Returns the stream option for `baton_final_only`. */
export function toFinalOnly(body: { readonly baton_final_only?: boolean | null | undefined }): DialectOptions {
  return body.baton_final_only === true ? { baton_final_only: true } : {};
}

/** A segment, and how it is wanted. */
export interface OpenaiAnswer {
  readonly segment: RequestSegment;
  readonly dialect: keyof typeof COLLECTS;
  readonly options?: DialectOptions;
  readonly isStreamed: boolean;
}

/** Streams a segment, or waits for its end and answers with all of it. */
export async function answerOpenai(
  service: Service,
  c: GatewayContext,
  { isStreamed, ...answer }: OpenaiAnswer,
): Promise<Response> {
  setHeader(c, "X-Should-Retry", "false");
  const tied = { isCancelledOnLeave: true, isCancelledAtStop: true };
  if (isStreamed) return streamSegment(service, c, { ...answer, ...tied });
  const { segment, dialect, options } = answer;
  setRunHeaders(c, segment.record);
  const result = await outcomeOf(service, c, { segment, ...tied });
  const context = await dialectContextOf(service, segment.record, options);
  const events = await readAll(service.store.database, segment.record.id);
  if (result?.outcome === "cancelled" && service.admission.isStopping) {
    if (events.some(hasActed)) throw cutInTheAct(segment);
    setHeader(c, "X-Should-Retry", "true");
    throw unavailable("stopping");
  }
  const collected = result && COLLECTS[dialect](context, events);
  if (result === undefined || collected === undefined) throw leftBehind(segment);
  return c.json(collected.body, collected.isError ? toStatus(result) : 200);
}

/** A retry would repeat the work. */
const hasActed = ({ type }: RunEvent) => type === "effect.intended";

function toStatus({ outcome, error }: RunResult) {
  const code = error?.code ?? (outcome === "cancelled" || outcome === "limit" ? outcome : "internal");
  return new Problem(code === "closed" || code === "forbidden" ? "internal" : code, "").status;
}

function cutInTheAct({ record: { id } }: RequestSegment): Problem {
  const what = "The server stopped, and the run was cancelled after it had started its work";
  return new Problem(
    "stopping",
    `${what}: GET /api/runs/${id}/events shows what it did; check it before you ask again.`,
  );
}

function leftBehind({ record: { id } }: RequestSegment): Problem {
  return new Problem(
    "stopping",
    `The server stopped. The run continues on the next server: GET /api/runs/${id} shows its status.`,
  );
}
