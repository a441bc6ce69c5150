/**
 * Log: the append-only events of each run, and the way to follow them.
 *
 * The log gives every event its `seq` and `at`, and shows readers only what is committed. A reader is a cursor
 * and a wake-up: it takes all that is ready at once, so a slow one costs nothing but its own place.
 * Reads: clock, event. Read by: host, engine. `MemoryLog` is the in-memory version.
 */
import type { Clock } from "./clock.ts";
import type { Fact, RunEvent } from "./event.ts";

/** The log of one run, with one writer. */
export interface RunLog {
  /** How many events have been appended, the `seq` of the last one. */
  readonly length: number;
  /** Adds a fact and returns its time. It is readable once committed. */
  append(fact: Fact, lane: string): number;
  /** A promise where what was appended is not on disk yet, else undefined. */
  committed(): Promise<void> | undefined;
  /** Committed events with a higher `seq`. */
  read(after: number): readonly RunEvent[] | Promise<readonly RunEvent[]>;
  /** A promise to wait for where nothing is committed beyond this `seq` yet, else undefined. */
  grown(after: number): Promise<void> | undefined;
}

/** The logs of all runs. */
export interface Log {
  /** The run's log, made if there is none. */
  open(run: string): RunLog;
  find(run: string): RunLog | undefined;
  forget(run: string): void;
}

/** Sees every committed event, at once and in order; must not throw. */
export type Observer = (event: RunEvent) => void;

/** Keeps everything in memory, until it is told to forget. */
export class MemoryLog implements Log {
  readonly #runs = new Map<string, MemoryRunLog>();
  readonly #clock: Clock;
  readonly #observe: Observer | undefined;

  constructor(clock: Clock, observe?: Observer) {
    this.#clock = clock;
    this.#observe = observe;
  }

  get size(): number {
    return this.#runs.size;
  }

  open(run: string): RunLog {
    const known = this.#runs.get(run);
    if (known !== undefined) return known;
    const made = new MemoryRunLog(run, this.#clock, this.#observe);
    this.#runs.set(run, made);
    return made;
  }

  find(run: string): RunLog | undefined {
    return this.#runs.get(run);
  }

  forget(run: string): void {
    this.#runs.delete(run);
  }
}

class MemoryRunLog implements RunLog {
  readonly #run: string;
  readonly #clock: Clock;
  readonly #observe: Observer | undefined;
  readonly #events: RunEvent[] = [];
  #wakes: (() => void)[] = [];

  constructor(run: string, clock: Clock, observe: Observer | undefined) {
    this.#run = run;
    this.#clock = clock;
    this.#observe = observe;
  }

  get length(): number {
    return this.#events.length;
  }

  append(fact: Fact, lane: string): number {
    const at = this.#clock.now();
    const event = this.#stamp(fact, lane, at);
    this.#events.push(event);
    if (this.#observe !== undefined) this.#observe(event);
    if (this.#wakes.length > 0) this.#wake();
    return at;
  }

  committed(): undefined {
    return undefined;
  }

  read(after: number): readonly RunEvent[] {
    return this.#events.slice(after);
  }

  grown(after: number): Promise<void> | undefined {
    if (this.#events.length > after) return undefined;
    return new Promise((resolve) => {
      this.#wakes.push(resolve);
    });
  }

  /** The most frequent are written out: a literal takes a third of a spread's time. */
  #stamp(fact: Fact, lane: string, at: number): RunEvent {
    const seq = this.#events.length + 1;
    const run = this.#run;
    switch (fact.type) {
      case "text.delta":
        return { type: fact.type, run, seq, at, lane, step: fact.step, agent: fact.agent, text: fact.text };
      case "call.started": {
        const { type, call, agent, tool, args, effect } = fact;
        return { type, run, seq, at, lane, call, agent, tool, args, effect };
      }
      default:
        return { ...fact, run, seq, at, lane };
    }
  }

  #wake(): void {
    const wakes = this.#wakes;
    this.#wakes = [];
    this.#clock.soon(() => {
      for (const wake of wakes) wake();
    });
  }
}

/** Reads a log from a place on, live, up to the event that `isLast`. */
export class Follower implements AsyncIterableIterator<RunEvent> {
  readonly #log: RunLog;
  readonly #isLast: (event: RunEvent) => boolean;
  #ready: readonly RunEvent[] = [];
  #index = 0;
  #after: number;
  #done = false;

  constructor(log: RunLog, after: number, isLast: (event: RunEvent) => boolean) {
    this.#log = log;
    this.#after = after;
    this.#isLast = isLast;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<RunEvent, undefined>> {
    const event = this.#ready[this.#index];
    if (event === undefined || this.#done) return this.#wait();
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
    while (!this.#done) {
      const ready = await this.#log.read(this.#after);
      const first = ready[0];
      if (first !== undefined) {
        this.#ready = ready;
        this.#index = 1;
        return this.#give(first);
      }
      await this.#log.grown(this.#after);
    }
    return { done: true, value: undefined };
  }
}
