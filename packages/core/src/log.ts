/**
 * Log: the append-only events of each run, and the way to follow them.
 *
 * The log gives every event its `seq` and `at`, and shows readers only what is committed. A reader is a cursor
 * and a wake-up: it takes all that is ready at once, so a slow one costs nothing but its own place.
 * Reads: clock, event. Read by: host, engine. `MemoryLog` is the in-memory version.
 */
import type { Clock } from "./clock.ts";
import type { Fact, RunEvent } from "./event.ts";
import type { Message } from "./message.ts";

/** Where the text of one step comes from; made once a step, so that a delta costs no more than its text. */
export interface TextSource {
  readonly lane: string;
  readonly step: string;
  readonly agent: string;
}

/** The log of one run, with one writer. */
export interface RunLog {
  /** How many events have been appended, the `seq` of the last one. */
  readonly length: number;
  /** Adds a fact and returns its time. It is readable once committed. */
  append(fact: Fact, lane: string): number;
  /** Adds a `text.delta`. */
  appendText(source: TextSource, text: string): void;
  /** A promise where what was appended is not on disk yet, else undefined. */
  committed(): Promise<void> | undefined;
  /** The next committed events with a higher `seq`; none only where there are none. */
  read(after: number): readonly RunEvent[] | Promise<readonly RunEvent[]>;
  /** Resolves once something beyond this `seq` is committed, or never will be; after everything that is ready now. */
  grown(after: number): Promise<void>;
  /** A promise where so much waits for the disk that the run should wait too, else undefined. */
  room(): Promise<void> | undefined;
  /** What has been said so far, to be kept with the next event by a log that keeps conversations. */
  remember(history: readonly Message[]): void;
  /** From here on nothing is added, whoever tries. */
  seal(): void;
  readonly isSealed: boolean;
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
  readonly #runs = new Map<string, RunLog>();
  readonly #clock: Clock;
  readonly #observer: () => Observer | undefined;

  /** `observer` is asked at each event who wants to see it now. */
  constructor(clock: Clock, observer: () => Observer | undefined = () => undefined) {
    this.#clock = clock;
    this.#observer = observer;
  }

  open(run: string): RunLog {
    const known = this.#runs.get(run);
    if (known !== undefined) return known;
    const made = new MemoryRunLog(run, this.#clock, this.#observer);
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

/** Nine events of ten are text: kept as columns, they are objects only while somebody reads them. */
class MemoryRunLog implements RunLog {
  readonly #run: string;
  readonly #clock: Clock;
  readonly #observer: () => Observer | undefined;
  readonly #items: (RunEvent | string)[] = [];
  /** Of texts; anything for events, which have their own. */
  readonly #times: number[] = [];
  readonly #sources: (TextSource | undefined)[] = [];
  #wakes: (() => void)[] = [];
  #isSealed = false;

  constructor(run: string, clock: Clock, observer: () => Observer | undefined) {
    this.#run = run;
    this.#clock = clock;
    this.#observer = observer;
  }

  get length(): number {
    return this.#items.length;
  }

  get isSealed(): boolean {
    return this.#isSealed;
  }

  append(fact: Fact, lane: string): number {
    const at = this.#clock.now();
    if (this.#isSealed) return at;
    this.#items.push({ run: this.#run, seq: this.#items.length + 1, at, lane, ...fact });
    this.#added(at, undefined);
    return at;
  }

  appendText(source: TextSource, text: string): void {
    if (this.#isSealed) return;
    this.#items.push(text);
    this.#added(this.#clock.now(), source);
  }

  committed(): undefined {
    return undefined;
  }

  read(after: number): readonly RunEvent[] {
    const events: RunEvent[] = [];
    for (let index = after; index < this.#items.length; index++) {
      const event = this.#event(index);
      if (event !== undefined) events.push(event);
    }
    return events;
  }

  grown(after: number): Promise<void> {
    return new Promise((resolve) => {
      this.#wakes.push(resolve);
      if (this.#items.length > after || this.#isSealed) this.#wake();
    });
  }

  room(): undefined {
    return undefined;
  }

  /** There are no conversations here, only runs. */
  remember(): void {}

  seal(): void {
    this.#isSealed = true;
    this.#wake();
  }

  #added(at: number, source: TextSource | undefined): void {
    this.#times.push(at);
    this.#sources.push(source);
    const observe = this.#observer();
    const event = observe === undefined ? undefined : this.#event(this.#items.length - 1);
    if (event !== undefined) observe?.(event);
    if (this.#wakes.length > 0) this.#wake();
  }

  #event(index: number): RunEvent | undefined {
    const item = this.#items[index];
    if (typeof item !== "string") return item;
    const source = this.#sources[index];
    const at = this.#times[index];
    if (source === undefined || at === undefined) return undefined;
    const { lane, step, agent } = source;
    return { type: "text.delta", run: this.#run, seq: index + 1, at, lane, step, agent, text: item };
  }

  #wake(): void {
    const wakes = this.#wakes;
    this.#wakes = [];
    this.#clock.soon(() => {
      for (const wake of wakes) wake();
    });
  }
}

/** All that is committed of a log. */
export async function readAll(log: RunLog): Promise<readonly RunEvent[]> {
  const events: RunEvent[] = [];
  for (let more = await log.read(0); more.length > 0; more = await log.read(events.length)) events.push(...more);
  return events;
}

/** Reads a log from a place on, live, up to the event that `isLast`. */
export class Follower implements AsyncIterableIterator<RunEvent> {
  readonly #log: RunLog;
  readonly #isLast: (event: RunEvent) => boolean;
  #ready: readonly RunEvent[] = [];
  #index = 0;
  #after: number;
  #waiting: Promise<IteratorResult<RunEvent, undefined>> | undefined;
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
    // Who asks while another waits comes after it.
    if (this.#waiting !== undefined) return this.#waiting.then(() => this.next());
    const event = this.#ready[this.#index];
    if (event === undefined || this.#done) {
      this.#waiting = this.#wait().finally(() => (this.#waiting = undefined));
      return this.#waiting;
    }
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
    for (let isFirst = this.#ready.length === 0; !this.#done; isFirst = false) {
      // Once it has caught up it lets the writer go ahead: else the two go in step, and it reads event by event.
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
  }

  async #isPastEnd(): Promise<boolean> {
    const last = (await this.#log.read(this.#log.length - 1))[0];
    return last !== undefined && last.seq <= this.#after && this.#isLast(last);
  }
}
