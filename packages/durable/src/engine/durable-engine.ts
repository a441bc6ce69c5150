/**
 * Durable engine: runs that outlive the process. It starts them, one at a time in each session, recovers those that were
 * interrupted or wait, and brings commands to a run wherever it executes. A run that is paused or queued is only a row.
 */
import { BatonError, type Command, type Crew, Engine, type Image, type Run, type RunEvent } from "@baton/core";
import { type Commanded, type ResultOf, RunHandle, toBeginning } from "@baton/core/engine";
import { type Observer, Scope } from "@baton/core/ports";
import { omitUndefined } from "@baton/core/util";
import { CommandRoute } from "../commands/command-route.ts";
import { CrewList } from "./crew-list.ts";
import { CrewDefinitions } from "./crew-definitions.ts";
import { LOCAL, type Owner, type RunRecord, type Store, newRunId } from "@baton/store";
import { type OwnerFilter, findRun, runExistsError, ownerOf } from "@baton/store/ports";
import { DurableRun } from "./durable-run.ts";
import { type ForkOptions, toForkStart, writeFork } from "./fork-record.ts";
import type { HeldContext } from "../held/held-context.ts";
import { HeldRuns } from "../held/held-runs.ts";
import { CommandInbox } from "../commands/command-inbox.ts";
import { PendingWork } from "./pending-work.ts";
import { startPlacedWork } from "../placement/start-placed-work.ts";
import { type StartedWork, LeasePlacement, type PlacedWork, type Placement, toWork } from "../placement/placement.ts";
import { PostIds } from "../commands/posted-command.ts";
import { Recovery } from "../recovery/recovery.ts";
import type { StartRequest } from "../sessions/start-request.ts";
import { MAX_UNHEARD } from "../held/run-commands.ts";
import { lockNewRun } from "../held/run-lock.ts";
import type { DurableOptions, DurableStart, StopOptions } from "./options.ts";
import { runEndedError, engineStoppingError } from "./engine-errors.ts";
import type { ActiveSegment } from "./active-segment.ts";
import { type CancelledRun, cancelSession } from "../sessions/session-cancel.ts";
import { SessionQueue } from "../sessions/session-queue.ts";
import { openStoredSegment } from "../log/stored-segment.ts";

/** Tries to get a lock, and the pause between them: its owner may be releasing it right now. */
const TRIES = 10;
const WAIT_MS = 50;
/** A run without an owner is offered again after this time, even if it was offered before. */
const REPEAT_MS = 60_000;
const MAX_FRESH = 1_000;
const NAME = /^[a-zA-Z0-9_-]{1,128}$/;

/** Runs crews, on a store. */
export class DurableEngine implements AsyncDisposable {
  readonly #options: DurableOptions;
  readonly #store: Store;
  readonly #engine: Engine;
  readonly #crews: CrewList;
  readonly #definitions: CrewDefinitions;
  readonly #scope: Scope;
  /** The runs that this process holds. */
  readonly #held: HeldRuns;
  readonly #pendingWork = new PendingWork();
  readonly #ports = new WeakMap<Run, DurableRun>();
  /** Ids that were made here and not used yet. */
  readonly #fresh = new Set<string>();
  readonly #parts: HeldContext;
  readonly #queue: SessionQueue;
  readonly #inbox: CommandInbox;
  readonly #route: CommandRoute;
  readonly #placement: Placement;
  readonly #recovery: Recovery;
  #state: "open" | "stopping" | "leaving" = "open";

  constructor(options: DurableOptions) {
    const { store, crews, warn, placement = new LeasePlacement(), schedulesDue: _, ...more } = options;
    this.#options = options;
    this.#store = store;
    this.#crews = new CrewList(crews);
    this.#definitions = new CrewDefinitions(store.database, (record) => this.#crews.find(record));
    this.#scope = Scope.root({ clock: store.clock, name: "durable engine" });
    this.#engine = new Engine({
      documents: ({ tenant = LOCAL.tenant, user = LOCAL.user }) => store.database.documents({ tenant, user }),
      ...omitUndefined(more),
      clock: store.clock,
    });
    this.#placement = placement;
    // What is offered here begins here; other processes send work only to one that recovers.
    if (placement.isLocal) this.#pendingWork.add(placement.serve((placed) => this.#begin(placed)));
    this.#parts = this.#toParts();
    this.#held = new HeldRuns(this.#parts, {
      held: () => this.#inbox.watch(() => this.#held.all),
      released: ({ session, next }) => {
        if (session !== undefined) this.#queue.freed(session);
        if (next !== undefined) this.#pendingWork.add(this.#offer(next).catch(() => undefined));
      },
    });
    this.#queue = new SessionQueue(this.#parts, {
      scope: this.#scope,
      hold: (id) => this.#held.hold(id),
      open: (run, lock) => run.open(lock, this.#held.toOpening("recovery")),
      resume: async (id, { beginning: { input, images }, once }) => {
        const resume = { type: "resume", input, ...omitUndefined({ images }) } as const;
        return (await this.#route.send(id, resume, once)).segment;
      },
    });
    this.#inbox = new CommandInbox({ store, scope: this.#scope, newId: this.#parts.newPostId });
    this.#route = this.#toRoute();
    this.#recovery = new Recovery({
      store,
      ...omitUndefined({ warn }),
      isKnown: (record) => this.#crews.has(record),
      isHere: (id) => this.holds(id),
      placement: this.#placement,
      recover: (id) => this.#offer(id, `@${Math.floor(store.clock.now() / REPEAT_MS)}`),
      own: (promise) => this.#pendingWork.add(promise),
    });
  }

  #toRoute(): CommandRoute {
    const { store, crews, placement, checkOpen } = this.#parts;
    return new CommandRoute({
      store,
      crews,
      placement,
      checkOpen,
      scope: this.#scope,
      held: this.#held,
      queue: this.#queue,
      inbox: this.#inbox,
      find: (id) => this.#find(id),
      segment: (id) => this.#requireSegment(id),
    });
  }

  #toParts(): HeldContext {
    const ids = new PostIds(this.#store.lease.owner);
    const { database, writer, clock } = this.#store;
    return {
      store: this.#store,
      engine: this.#engine,
      crews: this.#crews,
      definitions: this.#definitions,
      writing: { database, writer, clock, observer: this.#options.observe && orSilent(this.#options.observe) },
      own: (promise) => this.#pendingWork.add(promise),
      checkOpen: () => {
        if (this.#state === "leaving") throw engineStoppingError();
      },
      isLeaving: () => this.#state === "leaving",
      warn: (text) => this.#options.warn?.(text),
      newPostId: () => ids.next(clock.now()),
      placement: this.#placement,
    };
  }

  /** Makes guards of crews' policies; for a replay. */
  get guardOf(): DurableOptions["guardOf"] {
    return this.#options.guardOf;
  }

  /** Starts a run, or resumes its session's paused one; resolves when that is on disk. */
  async start<Output = unknown>(crew: Crew<Output>, options: DurableStart): Promise<Run<ResultOf<Output>>>;
  async start(crew: Crew, options: DurableStart): Promise<Run> {
    this.#checkOpen();
    const { tenant = LOCAL.tenant, user = LOCAL.user, once, onlyIfFree = false, ...start } = options;
    const owner = { tenant, user };
    this.#engine.check(crew);
    const beginning = toBeginning(crew, { ...start, ...owner });
    const id = options.id ?? this.newId();
    for (const name of [id, beginning.session ?? "none"]) {
      if (!NAME.test(name)) throw new BatonError("invalid", `"${name}": letters, digits, _ and - only, at most 128`);
    }
    if (!this.#fresh.delete(id)) await this.#checkFree(id);
    const request: StartRequest = { id, owner, crew, beginning, once, onlyIfFree };
    const name = beginning.session === undefined ? undefined : { ...owner, id: beginning.session };
    if (!this.#placement.isLocal) return this.#toRun(await this.#queue.place(request, name));
    if (name !== undefined)
      return this.#toRun(await this.#queue.start(request, name, { isNew: this.#fresh.delete(name.id) }));
    return this.#toRun(await this.#held.hold(id).begin(lockNewRun(this.#store, id), request, {}));
  }

  /** Sends a command to a run, wherever it executes; one whose crew is not here can only be cancelled here. */
  async command(id: string, command: Command): Promise<Commanded> {
    const { segment, ...receipt } = await this.#route.send(id, command);
    return { run: this.#toRun(segment), ...receipt };
  }

  /** Cancels what is queued, running or paused in a session; its runs and messages stay. Gives what was cancelled. */
  cancelSession(owner: Owner, id: string, reason = "its session was cancelled"): Promise<readonly CancelledRun[]> {
    const { database } = this.#store;
    const command = (run: string, sent: Command) => this.command(run, sent);
    return cancelSession({ database, command }, { ...ownerOf(owner), id }, reason);
  }

  /** Resumes a run that waits for a message. */
  async resume(id: string, input: string, images?: readonly Image[]): Promise<Run> {
    this.#checkOpen();
    const { segment } = await this.#route.send(id, { type: "resume", input, ...omitUndefined({ images }) });
    return this.#toRun(segment);
  }

  /** A run, wherever it executes; undefined if there is none. */
  async run(id: string): Promise<Run | undefined> {
    const segment = await this.#segment(id);
    return segment && this.#toRun(segment);
  }

  /** Returns the record of a run. For a run that is running here it is up to date; the stored one is written only now and then. */
  async record(id: string): Promise<RunRecord | undefined> {
    const stored = await this.#store.database.runs.find(id);
    return stored && this.current(stored);
  }

  /** Returns the record of a run that this engine started or found, without a read; undefined if it executes elsewhere. */
  latest(run: Run): RunRecord | undefined {
    return this.#ports.get(run)?.record;
  }

  /** Stored lines of a run beyond `after`, from memory while it executes here; undefined if they are not in memory. */
  recentLines(run: string, after: number): readonly string[] | undefined {
    return this.#held.get(run)?.lines(after);
  }

  /** An id for a run that is about to start, or for its session: nothing has it yet, so nothing is looked for under it. */
  newId(): string {
    const id = this.#options.newId?.() ?? newRunId(this.#store.clock.now());
    // Those of requests that were refused are forgotten now and then.
    if (this.#fresh.size >= MAX_FRESH) this.#fresh.clear();
    this.#fresh.add(id);
    return id;
  }

  /** A record as far as is known here: of a run that is running here, up to this moment. */
  current(stored: RunRecord): RunRecord {
    const now = this.#held.get(stored.id)?.record;
    return stored.status === "running" && now?.status === "running" ? now : stored;
  }

  /** Finds the record of a run by its id or short id (`req-0123456789ab`), among the runs of a tenant or of one of its users. */
  async find(name: string, whose: OwnerFilter = {}): Promise<RunRecord | undefined> {
    const stored = await findRun(this.#store.database, name, whose);
    return stored && this.current(stored);
  }

  /** Continues an interrupted run at once, even if the crash-loop guard would hold it back. */
  async recoverRun(id: string): Promise<Run> {
    await this.#continue(await this.#find(id));
    return this.#toRun(await this.#requireSegment(id));
  }

  /** Begins a run with the log of a fork, and continues from there; see `toFork` and `toForkCrew`. None runs after it. */
  async fork(like: Crew, log: readonly RunEvent[], options: ForkOptions = {}): Promise<Run> {
    this.#checkOpen();
    const { run: id } = toForkStart(log, options);
    await this.#checkFree(id);
    await writeFork({ store: this.#store, definitions: this.#definitions }, like, { ...options, log });
    return this.recoverRun(id);
  }

  /** Replaces the crew definitions. New runs use them; running runs keep the definition they started with. */
  replaceCrews(crews: readonly Crew[]): void {
    this.#crews.replace(crews);
  }

  /** Recovers what was interrupted, now and from now on; resolves with how many there were at first. */
  async recover(): Promise<number> {
    if (!this.#placement.isLocal) await this.#placement.serve((placed) => this.#begin(placed));
    return this.#recovery.begin();
  }

  /** Lets runs continue for so long, then leaves the rest where they are: the next start continues them. */
  async stop({ graceMs = 0, beforeLeaving }: StopOptions = {}): Promise<void> {
    if (this.#state === "open") this.#state = "stopping";
    this.#recovery.stop();
    await this.#placement.stop();
    if (graceMs > 0) await Promise.race([this.idle(), this.#scope.sleep(graceMs)]);
    await beforeLeaving?.();
    this.#state = "leaving";
    await this.#scope.cancel(new BatonError("closed", "the engine stopped"));
    this.#inbox.stop();
    for (const run of this.#held.all) this.#pendingWork.add(run.leave());
    // A store that fails is not waited for.
    await Promise.race([this.idle(), this.#store.writer.failed()]);
    if (this.#pendingWork.size > 0) for (const run of this.#held.all) run.seal();
    await this.idle();
    await this.#engine[Symbol.asyncDispose]();
    await this.#scope[Symbol.asyncDispose]();
  }

  /**
   * Resolves once no run is running here or waits for its session, those that follow others as their crew's `after`
   * included. A run that is paused does not count.
   */
  idle(): Promise<void> {
    return this.#pendingWork.idle();
  }

  /** Number of messages that were sent to the runs it holds and that they have not heard yet. */
  get unheard(): number {
    return this.#held.all.reduce((sum, { unheard }) => sum + unheard, 0);
  }

  /** Fill of the fullest mailbox of a run, 0 to 1. */
  get mailboxFill(): number {
    return this.#held.all.reduce((most, { unheard }) => Math.max(most, unheard), 0) / MAX_UNHEARD;
  }

  /** Number of runs that it holds. */
  get open(): number {
    return this.#held.size;
  }

  /** Whether it holds a run. */
  holds(id: string): boolean {
    return this.#held.get(id) !== undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  /** Offers a run to the placement, as it is now; one that has ended needs nothing. */
  async #offer(id: string, more?: string): Promise<void> {
    const record = await this.#store.database.runs.find(id);
    if (record !== undefined && record.status !== "ended") await this.#placement.offer(toWork(record, more));
  }

  async #begin({ work, takesOver }: PlacedWork): Promise<StartedWork> {
    this.#parts.checkOpen();
    if (work.kind === "segment")
      return startPlacedWork({ ...this.#parts, held: this.#held, queue: this.#queue }, work.run, { takesOver });
    const due = this.#options.schedulesDue?.() ?? Promise.resolve();
    this.#pendingWork.add(due);
    return { done: () => due.then(() => undefined) };
  }

  async #continue(record: RunRecord): Promise<void> {
    const { id, session, status } = record;
    if (!this.#placement.isLocal) return this.#offer(id);
    if (status === "queued" && session !== undefined) return this.#queue.advance({ ...ownerOf(record), id: session });
    for (let tries = 0; tries < TRIES; tries++) {
      const run = await this.#held.open(record, "request");
      if (run !== undefined) return run.rest();
      await this.#scope.sleep(WAIT_MS);
    }
    throw new BatonError("conflict", `run ${id}, or another run of its session, is running on another server`);
  }

  /** The segment of a run that is under way, or the last one. */
  async #segment(id: string): Promise<ActiveSegment | undefined> {
    const here = this.#held.get(id)?.segment;
    if (here !== undefined) return here;
    const record = await this.#store.database.runs.find(id);
    return (
      record && openStoredSegment({ store: this.#store, definitions: this.#definitions, scope: this.#scope }, record)
    );
  }

  async #requireSegment(id: string): Promise<ActiveSegment> {
    const segment = await this.#segment(id);
    if (segment === undefined) throw notFound(id);
    return segment;
  }

  #toRun(segment: ActiveSegment): Run {
    const find = (id: string) => this.#requireSegment(id);
    const command = (id: string, sent: Command) => this.#route.send(id, sent);
    const port = new DurableRun(segment, { store: this.#store, find, command });
    const run = new RunHandle(port);
    this.#ports.set(run, port);
    return run;
  }

  /** A run that has not ended. */
  async #find(id: string): Promise<RunRecord> {
    const record = await this.#store.database.runs.find(id);
    if (record === undefined) throw notFound(id);
    if (record.status === "ended") throw runEndedError(id);
    return record;
  }

  #checkOpen(): void {
    if (this.#state !== "open") throw engineStoppingError();
    this.#store.checkWritable();
  }

  async #checkFree(id: string): Promise<void> {
    if ((await this.#store.database.runs.find(id)) !== undefined) throw runExistsError(id);
  }
}

function notFound(id: string): BatonError {
  return new BatonError("not_found", `there is no run ${id}`);
}

/** An observer's fault must not reach the run it observes. */
function orSilent(observe: Observer): Observer {
  return (event) => {
    try {
      observe(event);
    } catch {
      // An error of the observer is the observer's own.
    }
  };
}
