/**
 * Session queue: one run at a time in each session, in all processes; the others are rows that wait for their turn.
 *
 * When a session is free, what was interrupted in it continues first, then the oldest queued run begins. A paused run that
 * waits for a message gives way to it.
 */
import { BatonError, type Crew, type Receipt } from "@baton/core";
import { toBatonError, toMessage } from "@baton/core/util";
import { crewOf } from "../engine/crew-definitions.ts";
import type { RunRecord } from "@baton/store";
import {
  type ClaimOptions,
  findUndamaged,
  isTransient,
  runExistsError,
  ownerOf,
  runKey,
  sessionKey,
} from "@baton/store/ports";
import type { EngineContext } from "../engine/engine-context.ts";
import type { HeldRun } from "../held/held-run.ts";
import type { HeldRuns } from "../held/held-runs.ts";
import { resumeRun, sendToRun } from "../held/run-commands.ts";
import { toWork } from "../placement/placement.ts";
import { parseStartRequest, type StartRequest, linkRequest, toQueuedRecord } from "./start-request.ts";
import {
  historyOf,
  lend,
  lockNewSession,
  lockRun,
  lockSession,
  type SessionLock,
  type SessionName,
} from "../held/run-lock.ts";
import type { ActiveSegment } from "../engine/active-segment.ts";
import { openStoredSegment } from "../log/stored-segment.ts";
import { NOTHING_STOPPED } from "./end-queued-run.ts";

const MAX_WAITING = 32;
/** Interval at which a queued run asks again for a session that another process has. */
const POLL_MS = 200;

/** The sessions of a store, as far as this process begins runs in them. */
export class SessionQueue {
  readonly context: EngineContext;
  readonly held: HeldRuns;
  /** The last of those that are about to enter each session. */
  readonly #line = new Map<string, Promise<void>>();

  constructor(held: HeldRuns) {
    this.context = held.context;
    this.held = held;
  }

  /** Begins a run in a session that is new or free, resumes the one that waits there, or queues it. */
  start(request: StartRequest, name: SessionName, known: { readonly isNew: boolean }): Promise<ActiveSegment> {
    // In line from the first moment: of two starts in one tick, the second would not see that the session is taken.
    return this.#inLine(name, () => this.#enter(request, name, known));
  }

  async #enter(request: StartRequest, name: SessionName, known: { readonly isNew: boolean }): Promise<ActiveSegment> {
    const { store } = this.context;
    const isNew = known.isNew || (await store.database.sessions.find(name, name.id)) === undefined;
    if (isNew) {
      const begun = await this.#startFirst(request, name);
      if (begun !== undefined) return begun;
    }
    const lock = await lockSession(store, name);
    return lock === undefined ? this.#enqueue(request, name) : this.#startUnder(lock, request);
  }

  /** Queues a run for any process to begin. A message to the run that waits in its session is not queued: gives that run's id. */
  async place(request: StartRequest, name?: SessionName): Promise<ActiveSegment | string> {
    if (name === undefined) return this.#write(request);
    const waiting = await this.#findWaiting(name);
    const isFree = waiting === undefined && (request.onlyIfFree !== true || (await this.#findOpen(name)).length === 0);
    if (request.onlyIfFree === true && !isFree) throw notFree(name.id);
    if (waiting === undefined || request.beginning.history !== undefined)
      return this.#inLine(name, () => this.#write(request, name));
    checkCrew(waiting, request.crew);
    return waiting.id;
  }

  /** Begins the first run of a session; undefined if another one was faster. */
  async #startFirst(request: StartRequest, name: SessionName): Promise<ActiveSegment | undefined> {
    const lock = lockNewSession(this.context.store, name);
    const run = this.held.hold(request.id);
    try {
      return await run.begin(lock, request, {});
    } catch (error) {
      if (!(error instanceof BatonError) || error.code !== "conflict") throw error;
      await run.released;
      return undefined;
    }
  }

  async #startUnder(lock: SessionLock, request: StartRequest): Promise<ActiveSegment> {
    const { session } = lock;
    const { database } = this.context.store;
    let isPassed = false;
    try {
      const waiting = await this.#findWaiting(session);
      if (waiting !== undefined && request.onlyIfFree === true) throw notFree(session.id);
      if (waiting !== undefined && request.beginning.history === undefined) {
        checkCrew(waiting, request.crew);
        const run = this.held.hold(waiting.id);
        isPassed = true;
        await run.open(lock, this.held.toOpening("request"));
        const { input, images } = request.beginning;
        const { once, by } = request;
        return await resumeRun(run, input, { images, once, by });
      }
      // With another history this message answers no waiting run.
      if (waiting !== undefined) await this.#endWaiting(lock, waiting, request);
      const open = await this.#findOpen(session);
      const cut = open.find(({ status }) => status === "running");
      if (cut !== undefined) this.#checkHere(cut);
      if (cut !== undefined || open.some(({ status }) => status === "queued")) {
        await lock.release();
        return await this.#enqueue(request, session);
      }
      const history = await historyOf(database, session);
      isPassed = true;
      return await this.held.hold(request.id).begin(lock, request, { history });
    } catch (error) {
      if (!isPassed) await lock.release();
      throw error;
    }
  }

  /** Writes a run that waits for its session; it begins by itself. */
  async #enqueue(request: StartRequest, name: SessionName): Promise<ActiveSegment> {
    if (request.onlyIfFree === true) throw notFree(name.id);
    return this.#write(request, name);
  }

  /** Does what must not happen twice at once in a session. */
  async #inLine<T>(name: SessionName, work: () => Promise<T>): Promise<T> {
    const key = sessionKey(name, name.id);
    const done = (this.#line.get(key) ?? Promise.resolve()).then(work);
    const settled = done.then(
      () => undefined,
      () => undefined,
    );
    this.#line.set(key, settled);
    try {
      return await done;
    } finally {
      if (this.#line.get(key) === settled) this.#line.delete(key);
    }
  }

  async #write(request: StartRequest, name?: SessionName): Promise<ActiveSegment> {
    const { store, definitions, placement } = this.context;
    const { id, crew, once } = request;
    const open = name === undefined ? [] : await this.#findOpen(name);
    if (open.filter(({ status }) => status === "queued").length >= MAX_WAITING) throw isFull(name?.id);
    const record = toQueuedRecord(request, {
      definition: await definitions.keep(crew),
      waits: true,
      now: store.clock.now(),
    });
    this.context.checkOpen();
    const claim = store.lease.next(runKey(id));
    const carried = once === undefined ? {} : linkRequest(once, { run: id, after: 0 });
    const change = { claim, begins: true, ends: true, creates: true, run: record, ...carried };
    if (!(await store.write(change, { isUnknown: true }))) throw runExistsError(id);
    // If an offer fails, the next look of any process offers the run again.
    const isBegun =
      placement.isLocal && name !== undefined ? this.#await(record, name) : placement.offer(toWork(record));
    this.context.own(isBegun.catch(() => undefined));
    return openStoredSegment(this.context, record);
  }

  /** Asks for a run's turn until it has begun, here or elsewhere. */
  async #await({ id }: RunRecord, name: SessionName): Promise<void> {
    const { database } = this.context.store;
    while (this.context.scope.reason === undefined) {
      await this.advance(name).catch(() => undefined);
      const now = await findUndamaged(database, id).catch(() => undefined);
      if (now?.status !== "queued") return;
      await this.context.scope.sleep(POLL_MS).catch(() => undefined);
    }
  }

  /** A session may be free now; without a local placement each of its queued runs is offered by itself. */
  freed(name: SessionName): void {
    if (this.context.placement.isLocal) this.context.own(this.advance(name).catch(() => undefined));
  }

  /** Continues with what waits in a session, if that is free: what was interrupted, then the oldest queued run. */
  async advance(name: SessionName, how?: ClaimOptions): Promise<void> {
    for (let isAgain = true; isAgain && this.context.scope.reason === undefined;) {
      // Most sessions have nothing that waits: their lock is left to others.
      if ((await this.#findOpen(name)).every(({ status }) => status === "paused")) return;
      const lock = await lockSession(this.context.store, name, how);
      if (lock === undefined) return;
      isAgain = await this.#advanceUnder(lock);
    }
  }

  /** Whether there may be more to do; the lock is given back, or it is a run's. */
  async #advanceUnder(lock: SessionLock): Promise<boolean> {
    let isPassed = false;
    const pass = (): void => {
      isPassed = true;
    };
    try {
      const open = await this.#findOpen(lock.session);
      const next = open.find(({ status }) => status === "running") ?? open.find(({ status }) => status === "queued");
      if (next === undefined || !this.context.crews.has(next)) return false;
      if (next.status === "queued") return await this.#beginQueued(lock, next, pass);
      const run = this.held.hold(next.id);
      isPassed = true;
      return await this.#continue(run, lock);
    } finally {
      if (!isPassed) await lock.release();
    }
  }

  /** Continues an interrupted run. One that cannot continue has ended with that, and blocks no other run. */
  async #continue(run: HeldRun, lock: SessionLock): Promise<boolean> {
    try {
      await run.open(lock, this.held.toOpening("recovery"));
      await run.rest();
      return false;
    } catch (error) {
      const record = await findUndamaged(this.context.store.database, run.id);
      if (record !== undefined && record.status !== "ended") throw error;
      this.context.warn(`run ${run.id} cannot continue: ${toMessage(error)}`);
      return true;
    }
  }

  async #beginQueued(lock: SessionLock, { id }: RunRecord, passed: () => void): Promise<boolean> {
    const { store, definitions } = this.context;
    const own = await lockRun(store, id);
    // It is being cancelled.
    if (own === undefined) return false;
    try {
      const record = await store.database.runs.find(id);
      if (record?.status !== "queued") return true;
      const { crew } = await definitions.restore(record);
      const request = parseStartRequest(record, crew);
      const following = await this.#prepare(lock, request).catch(toLasting);
      if (following instanceof BatonError) {
        await this.held.hold(id).endQueued(own, request, { record, reason: following });
        return true;
      }
      const history = await historyOf(store.database, lock.session);
      const run = this.held.hold(id);
      passed();
      await run.begin(lock, following, { history, queued: record });
      return false;
    } finally {
      await own.release();
    }
  }

  /** Ends the run that waits for a message; the new run continues with the agent that waited, unless it brings its own history. */
  async #prepare(lock: SessionLock, request: StartRequest): Promise<StartRequest> {
    const waiting = await this.#findWaiting(lock.session);
    if (waiting === undefined) return request;
    await this.#endWaiting(lock, waiting, request);
    const { beginning } = request;
    if (beginning.history !== undefined) return request;
    return { ...request, beginning: { ...beginning, entry: { kind: "agent", id: waiting.agent } } };
  }

  async #endWaiting(lock: SessionLock, waiting: RunRecord, { id, crew }: StartRequest): Promise<void> {
    checkCrew(waiting, crew);
    if (waiting.questions.length > 0) {
      throw new BatonError("question_open", `run ${waiting.id} waits for answers first`);
    }
    const run = this.held.hold(waiting.id);
    await run.open(lend(lock), this.held.toOpening("request"));
    const cancelling = sendToRun(run, { type: "cancel", reason: `the conversation went on in run ${id}` });
    await this.context.store.orUnwritable(cancelling);
  }

  /** Ends a queued run; undefined if it has begun meanwhile. */
  async end(record: RunRecord, reason = "cancelled by command"): Promise<Receipt | undefined> {
    const { store, crews, definitions } = this.context;
    const { id, session } = record;
    const lock = await lockRun(store, id);
    if (lock === undefined) return undefined;
    try {
      const now = await store.database.runs.find(id);
      if (now?.status !== "queued") return undefined;
      const { crew } = await (crews.has(now) ? definitions.restore(now) : crewOf(store.database, now));
      const why = new BatonError("cancelled", reason);
      await this.held.hold(id).endQueued(lock, parseStartRequest(now, crew), { record: now, reason: why });
      return NOTHING_STOPPED;
    } finally {
      await lock.release();
      if (session !== undefined) this.freed({ ...ownerOf(record), id: session });
    }
  }

  /** Finds the session's run that waits for a person. */
  async #findWaiting(name: SessionName): Promise<RunRecord | undefined> {
    const { database } = this.context.store;
    const paused = (await database.sessions.find(name, name.id))?.paused;
    const record = paused === undefined ? undefined : await findUndamaged(database, paused);
    return record?.status === "paused" ? record : undefined;
  }

  /** The runs of a session that have not ended, oldest first. */
  async #findOpen(name: SessionName): Promise<readonly RunRecord[]> {
    const { database } = this.context.store;
    const open = await database.runs.list({ ...ownerOf(name), session: name.id, status: "open", limit: 1_000 });
    return open.filter(({ status }) => status !== "ended").toReversed();
  }

  /** A run that was interrupted goes first: if its crew is not here, a person must decide. */
  #checkHere(record: RunRecord): void {
    if (this.context.crews.has(record)) return;
    const { id, crew } = record;
    throw new BatonError(
      "conflict",
      `run ${id} of this session was interrupted, and its crew ${crew} is not here: cancel it, or use another session`,
    );
  }
}

/** An error that another try does not change; what may pass is thrown again. */
function toLasting(error: unknown): BatonError {
  if (isTransient(error)) throw error;
  return toBatonError(error, "internal");
}

/** A conversation continues only with the crew that waits in it. */
function checkCrew({ id, crew }: RunRecord, { name }: Crew): void {
  if (crew === name) return;
  const message = `run ${id} of this session waits, with crew ${crew}: cancel it, or use another session`;
  throw new BatonError("conflict", message);
}

function notFree(session: string): BatonError {
  return new BatonError("busy", `session ${session} has a run that is running or waits`, { retryable: true });
}

function isFull(session = ""): BatonError {
  return new BatonError(
    "busy",
    `session ${session} has ${MAX_WAITING} requests waiting: try again later, cancel one of them, or use another session`,
  );
}
