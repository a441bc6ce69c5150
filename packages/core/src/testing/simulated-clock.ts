/**
 * Simulated clock: time that passes only when everything waits for it, and chance that comes from a seed.
 *
 * The same seed gives the same run. `run` drives: it lets all that is ready happen, then jumps to the next timer.
 * What is driven may wait for nothing outside of this clock, for time would jump ahead of it.
 */
import { type Clock, type Timer, TimerHeap } from "../lifetimes/clock.ts";
import { BatonError } from "../words/error.ts";

const START_MS = Date.UTC(2025, 0, 1);

/** A clock whose hours pass in milliseconds. */
export class SimulatedClock implements Clock {
  readonly #heap = new TimerHeap(() => undefined);
  #soon: (() => void)[] = [];
  #elapsedMs = 0;
  #seed: number;

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** Timers neither fired nor cancelled. */
  get pending(): number {
    return this.#heap.live;
  }

  now(): number {
    return START_MS + Math.floor(this.#elapsedMs);
  }

  monotonic(): number {
    return this.#elapsedMs;
  }

  after(delayMs: number, run: () => void): Timer {
    return this.#heap.add(this.#elapsedMs + Math.max(0, delayMs), run);
  }

  soon(run: () => void): void {
    this.#soon.push(run);
  }

  breathe(): undefined {
    return undefined;
  }

  /** A Weyl sequence, well mixed: 32 bits of state are enough for tests. */
  random(): number {
    this.#seed = (this.#seed + 0x9e3779b9) | 0;
    let bits = this.#seed;
    bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
    bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
    return ((bits ^ (bits >>> 16)) >>> 0) / 2 ** 32;
  }

  /** Lets time pass until `work` settles; throws where it waits for something that will never happen. */
  async run<T>(work: Promise<T>): Promise<T> {
    let settled = false;
    const settle = () => {
      settled = true;
    };
    work.then(settle, settle);
    for (;;) {
      await idle();
      if (settled) return work;
      if (!this.#step(Infinity)) {
        throw new BatonError("internal", `after ${this.#elapsedMs} ms the work waits for something that never happens`);
      }
    }
  }

  /** Lets that much time pass, and everything that is due in it happen. */
  async advance(durationMs: number): Promise<void> {
    const until = this.#elapsedMs + durationMs;
    do await idle();
    while (this.#step(until));
    this.#elapsedMs = until;
  }

  /** Does what is to happen next, all that is due at that instant; false where there is nothing until then. */
  #step(until: number): boolean {
    if (this.#soon.length > 0) {
      const soon = this.#soon;
      this.#soon = [];
      for (const run of soon) run();
      return true;
    }
    const at = this.#heap.nextAt();
    if (at === Infinity || at > until) return false;
    this.#elapsedMs = Math.max(at, this.#elapsedMs);
    this.#heap.fire(at);
    return true;
  }
}

/** Resolves once every promise that is ready has had its turn. */
function idle(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
