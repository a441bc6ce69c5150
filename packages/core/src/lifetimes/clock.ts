/**
 * Clock: the only place where core meets time, timers, chance and the event loop.
 *
 * Timers share one heap and one timeout of the platform, which is not left armed without a timer. `now` is read once
 * per turn of the event loop; deadlines use `monotonic`. `@baton/core/testing` has one with simulated time.
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
  /** A promise to wait for if work has held the event loop for long, else undefined. */
  breathe(): Promise<void> | undefined;
  /** At least 0, below 1. */
  random(): number;
  /** The clock behind one that can stand still. */
  readonly real?: Clock;
}

/** The longest time that work may hold the event loop before it must let other work run. */
const HOLD_MS = 8;

/** The longest delay the platform's timeout takes. */
const MAX_DELAY_MS = 2 ** 31 - 1;

class HeapTimer implements Timer {
  readonly at: number;
  order = 0;
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

  isBefore(other: HeapTimer): boolean {
    return this.at < other.at || (this.at === other.at && this.order < other.order);
  }
}

/** Timers by time, first in first out among equals; cancelled ones stay until they come up or are too many. */
export class TimerHeap {
  /** Number of timers that are neither fired nor cancelled. */
  live = 0;
  #timers: HeapTimer[] = [];
  #order = 0;
  readonly #changed: () => void;

  /** `changed` is called when there is an earlier timer than before, or none any more. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  add(at: number, run: () => void): Timer {
    const timer = new HeapTimer(this, at, run);
    timer.order = this.#order++;
    this.live++;
    this.#push(timer);
    if (this.#timers[0] === timer) this.#changed();
    return timer;
  }

  /** When the next timer is due. */
  nextAt(): number {
    let first = this.#timers[0];
    while (first !== undefined && first.run === undefined) first = this.#pop();
    return first?.at ?? Infinity;
  }

  /** Runs all that is due by `now`, the earliest first. */
  fire(now: number): void {
    while (this.live > 0 && this.nextAt() <= now) {
      const run = this.#timers[0]?.run;
      this.#timers[0]?.cancel();
      run?.();
    }
  }

  cancelled(): void {
    this.live--;
    if (this.live === 0) {
      this.#timers = [];
      this.#changed();
    } else if (this.#timers.length > 64 && this.live * 4 < this.#timers.length) {
      const kept = this.#timers.filter(({ run }) => run !== undefined);
      this.#timers = [];
      for (const timer of kept) this.#push(timer);
    }
  }

  #push(timer: HeapTimer): void {
    let index = this.#timers.length;
    while (index > 0) {
      const above = (index - 1) >> 1;
      const parent = this.#timers[above];
      if (parent === undefined || parent.isBefore(timer)) break;
      this.#timers[index] = parent;
      index = above;
    }
    this.#timers[index] = timer;
  }

  /** Takes the first out and gives the one that is first now. */
  #pop(): HeapTimer | undefined {
    const timers = this.#timers;
    const last = timers.pop();
    if (last === undefined || timers.length === 0) return undefined;
    let index = 0;
    for (let below = 1; ; below = 2 * index + 1) {
      const left = timers[below];
      const right = timers[below + 1];
      const least = left !== undefined && right?.isBefore(left) === true ? right : left;
      if (least === undefined || last.isBefore(least)) break;
      timers[index] = least;
      index = least === right ? below + 1 : below;
    }
    timers[index] = last;
    return timers[0];
  }
}

/** The machine's own clock. */
export class SystemClock implements Clock {
  readonly monotonic = () => performance.now();
  readonly random = Math.random;
  readonly soon: (run: () => void) => void = setImmediate;
  readonly #timers = new TimerHeap(() => this.#arm());
  #armed: NodeJS.Timeout | undefined;
  #armedAt = Infinity;
  #now = 0;
  #turnBegan = 0;

  now(): number {
    if (this.#now === 0) this.#readTime();
    return this.#now;
  }

  after(delayMs: number, run: () => void): Timer {
    return this.#timers.add(performance.now() + Math.max(0, delayMs), run);
  }

  breathe(): Promise<void> | undefined {
    this.now();
    if (performance.now() - this.#turnBegan < HOLD_MS) return undefined;
    // All waiters would continue in the same turn of the event loop, so each checks again.
    return new Promise((resolve) => setImmediate(() => resolve(this.breathe())));
  }

  #readTime(): void {
    this.#now = Date.now();
    this.#turnBegan = performance.now();
    setImmediate(() => {
      this.#now = 0;
    });
  }

  #arm(): void {
    const at = this.#timers.nextAt();
    // A timeout nobody waits for may stay, as long as it does not keep the process alive: setting one is expensive.
    if (at === Infinity) this.#armed?.unref();
    else if (at >= this.#armedAt) this.#armed?.ref();
    else {
      clearTimeout(this.#armed);
      this.#armedAt = at;
      const delayMs = Math.min(Math.max(0, Math.ceil(at - performance.now())), MAX_DELAY_MS);
      this.#armed = setTimeout(() => this.#fire(), delayMs);
    }
  }

  #fire(): void {
    this.#armedAt = Infinity;
    try {
      // The time is read once: a timer that sets the next one for at once must not hold the event loop.
      this.#timers.fire(performance.now());
    } finally {
      this.#arm();
    }
  }
}
