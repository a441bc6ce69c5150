/**
 * Life: a run that a request has started or gone on with, and where in its log that began.
 *
 * What the answer streams is what comes after that place, up to the next pause or end.
 * Reads: admission, service. Read by: routes, life-answer.
 */
import { BatonError, type Json, type Run, type RunEvent } from "@baton/core";
import { type DurableStart, newRunId, type Once, type RunRecord } from "@baton/store";
import { orInvalid } from "./gateway/fault.ts";
import type { GatewayContext } from "./gateway/gateway-env.ts";
import { Problem, retryAfter } from "./gateway/problem.ts";
import { given } from "@baton/core";
import type { ServedCrew } from "./options.ts";
import type { Service } from "./service.ts";
import { Page } from "./streams/page.ts";

/** One life of a run. */
export interface Life {
  readonly run: Run;
  readonly record: RunRecord;
  /** The seq of the last event before what the request led to. */
  readonly after: number;
  /** The same, where the run has paused since, of the last time. */
  readonly latest: number;
  /** A pause beyond this ends it. */
  readonly pauseAfter: number;
}

/** What a client asks a crew for. */
export interface LifeRequest {
  readonly served: ServedCrew;
  /** The client's, or a new one. */
  readonly session: string | undefined;
  /** Where the request has the input. */
  readonly field: string;
  readonly start: Omit<DurableStart, "tenant" | "session" | "id" | "once">;
  /** Where it is under an `Idempotency-Key`. */
  readonly once?: Once | undefined;
}

/** Starts a run, or goes on with the one that waits in the session. */
export async function startLife(service: Service, c: GatewayContext, request: LifeRequest): Promise<Life> {
  using _entry = service.admission.enter();
  const { served, start, once } = request;
  const { tenant } = c.var;
  if (request.session !== undefined) await c.var.limitSession(request.session);
  const session = request.session ?? crypto.randomUUID();
  const { database } = service.store;
  const paused = (await database.session(tenant, session))?.paused;
  const length = paused === undefined ? 0 : await database.length(paused);
  const id = newRunId(service.store.clock.now());
  for (const known of [id, paused])
    if (known !== undefined) linkRun(service, c, { id: known, session, crew: served.crew.name });
  const begun = orFull(session, service.engine.start(served.crew, { ...start, id, tenant, session, once }));
  const run = await orInvalid(request.field, begun);
  const record = await database.run(run.id);
  if (record === undefined) throw new BatonError("internal", `run ${run.id} is not in the store`);
  const after = run.id === paused ? length : 0;
  return { run, record, after, latest: after, pauseAfter: after };
}

/** What a client says to a question. */
export interface GivenAnswer {
  readonly question: string;
  readonly value: Json;
  /** Where the request has the value. */
  readonly field: string;
}

/** Answers questions of a run that waits; a run may pause between two of them, and goes on with the last. */
export async function answerLife(
  service: Service,
  c: GatewayContext,
  { record, answers }: { readonly record: RunRecord; readonly answers: readonly GivenAnswer[] },
): Promise<Life> {
  using _entry = service.admission.enter();
  const { store, engine } = service;
  const after = await store.database.length(record.id);
  let before = after;
  let run: Run | undefined;
  for (const { question, value, field } of answers) {
    before = await store.database.length(record.id);
    linkRun(service, c, record);
    const command = { type: "answer", question, value, as: answererOf(c) } as const;
    ({ run } = await orInvalid(field, engine.command(record.id, command)));
  }
  if (run === undefined) throw new BatonError("invalid", "there is no answer");
  const page = new Page(after, await store.lines(record.id, after));
  const last = answers.at(-1)?.question;
  const isAnswer = (event: RunEvent) => event.type === "question.answered" && event.question === last;
  const pauseAfter = findLast(page, page.last, isAnswer) ?? before;
  const latest = findLast(page, pauseAfter, ({ type }) => type === "run.paused") ?? after;
  return { run, record, after, latest, pauseAfter };
}

/** The seq of the last such event, at or before a place. */
function findLast(page: Page, last: number, isIt: (event: RunEvent) => boolean): number | undefined {
  for (let seq = Math.min(last, page.last); seq > page.after; seq--) if (isIt(page.event(seq))) return seq;
  return undefined;
}

/** Only whoever runs the crews answers what is for them. */
export function answererOf(c: GatewayContext): "operator" | "user" {
  return c.var.scopes.includes("admin") ? "operator" : "user";
}

/** Says which request a run's next life comes from. */
export function linkRun(
  { observer }: Service,
  c: GatewayContext,
  { id, session, crew }: Pick<RunRecord, "id" | "session" | "crew">,
): void {
  const { requestId, traceparent } = c.var;
  observer.link(id, { requestId, traceparent, crew, ...given({ session }) });
}

const FULL_MS = 5_000;

/** A full queue of a session is no matter of how busy the server is. */
async function orFull<T>(session: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof BatonError) || error.code !== "busy" || error.retryable) throw error;
    const detail =
      `As many requests as may wait are waiting in the session ${session}. ` +
      "Send this again after Retry-After, cancel one of them, or use another session.";
    throw new Problem("busy", detail, { cause: error, headers: retryAfter(FULL_MS) });
  }
}
