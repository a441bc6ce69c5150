/**
 * Durable engine: runs that outlive the process. It starts them, one at a time in each session, and takes up those
 * that were cut off or wait, here or in another process.
 *
 * A run that is paused costs nothing here: it is taken up again by whatever is sent to it.
 */
import { BatonError, type Command, type Crew, type Image, type Json, type Run, type RunEvent } from "@baton/core";
import { type Commanded, given, RunHandle, Scope, toBatonError, toBeginning } from "@baton/core/ports";
import type { RunRecord, RunStatus } from "./database.ts";
import { isWholeCancel } from "./command-kind.ts";
import { Delivery, MAX_UNHEARD } from "./delivery.ts";
import { DurableRun } from "./durable-run.ts";
import { type ForkOptions, toForkStart, writeFork } from "./fork-record.ts";
import { holdNew, holdRun } from "./hold.ts";
import { checkCrew, checkHere, findCut, findWaiting, isOver, notBegun, Queue, toHeld } from "./queue.ts";
import { LOCAL, type Owner, ownerOf } from "./owner.ts";
import { Recovery } from "./recovery.ts";
import type { Request } from "./request.ts";
import { newRunId } from "./run-id.ts";
import { isThere } from "./refusal.ts";
import { findRun, type Whose } from "./run-search.ts";
import { type Cancelled, cancelSession } from "./session-cancel.ts";
import { type SessionName, Sessions, type Turn } from "./sessions.ts";
import type { Store } from "./store.ts";
import { toStoredRun } from "./stored-run.ts";
import {
  type DurableOptions,
  type DurableStart,
  type Segment,
  type Sent,
  type StopOptions,
  toClosing,
  type Work,
} from "./work.ts";
import { Works } from "./works.ts";

/** Why a run is taken up: somebody wants something of it, or nobody but this engine, which found it cut off. */
type Why = "request" | "recovery";

const NAME = /^[a-zA-Z0-9_-]{1,128}$/;
/** How long a session that another run has is waited for. */
const TAKEN_MS = 500;

/** Runs crews, on a store. */
export class DurableEngine implements AsyncDisposable {
  readonly #options: DurableOptions;
  readonly #store: Store;
  readonly #works: Works;
  readonly #sessions: Sessions;
  readonly #scope: Scope;
  readonly #delivery: Delivery;
  readonly #queue: Queue;
  readonly #recovery: Recovery;
  readonly #taking = new Map<string, Promise<Work>>();
  #isStopping = false;

  constructor(options: DurableOptions) {
    this.#options = options;
    this.#store = options.store;
    const works = new Works(options, { begin: (id) => this.#goOn(id, "recovery") });
    this.#works = works;
    this.#delivery = new Delivery(options.store, works);
    this.#sessions = new Sessions(options.store);
    this.#scope = Scope.root({ clock: options.store.clock, name: "durable engine" });
    const { store, warn } = options;
    const parts = { store, works, delivery: this.#delivery, sessions: this.#sessions, scope: this.#scope };
    this.#queue = new Queue(parts);
    this.#recovery = new Recovery({
      store,
      ...given({ warn }),
      isKnown: (record) => works.isHere(record),
      isHere: (id) => works.get(id) !== undefined,
      takeUp: (id) => this.#goOn(id, "recovery"),
      own: (promise) => works.own(promise),
    });
  }

  /** Starts a run, or goes on with its session's paused one; resolves when that is on disk. */
  async start<Output extends Json = Json>(crew: Crew<Output>, options: DurableStart): Promise<Run<Output>>;
  async start(crew: Crew, options: DurableStart): Promise<Run> {
    this.#checkOpen();
    const { tenant = LOCAL.tenant, user = LOCAL.user, once, onlyIfFree = false, ...start } = options;
    const owner = { tenant, user };
    const beginning = toBeginning(crew, { ...start, ...owner });
    const id = options.id ?? this.#options.newId?.() ?? newRunId(this.#store.clock.now());
    for (const name of [id, beginning.session ?? "none"]) {
      if (!NAME.test(name)) throw new BatonError("invalid", `"${name}": letters, digits, _ and - only, at most 128`);
    }
    if (options.id !== undefined) await this.#checkFree(id);
    const request: Request = { id, owner, crew, beginning, once, onlyIfFree };
    if (beginning.session === undefined) return this.#toRun(await this.#works.start(request, holdNew(this.#store, id)));
    return this.#toRun(await this.#enter(request, { ...owner, id: beginning.session }));
  }

  /** Sends a command to a run, wherever it was left; one whose crew is not here can only be cancelled. */
  async command(id: string, command: Command): Promise<Commanded> {
    const { segment, ...receipt } = await this.#send(id, command);
    return { run: this.#toRun(segment), ...receipt };
  }

  async #send(id: string, command: Command): Promise<Sent> {
    if (isWholeCancel(command) && (await this.#isAbsent(id))) {
      return this.#end(id, command.reason);
    }
    return this.#reach(id, (work) => {
      return this.#queue.has(id) ? this.#queue.command(id, command) : this.#delivery.send(work, command);
    });
  }

  /** Cancels what is queued, running or paused in a session; its runs and messages stay. Gives what was cancelled. */
  cancelSession(owner: Owner, id: string, reason = "its session was cancelled"): Promise<readonly Cancelled[]> {
    const { database } = this.#store;
    const holds = (run: string) => this.holds(run);
    const command = (run: string, sent: Command) => this.command(run, sent);
    return cancelSession({ database, holds, command }, { ...ownerOf(owner), id }, reason);
  }

  /** Goes on with a run that waits for a message. */
  async resume(id: string, input: string, images?: readonly Image[]): Promise<Run> {
    this.#checkOpen();
    const segment = await this.#reach(id, async (work) => {
      if (this.#queue.has(id)) throw notBegun(id);
      return this.#delivery.resume(work, input, { images });
    });
    return this.#toRun(segment);
  }

  /** A run, at work or not; undefined where there is none. */
  async run(id: string): Promise<Run | undefined> {
    const segment = await this.#segment(id);
    return segment && this.#toRun(segment);
  }

  /** The segment of a run that is under way, or the last one. */
  async #segment(id: string): Promise<Segment | undefined> {
    const here = this.#queue.segment(id) ?? this.#works.get(id)?.segment;
    if (here !== undefined) return here;
    const record = await this.#store.database.run(id);
    return record && toStoredRun(this.#store, record);
  }

  async #requireSegment(id: string): Promise<Segment> {
    const segment = await this.#segment(id);
    if (segment === undefined) throw new BatonError("not_found", `there is no run ${id}`);
    return segment;
  }

  #toRun(segment: Segment): Run {
    const find = (id: string) => this.#requireSegment(id);
    const command = (id: string, sent: Command) => this.#send(id, sent);
    return new RunHandle(new DurableRun(segment, { store: this.#store, find, command }));
  }

  /** What is known of a run; of one that is running here, up to this moment, for that is stored only now and then. */
  async record(id: string): Promise<RunRecord | undefined> {
    const stored = await this.#store.database.run(id);
    return stored && this.current(stored);
  }

  /** A record as far as is known here: of a run that is running here, up to this moment. */
  current(stored: RunRecord): RunRecord {
    const now = this.#works.get(stored.id)?.log.record;
    return stored.status === "running" && now?.status === "running" ? now : stored;
  }

  /** What is known of a run, by its id or short id (`req-0123456789ab`), among the runs of a tenant or of one user of it. */
  async find(name: string, whose: Whose = {}): Promise<RunRecord | undefined> {
    const stored = await findRun(this.#store.database, name, whose);
    return stored && this.current(stored);
  }

  /** Goes on with a run that was cut off, however often that was: somebody asks for it. */
  async takeUp(id: string): Promise<Run> {
    return this.#toRun(await this.#goOn(id, "request"));
  }

  async #goOn(id: string, why: Why): Promise<Segment> {
    if (this.#works.get(id) === undefined) await this.#takeUp(id, why);
    const work = this.#works.get(id);
    if (work !== undefined && !this.#queue.has(id)) await this.#works.letGoIdle(work);
    return work?.segment ?? this.#requireSegment(id);
  }

  /** Begins a run with the log of a fork, and goes on from there; see `toFork` and `toForkCrew`. None runs after it. */
  async fork(like: Crew, log: readonly RunEvent[], options: ForkOptions = {}): Promise<Run> {
    this.#checkOpen();
    const { run: id } = toForkStart(log, options);
    await this.#checkFree(id);
    await writeFork({ store: this.#store, shelf: this.#works.shelf }, like, { ...options, log });
    return this.takeUp(id);
  }

  /** These are the crews of today from now on: runs that begin have them, those under way keep theirs. */
  replaceCrews(crews: readonly Crew[]): void {
    this.#works.replaceCrews(crews);
  }

  /** Takes up what was cut off, now and from now on; resolves with how many there were at first. */
  recover(): Promise<number> {
    return this.#recovery.begin();
  }

  /** Lets runs go on for so long, then leaves the rest where they are: the next start goes on with them. */
  async stop({ graceMs = 0, beforeLeaving }: StopOptions = {}): Promise<void> {
    this.#isStopping = true;
    this.#recovery.stop();
    if (graceMs > 0) await Promise.race([this.#works.settled(), this.#scope.sleep(graceMs)]);
    await beforeLeaving?.();
    await this.#scope.cancel(new BatonError("closed", "the engine stopped"));
    await this.#works.leave();
    await this.#works.engine[Symbol.asyncDispose]();
    await this.#scope[Symbol.asyncDispose]();
  }

  /**
   * Resolves once no run is at work here or waits for its session, those that follow others as their crew's `after`
   * included. A run that is paused does not count.
   */
  idle(): Promise<void> {
    return this.#works.settled();
  }

  /** How many messages the runs it holds were sent and have not heard yet. */
  get unheard(): number {
    return this.#works.unheard.reduce((sum, one) => sum + one, 0);
  }

  /** How full the fullest mailbox of a run is, 0 to 1. */
  get mailboxFill(): number {
    return this.#works.unheard.reduce((most, one) => Math.max(most, one), 0) / MAX_UNHEARD;
  }

  /** How many runs it holds. */
  get open(): number {
    const taken = [...this.#taking.keys()].filter((id) => this.#works.get(id) === undefined);
    return this.#works.size + taken.length;
  }

  /** Whether it holds a run: at work, waiting for its turn, or just being taken up. */
  holds(id: string): boolean {
    return this.#works.get(id) !== undefined || this.#taking.has(id);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  /** Begins in a session that is free, else waits for it. */
  async #enter(request: Request, name: SessionName): Promise<Segment> {
    const turn = await this.#sessions.tryEnter(name, this.#scope);
    return turn === undefined ? this.#waitFor(request, name) : this.#startIn(turn, request);
  }

  async #waitFor(request: Request, name: SessionName): Promise<Segment> {
    if (request.onlyIfFree === true) throw notFree(name.id);
    return this.#queue.add(request, name);
  }

  async #startIn(turn: Turn, request: Request): Promise<Segment> {
    const { session } = turn;
    try {
      const waiting = await findWaiting(this.#store, turn.session);
      if (waiting !== undefined && request.onlyIfFree === true) throw notFree(session.id);
      if (waiting !== undefined && request.beginning.history === undefined)
        return await this.#resumeIn(turn, request, waiting);
      // With another history nobody waits for this message.
      if (waiting !== undefined) await this.#queue.endWaiting(waiting, toHeld(turn), request);
      const [cut] = await findCut(this.#store, session);
      if (cut !== undefined) {
        checkHere(cut, this.#works);
        await turn.leave();
        return await this.#startAfter(cut, request, session);
      }
      return await this.#works.start(request, turn, await turn.history());
    } catch (error) {
      await turn.leave();
      throw error;
    }
  }

  /** A run that was cut off goes first; where it cannot go on, nothing else can begin in its session. */
  async #startAfter({ id }: RunRecord, request: Request, name: SessionName): Promise<Segment> {
    try {
      await this.#goOn(id, "recovery");
    } catch (error) {
      const { code } = toBatonError(error, "internal");
      // Another process was faster, or its turn is not yet: there is a line to wait in.
      if (code === "conflict" || code === "busy") return this.#waitFor(request, name);
      if (!(await isOver(this.#store, id))) throw error;
    }
    return this.#enter(request, name);
  }

  async #resumeIn(turn: Turn, { crew, beginning, once }: Request, waiting: RunRecord): Promise<Segment> {
    checkCrew(waiting, crew);
    const work = await this.#works.adopt(waiting.id, turn);
    return this.#delivery.resume(work, beginning.input, { images: beginning.images, once });
  }

  /** Does something with a run that is here, taken up where it was not; again where it was let go at that moment. */
  async #reach<T>(id: string, act: (work: Work) => Promise<T>): Promise<T> {
    for (;;) {
      const work = this.#works.get(id) ?? (await this.#takeUp(id, "request"));
      if (this.#works.get(id) === work) return act(work);
    }
  }

  /** Takes a run up once, however many ask for it. */
  #takeUp(id: string, why: Why): Promise<Work> {
    const known = this.#taking.get(id);
    if (known !== undefined) return known;
    const taking = this.#hold(id, why).finally(() => this.#taking.delete(id));
    this.#taking.set(id, taking);
    return taking;
  }

  async #hold(id: string, why: Why): Promise<Work> {
    const { status, name } = await this.#find(id);
    if (name !== undefined && status === "queued") return this.#queue.addAgain(id, name);
    const hold = name === undefined ? await holdRun(this.#store, id) : await this.#holdSession(name, "enter");
    try {
      return await (why === "recovery" ? this.#works.recover(id, hold) : this.#works.adopt(id, hold));
    } catch (error) {
      await hold.leave();
      throw error;
    }
  }

  /** How a run stands that has not ended, and the session it is in. */
  async #find(id: string): Promise<{ readonly status: RunStatus; readonly name: SessionName | undefined }> {
    const record = await this.#store.database.run(id);
    if (record === undefined) throw new BatonError("not_found", `there is no run ${id}`);
    const { status, session } = record;
    if (status === "ended") throw new BatonError("run_ended", `run ${id} has ended`);
    return { status, name: session === undefined ? undefined : { ...ownerOf(record), id: session } };
  }

  /** Whether a run is neither at work here nor of a crew that is here. */
  async #isAbsent(id: string): Promise<boolean> {
    if (this.#works.get(id) !== undefined) return false;
    const record = await this.#store.database.run(id);
    return record !== undefined && !this.#works.isHere(record);
  }

  /** Cancels a run whose crew is not here, unless a living process has it. */
  async #end(id: string, reason = "cancelled by command"): Promise<Sent> {
    this.#checkOpen();
    const { status, name } = await this.#find(id);
    const isOwn = name === undefined || status === "queued";
    const hold = isOwn ? await holdRun(this.#store, id) : await this.#holdSession(name, "pass");
    const ending = this.#works.end(id, hold, new BatonError("cancelled", reason));
    this.#works.own(ending);
    const receipt = await this.#store.orUnwritable(ending);
    return { segment: await this.#requireSegment(id), receipt };
  }

  /** Takes a session for one of its runs that waits or was cut off; not for long, where another run has it. */
  async #holdSession(name: SessionName, how: "enter" | "pass"): Promise<Turn> {
    await using scope = this.#scope.child({ name: `session:${name.id}`, timeoutMs: TAKEN_MS });
    try {
      return await this.#sessions[how](name, scope);
    } catch (error) {
      if (!(error instanceof BatonError) || error.code !== "timeout") throw error;
      throw new BatonError(
        "conflict",
        `session ${name.id} is running, perhaps on another server; send this to that one, or wait until its run has paused`,
      );
    }
  }

  #checkOpen(): void {
    if (this.#isStopping) throw toClosing();
    this.#store.checkWritable();
  }

  async #checkFree(id: string): Promise<void> {
    if ((await this.#store.database.run(id)) === undefined) return;
    throw isThere(id);
  }
}

function notFree(session: string): BatonError {
  return new BatonError("busy", `session ${session} has a run that is running or waits`, { retryable: true });
}
