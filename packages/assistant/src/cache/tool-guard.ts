/**
 * Tool guard: leaves a failing tool alone for a while, and keeps to a rate.
 *
 * The breaker opens after so many failures in a row; then one call goes through to see, and its fate decides. Only
 * trouble on the other side counts: arguments that do not fit say nothing of its health.
 */
import { ToolError } from "@baton/core";
import type { Clock, Scope } from "@baton/core/ports";
import { toToolFailure } from "@baton/core/util";

/** When a tool is not called any more: its circuit breaker. */
export interface BreakerOptions {
  /** Failures in a row that open it. */
  readonly failures: number;
  readonly openMs: number;
}

/** The rate limit of a tool; after a pause a minute's worth may come at once. */
export type RateOptions = Readonly<{ perMinute: number }>;

/** The result of a run for the breaker: `none` if it says nothing of the other side, such as one that was cancelled. */
export type Verdict = "well" | "trouble" | "none";

/** Whether an error is trouble on the other side, which may pass. */
export function isTrouble(thrown: unknown): boolean {
  const { kind } = toToolFailure(thrown);
  return kind === "timeout" || kind === "network" || kind === "temporary";
}

/** The error of a call that was refused and not tried. Trying again at once cannot help, so it is not `temporary`. */
export class RefusedError extends ToolError {
  constructor(message: string) {
    super("permanent", message, { isUnstarted: true });
  }
}

/** The circuit breaker of one tool. */
export class ToolBreaker {
  readonly #tool: string;
  readonly #options: BreakerOptions;
  #failures = 0;
  #openUntil = 0;
  #isProbing = false;

  constructor(tool: string, options: BreakerOptions) {
    this.#tool = tool;
    this.#options = options;
  }

  /** Permission to run; the caller reports the outcome with the function it gets. Throws if the circuit breaker is open. */
  enter(clock: Clock): (verdict: Verdict) => void {
    if (this.#failures < this.#options.failures) return (verdict) => this.#leave(verdict, clock);
    if (this.#isProbing || clock.now() < this.#openUntil) throw this.#refuse(clock);
    this.#isProbing = true;
    return (verdict) => {
      this.#isProbing = false;
      this.#leave(verdict, clock);
    };
  }

  #leave(verdict: Verdict, clock: Clock): void {
    if (verdict === "well") this.#failures = 0;
    if (verdict !== "trouble") return;
    this.#failures += 1;
    if (this.#failures >= this.#options.failures) this.#openUntil = clock.now() + this.#options.openMs;
  }

  #refuse(clock: Clock): RefusedError {
    const until = Math.max(this.#openUntil, clock.now());
    const when = this.#isProbing ? "until a trial call has ended" : `until ${new Date(until).toISOString()}`;
    return new RefusedError(`${this.#tool} failed ${this.#failures} times in a row and is not called again ${when}`);
  }
}

const MINUTE_MS = 60_000;

/** A bucket of tokens that fills evenly; a run takes one. */
export class ToolRate {
  readonly #perMs: number;
  readonly #burst: number;
  #level: number;
  #at: number | undefined;

  constructor({ perMinute }: RateOptions) {
    this.#perMs = perMinute / MINUTE_MS;
    this.#burst = Math.max(1, perMinute);
    this.#level = this.#burst;
  }

  /** Waits for a turn, first come first served, for as long as the caller has time. */
  async enter(scope: Scope): Promise<void> {
    const waitMs = this.#waitMs(scope.clock);
    // A turn in the future is a debt, which later callers see.
    this.#level -= 1;
    if (waitMs > 0) await scope.sleep(waitMs);
  }

  #waitMs(clock: Clock): number {
    const now = clock.monotonic();
    const passedMs = Math.max(0, now - (this.#at ?? now));
    this.#at = now;
    this.#level = Math.min(this.#burst, this.#level + passedMs * this.#perMs);
    return this.#level >= 1 ? 0 : Math.ceil((1 - this.#level) / this.#perMs);
  }
}
