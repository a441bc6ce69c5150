/**
 * Log: the append-only events of each run, and the way to follow them.
 *
 * The log gives every event its `seq` and `at`, and shows readers only what is committed. A reader is a cursor and a
 * wake-up: it takes all that is ready at once, so a slow one costs nothing but its own place. `MemoryLog` is the
 * in-memory version.
 */
import { ById } from "./by-id.ts";
import type { Clock } from "./clock.ts";
import type { Fact, RunEvent } from "./event.ts";
import type { Message } from "./message.ts";

/** Where the text of one step comes from; made once a step, so that a delta costs no more than its text. */
export type TextSource = Readonly<{ lane: string; step: string; agent: string }>;

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
  /**
   * Resolves once more than this `seq` is committed, or never will be, after all that is ready now; a run's end may be
   * told at once.
   */
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
  readonly #runs = new ById<RunLog>();
  readonly #clock: Clock;
  readonly #observer: Observer | undefined;

  constructor(clock: Clock, observer?: Observer) {
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

/** Kept as columns, since most runs are never read again: events are objects only while somebody reads them. */
class MemoryRunLog implements RunLog {
  readonly #run: string;
  readonly #clock: Clock;
  readonly #observer: Observer | undefined;
  /** A text stands for its `text.delta`. */
  readonly #items: (Fact | string)[] = [];
  readonly #times: number[] = [];
  /** The lane of a fact, the source of a text. */
  readonly #places: (TextSource | string)[] = [];
  #growing: PromiseWithResolvers<void> | undefined;
  #isWaking = false;
  #isSealed = false;

  constructor(run: string, clock: Clock, observer: Observer | undefined) {
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
    return this.#add(fact, lane);
  }

  appendText(source: TextSource, text: string): void {
    this.#add(text, source);
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
    const { promise } = (this.#growing ??= Promise.withResolvers());
    if (this.#items.length > after || this.#isSealed) this.#wake();
    return promise;
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

  #add(item: Fact | string, place: TextSource | string): number {
    const at = this.#clock.now();
    if (this.#isSealed) return at;
    this.#items.push(item);
    this.#times.push(at);
    this.#places.push(place);
    const event = this.#observer === undefined ? undefined : this.#event(this.#items.length - 1);
    if (event !== undefined) this.#observer?.(event);
    // After the last event there is nothing more to wait for, not even a turn of the event loop.
    if (typeof item === "object" && item.type === "run.ended") this.#tell();
    else this.#wake();
    return at;
  }

  #event(index: number): RunEvent | undefined {
    const item = this.#items[index];
    const place = this.#places[index];
    const at = this.#times[index];
    if (item === undefined || place === undefined || at === undefined) return undefined;
    const run = this.#run;
    const seq = index + 1;
    if (typeof place === "string") return typeof item === "string" ? undefined : { run, seq, at, lane: place, ...item };
    const { lane, step, agent } = place;
    return typeof item === "string" ? { type: "text.delta", run, seq, at, lane, step, agent, text: item } : undefined;
  }

  #wake(): void {
    if (this.#growing === undefined || this.#isWaking) return;
    this.#isWaking = true;
    this.#clock.soon(() => this.#tell());
  }

  #tell(): void {
    this.#growing?.resolve();
    this.#growing = undefined;
    this.#isWaking = false;
  }
}

/** All that is committed of a log. */
export async function readAll(log: RunLog): Promise<readonly RunEvent[]> {
  const events: RunEvent[] = [];
  // One by one: a call takes only so many arguments.
  for (let more = await log.read(0); more.length > 0; more = await log.read(events.length)) {
    for (const event of more) events.push(event);
  }
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
    } finally {
      this.#waiting = undefined;
    }
  }

  async #isPastEnd(): Promise<boolean> {
    const last = (await this.#log.read(this.#log.length - 1))[0];
    return last !== undefined && last.seq <= this.#after && this.#isLast(last);
  }
}
