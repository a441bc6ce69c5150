/**
 * Works: the runs that are at work in this process, each with its log and the right to write to it.
 *
 * A run is let go when it pauses or ends, after that is on disk. Reads: change-question, crew-shelf, hold, reader,
 * request, store, stored-log, tally. Read by: durable-engine.
 */
import {
  type Agent,
  BatonError,
  type Command,
  type Commanded,
  type Crew,
  Engine,
  type EngineOptions,
} from "@baton/core";
import {
  type FactOf,
  type Image,
  type Message,
  type Model,
  type Run,
  type RunEvent,
  type RunResult,
} from "@baton/core";
import { isAccepted, isAsked, pauseBefore, toChangeQuestion } from "./change-question.ts";
import { CrewShelf } from "./crew-shelf.ts";
import type { RunRecord } from "./database.ts";
import type { Hold } from "./hold.ts";
import { readAll } from "./reader.ts";
import { parseRequest, type Request, toRecord } from "./request.ts";
import type { Store } from "./store.ts";
import { StoredLog, type StoredRunLog } from "./stored-log.ts";
import { recount } from "./tally.ts";

/** What a durable engine needs. */
export interface DurableOptions extends Omit<EngineOptions, "clock" | "log"> {
  readonly store: Store;
  /** The crews of today, whose tools runs go on with. */
  readonly crews: readonly Crew[];
  readonly model: (agent: Agent, crew: Crew) => Model;
  /** Told what keeps a run from going on by itself. */
  readonly warn?: (text: string) => void;
}

/** A run that is at work here, or was taken up. */
export interface Work {
  readonly id: string;
  readonly log: StoredRunLog;
  hold: Hold;
  /** The engine's life that is under way; undefined while it waits. */
  life: Run | undefined;
  /** The handle of that life. */
  run: Run | undefined;
  /** That life has not come to its pause or end yet. */
  isAtWork: boolean;
  /** How many commands are being carried out: it is not let go under their hands. */
  commands: number;
  /** What is asked before it may be taken up at all. */
  readonly change: FactOf<"question.opened"> | undefined;
}

/** Sends a command to a run, wherever that is then. */
type SendCommand = (id: string, command: Command) => Promise<Commanded>;

/** All that is at work here. */
export class Works {
  readonly shelf: CrewShelf;
  readonly engine: Engine;
  readonly #store: Store;
  readonly #command: SendCommand;
  readonly #works = new Map<string, Work>();
  readonly #lives = new Set<Promise<unknown>>();
  #log: StoredLog | undefined;
  #isLeft = false;

  constructor({ store, crews, warn: _warn, ...options }: DurableOptions, command: SendCommand) {
    this.#store = store;
    this.#command = command;
    this.shelf = new CrewShelf(store.database, (name) => crews.find((crew) => crew.name === name));
    const { database, writer } = store;
    this.engine = new Engine({
      ...options,
      clock: store.clock,
      log: (clock, observer) => (this.#log = new StoredLog({ database, writer, clock, observer })),
    });
  }

  get size(): number {
    return this.#works.size;
  }

  get(id: string): Work | undefined {
    return this.#works.get(id);
  }

  /** Resolves once none is at work any more. */
  async settled(): Promise<void> {
    while (this.#lives.size > 0) await Promise.allSettled(this.#lives);
  }

  /** Stops every run at its last finished step; from here on none begins, goes on or is taken up. */
  async leave(): Promise<void> {
    this.#isLeft = true;
    await this.engine.leave();
  }

  /** Keeps a promise until it settles, so that it has an owner. */
  own(promise: Promise<unknown>): void {
    this.#lives.add(promise);
    const forget = () => this.#lives.delete(promise);
    promise.then(forget, forget);
  }

  /** Makes room for a run that is to begin when its session is free. */
  async seat(request: Request, hold: Hold): Promise<Work> {
    const definition = await this.shelf.keep(request.crew);
    const record = toRecord(request, { definition, waits: true, now: this.#store.clock.now() });
    return this.#seat(record, hold, { length: 0, past: 0, isNew: true });
  }

  /** Makes room again for a run that waited for its session when its process ended. */
  async reseat(record: RunRecord, hold: Hold): Promise<{ readonly work: Work; readonly request: Request }> {
    const { crew } = await this.shelf.restore(record);
    const request = parseRequest(record, crew);
    return { request, work: this.#seat(record, hold, { length: 0, past: 0, isNew: false }) };
  }

  /** Begins a run at once, so that its record and its beginning are written together; resolves when they are. */
  async start(request: Request, hold: Hold, history?: readonly Message[]): Promise<Run> {
    const definition = await this.shelf.keep(request.crew);
    const record = toRecord(request, { definition, waits: false, now: this.#store.clock.now() });
    const work = this.#seat(record, hold, { length: 0, past: 0, isNew: true });
    const run = this.begin(work, request, history);
    await work.log.committed();
    return run;
  }

  /** Begins a run that has a seat. */
  begin(work: Work, { id, crew, beginning }: Request, history: readonly Message[] | undefined): Run {
    this.#checkOpen();
    const { entry, ...options } = beginning;
    const past = beginning.history ?? history;
    const life = this.engine.start(crew, {
      ...options,
      ...(past === undefined ? {} : { history: past }),
      agent: entry.id,
      id,
    });
    return this.attend(work, life);
  }

  /** Takes up a run under a hold that was taken for it: one that was cut off goes on, one that waits is ready. */
  async adopt(id: string, hold: Hold): Promise<Work> {
    const stored = await this.#store.database.run(id);
    if (stored === undefined) throw new BatonError("not_found", `there is no run ${id}`);
    if (stored.status === "ended") throw new BatonError("run_ended", `run ${id} has ended`);
    const { crew, changes } = await this.shelf.restore(stored);
    const events = await this.#read(stored, hold);
    const record = recount(stored, events);
    const [first] = events;
    const past = first?.type === "run.started" ? first.history.length : 0;
    const question = changes.length === 0 ? undefined : toChangeQuestion(record.agent, changes);
    const change = question === undefined || isAccepted(events, question) ? undefined : question;
    const work = this.#seat(record, hold, { length: events.length, past, isNew: false, change });
    try {
      if (first === undefined) this.begin(work, parseRequest(record, crew), undefined);
      else if (change !== undefined) await this.#ask(work, change, events);
      else this.#takeUp(work, crew, events);
      return work;
    } catch (error) {
      this.#forget(work);
      throw error;
    }
  }

  /** Sends a command to a run that is here; a life that it begins is attended to. */
  async send(work: Work, command: Command): Promise<Commanded> {
    const { change } = work;
    if (change !== undefined && work.commands > 0) {
      throw new BatonError("conflict", `question ${change.question} is being answered`);
    }
    if (change !== undefined) return this.#during(work, () => this.#decide(work, change, command));
    return this.#during(work, async () => {
      this.#checkOpen();
      const { run: life, receipt } = await this.engine.command(work.id, command);
      const run = life === work.life && work.run !== undefined ? work.run : this.attend(work, life);
      await work.log.committed();
      return receipt === undefined ? { run } : { run, receipt };
    });
  }

  /** Goes on with a run that waits for a message. */
  async resume(work: Work, input: string, images: readonly Image[] | undefined): Promise<Run> {
    if (work.change !== undefined) {
      await this.letGo(work);
      throw new BatonError("question_open", `run ${work.id} waits for an answer first: ${work.change.text}`);
    }
    return this.#during(work, async () => {
      this.#checkOpen();
      const run = this.attend(work, this.engine.resume(work.id, input, images));
      await work.log.committed();
      return run;
    });
  }

  /** Follows a life to its pause or end, and lets the run go then; the result is given when it is on disk. */
  attend(work: Work, life: Run): Run {
    work.life = life;
    work.isAtWork = true;
    const outcome = this.#finish(work, life);
    this.own(outcome);
    const { id } = work;
    const events = (after?: number) => life.events(after);
    return (work.run = { id, outcome, events, command: (command) => this.#command(id, command) });
  }

  /** Lets a run go that nothing is done with here. */
  async letGoIdle(work: Work): Promise<void> {
    if (!work.isAtWork && work.commands === 0) await this.letGo(work);
  }

  /** Forgets a run that waits, has ended or was lost. */
  async letGo(work: Work): Promise<void> {
    this.#forget(work);
    await work.hold.leave();
  }

  #forget(work: Work): void {
    const { id } = work;
    if (this.#works.get(id) !== work) return;
    this.#works.delete(id);
    this.engine.release(id);
    this.#log?.forget(id);
  }

  #checkOpen(): void {
    if (this.#isLeft) throw new BatonError("closed", "the engine is stopping; try again later", { retryable: true });
  }

  async #finish(work: Work, life: Run): Promise<RunResult> {
    const result = await life.outcome;
    const problem = await this.#stored(work);
    if (work.life === life) work.isAtWork = false;
    await this.letGoIdle(work);
    return problem === undefined ? result : { ...result, outcome: "cancelled", error: problem };
  }

  /** Why the last word of a life is not on disk; undefined where it is. */
  async #stored({ log }: Work): Promise<RunResult["error"]> {
    try {
      await log.committed();
      return undefined;
    } catch (error) {
      return { code: "closed", message: error instanceof Error ? error.message : "it was not written" };
    }
  }

  #seat(record: RunRecord, hold: Hold, more: SeatOptions): Work {
    this.#checkOpen();
    const { id } = record;
    if (this.#works.has(id)) throw new BatonError("conflict", `there is a run ${id} already, at work here`);
    const { length, past, isNew, change } = more;
    const log = this.#open({ record, hold, length, past, isNew }, () => this.own(this.engine.leave(id)));
    const work: Work = { id, log, hold, life: undefined, run: undefined, isAtWork: false, commands: 0, change };
    this.#works.set(id, work);
    return work;
  }

  #open({ record, hold, length, past, isNew }: Opening, lost: () => void): StoredRunLog {
    const { claim, session, isNew: isClaimNew } = hold;
    if (this.#log === undefined) throw new BatonError("internal", "the engine has no log");
    const more = session === undefined ? {} : { session };
    return this.#log.seat({ claim, isClaimNew, record, isNew, length, past, lost, ...more });
  }

  #takeUp(work: Work, crew: Crew, events: readonly RunEvent[]): void {
    const life = this.engine.adopt(crew, work.id, events);
    if (work.log.record.status !== "paused") this.attend(work, life);
  }

  /** The whole log; where it is damaged the run has failed, and says why. */
  async #read(record: RunRecord, { claim }: Hold): Promise<readonly RunEvent[]> {
    try {
      return await readAll(this.#store.database, record.id);
    } catch (error) {
      if (!(error instanceof BatonError) || error.code !== "damaged") throw error;
      const { code, message } = error;
      const run: RunRecord = { ...record, status: "ended", outcome: "failed", error: { code, message } };
      await this.#store.database.commit([{ claim, run }]);
      throw error;
    }
  }

  /** Asks whether the run may go on with other tools; it pauses until somebody says so. */
  async #ask({ log }: Work, change: FactOf<"question.opened">, events: readonly RunEvent[]): Promise<void> {
    if (isAsked(events, change)) return;
    log.append(change, "");
    const { agent, questions } = log.record;
    log.append({ type: "run.paused", by: "question", agent, questions }, "");
    await log.committed();
  }

  async #decide(work: Work, change: FactOf<"question.opened">, command: Command): Promise<Commanded> {
    const value = command.type === "cancel" ? "cancel" : toVerdict(change, command);
    if (value === undefined)
      throw new BatonError("question_open", `run ${work.id} waits for an answer first: ${change.text}`);
    const { log, hold, id } = work;
    log.append({ type: "question.answered", question: change.question, value: "continue" }, "");
    const before = pauseBefore(await readAll(this.#store.database, id), change);
    const { agent, questions } = log.record;
    // To be cancelled it must wait; what had waited before goes on waiting.
    if (value === "cancel") log.append(before ?? { type: "run.paused", by: "question", agent, questions }, "");
    else if (before !== undefined) log.append(before, "");
    await log.committed();
    this.#forget(work);
    // The hold is the next one's now.
    work.hold = { ...hold, leave: () => Promise.resolve() };
    const again = await this.#adoptOrLeave(id, hold);
    if (value === "cancel") return this.send(again, { type: "cancel", reason: "its tools have changed" });
    return { run: again.run ?? (await this.#wait(again)) };
  }

  async #adoptOrLeave(id: string, hold: Hold): Promise<Work> {
    try {
      return await this.adopt(id, hold);
    } catch (error) {
      await hold.leave();
      throw error;
    }
  }

  /** The handle of a run that waits again, and is let go. */
  async #wait(work: Work): Promise<Run> {
    const run = this.engine.run(work.id);
    await this.letGo(work);
    if (run === undefined) throw new BatonError("internal", `run ${work.id} was lost`);
    return run;
  }

  /** Carries out a command; one that fails leaves a run that waits as it was. */
  async #during<T>(work: Work, act: () => Promise<T>): Promise<T> {
    work.commands++;
    try {
      return await act();
    } finally {
      work.commands--;
      await this.letGoIdle(work);
    }
  }
}

interface SeatOptions {
  readonly length: number;
  readonly past: number;
  readonly isNew: boolean;
  readonly change?: FactOf<"question.opened"> | undefined;
}

interface Opening extends SeatOptions {
  readonly record: RunRecord;
  readonly hold: Hold;
}

function toVerdict(change: FactOf<"question.opened">, command: Command): "continue" | "cancel" | undefined {
  if (command.type !== "answer" || command.question !== change.question) return undefined;
  if (command.as === "user")
    throw new BatonError("forbidden", `question ${change.question} is for whoever runs the crew`);
  if (command.value === "continue" || command.value === "cancel") return command.value;
  throw new BatonError("invalid", `the answer to ${change.question} is "continue" or "cancel"`);
}
