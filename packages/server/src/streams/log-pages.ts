/**
 * Log pages: a cache of the pages read last, so that readers of one run share a read, at the same time or soon after.
 *
 * Only a few pages are kept, whatever the number of runs and readers: a log only grows, so none becomes wrong.
 */
import type { DurableEngine } from "@baton/durable";
import type { Store } from "@baton/store";
import { LogPage } from "./log-page.ts";

/** Of all pages together; one alone is about a MiB, and the last one is kept however large a single event makes it. */
const MAX_CHARS = 8 * 1_024 * 1_024;

/** Where pages are read: in the store, or in memory if the run executes here. */
export interface PageSource {
  readonly store: Pick<Store, "lines">;
  readonly engine?: Pick<DurableEngine, "recentLines"> | undefined;
}

/** The pages of all runs. */
export class LogPages {
  readonly #source: PageSource;
  /** By run, the one that was asked for last at the end. */
  readonly #kept = new Map<string, LogPage>();
  #chars = 0;

  constructor(source: PageSource) {
    this.#source = source;
  }

  /** Lines beyond `after`, read now. */
  async read(run: string, after: number): Promise<LogPage> {
    const { store, engine } = this.#source;
    const known = engine?.recentLines(run, after) ?? [];
    // What is on disk may be known here a moment later.
    const page = new LogPage(after, known.length > 0 ? known : await store.lines(run, after));
    if (page.last > after) this.#keep(run, page);
    return page;
  }

  /** Lines beyond `after`, some of them known to be there. */
  async find(run: string, after: number): Promise<LogPage> {
    const kept = this.#kept.get(run);
    if (kept === undefined || after < kept.after || after >= kept.last) return this.read(run, after);
    this.#keep(run, kept);
    return kept;
  }

  #keep(run: string, page: LogPage): void {
    this.#drop(run);
    this.#kept.set(run, page);
    this.#chars += page.chars;
    for (const oldest of this.#kept.keys()) {
      if (this.#chars <= MAX_CHARS || oldest === run) return;
      this.#drop(oldest);
    }
  }

  #drop(run: string): void {
    this.#chars -= this.#kept.get(run)?.chars ?? 0;
    this.#kept.delete(run);
  }
}
