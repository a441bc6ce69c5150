/**
 * Held run: a run that this process may write to, from its opening to its release.
 *
 * It is in one state at a time (`held-state.ts`). A run that rests (it has paused or ended, and that is
 * on disk) is released as soon as no command is being carried out; that is the only way out.
 */
import { BatonError, type Crew, type Message, type RunResult } from "@baton/core";
import type { LiveRun } from "@baton/core/engine";
import { omitUndefined } from "@baton/core/util";
import type { FollowUp } from "../engine/follow-up-run.ts";
import { CallCounts } from "../engine/call-counts.ts";
import type { RunRecord } from "@baton/store";
import { type Claim, type ClaimedRequest, ownerOf } from "@baton/store/ports";
import type { EngineContext } from "../engine/engine-context.ts";
import { type HeldState, move } from "./held-state.ts";
import { type StoredHistory, readStoredHistory } from "../recovery/stored-history.ts";
import { parseStartRequest, type StartRequest, toQueuedRecord } from "../sessions/start-request.ts";
import type { Lock, SessionName } from "./run-lock.ts";
import type { ActiveSegment } from "../engine/active-segment.ts";
import { StoredRunLog } from "../log/stored-run-log.ts";
import { endQueuedRun } from "../sessions/end-queued-run.ts";

/** Options of opening a run. */
export interface OpenOptions {
  /** Finds the crew that it began with. */
  readonly restore: (record: RunRecord) => Promise<{ readonly crew: Crew; readonly changes: readonly string[] }>;
  /** Why it may not continue by itself: now (`retryable`), or ever. */
  readonly findObstacle?: (past: StoredHistory) => BatonError | undefined;
}

/** Work that may continue when a run is released: its session, and the run that was queued with its end. */
export interface ReleasedRun {
  readonly session?: SessionName;
  readonly next?: string;
}

/** One run that this process holds. */
export class HeldRun {
  readonly id: string;
  /** Settles once it is open, or cannot be opened. */
  readonly ready: Promise<void>;
  /** Resolves once it is released. */
  readonly released: Promise<ReleasedRun>;
  readonly context: EngineContext;
  /** Posted commands that were read here. */
  readonly read = new Set<string>();
  readonly #opened = Promise.withResolvers<void>();
  readonly #gone = Promise.withResolvers<ReleasedRun>();
  #state: HeldState = "opening";
  #lock: Lock | undefined;
  #log: StoredRunLog | undefined;
  #live: LiveRun | undefined;
  /** Outcome of the segment of `#live` that this object follows. */
  #attended: Promise<RunResult> | undefined;
  #segment: ActiveSegment | undefined;
  /** Commands that are being carried out. */
  #uses = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(id: string, context: EngineContext) {
    this.id = id;
    this.context = context;
    this.ready = this.#opened.promise;
    this.released = this.#gone.promise;
    this.ready.catch(() => undefined);
  }

  get state(): HeldState {
    return this.#state;
  }

  /** The segment that is under way, or the last one here. */
  get segment(): ActiveSegment | undefined {
    return this.#segment;
  }

  /** The run's current record; undefined until it is open. */
  get record(): RunRecord | undefined {
    return this.#log?.record;
  }

  /** Its log, if it is open. */
  get openLog(): StoredRunLog | undefined {
    return this.#log;
  }

  /** The run in the engine; throws if it is not open, like the two below. */
  get live(): LiveRun {
    return this.#require(this.#live);
  }

  get log(): StoredRunLog {
    return this.#require(this.#log);
  }

  /** The claim that it is written under. */
  get claim(): Claim {
    return this.#require(this.#lock).claim;
  }

  /** Begins a run under a lock: a new one, or one that was queued; resolves when its beginning is on disk. */
  async begin(
    lock: Lock,
    request: StartRequest,
    { history, queued }: { readonly history?: readonly Message[] | undefined; readonly queued?: RunRecord },
  ): Promise<ActiveSegment> {
    return this.#opening(lock, async () => {
      const { store, definitions } = this.context;
      const { id, crew, beginning, once } = request;
      const definition = await definitions.keep(crew);
      const record = queued ?? toQueuedRecord(request, { definition, waits: false, now: store.clock.now() });
      const after = await this.#toAfter(crew, record);
      this.context.checkOpen();
      const isNew = queued === undefined;
      const log = this.#openLog(record, { length: 0, past: 0, isNew, once: isNew ? once : undefined, after });
      const live = this.context.engine.openRun(id, crew, log);
      const past = beginning.history ?? history;
      live.start(past === undefined ? beginning : { ...beginning, history: past });
      const segment = this.#attend(live);
      this.#opened.resolve();
      await log.stored();
      return segment;
    });
  }

  /**
   * Opens a run by its log: an interrupted one continues, a paused one rests, with what was posted for it. The caller
   * then sends it something or lets it `rest`.
   */
  async open(lock: Lock, opening: OpenOptions): Promise<void> {
    await this.#opening(lock, () => this.#openPast(opening));
  }

  /** Ends a run that has not begun. */
  async endQueued(
    lock: Lock,
    request: StartRequest,
    { record, reason }: { readonly record: RunRecord; readonly reason: BatonError },
  ): Promise<void> {
    await this.#opening(lock, async () => {
      const log = this.#openLog(record, { length: 0, past: 0, isNew: false });
      await endQueuedRun(log, request, reason);
      this.#move("resting");
    });
    await this.rest();
  }

  /** Ends the opening of a run whose lock another process has. */
  async giveUp(): Promise<void> {
    this.#opened.reject(new BatonError("conflict", `run ${this.id} is executing on another server`));
    await this.#release();
  }

  /** Releases a run that rests and has nothing to do. */
  async rest(): Promise<void> {
    if (this.#state === "resting" && this.#uses === 0) await this.#release();
  }

  /** Holds it, and keeps the engine waiting, until a command has been carried out. */
  use(): AsyncDisposable {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#uses++;
    this.context.own(promise);
    return {
      [Symbol.asyncDispose]: async () => {
        this.#uses--;
        await this.rest().finally(resolve);
      },
    };
  }

  /** Does one thing after the other, in the order in which they came. */
  inOrder<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** Stops it at its last finished step and writes nothing more; another process continues from there. */
  async leave(): Promise<void> {
    if (this.#state !== "running") return;
    this.#move("leaving");
    await this.#live?.leave();
  }

  #move(to: HeldState): void {
    this.#state = move(this.id, this.#state, to);
  }

  async #opening<T>(lock: Lock, open: () => Promise<T>): Promise<T> {
    this.#lock = lock;
    try {
      const opened = await open();
      this.#opened.resolve();
      return opened;
    } catch (error) {
      this.#opened.reject(error);
      // One that has begun is released when it has ended.
      if (this.#state === "opening") await this.#release();
      else await this.rest();
      throw error;
    }
  }

  async #openPast(opening: OpenOptions): Promise<void> {
    const { store } = this.context;
    const past = await readStoredHistory(store.database, opening.restore, { id: this.id, claim: this.claim });
    const { record, crew, events } = past;
    const after = await this.#toAfter(crew, record);
    const obstacle = opening.findObstacle?.(past);
    if (obstacle?.retryable === true) throw obstacle;
    this.context.checkOpen();
    for (const event of events) after?.calls.add(event, event.at);
    const [first] = events;
    const before = first?.type === "run.started" ? first.history.length : 0;
    const log = this.#openLog(record, { length: events.length, past: before, isNew: false, after });
    for (const posted of past.taken) log.expect(posted);
    const live = this.context.engine.openRun(this.id, crew, log);
    this.#live = live;
    if (events.length > 0) this.#adopt(past, obstacle);
    else {
      live.start(parseStartRequest(record, crew).beginning);
      this.#attend(live);
    }
    if (past.changes.length > 0)
      this.context.warn(`run ${this.id} continues with other tools: ${past.changes.join("; ")}`);
    if (obstacle === undefined) return;
    await this.#segment?.outcome;
    this.context.warn(`run ${this.id} cannot continue: ${obstacle.message}`);
  }

  /** An interrupted run continues, or ends with the reason; a paused one rests. */
  #adopt({ record, events: [first, ...rest], taken }: StoredHistory, reason: BatonError | undefined): void {
    const { live } = this;
    // It may have another owner than the one it began with.
    const events = first === undefined ? [] : [{ ...first, ...ownerOf(record) }, ...rest];
    live.adopt(events, { commands: taken.map(({ command }) => command), reason });
    if (live.waiting === undefined) this.#attend(live);
    else this.#move("resting");
  }

  #openLog(
    record: RunRecord,
    stored: {
      readonly length: number;
      readonly past: number;
      readonly isNew: boolean;
      readonly once?: ClaimedRequest | undefined;
      readonly after?: FollowUp | undefined;
    },
  ): StoredRunLog {
    const { claim, session, isNew: isClaimNew, isLent = false } = this.#require(this.#lock);
    const more = session === undefined ? {} : { session };
    const lost = () => this.context.own(this.leave());
    this.#log = new StoredRunLog({ claim, isClaimNew, isLent, record, lost, ...stored, ...more }, this.context);
    return this.#log;
  }

  /** Returns the follow-up of a run of this crew; its definition is on disk before the run continues. */
  async #toAfter(crew: Crew, { afterOf }: RunRecord): Promise<FollowUp | undefined> {
    if (crew.after === undefined || afterOf !== undefined) return undefined;
    const { crews, definitions } = this.context;
    crews.addAfter(crew);
    return { crew: crew.after, definition: await definitions.keep(crew.after), calls: new CallCounts() };
  }

  /** Follows a segment to its pause or end; its outcome is given when that is on disk. */
  #attend(live: LiveRun): ActiveSegment {
    this.#move("running");
    this.#live = live;
    const result = live.result();
    this.#attended = result;
    const outcome = this.#finish(result);
    this.context.own(outcome);
    // It began while the others were stopped.
    if (this.context.state === "leaving") this.context.own(this.leave());
    const { log } = this;
    const record = (): RunRecord => log.record;
    return (this.#segment = { id: this.id, outcome, record, events: (after) => live.events({ after }) });
  }

  async #finish(segment: Promise<RunResult>): Promise<RunResult> {
    const { log } = this;
    const result = await segment;
    // What was said before it was left is written before others may recover it.
    if (log.isSealed) await this.context.store.writer.tried();
    const problem = await storedProblem(log);
    if (this.#attended === segment) this.#move("resting");
    await this.rest();
    return problem === undefined ? result : { ...result, outcome: "cancelled", error: problem };
  }

  /** The segment that is under way, or the last one; one that has just begun is attended to. */
  follow(): ActiveSegment {
    const { live } = this;
    if (this.#attended !== live.result() && live.waiting === undefined) return this.#attend(live);
    return this.#segment ?? { id: this.id, outcome: live.result(), events: (after) => live.events({ after }) };
  }

  async #release(): Promise<void> {
    const wasOpen = this.#state !== "opening";
    this.#move("released");
    const lock = this.#lock;
    if (lock !== undefined && this.#log?.isGivenBack !== true) await lock.release();
    const wasSeen = wasOpen && lock?.isLent !== true && this.#log?.isUnseen !== true;
    const session = wasSeen ? lock?.session : undefined;
    this.#gone.resolve(omitUndefined({ session, next: this.#log?.next }));
  }

  #require<T>(part: T | undefined): T {
    if (part === undefined) throw new BatonError("internal", `run ${this.id} is not open`);
    return part;
  }
}

/** Why the last event of a segment is not on disk; undefined if it is. */
async function storedProblem(log: StoredRunLog): Promise<RunResult["error"]> {
  try {
    await log.committed();
    return undefined;
  } catch (error) {
    return { code: "closed", message: error instanceof Error ? error.message : "it was not written" };
  }
}
