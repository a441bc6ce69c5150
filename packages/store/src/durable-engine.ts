/**
 * Durable engine: runs that outlive the process. It starts them, one at a time in each session, and takes up those
 * that were cut off or wait, here or in another process.
 *
 * A run that is paused costs nothing here: it is taken up again by whatever is sent to it.
 * Reads: batch, claim-key, hold, request, sessions, store, stored-run, tally, works. Read by: whoever runs crews.
 */
import { BatonError, type Command, type Commanded, type Crew, type Image, type Receipt, type Run } from "@baton/core";
import {
  type RunEvent,
  type RunResult,
  Scope,
  type StartOptions,
  toBatonError,
  toBeginning,
  toFailure,
} from "@baton/core";
import { toBatch } from "./batch.ts";
import { runKey } from "./claim-key.ts";
import type { RunRecord } from "./database.ts";
import { type Hold, holdNew, holdRun } from "./hold.ts";
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

/** A run that waits for its session. */
interface Queued {
  readonly work: Work;
  readonly request: Request;
  readonly scope: Scope;
  readonly run: Run;
}

const NAME = /^[a-zA-Z0-9_-]{1,128}$/;
const NOTHING: Receipt = { stopped: [], finished: [], abandoned: [] };
/** How often runs are looked for that no living process holds. */
const RECOVERY_MS = 1_000;
const RECOVERED_AT_ONCE = 1_000;

/** Runs crews, on a store. */
export class DurableEngine implements AsyncDisposable {
  readonly #options: DurableOptions;
  readonly #store: Store;
  readonly #works: Works;
  readonly #sessions: Sessions;
  readonly #scope: Scope;
  readonly #queued = new Map<string, Queued>();
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
    if (beginning.session === undefined) return this.#begin(request, holdNew(this.#store, id));
    const name = { tenant, id: beginning.session };
    this.#sessions.checkRoom(name);
    const turn = await this.#sessions.tryEnter(name, this.#scope);
    return turn === undefined ? this.#queue(request, name) : this.#startIn(turn, request);
  }

  /** Sends a command to a run, wherever it was left. */
  async command(id: string, command: Command): Promise<Commanded> {
    const queued = this.#queued.get(id);
    if (queued !== undefined) return this.#commandQueued(queued, command);
    const work = this.#works.get(id) ?? (await this.#takeUp(id));
    return this.#works.send(work, command);
  }

  /** Goes on with a run that waits for a message. */
  async resume(id: string, input: string, images?: readonly Image[]): Promise<Run> {
    this.#checkOpen();
    const work = this.#works.get(id) ?? (await this.#takeUp(id));
    return this.#works.resume(work, input, images);
  }

  /** A run, at work or not; undefined where there is none. */
  async run(id: string): Promise<Run | undefined> {
    const here = this.#queued.get(id)?.run ?? this.#works.get(id)?.run;
    if (here !== undefined) return here;
    const record = await this.#store.database.run(id);
    if (record === undefined) return undefined;
    return toStoredRun(this.#store, record, (command) => this.command(id, command));
  }

  /** Goes on with a run that was cut off. */
  async takeUp(id: string): Promise<Run> {
    if (this.#works.get(id) === undefined) await this.#takeUp(id);
    const work = this.#works.get(id);
    if (work !== undefined && work.life === undefined) await this.#works.letGo(work);
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
    await this.#works.engine.leave();
    await this.#works.settled();
    await this.#works.engine[Symbol.asyncDispose]();
    await this.#scope[Symbol.asyncDispose]();
  }

  /** How many runs it holds: at work, waiting for their turn, or just being taken up. */
  get open(): number {
    return this.#works.size + this.#queued.size + this.#taking.size;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  async #begin(request: Request, hold: Hold): Promise<Run> {
    const work = await this.#works.seat(request, hold, { waits: false });
    const run = this.#works.begin(work, request, undefined);
    await work.log.committed();
    return run;
  }

  async #startIn(turn: Turn, request: Request): Promise<Run> {
    const { session } = turn;
    try {
      const waiting = await this.#waitingIn(turn);
      if (waiting !== undefined) return await this.#resumeIn(turn, request, waiting);
      const [cut] = await this.#cutIn(session);
      if (cut !== undefined) {
        await turn.leave();
        await this.#takeUp(cut.id);
        return await this.#queue(request, session);
      }
      const history = await turn.history();
      const work = await this.#works.seat(request, turn, { waits: false });
      const run = this.#works.begin(work, request, history);
      await work.log.committed();
      return run;
    } catch (error) {
      await turn.leave();
      throw error;
    }
  }

  /** The session's run that waits. */
  async #waitingIn({ session: { paused } }: Turn): Promise<RunRecord | undefined> {
    const record = paused === undefined ? undefined : await this.#store.database.run(paused);
    return record?.status === "paused" ? record : undefined;
  }

  /** A run of the session that was cut off and goes first. */
  #cutIn({ tenant, id: session }: SessionName): Promise<readonly RunRecord[]> {
    return this.#store.database.runs({ tenant, session, status: "running", limit: 1 });
  }

  async #resumeIn(turn: Turn, { crew, beginning }: Request, waiting: RunRecord): Promise<Run> {
    if (waiting.crew !== crew.name) {
      throw new BatonError("conflict", `run ${waiting.id} of this session waits, with crew ${waiting.crew}`);
    }
    const work = await this.#works.adopt(waiting.id, turn);
    return this.#works.resume(work, beginning.input, beginning.images);
  }

  /** A run that waits for its session: it is on disk, and begins by itself. */
  async #queue(request: Request, name: SessionName): Promise<Run> {
    const { id } = request;
    const work = await this.#works.seat(request, holdNew(this.#store, id), { waits: true });
    const scope = this.#scope.child({ name: `queued:${id}` });
    const life = Promise.withResolvers<Run>();
    const outcome = life.promise.then((begun) => begun.outcome);
    this.#works.own(outcome);
    const run: Run = {
      id,
      outcome,
      events: (after = 0) => laterEvents(life.promise, after),
      command: (command) => this.command(id, command),
    };
    const queued = { work, request, scope, run };
    this.#queued.set(id, queued);
    this.#works.own(this.#awaitTurn(queued, name).then(life.resolve, life.reject));
    await this.#store.writer.idle();
    return run;
  }

  async #awaitTurn({ work, request, scope }: Queued, name: SessionName): Promise<Run> {
    await using _owned = scope;
    try {
      const turn = await this.#sessions.enter(name, scope);
      try {
        return await this.#takeTurn(turn, work, request);
      } catch (error) {
        await turn.leave();
        throw error;
      }
    } catch (thrown) {
      return await this.#giveUp(work, request, toBatonError(thrown, "internal"));
    } finally {
      this.#queued.delete(request.id);
    }
  }

  /** The session is free: what was cut off goes first, what waits for a message gives way to this one. */
  async #takeTurn(turn: Turn, work: Work, request: Request): Promise<Run> {
    const held: Hold = { claim: turn.claim, isNew: false, session: turn.session, leave: () => Promise.resolve() };
    for (let [cut] = await this.#cutIn(turn.session); cut !== undefined; [cut] = await this.#cutIn(turn.session)) {
      const { run } = await this.#works.adopt(cut.id, held);
      await run?.outcome;
      await this.#store.writer.idle();
    }
    const session = (await this.#store.database.session(turn.session.tenant, turn.session.id)) ?? turn.session;
    const waiting = await this.#waitingIn({ ...turn, session });
    if (waiting !== undefined) await this.#endWaiting(waiting, held, request);
    const history = await turn.history();
    await work.hold.leave();
    work.hold = turn;
    work.log.guard(turn.claim, turn.session);
    const { beginning } = request;
    const entry = waiting === undefined ? beginning.entry : ({ kind: "agent", id: waiting.agent } as const);
    return this.#works.begin(work, { ...request, beginning: { ...beginning, entry } }, history);
  }

  async #endWaiting(waiting: RunRecord, held: Hold, { id }: Request): Promise<void> {
    if (waiting.questions.length > 0) {
      throw new BatonError("question_open", `run ${waiting.id} waits for answers first`);
    }
    const paused = await this.#works.adopt(waiting.id, held);
    const reason = `the conversation went on in run ${id}`;
    const { run } = await this.#works.send(paused, { type: "cancel", reason });
    await run.outcome;
  }

  /** A run that never got its turn ends with the reason, unless the engine stops: then it waits for the next start. */
  async #giveUp(work: Work, { crew, beginning }: Request, reason: BatonError): Promise<Run> {
    const { log, id } = work;
    const error = toFailure(reason);
    const outcome = reason.code === "cancelled" || this.#isStopping ? "cancelled" : "failed";
    if (!this.#isStopping) {
      const { maxOutputChars: each, maxTotalOutputChars: total } = crew.settings;
      const outputChars = { each, total };
      log.append({ type: "run.started", crew: crew.name, history: [], outputChars, ...beginning }, "");
      const by = outcome === "cancelled" ? "command" : "error";
      log.append({ type: "run.ended", outcome, by, agent: "", text: "", error, receipt: NOTHING }, "");
      await log.committed();
    }
    await this.#works.letGo(work);
    const result: RunResult = { outcome, agent: "", content: "", raw: "", error, questions: [], history: [] };
    const stored = await this.#store.database.run(id);
    const events = (after = 0) => this.#store.follow(id, after, ({ type }) => type === "run.ended");
    if (stored === undefined) throw reason;
    return { id, outcome: Promise.resolve(result), events, command: (command) => this.command(id, command) };
  }

  async #commandQueued({ scope, run }: Queued, command: Command): Promise<Commanded> {
    if (command.type !== "cancel") throw new BatonError("conflict", `run ${run.id} has not begun yet`);
    await scope.cancel(new BatonError("cancelled", command.reason ?? "cancelled by command"));
    await run.outcome;
    return { run, receipt: NOTHING };
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
    const hold = name === undefined ? await holdRun(this.#store, id) : await this.#sessions.enter(name, this.#scope);
    try {
      return await this.#works.adopt(id, hold);
    } catch (error) {
      await hold.leave();
      throw error;
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
      const { code, message } = toBatonError(error, "internal");
      // Another process was faster, or it is asked about.
      if (code === "conflict" || code === "run_ended" || code === "closed") return false;
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

async function* laterEvents(life: Promise<Run>, after: number): AsyncGenerator<RunEvent> {
  yield* (await life).events(after);
}
