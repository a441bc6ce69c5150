/**
 * Scheduler: starts the runs of schedules that are due, once each however many servers there are.
 *
 * It looks every second, by the store's clock. A schedule that cannot be read, or whose crew is not here, is reported once
 * and blocks no other.
 */
import { BatonError, type Crew } from "@baton/core";
import { type Clock, type Documents, Scope } from "@baton/core/ports";
import { Semaphore, toBatonError } from "@baton/core/util";
import type { Owner, Store } from "@baton/store";
import { DUE, type DueDocument, isTransient } from "@baton/store/ports";
import type { DurableEngine } from "../engine/durable-engine.ts";
import { syncSchedules } from "./crew-schedules.ts";
import { type FiringResult, fire, type FiringParts, scheduleTitle } from "./firing.ts";
import { readSchedule, SCHEDULES } from "./schedule.ts";

/** Options of a scheduler. */
export interface SchedulerOptions {
  readonly store: Store;
  readonly engine: Pick<DurableEngine, "start">;
  /** The crews whose schedules it starts, by their names. */
  readonly crews: readonly Crew[];
  /** Other names of these crews. */
  readonly aliases?: ReadonlyMap<string, Crew>;
  /** The documents that checks see. */
  readonly documents?: (owner: Owner) => Documents;
  /** Room for a run; throws if there is none now, and the run starts later. */
  readonly admit?: (run: string) => Disposable;
  /** Default: the store's. */
  readonly clock?: Clock;
  /** Arranges that some process calls `tick` at this time. With it, the scheduler itself looks only now and then. */
  readonly wakeAt?: (at: number) => Promise<unknown>;
  /** Called with the runs that it started. */
  readonly info?: (text: string) => void;
  /** Called with what was missed, what failed, and what it cannot start. */
  readonly warn?: (text: string) => void;
}

/** Interval at which it looks; with a placement that calls it, only for schedules that were added meanwhile. */
const LOOK_MS = 1_000;
const RARE_LOOK_MS = 5_000;
const PAGE = 100;
/** Schedules with a check, and without, that are processed at the same time. */
const LANES = 8;

/** Starts what is due, from `begin` to `stop`. */
export class Scheduler implements AsyncDisposable {
  readonly #options: SchedulerOptions;
  readonly #clock: Clock;
  readonly #scope: Scope;
  readonly #parts: FiringParts;
  readonly #lanes = { checks: new Semaphore(LANES), others: new Semaphore(LANES) };
  /** Schedules in hand, by their titles. */
  readonly #inHand = new Map<string, Promise<FiringResult>>();
  /** Reports of schedules that are still due. */
  readonly #told = new Map<string, Set<string>>();
  #looking: Promise<unknown> | undefined;
  #cancel: (() => void) | undefined;
  #isStopped = false;

  constructor(options: SchedulerOptions) {
    this.#options = options;
    const { store, engine, documents, admit = () => ({ [Symbol.dispose]: () => {} }) } = options;
    this.#clock = options.clock ?? store.clock;
    this.#scope = Scope.root({ clock: this.#clock, name: "scheduler" });
    this.#parts = {
      store,
      engine,
      admit,
      findCrew: (name) => options.crews.find((crew) => crew.name === name) ?? options.aliases?.get(name),
      documents: documents ?? ((owner) => store.database.documents(owner)),
      now: () => this.#clock.now(),
      scope: this.#scope,
      tell: {
        info: (text) => options.info?.(text),
        warn: (text) => options.warn?.(text),
        once: (title, text) => this.#tellOnce(title, text),
      },
    };
  }

  /** Brings the schedules of the crews' files up to date, then looks now and from now on. */
  async begin(): Promise<void> {
    const { store, crews } = this.#options;
    await syncSchedules({ database: store.database, crews, now: this.#clock.now(), tell: this.#parts.tell });
    this.#wait(0);
  }

  /** Starts no more; resolves when nothing is in hand. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancel?.();
    await this.#scope.cancel(new BatonError("closed", "the scheduler stopped"));
    await this.#looking;
    await Promise.allSettled(this.#inHand.values());
    await this.#scope[Symbol.asyncDispose]();
  }

  /** Looks once; resolves with how many runs were started when all that was due is done. */
  async tick(): Promise<number> {
    const fates = await Promise.all(await this.#look());
    return fates.filter((fate) => fate === "fired").length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  /** Takes all that is due in hand. */
  async #look(): Promise<readonly Promise<FiringResult>[]> {
    const { database } = this.#options.store;
    const upTo = this.#clock.now();
    const begun: Promise<FiringResult>[] = [];
    const seen = new Set<string>();
    for (let after: DueDocument | undefined; !this.#isStopped;) {
      const page = await database.due(SCHEDULES, { upTo, limit: PAGE, after });
      for (const due of page) {
        const title = scheduleTitle(due.owner, due.document.id);
        seen.add(title);
        begun.push(this.#inHand.get(title) ?? this.#take(due, title));
      }
      after = page.at(-1);
      if (page.length < PAGE) break;
    }
    for (const title of this.#told.keys()) if (!seen.has(title)) this.#told.delete(title);
    return begun;
  }

  /** Arranges the next look for the time at which the next schedule is due. */
  async #plan(): Promise<void> {
    const { store, wakeAt } = this.#options;
    if (wakeAt === undefined) return;
    const now = this.#clock.now();
    const coming = await store.database.due(SCHEDULES, { upTo: now + 2 * RARE_LOOK_MS, limit: PAGE });
    const times = coming.map(({ document }) => Number(document.index?.[DUE])).filter((at) => at > now);
    for (const at of new Set(times)) await wakeAt(at);
  }

  #take(due: DueDocument, title: string): Promise<FiringResult> {
    const done = this.#handle(due, title).finally(() => this.#inHand.delete(title));
    this.#inHand.set(title, done);
    return done;
  }

  async #handle(due: DueDocument, title: string): Promise<FiringResult> {
    try {
      const { check } = readSchedule(due.document);
      const release = await (check === undefined ? this.#lanes.others : this.#lanes.checks).acquire(this.#scope);
      try {
        return await fire(this.#parts, due);
      } finally {
        release();
      }
    } catch (error) {
      // A transient failure is retried at the next look; the schedule was changed meanwhile, or the scheduler stops.
      const { code, message } = toBatonError(error, "internal");
      const isKnown = isTransient(error) || code === "conflict" || code === "closed";
      if (!isKnown) this.#tellOnce(title, `${title} is passed over: ${message}`);
      return "later";
    }
  }

  #tellOnce(title: string, text: string): void {
    const told = this.#told.get(title) ?? new Set();
    if (told.has(text)) return;
    this.#told.set(title, told.add(text));
    this.#options.warn?.(text);
  }

  #wait(delayMs: number): void {
    if (this.#isStopped) return;
    const timer = this.#clock.after(delayMs, () => {
      // A store that fails is asked again.
      this.#looking = this.#look()
        .then(() => this.#plan())
        .catch(() => undefined)
        .then(() => this.#wait(this.#options.wakeAt === undefined ? LOOK_MS : RARE_LOOK_MS));
    });
    this.#cancel = () => timer.cancel();
  }
}
