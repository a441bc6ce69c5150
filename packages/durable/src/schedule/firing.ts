/**
 * Firing: what is done with a schedule that is due: its check is asked, its run starts, its next time is written.
 *
 * One process does it at a time, by a claim. Before the run starts it is written down, under an id that every process
 * would give it; so a crash at any moment leaves one run for each time.
 */
import { BatonError, type Crew } from "@baton/core";
import type { Documents, Scope } from "@baton/core/ports";
import { omitUndefined, toBatonError } from "@baton/core/util";
import { type Owner, type Store, requestKey } from "@baton/store";
import { DUE, type DueDocument, isTransient } from "@baton/store/ports";
import type { DurableEngine } from "../engine/durable-engine.ts";
import { createHash } from "node:crypto";
import { giveBack } from "../held/run-lock.ts";
import { type CheckResult, runCheck } from "./check.ts";
import { newestTime, nextTime } from "./next-time.ts";
import { ifUnchanged, type PendingRun, readSchedule, type Schedule, SCHEDULES, toStoredSchedule } from "./schedule.ts";

/** Result of a schedule that was due: `later` stays due. */
export type FiringResult = "fired" | "quiet" | "later";

/** Reports firings in words for a log. */
export interface FiringReporter {
  readonly info: (text: string) => void;
  readonly warn: (text: string) => void;
  /** Warns of the same thing once, as long as the schedule of this title is due. */
  readonly once: (title: string, text: string) => void;
}

/** Parts of firing. */
export interface FiringParts {
  readonly store: Store;
  readonly engine: Pick<DurableEngine, "start">;
  readonly findCrew: (name: string) => Crew | undefined;
  readonly documents: (owner: Owner) => Documents;
  /** Room for a run; throws if there is none now. */
  readonly admit: (run: string) => Disposable;
  readonly now: () => number;
  readonly scope: Scope;
  readonly tell: FiringReporter;
}

/** A schedule in hand, with its document's version. */
interface Held {
  readonly owner: Owner;
  readonly crew: Crew;
  readonly schedule: Schedule;
  readonly version: number;
}

/** From so long on a time that is due was missed. */
const LATE_MS = 600_000;
const MAX_PROBLEM_CHARS = 500;

/** Does what is due of a schedule; if the store fails, the next look tries again. */
export async function fire(parts: FiringParts, { owner, document }: DueDocument): Promise<FiringResult> {
  const { store } = parts;
  const { id } = document;
  const claim = await store.lease.claim(requestKey(owner, `${SCHEDULES}/${id}`));
  if (claim === undefined) return "later";
  try {
    const held = await take(parts, owner, id);
    return held === undefined ? "later" : await decide(parts, held);
  } finally {
    await giveBack(store, claim);
  }
}

/**
 * The id of the run that a schedule starts at a time: the same for two servers, and for one that crashed and comes back.
 * It has the form of other runs' ids, so that later runs have greater ones.
 */
export function toFiredRunId({ tenant, user }: Owner, name: string, dueAt: number): string {
  const time = Math.max(0, dueAt).toString(16).padStart(12, "0");
  const hash = createHash("sha256")
    .update(JSON.stringify([tenant, user, name, dueAt]))
    .digest("hex");
  return `${time.slice(0, -4)}-${time.slice(-4)}-7${hash.slice(0, 3)}-8${hash.slice(3, 6)}-${hash.slice(6, 18)}`;
}

/** Returns the name of a schedule in logs. */
export function scheduleTitle({ tenant, user }: Owner, name: string): string {
  return `schedule ${name} of ${tenant === user ? user : `${tenant}/${user}`}`;
}

/** The schedule as it is now; undefined if it is not due any more, or cannot be fired here. */
async function take(parts: FiringParts, owner: Owner, id: string): Promise<Held | undefined> {
  const { tell, findCrew, now } = parts;
  const document = await documentsOf(parts, owner).get(SCHEDULES, id);
  if (document === undefined) return undefined;
  const schedule = readSchedule(document);
  const { version } = document;
  if (schedule.nextAt > now()) {
    // Its index has another time than its body.
    if (document.index?.[DUE] !== schedule.nextAt)
      await documentsOf(parts, owner).put(SCHEDULES, toStoredSchedule(schedule, version));
    return undefined;
  }
  const crew = findCrew(schedule.crew);
  if (crew !== undefined) return { owner, crew, schedule, version };
  const title = scheduleTitle(owner, id);
  tell.once(title, `${title} is due, and its crew ${schedule.crew} is not served here`);
  return undefined;
}

async function decide(parts: FiringParts, held: Held): Promise<FiringResult> {
  const { schedule, owner } = held;
  const { pending, check } = schedule;
  const begun = pending && toFiredRunId(owner, schedule.name, pending.dueAt);
  if (pending !== undefined && begun !== undefined && (await isThere(parts, begun)))
    return finish(parts, held, { ...pending, run: begun });
  if (await isWaiting(parts, held)) return "later";
  // One that never started and is late by now gives way to newer times; but what a check said is not forgotten.
  if (pending !== undefined && (check !== undefined || parts.now() - pending.dueAt <= LATE_MS))
    return start(parts, held, pending);
  const due = toDueTime(schedule, parts.now());
  const said = await ask(parts, held, due.dueAt);
  if ("why" in said) {
    await fail(parts, held, { ...due, ...said });
    return "quiet";
  }
  const { fires, ...rest } = said;
  if (fires) return startNew(parts, held, { ...due, ...rest });
  await advance(parts, held, { ...due, ...rest });
  return "quiet";
}

/** Returns the result of the check, or why it failed; throws if the scheduler stopped meanwhile. */
async function ask(parts: FiringParts, held: Held, dueAt: number): Promise<CheckResult | { readonly why: string }> {
  const { owner, schedule } = held;
  const { check, name } = schedule;
  if (check === undefined) return { fires: true };
  const run = toFiredRunId(owner, name, dueAt);
  try {
    return await runCheck(check, { ...held, documents: parts.documents(owner), run }, parts.scope);
  } catch (error) {
    if (parts.scope.reason !== undefined) throw parts.scope.reason;
    return { why: `its check failed: ${toBatonError(error, "tool").message}` };
  }
}

/** Times that were due long ago, or that only a check was due at, are one. */
function toDueTime({ when, nextAt, check }: Schedule, now: number): PendingRun {
  const isNewest = check !== undefined || now - nextAt > LATE_MS;
  const { at, missed } = isNewest ? newestTime(when, nextAt, now) : { at: nextAt, missed: 0 };
  return { dueAt: at, missed };
}

/** A schedule does not answer for a person: a run that waits in its session is not touched. */
async function isWaiting({ store }: FiringParts, { owner, schedule }: Held): Promise<boolean> {
  if (schedule.session === undefined) return false;
  const session = await store.database.sessions.find(owner, schedule.session);
  return session?.paused !== undefined;
}

/** Writes down that a run is about to start, then starts it. */
async function startNew(parts: FiringParts, held: Held, pending: PendingRun): Promise<FiringResult> {
  const { owner, schedule, version } = held;
  const documents = documentsOf(parts, owner);
  const kept = await documents.put(
    SCHEDULES,
    toStoredSchedule({ ...schedule, pending: omitUndefined(pending) }, version),
  );
  return start(parts, { ...held, version: kept.version }, pending);
}

async function start(parts: FiringParts, held: Held, pending: PendingRun): Promise<FiringResult> {
  const { owner, crew, schedule } = held;
  const { name, session } = schedule;
  const { dueAt, missed, input = schedule.input, options } = pending;
  const run = toFiredRunId(owner, name, dueAt);
  const said = { name, due_at: new Date(dueAt).toISOString(), missed };
  const all = { ...schedule.options, ...options, schedule: said };
  try {
    using _room = parts.admit(run);
    await parts.engine.start(crew, {
      ...owner,
      id: run,
      input,
      options: all,
      onlyIfFree: true,
      ...omitUndefined({ session }),
    });
  } catch (error) {
    const isStarted = await isThere(parts, run);
    if (!isStarted && isForLater(error)) return "later";
    if (!isStarted) {
      await fail(parts, held, {
        ...pending,
        why: `its run could not start: ${toBatonError(error, "internal").message}`,
      });
      return "quiet";
    }
  }
  return finish(parts, held, { ...pending, run });
}

/** The run has started, here or before a crash. */
async function finish(parts: FiringParts, held: Held, past: Past): Promise<FiringResult> {
  tellFired(parts, held, past);
  await advance(parts, held, past);
  return "fired";
}

/** Whether the next look may succeed: there was no room, the session was in use, or the store could not be written. */
function isForLater(error: unknown): boolean {
  if (isTransient(error) || !(error instanceof BatonError)) return true;
  return error.code === "conflict" || error.code === "busy" || error.code === "closed";
}

function tellFired({ tell, now }: FiringParts, { owner, schedule }: Held, { dueAt, missed, run }: Past): void {
  const title = scheduleTitle(owner, schedule.name);
  const time = new Date(dueAt).toISOString();
  if (schedule.check === undefined && now() - dueAt > LATE_MS)
    tell.warn(`${title} was due at ${time} and could not start then; run ${run} makes up for it`);
  else tell.info(`${title} started run ${run}, due at ${time}`);
  if (schedule.check === undefined && missed > 0) tell.warn(`${title}: ${missed} earlier times passed without a run`);
}

/** Result of a time that was due. */
type Past = PendingRun & Readonly<{ run?: string; why?: string }>;

/** The time has passed without a run; of several failures in a row the first is reported. */
async function fail(parts: FiringParts, held: Held, past: Past): Promise<void> {
  const { owner, schedule } = held;
  const next = nextTime(schedule.when, past.dueAt);
  if (schedule.problem === undefined) {
    const then = next === undefined ? "it is removed" : `it is tried again at ${new Date(next).toISOString()}`;
    parts.tell.warn(`${scheduleTitle(owner, schedule.name)}: ${past.why}; ${then}`);
  }
  await advance(parts, held, { dueAt: past.dueAt, missed: past.missed, ...omitUndefined({ why: past.why }) });
}

/** Writes when it is due next, unless it was changed meanwhile; one that is never due again is removed. */
async function advance(parts: FiringParts, { owner, schedule, version }: Held, past: Past): Promise<void> {
  const { pending: _pending, problem: _problem, check, ...rest } = schedule;
  const { dueAt, missed, run, why, args, done = false } = past;
  const nextAt = done ? undefined : nextTime(schedule.when, dueAt);
  const documents = documentsOf(parts, owner);
  const next = {
    ...rest,
    ...(run === undefined ? {} : { lastAt: dueAt, lastRun: run, missed }),
    ...omitUndefined({
      problem: why?.slice(0, MAX_PROBLEM_CHARS),
      check: check && args !== undefined ? { ...check, args } : check,
    }),
  };
  await ifUnchanged(
    nextAt === undefined
      ? documents.delete(SCHEDULES, schedule.name, version)
      : documents.put(SCHEDULES, toStoredSchedule({ ...next, nextAt }, version)),
  );
}

/** One that cannot be read was started too. */
async function isThere({ store }: FiringParts, run: string): Promise<boolean> {
  try {
    return (await store.database.runs.find(run)) !== undefined;
  } catch (error) {
    if (error instanceof BatonError && error.code === "damaged") return true;
    throw error;
  }
}

/** Schedules themselves are always the store's. */
function documentsOf({ store }: FiringParts, owner: Owner): Documents {
  return store.database.documents(owner);
}
