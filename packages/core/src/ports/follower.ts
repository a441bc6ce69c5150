/**
 * Follower: reads a log from a place on, live.
 *
 * A reader is a cursor and a wake-up: it takes all that is ready at once, so a slow one costs only its own place.
 */
import type { RunEvent } from "../words/event.ts";
import type { RunLog } from "./log.ts";

/** The part of a log that a reader needs, whether this process writes the log or not. */
export type ReadableLog = Pick<RunLog, "grown" | "isSealed" | "length" | "read">;

/** All that is committed of a log; its beginning may be known. */
export async function readLog(log: ReadableLog, known: readonly RunEvent[] = []): Promise<readonly RunEvent[]> {
  const events = [...known];
  // One by one: a call takes only so many arguments.
  for (let more = await log.read(events.length); more.length > 0; more = await log.read(events.length)) {
    for (const event of more) events.push(event);
  }
  return events;
}

/** Reads a log from a place on, live, up to the event that `isLast`. */
export class Follower implements AsyncIterableIterator<RunEvent> {
  readonly #log: ReadableLog;
  readonly #isLast: (event: RunEvent) => boolean;
  #ready: readonly RunEvent[] = [];
  #index = 0;
  #after: number;
  #waiting: Promise<IteratorResult<RunEvent, undefined>> | undefined;
  #done = false;

  constructor(log: ReadableLog, after: number, isLast: (event: RunEvent) => boolean) {
    this.#log = log;
    this.#after = after;
    this.#isLast = isLast;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<RunEvent, undefined>> {
    // Reads are served one after another, in the order they were asked for.
    if (this.#waiting !== undefined) return this.#waiting.then(() => this.next());
    if (this.#done) return Promise.resolve({ done: true, value: undefined });
    const event = this.#ready[this.#index];
    if (event === undefined) return (this.#waiting = this.#wait());
    this.#index++;
    return Promise.resolve(this.#give(event));
  }

  return(): Promise<IteratorResult<RunEvent, undefined>> {
    this.#done = true;
    this.#ready = [];
    return Promise.resolve({ done: true, value: undefined });
  }

  #give(event: RunEvent): IteratorResult<RunEvent, undefined> {
    this.#after = event.seq;
    if (this.#isLast(event)) this.#done = true;
    return { done: false, value: event };
  }

  async #wait(): Promise<IteratorResult<RunEvent, undefined>> {
    try {
      for (let isFirst = this.#ready.length === 0; !this.#done; isFirst = false) {
        // After catching up it lets the writer run first; otherwise it would read event by event.
        if (!isFirst) await this.#log.grown(this.#after);
        const ready = await this.#log.read(this.#after);
        const first = ready[0];
        if (first !== undefined) {
          this.#ready = ready;
          this.#index = 1;
          return this.#give(first);
        }
        this.#done = this.#log.isSealed || (await this.#isPastEnd());
      }
      return { done: true, value: undefined };
    } finally {
      this.#waiting = undefined;
    }
  }

  async #isPastEnd(): Promise<boolean> {
    if (this.#log.length === 0) return false;
    const last = (await this.#log.read(this.#log.length - 1))[0];
    return last !== undefined && last.seq <= this.#after && this.#isLast(last);
  }
}
