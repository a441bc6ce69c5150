/**
 * Works: the runs that are at work in this process, each with its log and the right to write to it.
 *
 * A run is let go when it pauses or ends, after that is on disk.
 */
import {
  BatonError,
  type Command,
  type Crew,
  Engine,
  type Message,
  type Receipt,
  type Run,
  type RunResult,
} from "@baton/core";
import { ById, given } from "@baton/core/ports";
import type { After } from "./after.ts";
import type { ChangeQuestion } from "./change-question.ts";
import { CallCounts } from "./call-counts.ts";
import { askAboutChange } from "./change-verdict.ts";
import { CrewList } from "./crew-list.ts";
import { CrewShelf } from "./crew-shelf.ts";
import type { RunRecord } from "./database.ts";
import type { Hold } from "./hold.ts";
import { LOCAL, ownerOf } from "./owner.ts";
import { type Past, readPast } from "./past.ts";
import { parseRequest, type Request, toRecord } from "./request.ts";
import { crewOf, type Store } from "./store.ts";
import { StoredLog } from "./stored-log.ts";
import { findObstacle } from "./trial.ts";
import { endUnbegun, NOTHING_STOPPED } from "./unbegun.ts";
import { type DurableOptions, type Segment, type Sent, toClosing, wasBegun, type Work } from "./work.ts";

/** What runs at work need of the whole engine. */
interface Ways {
  /** Begins a run that was queued with the end of another one. */
  readonly begin: (id: string) => Promise<unknown>;
}

/** What is stored of a run when it is given its seat. */
interface Stored {
  /** How many events. */
  readonly length: number;
  /** How many messages the conversation had before it. */
  readonly past: number;
  readonly isNew: boolean;
  readonly once?: Request["once"];
  /** What runs when it has ended. */
  readonly after?: After | undefined;
  readonly change?: ChangeQuestion | undefined;
}

const NOTHING_STORED: Stored = { length: 0, past: 0, isNew: true };

/** All that is at work here. */
export class Works {
  readonly shelf: CrewShelf;
  readonly engine: Engine;
  readonly #store: Store;
  readonly #crews: CrewList;
  readonly #ways: Ways;
  readonly #works = new ById<Work>();
  /** What was given to `own` and has not settled, and who waits for that. */
  #owned = 0;
  #settling: (() => void)[] = [];
  #log: StoredLog | undefined;
  #isLeft = false;

  constructor({ store, crews, warn: _warn, ...options }: DurableOptions, ways: Ways) {
    this.#store = store;
    this.#ways = ways;
    this.#crews = new CrewList(crews);
    this.shelf = new CrewShelf(store.database, (record) => this.#crews.find(record));
    const { database, writer } = store;
    this.engine = new Engine({
      documents: ({ tenant = LOCAL.tenant, user = LOCAL.user }) => database.documents({ tenant, user }),
      ...given(options),
      clock: store.clock,
      log: (clock, observer) => (this.#log = new StoredLog({ database, writer, clock, observer })),
    });
  }

  get size(): number {
    return this.#works.values().length;
  }

  /** How many messages each was sent and has not heard yet. */
  get unheard(): readonly number[] {
    return this.#works.values().map(({ log }) => log.record.mail?.length ?? 0);
  }

  get(id: string): Work | undefined {
    return this.#works.get(id);
  }

  /** These are the crews of today from now on; runs under way keep theirs. */
  replaceCrews(crews: readonly Crew[]): void {
    this.#crews.replace(crews);
  }

  /** Whether the crew of a run is one of today's. */
  isHere(record: Pick<RunRecord, "afterOf" | "crew">): boolean {
    return this.#crews.has(record);
  }

  /** Resolves once none is at work any more. */
  async settled(): Promise<void> {
    while (this.#owned > 0) await new Promise<void>((resolve) => this.#settling.push(resolve));
  }

  /**
   * Stops every run at its last finished step; from here on none begins, goes on or is taken up. Resolves once none is
   * at work any more; nobody waits for a store that fails.
   */
  async leave(): Promise<void> {
    this.#isLeft = true;
    await this.engine.leave();
    await Promise.race([this.settled(), this.#store.writer.failed()]);
    if (this.#owned > 0) for (const { log } of this.#works.values()) log.seal();
    await this.settled();
  }

  /** Keeps a promise until it settles, so that it has an owner. */
  own(promise: Promise<unknown>): void {
    const settle = () => this.#settle();
    this.#owned++;
    promise.then(settle, settle);
  }

  /** Makes room for a run that is to begin when its session is free. */
  async seat(request: Request, hold: Hold): Promise<Work> {
    const definition = await this.shelf.keep(request.crew);
    const record = toRecord(request, { definition, waits: true, now: this.#store.clock.now() });
    const after = await this.#toAfter(request.crew, record);
    return this.#seat(record, hold, { ...NOTHING_STORED, once: request.once, after });
  }

  /** Makes room again for a run that waited for its session when its process ended. */
  async reseat(record: RunRecord, hold: Hold): Promise<{ readonly work: Work; readonly request: Request }> {
    const { crew } = await this.shelf.restore(record);
    const request = parseRequest(record, crew);
    const after = await this.#toAfter(crew, record);
    return { request, work: this.#seat(record, hold, { ...NOTHING_STORED, isNew: false, after }) };
  }

  /** Begins a run at once, so that its record and its beginning are written together; resolves when they are. */
  async start(request: Request, hold: Hold, history?: readonly Message[]): Promise<Segment> {
    const definition = await this.shelf.keep(request.crew);
    const record = toRecord(request, { definition, waits: false, now: this.#store.clock.now() });
    const after = await this.#toAfter(request.crew, record);
    const work = this.#seat(record, hold, { ...NOTHING_STORED, once: request.once, after });
    const segment = this.begin(work, request, history);
    await work.log.stored();
    return segment;
  }

  /** Begins a run that has a seat. */
  begin(work: Work, { id, crew, beginning }: Request, history: readonly Message[] | undefined): Segment {
    this.checkOpen();
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

  /** Passes a command to the engine; a life that it begins is attended to. */
  command(work: Work, command: Command): Promise<Sent> {
    const sent = this.#pass(work, command);
    this.own(sent);
    return sent;
  }

  /**
   * Takes up a run under a hold that was taken for it: an interrupted one goes on, a paused one is ready. If its tools
   * have changed it asks first, unless it is only to be ended.
   */
  async adopt(id: string, hold: Hold, change: "ask" | "ignore" = "ask"): Promise<Work> {
    const past = await this.#read(id, hold);
    const after = await this.#toAfter(past.crew, past.record);
    return this.#takeUp(change === "ask" ? past : { ...past, change: undefined }, hold, after);
  }

  /** Takes up a run that was cut off, with nobody asking for it: one that may be what ends its process waits or fails. */
  async recover(id: string, hold: Hold): Promise<Work> {
    const others = () => Array.from(this.#works.values(), ({ log }) => log.record);
    const past = await readPast(this.#store.database, this.shelf, { id, claim: hold.claim, others });
    const after = await this.#toAfter(past.crew, past.record);
    // From here to its seat nothing else can be tried.
    const obstacle = findObstacle(past, others);
    if (obstacle === undefined) return this.#takeUp(past, hold, after);
    if (!obstacle.retryable) await this.#fail(past, hold, obstacle);
    throw obstacle;
  }

  /** Cancels a run whose crew is not here, and gives the hold back. */
  async end(id: string, hold: Hold, reason: BatonError): Promise<Receipt> {
    try {
      return await this.#end(id, hold, reason);
    } finally {
      await hold.leave();
    }
  }

  /** Lets a run go that nothing is done with here. */
  async letGoIdle(work: Work): Promise<void> {
    if (!work.isAtWork && work.commands === 0) await this.letGo(work);
  }

  /** Forgets a run that waits, has ended or was lost. */
  async letGo(work: Work): Promise<void> {
    this.forget(work);
    if (!work.log.isGivenBack) await work.hold.leave();
  }

  /** Forgets a run whose hold goes on. */
  forget(work: Work): void {
    const { id } = work;
    if (this.#works.get(id) !== work) return;
    this.#works.delete(id);
    this.engine.release(id);
    this.#log?.forget(id);
  }

  /** Throws once the engine stops. */
  checkOpen(): void {
    if (this.#isLeft) throw toClosing();
  }

  /** Follows a life to its pause or end, and lets the run go then; the result is given when it is on disk. */
  attend(work: Work, life: Run): Segment {
    work.life = life.result;
    work.isAtWork = true;
    const outcome = this.#finish(work, life.result);
    this.own(outcome);
    const { id } = work;
    // It began while the others were stopped.
    if (this.#isLeft) this.own(this.engine.leave(id));
    return (work.segment = { id, outcome, events: (after) => life.events({ after }) });
  }

  async #pass(work: Work, command: Command): Promise<Sent> {
    const { run: life, ...receipt } = await this.engine.command(work.id, command);
    const known = life.result === work.life ? work.segment : undefined;
    const segment = known ?? this.attend(work, life);
    return { segment, ...receipt };
  }

  #settle(): void {
    this.#owned--;
    if (this.#owned > 0) return;
    const settling = this.#settling;
    this.#settling = [];
    for (const resolve of settling) resolve();
  }

  async #finish(work: Work, life: Promise<RunResult>): Promise<RunResult> {
    const result = await life;
    // What was said before it was left is written before others may take it up.
    if (work.log.isSealed) await this.#store.writer.tried();
    const problem = await this.#stored(work);
    const { next } = work.log;
    if (next !== undefined) this.own(this.#ways.begin(next));
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

  #seat(record: RunRecord, hold: Hold, stored: Stored): Work {
    this.checkOpen();
    const { id } = record;
    if (this.#works.get(id) !== undefined)
      throw new BatonError("conflict", `there is a run ${id} already, at work here`);
    if (this.#log === undefined) throw new BatonError("internal", "the engine has no log");
    const { claim, session, isNew: isClaimNew } = hold;
    const { change, ...rest } = stored;
    const lost = () => this.own(this.engine.leave(id));
    const more = session === undefined ? {} : { session };
    const log = this.#log.seat({ claim, isClaimNew, record, lost, ...rest, ...more });
    const work: Work = { id, log, hold, life: undefined, segment: undefined, isAtWork: false, commands: 0, change };
    this.#works.set(id, work);
    return work;
  }

  #read(id: string, { claim }: Hold): Promise<Past> {
    return readPast(this.#store.database, this.shelf, { id, claim });
  }

  #seatPast({ record, events, change }: Past, hold: Hold, after?: After): Work {
    const [first] = events;
    const past = first?.type === "run.started" ? first.history.length : 0;
    for (const event of events) after?.calls.add(event, event.at);
    return this.#seat(record, hold, { length: events.length, past, isNew: false, change, after });
  }

  /** What runs when a run of this crew has ended `done`; its definition is on disk before the run goes on. */
  async #toAfter(crew: Crew, { afterOf }: RunRecord): Promise<After | undefined> {
    if (crew.after === undefined || afterOf !== undefined) return undefined;
    this.#crews.addAfter(crew);
    return { crew: crew.after, definition: await this.shelf.keep(crew.after), calls: new CallCounts() };
  }

  async #takeUp(past: Past, hold: Hold, after: After | undefined): Promise<Work> {
    const { record, crew, events, change } = past;
    const work = this.#seatPast(past, hold, after);
    try {
      if (events.length === 0) this.begin(work, parseRequest(record, crew), undefined);
      else if (change !== undefined) await askAboutChange(work.log, change, events);
      else this.#goOn(work, past);
      return work;
    } catch (error) {
      this.forget(work);
      throw error;
    }
  }

  #goOn(work: Work, past: Past): void {
    const life = this.#adopt(past);
    if (work.log.record.status !== "paused") this.attend(work, life);
  }

  #adopt({ record, crew, events: [first, ...rest] }: Past, reason?: BatonError): Run {
    const { id, mail } = record;
    // It may have another owner than the one it began with.
    const events = first === undefined ? [] : [{ ...first, ...ownerOf(record) }, ...rest];
    return this.engine.adopt(crew, { id, events, ...given({ mail, reason }) });
  }

  /** Cancels a run where it stands: the definition that it began with is enough for that. */
  async #end(id: string, hold: Hold, reason: BatonError): Promise<Receipt> {
    const { database } = this.#store;
    const shelf = { restore: (record: RunRecord) => crewOf(database, record) };
    const past = await readPast(database, shelf, { id, claim: hold.claim });
    const { record, crew, events } = past;
    const isBegun = events.length > 0;
    if (isBegun && record.session !== hold.session?.id) throw wasBegun(id);
    const work = this.#seatPast({ ...past, change: undefined }, hold);
    try {
      if (!isBegun) {
        await endUnbegun(work.log, parseRequest(record, crew), reason);
        return NOTHING_STOPPED;
      }
      this.#adopt(past);
      const { segment, receipt = NOTHING_STOPPED } = await this.#pass(work, { type: "cancel", reason: reason.message });
      await segment.outcome;
      // It was left before it felt the cancel.
      if (work.log.record.status !== "ended") throw toClosing();
      return receipt;
    } finally {
      this.forget(work);
    }
  }

  /** Ends a run that cannot go on, where it stands. */
  async #fail(past: Past, hold: Hold, reason: BatonError): Promise<void> {
    const work = this.#seatPast(past, hold);
    try {
      await this.attend(work, this.#adopt(past, reason)).outcome;
    } finally {
      this.forget(work);
    }
  }
}
