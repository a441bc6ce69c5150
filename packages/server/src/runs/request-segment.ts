/**
 * Request segment: the part of a run that a request has started or resumed, with its position in the log.
 *
 * The answer streams the events after that position, up to the next pause or end.
 */
import { BatonError, fold, type Run, type RunEvent } from "@baton/core";
import { omitUndefined } from "@baton/core/util";
import type { DurableStart, ClaimedRequest } from "@baton/durable";
import { readAll, type RequestRecord, type RunRecord } from "@baton/store";
import { orInvalid } from "../gateway/to-problem.ts";
import type { GatewayContext } from "../gateway/gateway-env.ts";
import { invalid, invalidAnswer, notFound, Problem } from "../gateway/problem.ts";
import type { ServedCrew } from "../options.ts";
import type { Service } from "../service.ts";
import { LogPage } from "../streams/log-page.ts";
import { type AnswerCommand, type AnswerRequest, toAnswerCommands, toAnsweredBy } from "./answer-command.ts";

/** One segment of a run: from a start or resume to the next pause or end. */
export interface RequestSegment {
  readonly run: Run;
  readonly record: RunRecord;
  /** The seq of the last event before what the request led to. */
  readonly after: number;
  /** The same for the last resume, if the run has paused since. */
  readonly latest: number;
  /** A pause after this event ends the segment. */
  readonly pauseAfter: number;
}

/** A request to start or continue a run of a crew. */
export interface SegmentRequest {
  readonly served: ServedCrew;
  /** The client's, or a new one. */
  readonly session: string | undefined;
  /** The field of the request that holds the input. */
  readonly field: string;
  readonly start: Omit<DurableStart, "tenant" | "user" | "session" | "id" | "once">;
  /** Set if the request has an `Idempotency-Key`. */
  readonly once?: ClaimedRequest | undefined;
}

/**
 * Starts a run, or continues the one that waits in the session. A request with an `Idempotency-Key` does so once, however
 * often it is sent: its key is stored in the same write as the first event, so either the run is known or none has begun.
 */
export async function startSegment(
  service: Service,
  c: GatewayContext,
  request: SegmentRequest,
): Promise<RequestSegment> {
  if (request.once === undefined) return begin(service, c, request);
  const { key, begun } = request.once.request;
  if (begun !== undefined) return findSegment(service, begun);
  try {
    return await begin(service, c, request);
  } catch (error) {
    // Another process that was assumed dead may have begun it meanwhile, and a failed start may have begun it.
    const now = await service.store.database.requests.find(key);
    if (now?.begun === undefined) throw error;
    return findSegment(service, now.begun);
  }
}

/** The segment that a request began before. */
async function findSegment(
  { store, engine }: Service,
  { run: id, after }: NonNullable<RequestRecord["begun"]>,
): Promise<RequestSegment> {
  const record = await store.database.runs.find(id);
  const run = record === undefined ? undefined : await engine.run(id);
  if (record === undefined || run === undefined)
    throw new BatonError("not_found", `run ${id}, which this request started, was deleted`);
  return { run, record, after, latest: after, pauseAfter: after };
}

async function begin(service: Service, c: GatewayContext, request: SegmentRequest): Promise<RequestSegment> {
  const { served, start, once } = request;
  if (!mayUse(c, served)) throw notFound(`crew ${served.id}`, { next: "GET /api/crews has all crews." });
  checkRoles(c, start.history);
  const owner = { tenant: c.get("tenant"), user: c.get("user") };
  const { database } = service.store;
  const session = request.session ?? service.engine.newId();
  const paused = request.session === undefined ? undefined : (await database.sessions.find(owner, session))?.paused;
  const id = service.engine.newId();
  using _entry = service.admission.enter(paused ?? id);
  using _coming = service.awaited.enter();
  if (request.session !== undefined) await c.get("limitSession")(session);
  if (start.agent !== undefined) await checkAgent(service, { served, agent: start.agent, paused });
  const length = paused === undefined ? 0 : await database.logs.length(paused);
  for (const known of [id, paused])
    if (known !== undefined) linkRun(service, c, { id: known, session, crew: served.crew.name });
  // A waiting run continues with its own agent: a run cannot start at an agent of a sub-crew.
  const agent = start.agent !== undefined && hasAgent(served, start.agent) ? start.agent : undefined;
  const { agent: _named, ...rest } = start;
  const own = { ...owner, id, session, once, request: c.get("requestId"), by: toAnsweredBy(c) };
  const options = { ...rest, ...omitUndefined({ agent }), ...own };
  const run = await orInvalid(request.field, service.engine.start(served.crew, options));
  service.awaited.attend(run, c.env.outgoing);
  const record = service.engine.latest(run) ?? (await database.runs.find(run.id));
  if (record === undefined) throw new BatonError("internal", `run ${run.id} is not in the store`);
  const after = run.id === paused ? length : 0;
  return { run, record, after, latest: after, pauseAfter: after };
}

/** Whether the caller's key may use a crew. */
export function mayUse(c: GatewayContext, { id }: Pick<ServedCrew, "id">): boolean {
  return c.get("crews")?.includes(id) !== false;
}

/** Throws if the history speaks with the operator's voice and the caller is not one: `system` needs the scope `admin`. */
function checkRoles(c: GatewayContext, history: DurableStart["history"] = []): void {
  if (c.get("scopes").includes("admin")) return;
  const index = history.findIndex(({ role }) => role === "system");
  if (index >= 0) throw notForSystem(`history.${index}`);
}

/** The answer to a message with the role `system` from a caller who may not write it. */
export function notForSystem(field: string): Problem {
  return invalid([{ field, message: "has the role system, which needs a key with the scope admin" }]);
}

interface Named {
  readonly served: ServedCrew;
  readonly agent: string;
  /** The run that waits in the session. */
  readonly paused: string | undefined;
}

/** Throws if a paused run waits in another agent: it continues with that one, which may belong to a sub-crew. */
async function checkAgent({ store }: Service, { served, agent, paused }: Named): Promise<void> {
  const field = "resume_agent_id";
  const waiting = paused === undefined ? undefined : fold(await readAll(store.database, paused)).holder;
  if (waiting === agent) return;
  if (!hasAgent(served, agent)) throw notFound(`agent or group ${agent} in ${served.crew.name}`, { field });
  if (waiting === undefined) return;
  throw new Problem(
    "conflict",
    `In this session ${waiting} is waiting for an answer: set resume_agent_id to ${waiting}, leave it out, or use another session.`,
    { problems: [{ field, message: `must be left out, or ${waiting}` }] },
  );
}

function hasAgent({ crew: { agents, groups } }: ServedCrew, agent: string): boolean {
  return agents.has(agent) || groups.has(agent);
}

/** Answers questions of a run that waits; a run may pause between two of them, and continues with the last. */
export async function answerSegment(
  service: Service,
  c: GatewayContext,
  answering: AnswerRequest,
): Promise<RequestSegment> {
  const { record } = answering;
  using _entry = service.admission.enter(record.id);
  using _coming = service.awaited.enter();
  if (record.session !== undefined) await c.var.limitSession(record.session);
  const commands = await toAnswerCommands(service, c, answering);
  const { store, engine } = service;
  const after = await store.database.logs.length(record.id);
  let before = after;
  let run: Run | undefined;
  for (const { field, command } of commands) {
    before = await store.database.logs.length(record.id);
    linkRun(service, c, record);
    ({ run } = await orInvalid(field, engine.command(record.id, command), invalidAnswer));
  }
  const last = commands.at(-1);
  if (run === undefined || last === undefined) throw new BatonError("invalid", "the request has no answers");
  service.awaited.attend(run, c.env.outgoing);
  const page = new LogPage(after, await store.lines(record.id, after));
  const pauseAfter = findLast(page, page.last, (event) => isHeard(event, last.command)) ?? before;
  const latest = findLast(page, pauseAfter, ({ type }) => type === "run.paused") ?? after;
  return { run, record, after, latest, pauseAfter };
}

/** The segment of a run that is under way, or its last one. */
export async function followSegment(service: Service, c: GatewayContext, record: RunRecord): Promise<RequestSegment> {
  const { engine, awaited, store } = service;
  const run = await engine.run(record.id);
  if (run === undefined) throw new BatonError("not_found", `there is no run ${record.id}`);
  awaited.attend(run, c.env.outgoing);
  const after = await store.database.logs.length(record.id);
  return { run, record, after, latest: after, pauseAfter: after };
}

/** Whether this event records that the run received the command. */
function isHeard(event: RunEvent, command: AnswerCommand["command"]): boolean {
  if (command.type === "answer") return event.type === "question.answered" && event.question === command.question;
  const heard = event.type === "command.received" ? event.command : undefined;
  return heard?.type === "cancel" && heard.call === command.call;
}

/** The seq of the last such event, at or before a place. */
function findLast(page: LogPage, last: number, isIt: (event: RunEvent) => boolean): number | undefined {
  for (let seq = Math.min(last, page.last); seq > page.after; seq--) if (isIt(page.event(seq))) return seq;
  return undefined;
}

/** Records which request a run's next segment comes from. */
export function linkRun(
  { observer }: Service,
  c: GatewayContext,
  { id, session, crew }: Pick<RunRecord, "id" | "session" | "crew">,
): void {
  const origin = { requestId: c.get("requestId"), traceparent: c.get("traceparent"), crew };
  observer.link(id, session === undefined ? origin : { ...origin, session });
}
