/**
 * Expiring cache: values that are expensive to make and cheap to lose, by key.
 *
 * At most so many, and none longer than so long without use; the one used longest ago goes first.
 */
import type { Clock } from "@baton/core/ports";

interface CacheOptions {
  readonly clock: Clock;
  readonly maxEntries: number;
  readonly maxIdleMs: number;
}

interface Entry<T> {
  readonly value: T;
  usedAt: number;
}

/** A bounded map whose entries expire. */
export class ExpiringCache<T> {
  readonly #options: CacheOptions;
  /** In the order of use: the first was used longest ago. */
  readonly #entries = new Map<string, Entry<T>>();

  constructor(options: CacheOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** All that is kept, used or not. */
  *values(): Iterable<T> {
    for (const { value } of this.#entries.values()) yield value;
  }

  /** The value of a key, made if there is none. */
  get(key: string, make: () => T): T {
    const { clock, maxEntries } = this.#options;
    const usedAt = clock.monotonic();
    this.#expire(usedAt);
    const known = this.#entries.get(key);
    const entry = known ?? { value: make(), usedAt };
    entry.usedAt = usedAt;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    if (this.#entries.size > maxEntries) this.#dropFirst();
    return entry.value;
  }

  #expire(now: number): void {
    for (const [key, { usedAt }] of this.#entries) {
      if (now - usedAt < this.#options.maxIdleMs) return;
      this.#entries.delete(key);
    }
  }

  #dropFirst(): void {
    for (const key of this.#entries.keys()) {
      this.#entries.delete(key);
      return;
    }
  }
}
