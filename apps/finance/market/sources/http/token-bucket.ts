/**
 * Token bucket: keeps requests under a rate, first come first served.
 *
 * A caller waits for its turn; if that is further away than `maxWaitMs`, it gets that time instead.
 */
import type { Scope } from "@baton/core/ports";

/** So many at once, then so many a second. */
export interface RequestRate {
  readonly burst: number;
  readonly perSecond: number;
  readonly maxWaitMs?: number;
}

const MAX_WAIT_MS = 5_000;

/** One rate that all requests of a source share. */
export class TokenBucket {
  readonly #rate: RequestRate;
  #tokens: number;
  #at = -Infinity;

  constructor(rate: RequestRate) {
    this.#rate = rate;
    this.#tokens = rate.burst;
  }

  /** Takes tokens, at once or after waiting; gives how long the wait would be, in ms, if it is too long. */
  async take(weight: number, scope: Scope): Promise<number> {
    const { burst, perSecond, maxWaitMs = MAX_WAIT_MS } = this.#rate;
    const now = scope.clock.monotonic();
    const passedMs = this.#at === -Infinity ? 0 : Math.max(0, now - this.#at);
    const tokens = Math.min(burst, this.#tokens + (passedMs / 1_000) * perSecond);
    // Below zero are the tokens of those who wait, so that a later caller waits longer.
    const waitMs = Math.ceil((Math.max(0, Math.min(weight, burst) - tokens) / perSecond) * 1_000);
    if (waitMs > maxWaitMs) return waitMs;
    this.#tokens = tokens - weight;
    this.#at = now;
    if (waitMs > 0) await this.#wait(waitMs, weight, scope);
    return 0;
  }

  async #wait(waitMs: number, weight: number, scope: Scope): Promise<void> {
    try {
      await scope.sleep(waitMs);
    } catch (error) {
      this.#tokens += weight;
      throw error;
    }
  }
}
