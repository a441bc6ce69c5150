/**
 * Held run: a run that this process may write to, from its opening to its release.
 *
 * It is in one state at a time (`held-state.ts`). A run that rests (it has paused or ended, and that is
 * on disk) is released as soon as no command is being carried out; that is the only way out.
 */
import { BatonError, type Command, type Crew, type Image, type Message, type RunResult } from "@baton/core";
import type { LiveRun } from "@baton/core/engine";
import { omitUndefined } from "@baton/core/util";
import type { FollowUp } from "../engine/follow-up-run.ts";
import { CallCounts } from "../engine/call-counts.ts";
import type { RunRecord } from "@baton/store";
import { ownerOf, type ClaimedRequest } from "@baton/store/ports";
import type { HeldContext } from "./held-context.ts";
import { type HeldState, move } from "./held-state.ts";
import { type StoredHistory, readStoredHistory } from "../recovery/stored-history.ts";
import { hasReply, parsePosted, type PostedCommand } from "../commands/posted-command.ts";
import { parseStartRequest, type StartRequest, toQueuedRecord } from "../sessions/start-request.ts";
import { type CommandTarget, RunCommands } from "./run-commands.ts";
import type { Lock, SessionName } from "./run-lock.ts";
import type { ActiveSegment, CommandResult } from "../engine/active-segment.ts";
import { StoredRunLog } from "../log/stored-run-log.ts";
import { endQueuedRun } from "../sessions/end-queued-run.ts";

/** Options of opening a run. */
export interface OpenOptions {
  /** Finds the crew that it began with. */
  readonly restore: (record: RunRecord) => Promise<{ readonly crew: Crew; readonly changes: readonly string[] }>;
  /** Why it may not continue by itself: now (`retryable`), or ever. */
  readonly findObstacle?: (past: StoredHistory) => BatonError | undefined;
}

/** Options of a message that resumes a run. */
interface ResumeOptions {
  readonly images?: readonly Image[] | undefined;
  readonly once?: ClaimedRequest | undefined;
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
  readonly #parts: HeldContext;
  readonly #opened = Promise.withResolvers<void>();
  readonly #gone = Promise.withResolvers<ReleasedRun>();
  #state: HeldState = "opening";
  #lock: Lock | undefined;
  #log: StoredRunLog | undefined;
  #live: LiveRun | undefined;
  /** Outcome of the segment of `#live` that this object follows. */
  #attended: Promise<RunResult> | undefined;
  #segment: ActiveSegment | undefined;
  readonly #commands: RunCommands;
  /** Commands that are being carried out. */
  #pending = 0;
  /** Posted commands that were read and are not settled. */
  readonly #read = new Set<string>();

  constructor(id: string, parts: HeldContext) {
    this.id = id;
    this.#parts = parts;
    this.#commands = new RunCommands(this.#toOpenRun(), parts);
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

  /** Lines of its log that are on disk, from memory; undefined if they are not there. */
  lines(after: number): readonly string[] | undefined {
    return this.#log?.lines(after);
  }

  /** Number of messages that were sent to it and that it has not heard yet. */
  get unheard(): number {
    return this.#log?.unheard ?? 0;
  }

  /** Begins a run under a lock: a new one, or one that was queued; resolves when its beginning is on disk. */
  async begin(
    lock: Lock,
    request: StartRequest,
    { history, queued }: { readonly history?: readonly Message[] | undefined; readonly queued?: RunRecord },
  ): Promise<ActiveSegment> {
    return this.#opening(lock, async () => {
      const { store, definitions } = this.#parts;
      const { id, crew, beginning, once } = request;
      const definition = await definitions.keep(crew);
      const record = queued ?? toQueuedRecord(request, { definition, waits: false, now: store.clock.now() });
      const after = await this.#toAfter(crew, record);
      this.#parts.checkOpen();
      const isNew = queued === undefined;
      const log = this.#openLog(record, { length: 0, past: 0, isNew, once: isNew ? once : undefined, after });
      const live = this.#parts.engine.openRun(id, crew, log);
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
    if (this.#state === "resting" && this.#pending === 0) await this.#release();
  }

  /** Carries out a command; resolves when that is on disk. `busy` if the store cannot be written. */
  async send(command: Command, posted?: PostedCommand): Promise<CommandResult> {
    const sent = this.#during(() => this.#commands.send(command, posted));
    this.#parts.own(sent);
    return this.#parts.store.orUnwritable(sent);
  }

  /** Resumes a run that waits for a message. */
  async resume(input: string, { images, once }: ResumeOptions = {}): Promise<ActiveSegment> {
    return this.#during(async () => {
      const { live, log } = this.#require();
      this.#parts.checkOpen();
      live.resume(input, images);
      const segment = this.#attend(live);
      log.carryOut(once);
      await log.stored();
      return segment;
    });
  }

  /** Reads what other processes have posted for it, and carries that out. */
  async readInbox(): Promise<void> {
    const { database } = this.#parts.store;
    for (const row of await database.inbox.list(this.id)) {
      const isOpen = this.#state === "running" || this.#state === "resting";
      if (!isOpen || row.fate !== "sent" || this.#read.has(row.id)) continue;
      this.#read.add(row.id);
      this.#parts.own(this.#carryOut(parsePosted(row)));
    }
  }

  /** Stops it at its last finished step and writes nothing more; another process continues from there. */
  async leave(): Promise<void> {
    if (this.#state !== "running") return;
    this.#move("leaving");
    await this.#live?.leave();
  }

  /** Nothing more is written, although the store may still fail. */
  seal(): void {
    this.#log?.seal();
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
    const { store } = this.#parts;
    const lock = this.#requireLock();
    const past = await readStoredHistory(store.database, opening.restore, { id: this.id, claim: lock.claim });
    const { record, crew, events } = past;
    const after = await this.#toAfter(crew, record);
    const obstacle = opening.findObstacle?.(past);
    if (obstacle?.retryable === true) throw obstacle;
    this.#parts.checkOpen();
    for (const event of events) after?.calls.add(event, event.at);
    const [first] = events;
    const before = first?.type === "run.started" ? first.history.length : 0;
    const log = this.#openLog(record, { length: events.length, past: before, isNew: false, after });
    for (const posted of past.taken) log.expect(posted);
    const live = this.#parts.engine.openRun(this.id, crew, log);
    this.#live = live;
    if (events.length > 0) this.#adopt(past, obstacle);
    else {
      live.start(parseStartRequest(record, crew).beginning);
      this.#attend(live);
    }
    if (past.changes.length > 0)
      this.#parts.warn(`run ${this.id} continues with other tools: ${past.changes.join("; ")}`);
    if (obstacle === undefined) return;
    await this.#segment?.outcome;
    this.#parts.warn(`run ${this.id} cannot continue: ${obstacle.message}`);
  }

  /** An interrupted run continues, or ends with the reason; a paused one rests. */
  #adopt({ record, events: [first, ...rest], taken }: StoredHistory, reason: BatonError | undefined): void {
    const { live } = this.#require();
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
    const { claim, session, isNew: isClaimNew, isLent = false } = this.#requireLock();
    const more = session === undefined ? {} : { session };
    const lost = () => this.#parts.own(this.leave());
    this.#log = new StoredRunLog({ claim, isClaimNew, isLent, record, lost, ...stored, ...more }, this.#parts.writing);
    return this.#log;
  }

  /** Returns the follow-up of a run of this crew; its definition is on disk before the run continues. */
  async #toAfter(crew: Crew, { afterOf }: RunRecord): Promise<FollowUp | undefined> {
    if (crew.after === undefined || afterOf !== undefined) return undefined;
    const { crews, definitions } = this.#parts;
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
    this.#parts.own(outcome);
    // It began while the others were stopped.
    if (this.#parts.isLeaving()) this.#parts.own(this.leave());
    const { log } = this.#require();
    const record = (): RunRecord => log.record;
    return (this.#segment = { id: this.id, outcome, record, events: (after) => live.events({ after }) });
  }

  async #finish(segment: Promise<RunResult>): Promise<RunResult> {
    const { log } = this.#require();
    const result = await segment;
    // What was said before it was left is written before others may recover it.
    if (log.isSealed) await this.#parts.store.writer.tried();
    const problem = await storedProblem(log);
    if (this.#attended === segment) this.#move("resting");
    await this.rest();
    return problem === undefined ? result : { ...result, outcome: "cancelled", error: problem };
  }

  /** The segment that is under way, or the last one; one that has just begun is attended to. */
  #follow(): ActiveSegment {
    const { live } = this.#require();
    if (this.#attended !== live.result() && live.waiting === undefined) return this.#attend(live);
    return this.#segment ?? { id: this.id, outcome: live.result(), events: (after) => live.events({ after }) };
  }

  #toOpenRun(): CommandTarget {
    const require = () => this.#require();
    const claim = () => this.#requireLock().claim;
    return {
      id: this.id,
      get live() {
        return require().live;
      },
      get log() {
        return require().log;
      },
      get claim() {
        return claim();
      },
      follow: () => this.#follow(),
    };
  }

  /** Carries out what another process has posted; a refusal is for its sender to read. */
  async #carryOut(posted: PostedCommand): Promise<void> {
    const { inbox } = this.#parts.store.database;
    const { claim } = this.#requireLock();
    try {
      const { receipt } = await this.send(posted.command, posted);
      if (receipt !== undefined && hasReply(posted.command)) await inbox.settle(posted, receipt, claim);
    } catch (error) {
      if (!(error instanceof BatonError) || error.code === "closed" || error.retryable) return;
      this.#log?.forget(posted);
      const { code, message } = error;
      await inbox.settle(posted, { code, message }, claim).catch(() => false);
    } finally {
      this.#read.delete(posted.id);
    }
  }

  /** Carries out a command; it is not released meanwhile. */
  async #during<T>(act: () => Promise<T>): Promise<T> {
    this.#pending++;
    try {
      return await act();
    } finally {
      this.#pending--;
      await this.rest();
    }
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

  #require(): { readonly live: LiveRun; readonly log: StoredRunLog } {
    const [live, log] = [this.#live, this.#log];
    if (live === undefined || log === undefined) throw new BatonError("internal", `run ${this.id} is not open`);
    return { live, log };
  }

  #requireLock(): Lock {
    if (this.#lock === undefined) throw new BatonError("internal", `run ${this.id} is not locked`);
    return this.#lock;
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
