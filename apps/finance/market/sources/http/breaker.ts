/**
 * Breaker: leaves a source alone while it is down or has asked to be left alone.
 *
 * Open, it lets nothing through until a time; then it is half open and lets one request probe. The probe closes it or
 * opens it again, for longer.
 */

/** Why it is open. */
export type BreakerCause = "failures" | "throttled";

export type BreakerState = "closed" | "open" | "half_open";

/** Whether a request may go, else until when it may not and why. */
export type Passage =
  | { readonly may: true; readonly isProbe: boolean }
  | { readonly may: false; readonly retryAt: number; readonly cause: BreakerCause };

/** When it opens, and for how long: one entry for each time in a row, the last for all later ones. */
export interface SourceBreakerOptions {
  readonly failures: number;
  readonly failureMs: readonly [number, ...number[]];
  readonly throttleMs: readonly [number, ...number[]];
}

export const BREAKER: SourceBreakerOptions = {
  failures: 5,
  failureMs: [10_000, 30_000, 60_000, 300_000],
  throttleMs: [60_000, 3_600_000],
};

/** Times are in ms since 1970. */
export class SourceBreaker {
  readonly #options: SourceBreakerOptions;
  #failures = 0;
  /** Openings in a row. */
  #openings = 0;
  #cause: BreakerCause = "failures";
  #until = 0;
  #isProbing = false;

  constructor(options: SourceBreakerOptions = BREAKER) {
    this.#options = options;
  }

  state(now: number): BreakerState {
    if (this.#openings === 0) return "closed";
    return now < this.#until ? "open" : "half_open";
  }

  /** Until when it is open, if it is. */
  retryAt(now: number): number | undefined {
    return this.state(now) === "open" ? this.#until : undefined;
  }

  /** Asks to let one request pass; each that passes ends with `succeed`, `fail`, `throttle` or `withdraw`. */
  enter(now: number): Passage {
    const state = this.state(now);
    if (state === "closed") return { may: true, isProbe: false };
    if (state === "open" || this.#isProbing)
      return { may: false, retryAt: Math.max(this.#until, now), cause: this.#cause };
    this.#isProbing = true;
    return { may: true, isProbe: true };
  }

  /** The source answered, be it with a refusal. */
  succeed(): void {
    this.#failures = 0;
    this.#openings = 0;
    this.#isProbing = false;
  }

  /** The source did not answer, or failed. */
  fail(now: number): void {
    this.#failures++;
    if (this.#isProbing || this.#failures >= this.#options.failures)
      this.#open("failures", now, this.#options.failureMs);
  }

  /** The source asked to be left alone, until `retryAt` if it said so; gives until when it is. */
  throttle(now: number, retryAt?: number): number {
    this.#open("throttled", now, this.#options.throttleMs);
    if (retryAt !== undefined) this.#until = Math.max(retryAt, now);
    return this.#until;
  }

  /** The request ended without an answer through no fault of the source, such as by an abort. */
  withdraw(): void {
    this.#isProbing = false;
  }

  #open(cause: BreakerCause, now: number, durationsMs: readonly [number, ...number[]]): void {
    // Requests that were under way together report the same trouble once.
    const isNew = this.state(now) !== "open" || this.#cause !== cause;
    if (!isNew) return;
    const [firstMs] = durationsMs;
    const turn = this.#cause === cause ? this.#openings : 0;
    this.#until = now + (durationsMs[Math.min(turn, durationsMs.length - 1)] ?? firstMs);
    this.#openings = turn + 1;
    this.#cause = cause;
    this.#isProbing = false;
  }
}
