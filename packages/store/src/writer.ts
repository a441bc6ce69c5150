/**
 * Writer: everything that all runs have to write, in one transaction per turn of the event loop.
 *
 * What cannot be written stays and is tried again until it can be; meanwhile nothing is acknowledged, the store is not
 * healthy, and runs are told to wait. Reads: database. Read by: store, stored-log.
 */
import { BatonError, type Clock, toBatonError } from "@baton/core";
import type { Change, Database } from "./database.ts";

/** Somebody who has something to write now and then. */
export interface Source {
  /** What is to be written now; asked once for each time it was added. */
  take(): Change | undefined;
  /** The change is on disk. */
  wrote(change: Change): void;
  /** Its claim was lost: nothing of it was written, and nothing will be. */
  lost(): void;
  /** The writer was closed before it could be written. */
  givenUp(): void;
}

interface Taken {
  readonly source: Source;
  readonly change: Change;
}

/** More than this waits for the disk: runs wait too. */
const MAX_WAITING_CHARS = 8 * 1_024 * 1_024;
const FIRST_RETRY_MS = 50;
const LAST_RETRY_MS = 1_000;

/** The one writer of a store. */
export class Writer {
  readonly #database: Database;
  readonly #clock: Clock;
  #dirty = new Set<Source>();
  #waitingChars = 0;
  #problem: BatonError | undefined;
  #flushing: Promise<void> | undefined;
  #isClosing = false;
  #isClosed = false;
  #idle: (() => void)[] = [];
  /** Resolves when a try fails; made for who asks. */
  #failing: PromiseWithResolvers<void> | undefined;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** Why nothing can be written now; undefined while all is well. */
  get problem(): BatonError | undefined {
    return this.#problem;
  }

  /** Asks to be written in this turn of the event loop; `chars` is about how much more it has. */
  add(source: Source, chars: number): void {
    this.#waitingChars += chars;
    this.#dirty.add(source);
    if (this.#flushing === undefined && this.#dirty.size === 1) this.#schedule();
  }

  /** A promise while too much waits or nothing can be written, else undefined. */
  room(): Promise<void> | undefined {
    if (this.#problem === undefined && this.#waitingChars <= MAX_WAITING_CHARS) return undefined;
    return this.idle();
  }

  /** Resolves once all that was added so far is written, or given up, whatever is added meanwhile. */
  idle(): Promise<void> {
    if (this.#dirty.size === 0) return this.#flushing ?? Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  /** Resolves once all that was added so far is written or given up, or cannot be written now. */
  async tried(): Promise<void> {
    if (this.#problem !== undefined) return;
    this.#failing ??= Promise.withResolvers();
    await Promise.race([this.idle(), this.#failing.promise]);
  }

  /** Gives up what cannot be written: it was never acknowledged. */
  async close(): Promise<void> {
    this.#isClosing = true;
    if (this.#problem === undefined) await this.idle();
    this.#isClosed = true;
    await this.#flushing;
    this.#settle();
  }

  #schedule(): void {
    this.#clock.soon(() => {
      if (!this.#isClosed && this.#flushing === undefined) this.#flushing = this.#flush().then(() => this.#flushed());
    });
  }

  #flushed(): void {
    this.#flushing = undefined;
    if (this.#dirty.size > 0 && !this.#isClosed) this.#schedule();
  }

  async #flush(): Promise<void> {
    const sources = [...this.#dirty];
    const idle = this.#idle;
    this.#dirty = new Set();
    this.#idle = [];
    this.#waitingChars = 0;
    const taken = sources.flatMap((source): Taken[] => {
      const change = source.take();
      return change === undefined ? [] : [{ source, change }];
    });
    const lost = taken.length === 0 ? [] : await this.#commit(taken.map(({ change }) => change));
    for (const { source, change } of taken) {
      if (lost === undefined) source.givenUp();
      else if (lost.includes(change.claim.key)) source.lost();
      else source.wrote(change);
    }
    for (const resolve of idle) resolve();
  }

  /** The claims that were lost; undefined where the writer was closed before it could be written. */
  async #commit(changes: readonly Change[]): Promise<readonly string[] | undefined> {
    for (let delayMs = FIRST_RETRY_MS; !this.#isClosed; delayMs = Math.min(2 * delayMs, LAST_RETRY_MS)) {
      try {
        const lost = await this.#database.commit(changes);
        this.#problem = undefined;
        return lost;
      } catch (error) {
        this.#problem = toBatonError(error, "internal");
        this.#failing?.resolve();
        this.#failing = undefined;
        if (this.#isClosing) return undefined;
        await new Promise<void>((resolve) => {
          this.#clock.after(delayMs, resolve);
        });
      }
    }
    return undefined;
  }

  #settle(): void {
    for (const source of this.#dirty) source.givenUp();
    const idle = this.#idle;
    this.#idle = [];
    for (const resolve of idle) resolve();
  }
}
