/**
 * Memory requests: the requests that are to be carried out once, in this process and of bounded size.
 *
 * The oldest are forgotten first; one that is being carried out is guarded by its claim all the same.
 */
import type { RequestRecord } from "./database.ts";

const MAX_KEYS = 10_000;
const MAX_CHARS = 64 * 1_024 * 1_024;

/** How much is kept. */
export interface MemoryRequestsOptions {
  readonly maxKeys?: number;
  /** Of all answers together. */
  readonly maxChars?: number;
}

/** Requests by their keys. */
export class MemoryRequests {
  readonly #maxKeys: number;
  readonly #maxChars: number;
  /** The one that was written last comes last. */
  readonly #records = new Map<string, RequestRecord>();
  #chars = 0;

  constructor({ maxKeys = MAX_KEYS, maxChars = MAX_CHARS }: MemoryRequestsOptions = {}) {
    this.#maxKeys = maxKeys;
    this.#maxChars = maxChars;
  }

  get size(): number {
    return this.#records.size;
  }

  get(key: string, now: number): RequestRecord | undefined {
    const record = this.#records.get(key);
    return record !== undefined && record.keptUntil > now ? record : undefined;
  }

  /** Keeps a request in the place of what it was before, and forgets those that are too old or too many. */
  put(record: RequestRecord, now: number): void {
    this.#forget(record.key);
    this.#records.set(record.key, record);
    this.#chars += charsOf(record);
    for (const [key, { keptUntil }] of this.#records) {
      if (keptUntil > now && this.size <= this.#maxKeys && this.#chars <= this.#maxChars) return;
      this.#forget(key);
    }
  }

  /** Removes what is known of a run's requests: their answers tell of it. */
  forgetRun(run: string): void {
    for (const { key, begun } of this.#records.values()) if (begun?.run === run) this.#forget(key);
  }

  /** Removes the requests whose keys begin with a prefix. */
  forgetAll(prefix: string): void {
    for (const key of this.#records.keys()) if (key.startsWith(prefix)) this.#forget(key);
  }

  /** Gives the requests whose keys begin with one prefix keys that begin with another. */
  rename(from: string, to: string): void {
    for (const [key, record] of Array.from(this.#records)) {
      if (!key.startsWith(from)) continue;
      const renamed = to + key.slice(from.length);
      this.#records.delete(key);
      this.#records.set(renamed, { ...record, key: renamed });
    }
  }

  #forget(key: string): void {
    const record = this.#records.get(key);
    if (record === undefined) return;
    this.#records.delete(key);
    this.#chars -= charsOf(record);
  }
}

function charsOf({ answer = "" }: RequestRecord): number {
  return answer.length;
}
