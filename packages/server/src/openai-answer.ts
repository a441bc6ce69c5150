/**
 * OpenAI answer: a life as OpenAI's clients want it, streamed or whole; one that leaves cancels the run.
 *
 * These clients repeat what failed. Once a run has begun they are told not to, for a repeat would be another run; only
 * where it was cancelled because the server stops they are asked to. Reads: dialects, life-answer, service.
 * Read by: the OpenAI routes.
 */
import { readAll } from "@baton/store";
import { collectChat, collectResponse } from "./dialects/collect.ts";
import type { DialectOptions } from "./dialects/dialect.ts";
import { unavailable } from "./gateway/fault.ts";
import { type GatewayContext, setHeader } from "./gateway/gateway-env.ts";
import { Problem } from "./gateway/problem.ts";
import { outcomeOf, setRunHeaders, streamLife, toContext } from "./life-answer.ts";
import type { Life } from "./life.ts";
import type { Service } from "./service.ts";

const COLLECTS = { openai: collectChat, responses: collectResponse } as const;

/** A life, and how it is wanted. */
export interface OpenaiAnswer {
  readonly life: Life;
  readonly dialect: keyof typeof COLLECTS;
  readonly options?: DialectOptions;
  readonly isStreamed: boolean;
}

/** Streams a life, or waits for its end and answers with all of it. */
export async function answerOpenai(
  service: Service,
  c: GatewayContext,
  { isStreamed, ...answer }: OpenaiAnswer,
): Promise<Response> {
  setHeader(c, "X-Should-Retry", "false");
  if (isStreamed) return streamLife(service, c, { ...answer, isCancelledOnLeave: true });
  const { life, dialect, options } = answer;
  setRunHeaders(c, life.record);
  const result = await outcomeOf(service, c, { life, isCancelledOnLeave: true });
  if (result?.outcome === "cancelled" && service.admission.isStopping) {
    setHeader(c, "X-Should-Retry", "true");
    throw unavailable("stopping");
  }
  const context = await toContext(service, life.record, options);
  const collected = result && COLLECTS[dialect](context, await readAll(service.store.database, life.record.id));
  if (collected === undefined) throw leftBehind(life);
  return c.json(collected.body, !collected.isError ? 200 : result?.error?.code === "model" ? 502 : 500);
}

function leftBehind({ record: { id } }: Life): Problem {
  return new Problem("stopping", `The server stopped. The run goes on: GET /api/runs/${id} says how it stands.`);
}
