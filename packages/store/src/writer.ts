/**
 * Writer: everything that all runs have to write, in one transaction once a turn of the event loop has brought nothing more.
 *
 * Text of models waits a few milliseconds for more of it, if something was written just before: tokens come one by one, and
 * each transaction waits for the disk. What cannot be written is retried until it can be; meanwhile nothing is acknowledged,
 * the store is not healthy, and runs wait. Only unacknowledged changes are dropped: the caller may try again.
 */
import { BatonError } from "@baton/core";
import type { Clock } from "@baton/core/ports";
import { toBatonError } from "@baton/core/util";
import type { Database } from "./database.ts";
import type { Change } from "./record.ts";

/** Something that has changes to write now and then. */
export interface WriteSource {
  /** No client was told of what it has to write: it is dropped if it cannot be written now. */
  readonly isUnknown: boolean;
  /** Returns the change to write now; called once for each time it was added. */
  take(): Change | undefined;
  /** The change is on disk. */
  wrote(change: Change): void;
  /** Its claim was lost: nothing of it was written, and nothing will be. */
  lost(): void;
  /** It will not be written: because of this, or the writer was closed. */
  givenUp(why?: BatonError): void;
}

type Timer = ReturnType<Clock["after"]>;

interface Taken {
  readonly source: WriteSource;
  readonly change: Change;
}

/** More than this waits for the disk: runs wait too. */
const MAX_WAITING_CHARS = 8 * 1_024 * 1_024;
/** A write waits for so many turns of the event loop at most while each brings more: many runs then share a transaction. */
const MAX_TURNS = 4;
/** A write that is as large as this waits for nothing more. */
const MAX_GATHERED_CHARS = 256 * 1_024;
/** Time after the last write for which text waits for more. */
const TEXT_MS = 5;
const FIRST_RETRY_MS = 50;
const LAST_RETRY_MS = 1_000;

/** The one writer of a store. */
export class Writer {
  readonly #database: Database;
  readonly #clock: Clock;
  #dirty = new Set<WriteSource>();
  #waitingChars = 0;
  #problem: BatonError | undefined;
  #flushing: Promise<void> | undefined;
  /** The next write: in this turn of the event loop, or when the time of text has come. */
  #next: "now" | Timer | undefined;
  /** More than text waits. */
  #isUrgent = false;
  /** Count of additions that are not text. */
  #added = 0;
  #lastAt = -Infinity;
  #isClosing = false;
  #isClosed = false;
  #idle: (() => void)[] = [];
  /** Told when a try fails. */
  readonly #failing = new Set<() => void>();

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** Why nothing can be written now; undefined while all is well. */
  get problem(): BatonError | undefined {
    return this.#problem;
  }

  /** Asks to be written in this turn of the event loop; `chars` is about how much more it has. */
  add(source: WriteSource, chars: number): void {
    this.#waitingChars += chars;
    this.#dirty.add(source);
    this.#isUrgent = true;
    this.#added++;
    this.#schedule();
  }

  /** Asks to be written soon: what it has is only text of models. */
  addText(source: WriteSource, chars: number): void {
    this.#waitingChars += chars;
    this.#dirty.add(source);
    this.#schedule();
  }

  /** A promise while too much waits or nothing can be written, else undefined. */
  room(): Promise<void> | undefined {
    if (this.#problem === undefined && this.#waitingChars <= MAX_WAITING_CHARS) return undefined;
    return this.idle();
  }

  /** Resolves once all that was added so far is written, or given up, whatever is added meanwhile. */
  idle(): Promise<void> {
    if (this.#dirty.size === 0) return this.#flushing ?? Promise.resolve();
    this.#isUrgent = true;
    this.#schedule();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  /** Resolves once all that was added so far is written or given up, or cannot be written now. */
  async tried(): Promise<void> {
    if (this.#problem !== undefined) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#failing.add(resolve);
    await Promise.race([this.idle(), promise]);
    this.#failing.delete(resolve);
  }

  /** Resolves once something cannot be written; at once where nothing can be now. */
  async failed(): Promise<void> {
    if (this.#problem === undefined) await new Promise<void>((resolve) => this.#failing.add(resolve));
  }

  /** Gives up what cannot be written: it was never acknowledged. */
  async close(): Promise<void> {
    this.#isClosing = true;
    if (this.#problem === undefined) await this.idle();
    this.#isClosed = true;
    await this.#flushing;
    this.#settle();
  }

  /** Arranges the next write, unless one that is early enough is arranged or under way. */
  #schedule(): void {
    if (this.#flushing !== undefined || this.#next === "now") return;
    if (this.#next !== undefined && !this.#isUrgent) return;
    this.#next?.cancel();
    const waitMs = this.#isUrgent ? 0 : this.#lastAt + TEXT_MS - this.#clock.monotonic();
    const write = (): void => {
      this.#next = undefined;
      if (!this.#isClosed && this.#flushing === undefined) this.#flushing = this.#flush().then(() => this.#flushed());
    };
    if (waitMs > 0) this.#next = this.#clock.after(waitMs, write);
    else {
      this.#next = "now";
      this.#gather(write, MAX_TURNS);
    }
  }

  #gather(write: () => void, turns: number): void {
    const added = this.#added;
    this.#clock.soon(() => {
      if (this.#added === added || turns === 1 || this.#waitingChars > MAX_GATHERED_CHARS) write();
      else this.#gather(write, turns - 1);
    });
  }

  #flushed(): void {
    this.#flushing = undefined;
    this.#lastAt = this.#clock.monotonic();
    if (this.#dirty.size > 0 && !this.#isClosed) this.#schedule();
  }

  async #flush(): Promise<void> {
    const sources = [...this.#dirty];
    this.#isUrgent = false;
    const idle = this.#idle;
    this.#dirty = new Set();
    this.#idle = [];
    this.#waitingChars = 0;
    const taken = sources.flatMap((source): Taken[] => {
      const change = source.take();
      return change === undefined ? [] : [{ source, change }];
    });
    if (taken.length > 0) await this.#commit(taken);
    for (const resolve of idle) resolve();
  }

  /** Writes it, or what is left of it, as soon as that can be done; or gives it up where the writer is closed first. */
  async #commit(taken: readonly Taken[]): Promise<void> {
    let left = taken;
    for (let delayMs = FIRST_RETRY_MS; !this.#isClosed; delayMs = Math.min(2 * delayMs, LAST_RETRY_MS)) {
      try {
        const lost = await this.#database.commit(left.map(({ change }) => change));
        this.#problem = undefined;
        return tell(left, lost);
      } catch (error) {
        const problem = toBatonError(error, "internal");
        this.#problem = problem;
        for (const told of this.#failing) told();
        this.#failing.clear();
        if (this.#isClosing) break;
        left = left.filter(({ source }) => !isGivenUp(source, problem));
        for (const source of this.#dirty) isGivenUp(source, problem);
        await new Promise<void>((resolve) => {
          this.#clock.after(delayMs, resolve);
        });
      }
    }
    for (const { source } of left) source.givenUp();
  }

  #settle(): void {
    for (const source of this.#dirty) source.givenUp();
    const idle = this.#idle;
    this.#idle = [];
    for (const resolve of idle) resolve();
  }
}

function tell(taken: readonly Taken[], lost: readonly string[]): void {
  for (const { source, change } of taken) {
    if (lost.includes(change.claim.key)) source.lost();
    else source.wrote(change);
  }
}

/** Drops a change that was not acknowledged to a client. */
function isGivenUp(source: WriteSource, problem: BatonError): boolean {
  const { isUnknown } = source;
  if (isUnknown) source.givenUp(problem);
  return isUnknown;
}
