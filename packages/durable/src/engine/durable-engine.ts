/**
 * Durable engine: runs that outlive the process. It starts them, one at a time in each session, recovers those that were
 * interrupted or wait, and brings commands to a run wherever it executes. A run that is paused or queued is only a row.
 */
import { BatonError, type Command, type Crew, type Image, type Run, type RunEvent } from "@baton/core";
import { type Commanded, type ResultOf, RunHandle, toBeginning } from "@baton/core/engine";
import { omitUndefined } from "@baton/core/util";
import { LOCAL, type Owner, type RunRecord, newRunId } from "@baton/store";
import { type ClaimedRequest, type OwnerFilter, findRun, runExistsError, ownerOf } from "@baton/store/ports";
import { InboxReader } from "../commands/command-inbox.ts";
import { routeCommand } from "../commands/command-route.ts";
import { HeldRun } from "../held/held-run.ts";
import { HeldRuns } from "../held/held-runs.ts";
import { MAX_UNHEARD, sendToRun } from "../held/run-commands.ts";
import { lockNewRun } from "../held/run-lock.ts";
import { type PlacedWork, type StartedWork, toWork } from "../placement/placement.ts";
import { startPlacedWork } from "../placement/start-placed-work.ts";
import { Recovery } from "../recovery/recovery.ts";
import { type CancelledRun, cancelSession } from "../sessions/session-cancel.ts";
import { SessionQueue } from "../sessions/session-queue.ts";
import type { StartRequest } from "../sessions/start-request.ts";
import type { ActiveSegment, CommandResult } from "./active-segment.ts";
import { DurableRun } from "./durable-run.ts";
import { EngineContext } from "./engine-context.ts";
import { engineStoppingError } from "./engine-errors.ts";
import { type ForkOptions, toForkStart, writeFork } from "./fork-record.ts";
import type { DurableOptions, DurableStart, StopOptions } from "./options.ts";

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
  readonly #context: EngineContext;
  /** The runs that this process holds. */
  readonly #held: HeldRuns;
  readonly #queue: SessionQueue;
  readonly #inbox: InboxReader;
  readonly #recovery: Recovery;
  readonly #ports = new WeakMap<Run, DurableRun>();
  /** Ids that were made here and not used yet. */
  readonly #fresh = new Set<string>();

  constructor(options: DurableOptions) {
    const context = new EngineContext(options);
    const { placement } = context;
    this.#options = options;
    this.#context = context;
    this.#held = new HeldRuns(context, {
      held: () => this.#inbox.begin(),
      released: ({ session, next }) => {
        if (session !== undefined) this.#queue.freed(session);
        if (next !== undefined) context.own(this.#offer(next).catch(() => undefined));
      },
    });
    this.#queue = new SessionQueue(this.#held);
    this.#inbox = new InboxReader(this.#held);
    this.#recovery = new Recovery(this.#held, (id) =>
      this.#offer(id, `@${Math.floor(context.store.clock.now() / REPEAT_MS)}`),
    );
    // What is offered here begins here; other processes send work only to one that recovers.
    if (placement.isLocal) context.own(placement.serve((placed) => this.#begin(placed)));
  }

  /** Makes guards of crews' policies; for a replay. */
  get guardOf(): DurableOptions["guardOf"] {
    return this.#options.guardOf;
  }

  /** Starts a run, or resumes its session's paused one; resolves when that is on disk. */
  async start<Output = unknown>(crew: Crew<Output>, options: DurableStart): Promise<Run<ResultOf<Output>>>;
  async start(crew: Crew, options: DurableStart): Promise<Run> {
    this.#checkOpen();
    const { tenant = LOCAL.tenant, user = LOCAL.user, once, by, onlyIfFree = false, ...start } = options;
    const owner = { tenant, user };
    this.#context.engine.check(crew);
    const beginning = toBeginning(crew, { ...start, ...owner });
    const id = options.id ?? this.newId();
    for (const name of [id, beginning.session ?? "none"]) {
      if (!NAME.test(name)) throw new BatonError("invalid", `"${name}": letters, digits, _ and - only, at most 128`);
    }
    if (!this.#fresh.delete(id)) await this.#checkFree(id);
    const request: StartRequest = { id, owner, crew, beginning, once, onlyIfFree, by };
    const name = beginning.session === undefined ? undefined : { ...owner, id: beginning.session };
    return this.#toRun(await this.#startRequest(request, name));
  }

  async #startRequest(request: StartRequest, name?: Owner & { readonly id: string }): Promise<ActiveSegment> {
    const { store, placement } = this.#context;
    const { id, beginning, once, by } = request;
    if (placement.isLocal && name !== undefined)
      return this.#queue.start(request, name, { isNew: this.#fresh.delete(name.id) });
    if (placement.isLocal) return this.#held.hold(id).begin(lockNewRun(store, id), request, {});
    const placed = await this.#queue.place(request, name);
    if (typeof placed !== "string") return placed;
    const { input, images } = beginning;
    return (await this.#send(placed, { type: "resume", input, ...omitUndefined({ images, by }) }, once)).segment;
  }

  /** Sends a command to a run, wherever it executes; one whose crew is not here can only be cancelled here. */
  async command(id: string, command: Command): Promise<Commanded> {
    const target = await routeCommand(this.#queue, id, { command });
    const sent = target instanceof HeldRun ? this.#context.store.orUnwritable(sendToRun(target, command)) : target;
    const { segment, ...receipt } = await sent;
    return { run: this.#toRun(segment), ...receipt };
  }

  async #send(id: string, command: Command, once?: ClaimedRequest): Promise<CommandResult> {
    const target = await routeCommand(this.#queue, id, { command, once });
    return target instanceof HeldRun ? this.#context.store.orUnwritable(sendToRun(target, command)) : target;
  }

  /** Cancels what is queued, running or paused in a session; its runs and messages stay. Gives what was cancelled. */
  cancelSession(owner: Owner, id: string, reason = "its session was cancelled"): Promise<readonly CancelledRun[]> {
    const { database } = this.#context.store;
    const command = (run: string, sent: Command) => this.#send(run, sent);
    return cancelSession({ database, command }, { ...ownerOf(owner), id }, reason);
  }

  /** Resumes a run that waits for a message. */
  async resume(id: string, input: string, images?: readonly Image[]): Promise<Run> {
    this.#checkOpen();
    return (await this.command(id, { type: "resume", input, ...omitUndefined({ images }) })).run;
  }

  /** A run, wherever it executes; undefined if there is none. */
  async run(id: string): Promise<Run | undefined> {
    const segment = await this.#held.segment(id);
    return segment && this.#toRun(segment);
  }

  /** Returns the record of a run. For a run that is running here it is up to date; the stored one is written only now and then. */
  async record(id: string): Promise<RunRecord | undefined> {
    const stored = await this.#context.store.database.runs.find(id);
    return stored && this.current(stored);
  }

  /** Returns the record of a run that this engine started or found, without a read; undefined if it executes elsewhere. */
  latest(run: Run): RunRecord | undefined {
    return this.#ports.get(run)?.record;
  }

  /** Stored lines of a run beyond `after`, from memory while it executes here; undefined if they are not in memory. */
  recentLines(run: string, after: number): readonly string[] | undefined {
    return this.#held.get(run)?.openLog?.lines(after);
  }

  /** An id for a run that is about to start, or for its session: nothing has it yet, so nothing is looked for under it. */
  newId(): string {
    const id = this.#options.newId?.() ?? newRunId(this.#context.store.clock.now());
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
    const stored = await findRun(this.#context.store.database, name, whose);
    return stored && this.current(stored);
  }

  /** Continues an interrupted run at once, even if the crash-loop guard would hold it back. */
  async recoverRun(id: string): Promise<Run> {
    await this.#continue(await this.#context.findOpen(id));
    return this.#toRun(await this.#held.requireSegment(id));
  }

  /** Follows a run that another process executes, and continues it here if that process dies. */
  follow(id: string): Promise<Run | undefined> {
    this.#recovery.follow(id);
    return this.run(id);
  }

  /** Begins a run with the log of a fork, and continues from there; see `toFork` and `toForkCrew`. None runs after it. */
  async fork(like: Crew, log: readonly RunEvent[], options: ForkOptions = {}): Promise<Run> {
    this.#checkOpen();
    const { run: id } = toForkStart(log, options);
    await this.#checkFree(id);
    await writeFork(this.#context, like, { ...options, log });
    return this.recoverRun(id);
  }

  /** Replaces the crew definitions. New runs use them; running runs keep the definition they started with. */
  replaceCrews(crews: readonly Crew[]): void {
    this.#context.crews.replace(crews);
  }

  /** Recovers what was interrupted, now and from now on; resolves with how many there were at first. */
  async recover(): Promise<number> {
    const { placement } = this.#context;
    if (!placement.isLocal) await placement.serve((placed) => this.#begin(placed));
    return this.#recovery.begin();
  }

  /** Lets runs continue for so long, then leaves the rest where they are: the next start continues them. */
  async stop({ graceMs = 0, beforeLeaving }: StopOptions = {}): Promise<void> {
    const context = this.#context;
    const { placement, scope, store, engine } = context;
    if (context.state === "open") context.state = "stopping";
    this.#recovery.stop();
    await placement.stop();
    if (graceMs > 0) await Promise.race([this.idle(), scope.sleep(graceMs)]);
    await beforeLeaving?.();
    context.state = "leaving";
    await scope.cancel(new BatonError("closed", "the engine stopped"));
    this.#inbox.stop();
    for (const run of this.#held.all) context.own(run.leave());
    // A store that fails is not waited for.
    await Promise.race([this.idle(), store.writer.failed()]);
    // Nothing more is written, although the store may still fail.
    if (!context.isIdle) for (const { openLog } of this.#held.all) openLog?.seal();
    await this.idle();
    await engine[Symbol.asyncDispose]();
    await scope[Symbol.asyncDispose]();
  }

  /**
   * Resolves once no run is running here or waits for its session, those that follow others as their crew's `after`
   * included. A run that is paused does not count.
   */
  idle(): Promise<void> {
    return this.#context.idle();
  }

  /** Number of messages that were sent to the runs it holds and that they have not heard yet. */
  get unheard(): number {
    return this.#unheard().reduce((sum, count) => sum + count, 0);
  }

  /** Fill of the fullest mailbox of a run, 0 to 1. */
  get mailboxFill(): number {
    return Math.max(0, ...this.#unheard()) / MAX_UNHEARD;
  }

  #unheard(): readonly number[] {
    return this.#held.all.map(({ openLog }) => openLog?.unheard ?? 0);
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
    const { store, placement } = this.#context;
    const record = await store.database.runs.find(id);
    if (record !== undefined && record.status !== "ended") await placement.offer(toWork(record, more));
  }

  async #begin({ work, takesOver }: PlacedWork): Promise<StartedWork> {
    this.#context.checkOpen();
    if (work.kind === "segment") return startPlacedWork(this.#queue, work.run, { takesOver });
    const due = this.#options.schedulesDue?.() ?? Promise.resolve();
    this.#context.own(due);
    return { done: () => due.then(() => undefined) };
  }

  async #continue(record: RunRecord): Promise<void> {
    const { placement, scope } = this.#context;
    const { id, session, status } = record;
    if (!placement.isLocal) return this.#offer(id);
    if (status === "queued" && session !== undefined) return this.#queue.advance({ ...ownerOf(record), id: session });
    for (let tries = 0; tries < TRIES; tries++) {
      const run = await this.#held.open(record, "request");
      if (run !== undefined) return run.rest();
      await scope.sleep(WAIT_MS);
    }
    throw new BatonError("conflict", `run ${id}, or another run of its session, is running on another server`);
  }

  #toRun(segment: ActiveSegment): Run {
    const port = new DurableRun(segment, this.#held, (id, command) => this.#send(id, command));
    const run = new RunHandle(port);
    this.#ports.set(run, port);
    return run;
  }

  #checkOpen(): void {
    if (this.#context.state !== "open") throw engineStoppingError();
    this.#context.store.checkWritable();
  }

  async #checkFree(id: string): Promise<void> {
    if ((await this.#context.store.database.runs.find(id)) !== undefined) throw runExistsError(id);
  }
}
