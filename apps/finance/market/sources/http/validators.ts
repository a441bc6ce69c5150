/**
 * Validators: the answers that a server lets us ask for again by their ETag or date, the newest few of them.
 */
import type { FetchAnswer } from "./body.ts";

const MAX_ENTRIES = 200;
const MAX_CHARS = 16_000_000;
const MAX_ENTRY_CHARS = 2_000_000;

type Entry = Readonly<{ headers: Readonly<Record<string, string>>; answer: FetchAnswer }>;

/** A bounded store by URL; what was used longest ago leaves first. */
export class Validators {
  readonly #entries = new Map<string, Entry>();
  #chars = 0;

  get(url: string): Entry | undefined {
    const entry = this.#entries.get(url);
    if (entry === undefined) return undefined;
    this.#entries.delete(url);
    this.#entries.set(url, entry);
    return entry;
  }

  /** Keeps an answer that can be asked for again. */
  put(url: string, answer: FetchAnswer): void {
    this.#drop(url);
    const etag = answer.header("etag");
    const modified = answer.header("last-modified");
    const headers = {
      ...(etag === undefined ? {} : { "if-none-match": etag }),
      ...(modified === undefined ? {} : { "if-modified-since": modified }),
    };
    if (Object.keys(headers).length === 0 || answer.text.length > MAX_ENTRY_CHARS) return;
    this.#entries.set(url, { headers, answer });
    this.#chars += answer.text.length;
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= MAX_ENTRIES && this.#chars <= MAX_CHARS) break;
      this.#drop(oldest);
    }
  }

  #drop(url: string): void {
    this.#chars -= this.#entries.get(url)?.answer.text.length ?? 0;
    this.#entries.delete(url);
  }
}
