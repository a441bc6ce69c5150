/**
 * Hasty clock: short waits are over at once and time jumps by them; long ones, which are limits, never end.
 *
 * For tests that talk to a server on this machine, where simulated time would run ahead of the answers.
 */
import type { Clock } from "@baton/core/ports";

const LONG_MS = 5_000;

/** When the fakes' answers were kept: a Thursday afternoon in New York. */
export const NOW = Date.parse("2026-03-05T20:30:00Z");

/** A clock that remembers how long it was waited for. */
export class SkipShortWaitsClock implements Clock {
  /** Every short wait in ms, in the order they began. */
  readonly waits: number[] = [];
  readonly #startMs: number;
  #elapsedMs = 0;
  #seed = 0.5;

  constructor(startMs: number = NOW) {
    this.#startMs = startMs;
  }

  now(): number {
    return this.#startMs + Math.floor(this.#elapsedMs);
  }

  monotonic(): number {
    return this.#elapsedMs;
  }

  after(delayMs: number, run: () => void): { cancel(): void } {
    if (delayMs >= LONG_MS) return { cancel: () => undefined };
    this.waits.push(delayMs);
    const at = this.#elapsedMs + delayMs;
    const soon = setImmediate(() => {
      this.#elapsedMs = Math.max(this.#elapsedMs, at);
      run();
    });
    return { cancel: () => clearImmediate(soon) };
  }

  soon(run: () => void): void {
    setImmediate(run);
  }

  breathe(): undefined {
    return undefined;
  }

  random(): number {
    this.#seed = (this.#seed * 997 + 0.123) % 1;
    return this.#seed;
  }
}
