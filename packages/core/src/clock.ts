/**
 * Clock: the only place where core meets time, timers, chance and the event loop.
 *
 * Timers share one heap and one timeout of the platform; a cancelled one is deleted lazily, and none is left
 * armed when nobody waits. `now` is read once per turn of the event loop; deadlines use `monotonic`.
 * Reads: nothing. Read by: scope, host, log, engine. `@baton/core/testing` has one with simulated time.
 */

/** Something that will happen, unless it is cancelled first. */
export interface Timer {
  cancel(): void;
}

/** Where time comes from. */
export interface Clock {
  /** Milliseconds since 1970, the same during one turn of the event loop. */
  now(): number;
  /** Milliseconds from some start, exact, never going back. */
  monotonic(): number;
  after(delayMs: number, run: () => void): Timer;
  /** Runs after everything that is ready now. */
  soon(run: () => void): void;
  /** A promise to wait for where work has held the event loop for long, else undefined. */
  breathe(): Promise<void> | undefined;
  /** At least 0, below 1. */
  random(): number;
  /** Timers neither fired nor cancelled. */
  readonly pending: number;
}

/** How long work may hold the event loop before it must let others in. */
const HOLD_MS = 8;

/** The longest delay the platform's timeout takes. */
const MAX_DELAY_MS = 2_147_483_647;

class HeapTimer implements Timer {
  readonly at: number;
  run: (() => void) | undefined;
  readonly #heap: TimerHeap;
  constructor(heap: TimerHeap, at: number, run: () => void) {
    this.#heap = heap;
    this.at = at;
    this.run = run;
  }
  cancel(): void {
    if (this.run === undefined) return;
    this.run = undefined;
    this.#heap.cancelled();
  }
}

/** Timers by time, first in first out among equals; cancelled ones stay until they come up or are too many. */
export class TimerHeap {
  #entries: { readonly timer: HeapTimer; readonly order: number }[] = [];
  #order = 0;
  #live = 0;
  readonly #changed: () => void;

  /** `changed` is called when the earliest timer may be another one. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  get live(): number {
    return this.#live;
  }

  add(at: number, run: () => void): Timer {
    const timer = new HeapTimer(this, at, run);
    this.#live++;
    this.#push({ timer, order: this.#order++ });
    if (this.#entries[0]?.timer === timer) this.#changed();
    return timer;
  }

  /** When the next timer is due; undefined where there is none. */
  nextAt(): number | undefined {
    if (this.#live === 0) return undefined;
    while (this.#entries[0]?.timer.run === undefined) this.#pop();
    return this.#entries[0].timer.at;
  }

  /** Takes the earliest timer due by `now` and gives what it runs. */
  take(now: number): (() => void) | undefined {
    const at = this.nextAt();
    if (at === undefined || at > now) return undefined;
    const timer = this.#pop();
    const run = timer?.run;
    if (timer !== undefined) timer.run = undefined;
    this.#live--;
    if (this.#live === 0) this.#entries = [];
    return run;
  }

  cancelled(): void {
    this.#live--;
    if (this.#live === 0) this.#entries = [];
    else if (this.#entries.length > 64 && this.#live * 4 < this.#entries.length) this.#compact();
    if (this.#live === 0) this.#changed();
  }

  #compact(): void {
    const kept = this.#entries.filter(({ timer }) => timer.run !== undefined);
    this.#entries = [];
    for (const entry of kept) this.#push(entry);
  }

  #push(entry: { readonly timer: HeapTimer; readonly order: number }): void {
    const entries = this.#entries;
    let index = entries.length;
    entries.push(entry);
    while (index > 0) {
      const above = (index - 1) >> 1;
      const parent = entries[above];
      if (parent === undefined || !isBefore(entry, parent)) break;
      entries[index] = parent;
      index = above;
    }
    entries[index] = entry;
  }

  #pop(): HeapTimer | undefined {
    const entries = this.#entries;
    const top = entries[0];
    const last = entries.pop();
    if (top === undefined || last === undefined || entries.length === 0) return top?.timer;
    let index = 0;
    for (;;) {
      let below = 2 * index + 1;
      const left = entries[below];
      if (left === undefined) break;
      const right = entries[below + 1];
      const least = right !== undefined && isBefore(right, left) ? right : left;
      if (least === right) below++;
      if (!isBefore(least, last)) break;
      entries[index] = least;
      index = below;
    }
    entries[index] = last;
    return top.timer;
  }
}

interface Ordered {
  readonly timer: { readonly at: number };
  readonly order: number;
}

const isBefore = (a: Ordered, b: Ordered): boolean =>
  a.timer.at < b.timer.at || (a.timer.at === b.timer.at && a.order < b.order);

/** The machine's own clock. */
export class SystemClock implements Clock {
  readonly #heap = new TimerHeap(() => this.#arm());
  #armed: NodeJS.Timeout | undefined;
  #armedAt = Infinity;
  #now = 0;
  #turnBegan = 0;

  get pending(): number {
    return this.#heap.live;
  }

  now(): number {
    if (this.#now === 0) this.#readTime();
    return this.#now;
  }

  monotonic(): number {
    return performance.now();
  }

  after(delayMs: number, run: () => void): Timer {
    return this.#heap.add(performance.now() + Math.max(0, delayMs), run);
  }

  soon(run: () => void): void {
    setImmediate(run);
  }

  breathe(): Promise<void> | undefined {
    if (!this.#isHeld()) return undefined;
    return new Promise((resolve) => {
      // All that wait would go on in the same turn of the event loop, so each looks again.
      const look = () => {
        if (this.#isHeld()) setImmediate(look);
        else resolve();
      };
      setImmediate(look);
    });
  }

  random(): number {
    return Math.random();
  }

  #isHeld(): boolean {
    if (this.#now === 0) this.#readTime();
    return performance.now() - this.#turnBegan >= HOLD_MS;
  }

  #readTime(): void {
    this.#now = Date.now();
    this.#turnBegan = performance.now();
    setImmediate(() => {
      this.#now = 0;
    });
  }

  #arm(): void {
    const at = this.#heap.nextAt();
    // A timeout nobody waits for may stay, as long as it does not keep the process alive: setting one is dear.
    if (at === undefined) this.#armed?.unref();
    else if (at >= this.#armedAt) this.#armed?.ref();
    if (at === undefined || at >= this.#armedAt) return;
    clearTimeout(this.#armed);
    this.#armedAt = at;
    const delayMs = Math.min(Math.max(0, Math.ceil(at - performance.now())), MAX_DELAY_MS);
    this.#armed = setTimeout(() => this.#fire(), delayMs);
  }

  #fire(): void {
    this.#armedAt = Infinity;
    // Read once: a timer that sets the next one for at once must not hold the event loop.
    const now = performance.now();
    try {
      for (let run = this.#heap.take(now); run !== undefined; run = this.#heap.take(now)) run();
    } finally {
      this.#arm();
    }
  }
}
