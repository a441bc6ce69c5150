/**
 * Queue: runs that wait for their session, each on disk, and begin by themselves when it is free.
 *
 * What was cut off in the session goes first; what waits there for a message gives way. A run that never gets its
 * turn ends with the reason, unless the engine stops: then it waits for the next start.
 */
import { BatonError, type Command, type Crew, type RunEvent } from "@baton/core";
import { type Scope, toBatonError, toFailure, toResult } from "@baton/core/ports";
import { findSound } from "./damaged-record.ts";
import type { RunRecord, SessionRecord } from "./database.ts";
import { isWholeCancel } from "./command-kind.ts";
import type { Delivery } from "./delivery.ts";
import { type Hold, holdNew, holdRun } from "./hold.ts";
import { ownerOf } from "./owner.ts";
import { isPassing } from "./refusal.ts";
import type { Request } from "./request.ts";
import type { SessionName, Sessions, Turn } from "./sessions.ts";
import type { Store } from "./store.ts";
import { toStoredRun } from "./stored-run.ts";
import { endUnbegun, NOTHING_STOPPED } from "./unbegun.ts";
import { type Segment, type Sent, toClosing, wasBegun, type Work } from "./work.ts";
import type { Works } from "./works.ts";

/** A run that waits for its session. */
interface Queued {
  readonly work: Work;
  readonly request: Request;
  readonly scope: Scope;
  readonly turn: Promise<Turn>;
  readonly segment: Segment;
}

/** What a queue is made of. */
interface Parts {
  readonly store: Store;
  readonly works: Works;
  readonly delivery: Delivery;
  readonly sessions: Sessions;
  /** Cancelled when the engine stops. */
  readonly scope: Scope;
}

/** How long after an error of the store its turn is tried again. */
const RETRY_MS = 500;

/** All that wait for their sessions here. */
export class Queue {
  readonly #store: Store;
  readonly #works: Works;
  readonly #delivery: Delivery;
  readonly #sessions: Sessions;
  readonly #scope: Scope;
  readonly #queued = new Map<string, Queued>();

  constructor({ store, works, delivery, sessions, scope }: Parts) {
    this.#store = store;
    this.#works = works;
    this.#delivery = delivery;
    this.#sessions = sessions;
    this.#scope = scope;
  }

  has(id: string): boolean {
    return this.#queued.has(id);
  }

  segment(id: string): Segment | undefined {
    return this.#queued.get(id)?.segment;
  }

  /** A run that waits for its session: it is on disk, and begins by itself. */
  async add(request: Request, name: SessionName): Promise<Segment> {
    this.#sessions.checkRoom(name);
    const { id } = request;
    // It has its place in the line at once, and so is counted.
    const scope = this.#scope.child({ name: `queued:${id}` });
    const turn = this.#enter(name, scope);
    this.#works.own(turn);
    const work = await this.#works.seat(request, holdNew(this.#store, id)).catch(async (error: unknown) => {
      await scope.cancel(toBatonError(error, "internal"));
      await scope[Symbol.asyncDispose]();
      // Its turn may have come meanwhile.
      await turn.then((got) => got.leave()).catch(() => undefined);
      throw error;
    });
    const segment = this.#await({ work, request, scope, turn });
    try {
      await work.log.stored();
      return segment;
    } catch (error) {
      await scope.cancel(toBatonError(error, "internal"));
      throw error;
    }
  }

  /** Goes on waiting for a session where the process ended that waited before. */
  async addAgain(id: string, name: SessionName): Promise<Work> {
    const hold = await holdRun(this.#store, id);
    try {
      // While the claim was not ours another process may have begun it.
      const now = await this.#store.database.run(id);
      if (now?.status !== "queued") throw wasBegun(id);
      const { work, request } = await this.#works.reseat(now, hold);
      const scope = this.#scope.child({ name: `queued:${id}` });
      this.#await({ work, request, scope, turn: this.#enter(name, scope) });
      return work;
    } catch (error) {
      await hold.leave();
      throw error;
    }
  }

  /** Waits for the session, and leaves it to others while a run of theirs must go on in it first. */
  #enter(name: SessionName, scope: Scope): Promise<Turn> {
    return this.#sessions.enter(name, scope, async () => {
      const [cut] = await findCut(this.#store, name);
      return cut === undefined || this.#works.isHere(cut);
    });
  }

  #await(waiting: Omit<Queued, "segment">): Segment {
    const { id } = waiting.work;
    const life = Promise.withResolvers<Segment>();
    const outcome = life.promise.then((begun) => begun.outcome);
    this.#works.own(outcome);
    const segment: Segment = { id, outcome, events: (after = 0) => laterEvents(life.promise, after) };
    const queued = { ...waiting, segment };
    this.#queued.set(id, queued);
    this.#works.own(this.#awaitTurn(queued).then(life.resolve, life.reject));
    return segment;
  }

  async #awaitTurn(queued: Queued): Promise<Segment> {
    const { work, request, scope } = queued;
    await using _owned = scope;
    let turn: Turn | undefined;
    try {
      turn = await queued.turn;
      return await this.#takeTurnAtLast(turn, queued);
    } catch (thrown) {
      return await this.#giveUp(work, request, toBatonError(thrown, "internal"));
    } finally {
      this.#queued.delete(request.id);
      if (work.life === undefined) await turn?.leave();
    }
  }

  /** Takes its turn; an error of the store that may pass costs time and nothing else. */
  async #takeTurnAtLast(turn: Turn, queued: Queued): Promise<Segment> {
    for (;;) {
      try {
        return await this.#takeTurn(turn, queued);
      } catch (error) {
        if (!isPassing(error)) throw error;
        await queued.scope.sleep(RETRY_MS);
      }
    }
  }

  /** The session is free: what was cut off goes first, what waits for a message gives way to this one. */
  async #takeTurn(turn: Turn, { work, request, scope }: Queued): Promise<Segment> {
    // Nothing gives way to a run that will never be: a process that was frozen may have lost the request it is for.
    await work.log.committed();
    const record = await this.#store.database.run(request.id);
    // This process was frozen, and another one had the turn.
    if (record !== undefined && record.status !== "queued") return this.#followElsewhere(work, record);
    const held = toHeld(turn);
    for (;;) {
      const [cut] = await findCut(this.#store, turn.session);
      if (cut === undefined) break;
      await this.#finishCut(cut, held);
    }
    const session = (await this.#store.database.session(turn.session, turn.session.id)) ?? turn.session;
    const waiting = await findWaiting(this.#store, session);
    if (waiting !== undefined) await this.endWaiting(waiting, held, request);
    const history = await turn.history();
    await work.log.committed();
    // From here to the beginning nothing can come between.
    if (scope.reason !== undefined) throw scope.reason;
    const own = work.hold;
    work.hold = turn;
    work.log.guard(turn.claim, turn.session);
    const segment = this.#works.begin(work, waiting === undefined ? request : toFollowing(request, waiting), history);
    // Its own claim keeps others from it until its beginning is on disk; where that is lost, its outcome says so.
    await work.log.committed()?.catch(() => undefined);
    await own.leave();
    return segment;
  }

  async #followElsewhere(work: Work, record: RunRecord): Promise<Segment> {
    await this.#works.letGo(work);
    return toStoredRun(this.#store, record);
  }

  async #finishCut({ id }: RunRecord, held: Hold): Promise<void> {
    try {
      const first = await this.#works.recover(id, held);
      const result = await first.segment?.outcome;
      await this.#works.letGoIdle(first);
      if (result?.error?.code === "closed") throw new BatonError("closed", `run ${id}, which goes first, was left`);
    } catch (error) {
      // One that cannot go on has ended with that, and is in nobody's way.
      if (!(await isOver(this.#store, id))) throw error;
    }
  }

  /** What waits for a message in the session gives way to a run that is to begin. */
  async endWaiting(waiting: RunRecord, held: Hold, { id, crew }: Request): Promise<void> {
    checkCrew(waiting, crew);
    if (waiting.questions.length > 0) {
      throw new BatonError("question_open", `run ${waiting.id} waits for answers first`);
    }
    const paused = await this.#works.adopt(waiting.id, held);
    const reason = `the conversation went on in run ${id}`;
    const { segment } = await this.#delivery.send(paused, { type: "cancel", reason });
    await segment.outcome;
  }

  /** A run that never got its turn ends with the reason, unless it is left: then it waits for the next start. */
  async #giveUp(work: Work, request: Request, reason: BatonError): Promise<Segment> {
    const { log, id } = work;
    const error = toFailure(reason);
    const isCancelled = reason.code === "cancelled";
    const isLeft = log.isSealed || (this.#scope.reason !== undefined && !isCancelled);
    const outcome = isCancelled || isLeft ? "cancelled" : "failed";
    try {
      if (!isLeft) await endUnbegun(log, request, reason);
    } finally {
      await this.#works.letGo(work);
    }
    const result = toResult({ outcome, holder: "", text: "", content: "", error, questions: new Map(), history: [] });
    const stored = await this.#store.database.run(id);
    const events = (after = 0) => this.#store.follow(id, after, ({ type }) => type === "run.ended");
    if (stored === undefined) throw reason;
    return { id, outcome: Promise.resolve(result), events };
  }

  /** Cancels a run that waits for its session; nothing else can be sent to it. */
  command(id: string, command: Command): Promise<Sent> {
    return this.#store.orUnwritable(this.#cancel(id, command));
  }

  async #cancel(id: string, command: Command): Promise<Sent> {
    const queued = this.#queued.get(id);
    if (queued === undefined || !isWholeCancel(command)) throw notBegun(id);
    const { scope, segment, work } = queued;
    await scope.cancel(new BatonError("cancelled", command.reason ?? "cancelled by command"));
    // It may have begun just before.
    if (work.life !== undefined) return this.#delivery.send(work, command);
    await segment.outcome;
    // It was left before it felt the cancel, and waits for the next start.
    if (work.log.record.status !== "ended") throw toClosing();
    return { segment, receipt: NOTHING_STOPPED };
  }
}

/** A turn that goes on when what is done under it has ended. */
export function toHeld({ claim, session }: Turn): Hold {
  return { claim, isNew: false, session, leave: () => Promise.resolve() };
}

/** A run goes on with the agent that waited before it, unless its history is another one. */
function toFollowing(request: Request, { agent: id }: RunRecord): Request {
  const { beginning } = request;
  if (beginning.history !== undefined) return request;
  return { ...request, beginning: { ...beginning, entry: { kind: "agent", id } } };
}

/** The error of what is sent to a run that waits for its session. */
export function notBegun(id: string): BatonError {
  return new BatonError("conflict", `run ${id} has not begun yet`);
}

/** A conversation goes on only with the crew that waits in it. */
export function checkCrew({ id, crew }: RunRecord, { name }: Crew): void {
  if (crew === name) return;
  const message = `run ${id} of this session waits, with crew ${crew}: cancel it, or use another session`;
  throw new BatonError("conflict", message);
}

/** A run that was cut off goes first: where its crew is not here, somebody must decide. */
export function checkHere(record: RunRecord, works: Works): void {
  if (works.isHere(record)) return;
  const { id, crew } = record;
  const message = `run ${id} of this session was cut off, and its crew ${crew} is not here: cancel it, or use another session`;
  throw new BatonError("conflict", message);
}

/** Whether a run has ended. */
export async function isOver({ database }: Store, id: string): Promise<boolean> {
  const record = await findSound(database, id);
  return record === undefined || record.status === "ended";
}

/** The session's run that waits for somebody. */
export async function findWaiting({ database }: Store, { paused }: SessionRecord): Promise<RunRecord | undefined> {
  const record = paused === undefined ? undefined : await findSound(database, paused);
  return record?.status === "paused" ? record : undefined;
}

/** A run of the session that was cut off, and goes first. */
export function findCut({ database }: Store, name: SessionName): Promise<readonly RunRecord[]> {
  return database.runs({ ...ownerOf(name), session: name.id, status: "running", limit: 1 });
}

async function* laterEvents(life: Promise<Segment>, after: number): AsyncGenerator<RunEvent> {
  yield* (await life).events(after);
}
