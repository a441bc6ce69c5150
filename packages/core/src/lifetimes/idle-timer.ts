/**
 * Idle timer: cancels a scope in which nothing has happened for a while.
 */
import type { BatonError } from "../words/error.ts";
import type { Scope } from "./scope.ts";

/** Time a scope may be idle, time until something must have happened, and the error it is cancelled with. */
export type IdleLimit = Readonly<{ idleMs: number; startMs: number; late: () => BatonError }>;

/** One timer a scope, however often something happens there. */
export class IdleTimer {
  readonly #scope: Scope;
  readonly #limit: IdleLimit;
  /** When something happened last or, at first, may be waited for without counting. */
  #touchedAt: number;
  #timer: { cancel(): void };

  constructor(scope: Scope, limit: IdleLimit) {
    this.#scope = scope;
    this.#limit = limit;
    this.#touchedAt = scope.clock.monotonic() + limit.startMs - limit.idleMs;
    this.#timer = this.#arm(limit.idleMs);
  }

  /** Something has happened. */
  touch(): void {
    this.#touchedAt = this.#scope.clock.monotonic();
  }

  /** Until something happens, silence does not count. */
  pause(): void {
    this.#touchedAt = Infinity;
  }

  stop(): void {
    this.#timer.cancel();
  }

  #arm(delayMs: number): { cancel(): void } {
    const scope = this.#scope;
    return scope.clock.after(delayMs, () => {
      const leftMs = this.#touchedAt + this.#limit.idleMs - scope.clock.monotonic();
      if (leftMs > 0) {
        this.#timer = this.#arm(Math.min(leftMs, this.#limit.idleMs));
        return;
      }
      if (!scope.live) return;
      const cancelling = scope.cancel(this.#limit.late());
      scope.defer(() => cancelling);
    });
  }
}
