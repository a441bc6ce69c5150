/**
 * Refusals: what a source has refused for good, so that it is not asked the same again for a while.
 */
import type { MarketError } from "../../port/market-error.ts";

const MAX_ENTRIES = 2_000;

/** Errors by key, each until a time. */
export class Refusals {
  readonly #refusals = new Map<string, Readonly<{ error: MarketError; until: number }>>();

  /** Throws what was refused under any of the keys and still is. */
  check(keys: readonly string[], now: number): void {
    for (const key of keys) {
      const refusal = this.#refusals.get(key);
      if (refusal === undefined) continue;
      if (now < refusal.until) throw refusal.error;
      this.#refusals.delete(key);
    }
  }

  add(key: string, error: MarketError, until: number): void {
    this.#refusals.delete(key);
    this.#refusals.set(key, { error, until });
    const [oldest] = this.#refusals.keys();
    if (this.#refusals.size > MAX_ENTRIES && oldest !== undefined) this.#refusals.delete(oldest);
  }
}
