/**
 * Life: a run that a request has started or gone on with, and where in its log that began.
 *
 * What the answer streams is what comes after that place, up to the next pause or end.
 */
import { BatonError, checkJson, fold, given, type Json, type Run, type RunEvent } from "@baton/core";
import { type DurableStart, newRunId, type Once, readAll, type RunRecord } from "@baton/store";
import { orInvalid } from "../gateway/fault.ts";
import type { GatewayContext } from "../gateway/gateway-env.ts";
import { type FieldProblem, invalid, notFound, Problem } from "../gateway/problem.ts";
import type { ServedCrew } from "../options.ts";
import type { Service } from "../service.ts";
import { Page } from "../streams/page.ts";

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
  readonly start: Omit<DurableStart, "tenant" | "user" | "session" | "id" | "once">;
  /** Where it is under an `Idempotency-Key`. */
  readonly once?: Once | undefined;
}

/** Starts a run, or goes on with the one that waits in the session. */
export async function startLife(service: Service, c: GatewayContext, request: LifeRequest): Promise<Life> {
  const { served, start, once } = request;
  const { tenant, user, requestId } = c.var;
  const { database, clock } = service.store;
  const session = request.session ?? crypto.randomUUID();
  const paused = request.session === undefined ? undefined : (await database.session(c.var, session))?.paused;
  const id = newRunId(clock.now());
  using _entry = service.admission.enter(paused ?? id);
  if (request.session !== undefined) await c.var.limitSession(session);
  if (start.agent !== undefined) await checkAgent(service, { served, agent: start.agent, paused });
  const length = paused === undefined ? 0 : await database.length(paused);
  for (const known of [id, paused])
    if (known !== undefined) linkRun(service, c, { id: known, session, crew: served.crew.name });
  const options = { ...start, id, tenant, user, session, once, request: requestId };
  const run = await orInvalid(request.field, service.engine.start(served.crew, options));
  const record = await database.run(run.id);
  if (record === undefined) throw new BatonError("internal", `run ${run.id} is not in the store`);
  const after = run.id === paused ? length : 0;
  return { run, record, after, latest: after, pauseAfter: after };
}

interface Named {
  readonly served: ServedCrew;
  readonly agent: string;
  /** The run that waits in the session. */
  readonly paused: string | undefined;
}

/** A run goes on with whoever waits in it: who names somebody else would be answered by the wrong one. */
async function checkAgent({ store }: Service, { served, agent, paused }: Named): Promise<void> {
  const field = "resume_agent_id";
  const { agents, groups, name } = served.crew;
  if (!agents.has(agent) && !groups.has(agent)) throw notFound(`agent or group ${agent} in ${name}`, { field });
  const waiting = paused === undefined ? undefined : (await store.database.run(paused))?.agent;
  if (waiting === undefined || waiting === agent) return;
  throw new Problem(
    "conflict",
    `In this session ${waiting} waits for an answer: name ${waiting} or nobody, or use another session.`,
    { problems: [{ field, message: `must be left out, or ${waiting}` }] },
  );
}

/** What a client says to a question. */
export interface GivenAnswer {
  readonly question: string;
  readonly value: Json;
  /** Where the request has the value. */
  readonly field: string;
}

/** Answers to questions of one run. */
interface Answering {
  readonly record: RunRecord;
  readonly answers: readonly GivenAnswer[];
}

/** Answers questions of a run that waits; a run may pause between two of them, and goes on with the last. */
export async function answerLife(service: Service, c: GatewayContext, { record, answers }: Answering): Promise<Life> {
  using _entry = service.admission.enter(record.id);
  if (record.session !== undefined) await c.var.limitSession(record.session);
  await checkAnswers(service, c, { record, answers });
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
  const isLast = (event: RunEvent) => event.type === "question.answered" && event.question === last;
  const pauseAfter = findLast(page, page.last, isLast) ?? before;
  const latest = findLast(page, pauseAfter, ({ type }) => type === "run.paused") ?? after;
  return { run, record, after, latest, pauseAfter };
}

/** They are carried out one by one: nothing may be wrong with the second once the first has led to something. */
async function checkAnswers({ store }: Service, c: GatewayContext, { record, answers }: Answering): Promise<void> {
  // The run looks at a single one by itself, and at none where it has ended.
  if (answers.length < 2 || record.status === "ended") return;
  const { questions } = fold(await readAll(store.database, record.id));
  const asked = new Set<string>();
  const problems: FieldProblem[] = [];
  for (const { question, value, field } of answers) {
    const open = questions.get(question);
    if (open === undefined) throw notFound(`open question ${question} in run ${record.id}`, { field });
    if (open.who === "operator" && answererOf(c) !== "operator")
      throw new BatonError("forbidden", `question ${question} is for whoever runs the crew`);
    if (asked.has(question)) problems.push({ field, message: `question ${question} is answered more than once` });
    asked.add(question);
    const { schema } = open;
    if (checkJson(schema, value).length === 0) continue;
    problems.push({ field, message: `the answer to ${question} does not fit ${JSON.stringify(schema)}` });
  }
  if (problems.length > 0) throw invalid(problems);
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
