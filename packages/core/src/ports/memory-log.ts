/**
 * Memory log: the logs of runs in this process, kept until `forget` is called.
 */
import { IdMap } from "../lifetimes/id-map.ts";
import type { Clock } from "../lifetimes/clock.ts";
import type { EventBody, RunEvent } from "../words/event.ts";
import type { Log, Observer, RunLog, TextSource } from "./log.ts";

/** Keeps everything in memory, until `forget` is called. */
export class MemoryLog implements Log {
  readonly #runs = new IdMap<RunLog>();
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

/** Kept as columns, since most runs are never read again: events become objects only when they are read. */
class MemoryRunLog implements RunLog {
  readonly #run: string;
  readonly #clock: Clock;
  readonly #observer: Observer | undefined;
  /** A plain text is a `text.delta`. */
  readonly #items: (EventBody | string)[] = [];
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

  append(fact: EventBody, lane: string): number {
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

  #add(item: EventBody | string, place: TextSource | string): number {
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
