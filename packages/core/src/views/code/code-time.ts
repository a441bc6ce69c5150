/**
 * Code time: how long code has worked between two pauses. Time in which it only waits for people does not count.
 */
import type { Clock } from "../../lifetimes/clock.ts";

/** Counts while something of one code runs. */
export class CodeTime {
  readonly limit = { what: "the code", setting: "code_timeout_seconds" };
  readonly timeoutMs: number;
  readonly #clock: Clock;
  #running = 0;
  #since = 0;
  #spentMs = 0;

  constructor(clock: Clock, timeoutMs: number) {
    this.#clock = clock;
    this.timeoutMs = timeoutMs;
  }

  /** Number of pieces of work that run now. */
  get running(): number {
    return this.#running;
  }

  set running(count: number) {
    const now = this.#clock.monotonic();
    if (this.#running > 0) this.#spentMs += now - this.#since;
    this.#since = now;
    this.#running = count;
  }

  /** When its time is over, if it works without a pause from now on. */
  get deadlineAt(): number {
    const now = this.#clock.monotonic();
    return now + this.timeoutMs - this.#spentMs - (this.#running > 0 ? now - this.#since : 0);
  }
}
