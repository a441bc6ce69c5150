/**
 * Cache: JSON kept for a time, behind a port that a server such as Redis can stand behind as well.
 *
 * The in-process one is bounded in entries and in bytes; what was used least recently goes first.
 */
import type { Json } from "@baton/core";
import { type Clock, SystemClock } from "@baton/core/ports";
import { parseJson } from "@baton/core/util";

/** A store of results. An entry may be lost at any time; what is found is the last value that was set. */
export interface ResultCache {
  readonly get: (key: string) => Promise<Json | undefined>;
  readonly set: (key: string, value: Json, ttlMs: number) => Promise<void>;
  readonly delete: (key: string) => Promise<void>;
}

/** Limits of a `MemoryCache`. */
export interface MemoryCacheOptions {
  readonly maxEntries?: number;
  readonly maxBytes?: number;
  readonly clock?: Clock;
}

type Kept = Readonly<{ text: string; bytes: number; until: number }>;

const BYTES_PER_UNIT = 2;
/** The cost of an entry beside its text. */
const ENTRY_BYTES = 64;

/** A cache in this process. */
export class MemoryCache implements ResultCache {
  readonly #maxEntries: number;
  readonly #maxBytes: number;
  readonly #clock: Clock;
  /** The least recently used first. */
  readonly #kept = new Map<string, Kept>();
  #bytes = 0;

  constructor({ maxEntries = 10_000, maxBytes = 64 * 1_024 * 1_024, clock }: MemoryCacheOptions = {}) {
    this.#maxEntries = maxEntries;
    this.#maxBytes = maxBytes;
    this.#clock = clock ?? new SystemClock();
  }

  /** The number of entries, expired ones included that were not read since. */
  get entries(): number {
    return this.#kept.size;
  }

  /** Their approximate size. */
  get bytes(): number {
    return this.#bytes;
  }

  readonly get = async (key: string): Promise<Json | undefined> => {
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    this.#drop(key);
    if (kept.until <= this.#clock.monotonic()) return undefined;
    this.#keep(key, kept);
    return parseJson(kept.text);
  };

  readonly set = async (key: string, value: Json, ttlMs: number): Promise<void> => {
    this.#drop(key);
    const text = JSON.stringify(value);
    const bytes = ENTRY_BYTES + (key.length + text.length) * BYTES_PER_UNIT;
    if (bytes > this.#maxBytes || !(ttlMs > 0)) return;
    this.#keep(key, { text, bytes, until: this.#clock.monotonic() + ttlMs });
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= this.#maxEntries && this.#bytes <= this.#maxBytes) return;
      this.#drop(oldest);
    }
  };

  readonly delete = async (key: string): Promise<void> => this.#drop(key);

  #keep(key: string, kept: Kept): void {
    this.#kept.set(key, kept);
    this.#bytes += kept.bytes;
  }

  #drop(key: string): void {
    this.#bytes -= this.#kept.get(key)?.bytes ?? 0;
    this.#kept.delete(key);
  }
}
