/**
 * Durable engine: runs that outlive the process. It starts them, one at a time in each session, and takes up those
 * that were cut off or wait, here or in another process.
 *
 * A run that is paused costs nothing here: it is taken up again by whatever is sent to it.
 * Reads: batch, claim-key, database, hold, queue, request, sessions, store, stored-run, tally, works. Read by: whoever
 * runs crews.
 */
import { BatonError, type Command, type Commanded, type Crew, type Image, type Run, type RunEvent } from "@baton/core";
import { Scope, type StartOptions, toBatonError, toBeginning } from "@baton/core";
import { toBatch } from "./batch.ts";
import { runKey } from "./claim-key.ts";
import type { RunRecord } from "./database.ts";
import { holdNew, holdRun } from "./hold.ts";
import { checkCrew, findCut, findWaiting, notBegun, Queue } from "./queue.ts";
import { type Request, toRecord } from "./request.ts";
import { type SessionName, Sessions, type Turn } from "./sessions.ts";
import type { Store } from "./store.ts";
import { toStoredRun } from "./stored-run.ts";
import { Tally } from "./tally.ts";
import { type DurableOptions, type Work, Works } from "./works.ts";

/** What a durable run is started with. */
export interface DurableStart extends StartOptions {
  /** Whose run it is; `local` where nobody else uses the store. */
  readonly tenant?: string;
}

const NAME = /^[a-zA-Z0-9_-]{1,128}$/;
/** How often runs are looked for that no living process holds. */
const RECOVERY_MS = 1_000;
const RECOVERED_AT_ONCE = 1_000;
/** How long a session that another run has is waited for. */
const TAKEN_MS = 500;

/** Runs crews, on a store. */
export class DurableEngine implements AsyncDisposable {
  readonly #options: DurableOptions;
  readonly #store: Store;
  readonly #works: Works;
  readonly #sessions: Sessions;
  readonly #scope: Scope;
  readonly #queue: Queue;
  readonly #taking = new Map<string, Promise<Work>>();
  readonly #warned = new Set<string>();
  #stopRecovery: (() => void) | undefined;
  #isStopping = false;

  constructor(options: DurableOptions) {
    this.#options = options;
    this.#store = options.store;
    this.#works = new Works(options, (id, command) => this.command(id, command));
    this.#sessions = new Sessions(options.store);
    this.#scope = Scope.root({ clock: options.store.clock, name: "durable engine" });
    this.#queue = new Queue({
      store: options.store,
      works: this.#works,
      sessions: this.#sessions,
      scope: this.#scope,
      command: (id, command) => this.command(id, command),
    });
  }

  /** Starts a run, or goes on with its session's paused one; resolves when that is on disk. */
  async start(crew: Crew, options: DurableStart): Promise<Run> {
    this.#checkOpen();
    const { tenant = "local", ...start } = options;
    const beginning = toBeginning(crew, start);
    const id = options.id ?? (this.#options.newId ?? (() => crypto.randomUUID()))();
    for (const name of [id, beginning.session ?? "none"]) {
      if (!NAME.test(name)) throw new BatonError("invalid", `"${name}": letters, digits, _ and - only, at most 128`);
    }
    if (options.id !== undefined) await this.#checkFree(id);
    const request: Request = { id, tenant, crew, beginning };
    if (beginning.session === undefined) return this.#works.start(request, holdNew(this.#store, id));
    return this.#enter(request, { tenant, id: beginning.session });
  }

  /** Sends a command to a run, wherever it was left. */
  async command(id: string, command: Command): Promise<Commanded> {
    return this.#reach(id, (work) => {
      return this.#queue.has(id) ? this.#queue.command(id, command) : this.#works.send(work, command);
    });
  }

  /** Goes on with a run that waits for a message. */
  async resume(id: string, input: string, images?: readonly Image[]): Promise<Run> {
    this.#checkOpen();
    return this.#reach(id, async (work) => {
      if (this.#queue.has(id)) throw notBegun(id);
      return this.#works.resume(work, input, images);
    });
  }

  /** A run, at work or not; undefined where there is none. */
  async run(id: string): Promise<Run | undefined> {
    const here = this.#queue.run(id) ?? this.#works.get(id)?.run;
    if (here !== undefined) return here;
    const record = await this.#store.database.run(id);
    if (record === undefined) return undefined;
    return toStoredRun(this.#store, record, (command) => this.command(id, command));
  }

  /** What is known of a run; of one that is at work here, up to this moment, for that is stored only now and then. */
  async record(id: string): Promise<RunRecord | undefined> {
    const stored = await this.#store.database.run(id);
    const now = this.#works.get(id)?.log.record;
    return stored?.status === "running" && now?.status === "running" ? now : stored;
  }

  /** Goes on with a run that was cut off. */
  async takeUp(id: string): Promise<Run> {
    if (this.#works.get(id) === undefined) await this.#takeUp(id);
    const work = this.#works.get(id);
    if (work !== undefined && !this.#queue.has(id)) await this.#works.letGoIdle(work);
    const run = work?.run ?? (await this.run(id));
    if (run === undefined) throw new BatonError("not_found", `there is no run ${id}`);
    return run;
  }

  /** Begins a run with the log of a fork, and goes on from there; see `toFork` and `toForkCrew`. */
  async fork(crew: Crew, events: readonly RunEvent[], tenant = "local"): Promise<Run> {
    this.#checkOpen();
    const [first] = events;
    if (first?.type !== "run.started") throw new BatonError("invalid", "a fork begins with the beginning of its run");
    const { run: id } = first;
    await this.#checkFree(id);
    const { database, lease, clock } = this.#store;
    const definition = await this.#works.shelf.keep(crew);
    const record = toRecord({ id, tenant, crew, beginning: first }, { definition, now: clock.now(), waits: false });
    const tally = new Tally(record, { isNew: true });
    for (const event of events) tally.add(event, event.lane, event.at);
    const batch = toBatch(
      id,
      1,
      events.map((event) => JSON.stringify(event)),
    );
    const claim = lease.next(runKey(id));
    await database.commit([{ claim, begins: true, ends: true, run: tally.record, batch }]);
    return this.takeUp(id);
  }

  /** Takes up what was cut off, now and from now on; resolves with how many there were at first. */
  async recover(): Promise<number> {
    const count = await this.#recover();
    this.#waitToRecover();
    return count;
  }

  /** Lets runs go on for so long, then leaves the rest where they are: the next start goes on with them. */
  async stop({ graceMs = 0 }: { readonly graceMs?: number } = {}): Promise<void> {
    this.#isStopping = true;
    this.#stopRecovery?.();
    if (graceMs > 0) await Promise.race([this.#works.settled(), this.#scope.sleep(graceMs)]);
    await this.#scope.cancel(new BatonError("closed", "the engine stopped"));
    await this.#works.leave();
    await this.#works.settled();
    await this.#works.engine[Symbol.asyncDispose]();
    await this.#scope[Symbol.asyncDispose]();
  }

  /** How many runs it holds: at work, waiting for their turn, or just being taken up. */
  get open(): number {
    return this.#works.size + this.#queue.size + this.#taking.size;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  /** Begins in a session that is free, else waits for it. */
  async #enter(request: Request, name: SessionName): Promise<Run> {
    const turn = await this.#sessions.tryEnter(name, this.#scope);
    return turn === undefined ? this.#queue.add(request, name) : this.#startIn(turn, request);
  }

  async #startIn(turn: Turn, request: Request): Promise<Run> {
    const { session } = turn;
    try {
      const waiting = await findWaiting(this.#store, turn.session);
      if (waiting !== undefined) return await this.#resumeIn(turn, request, waiting);
      const [cut] = await findCut(this.#store, session);
      if (cut !== undefined) {
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
  async #startAfter(cut: RunRecord, request: Request, name: SessionName): Promise<Run> {
    try {
      await this.takeUp(cut.id);
    } catch (error) {
      const { code } = toBatonError(error, "internal");
      if (code !== "conflict" && code !== "run_ended") throw error;
      // Another process was faster: there is a line to wait in.
      return this.#queue.add(request, name);
    }
    return this.#enter(request, name);
  }

  async #resumeIn(turn: Turn, { crew, beginning }: Request, waiting: RunRecord): Promise<Run> {
    checkCrew(waiting, crew);
    const work = await this.#works.adopt(waiting.id, turn);
    return this.#works.resume(work, beginning.input, beginning.images);
  }

  /** Does something with a run that is here, taken up where it was not; again where it was let go at that moment. */
  async #reach<T>(id: string, act: (work: Work) => Promise<T>): Promise<T> {
    for (;;) {
      const work = this.#works.get(id) ?? (await this.#takeUp(id));
      if (this.#works.get(id) === work) return act(work);
    }
  }

  /** Takes a run up once, however many ask for it. */
  #takeUp(id: string): Promise<Work> {
    const known = this.#taking.get(id);
    if (known !== undefined) return known;
    const taking = this.#hold(id).finally(() => this.#taking.delete(id));
    this.#taking.set(id, taking);
    return taking;
  }

  async #hold(id: string): Promise<Work> {
    const record = await this.#store.database.run(id);
    if (record === undefined) throw new BatonError("not_found", `there is no run ${id}`);
    if (record.status === "ended") throw new BatonError("run_ended", `run ${id} has ended`);
    const { session, tenant } = record;
    const name = session === undefined ? undefined : { tenant, id: session };
    if (name !== undefined && record.status === "queued") return this.#queue.addAgain(record, name);
    const hold = name === undefined ? await holdRun(this.#store, id) : await this.#holdSession(name);
    try {
      return await this.#works.adopt(id, hold);
    } catch (error) {
      await hold.leave();
      throw error;
    }
  }

  /** Takes a session for one of its runs that waits or was cut off; not for long, where another run has it. */
  async #holdSession(name: SessionName): Promise<Turn> {
    await using scope = this.#scope.child({ name: `session:${name.id}`, timeoutMs: TAKEN_MS });
    try {
      return await this.#sessions.enter(name, scope);
    } catch (error) {
      if (!(error instanceof BatonError) || error.code !== "timeout") throw error;
      throw new BatonError("conflict", `session ${name.id} is at work, perhaps in another process`);
    }
  }

  async #recover(): Promise<number> {
    const names = this.#options.crews.map(({ name }) => name);
    const cut = await this.#store.database.interrupted(names, RECOVERED_AT_ONCE);
    const fresh = cut.filter((id) => this.#works.get(id) === undefined && !this.#warned.has(id));
    const taken = await Promise.all(fresh.map((id) => this.#tryTakeUp(id)));
    const count = taken.filter(Boolean).length;
    return cut.length === RECOVERED_AT_ONCE && count > 0 ? count + (await this.#recover()) : count;
  }

  async #tryTakeUp(id: string): Promise<boolean> {
    try {
      await this.takeUp(id);
      return true;
    } catch (error) {
      const { code, message, retryable } = toBatonError(error, "internal");
      // Another process was faster, or it is asked about.
      if (code === "conflict" || code === "run_ended" || code === "closed") return false;
      // The store could not be read or written: that may pass, and the next look takes it up.
      if (retryable || !(error instanceof BatonError)) return false;
      this.#warned.add(id);
      this.#options.warn?.(`run ${id} cannot go on: ${message}`);
      return false;
    }
  }

  #waitToRecover(): void {
    if (this.#isStopping) return;
    const timer = this.#store.clock.after(RECOVERY_MS, () => {
      const recovering = this.#recover().catch(() => 0);
      this.#works.own(recovering.then(() => this.#waitToRecover()));
    });
    this.#stopRecovery = () => timer.cancel();
  }

  #checkOpen(): void {
    if (this.#isStopping)
      throw new BatonError("closed", "the engine is stopping; try again later", { retryable: true });
    const { problem } = this.#store;
    if (problem === undefined) return;
    throw new BatonError("busy", `the store cannot be written now: ${problem.message}`, { retryable: true });
  }

  async #checkFree(id: string): Promise<void> {
    if ((await this.#store.database.run(id)) === undefined) return;
    throw new BatonError("conflict", `there is a run ${id} already`);
  }
}
