/**
 * Stream hub: every stream that is open, by the run it reads.
 *
 * A stream that nothing happens on costs its connection and a few fields: one timer keeps all of them alive.
 */
import type { Clock } from "@baton/core/ports";
import type { Store } from "@baton/store";
import { Feed, type FeedParts } from "./feed.ts";
import type { LogPage } from "./log-page.ts";
import { LogPages, type PageSource } from "./log-pages.ts";
import { RunStream, type StreamOptions } from "./run-stream.ts";

/** Options of a stream hub. */
export interface HubOptions {
  readonly store: Store;
  /** Has lines that were just written, so that they need not be read from the store. */
  readonly engine?: PageSource["engine"];
  /** Whether the key may still read. */
  readonly isWelcome: (key: string) => Promise<boolean>;
  /** Interval for keep-alives and checks of revoked keys. */
  readonly tickMs: number;
  /** Called with the error if a log could not be read. */
  readonly report: (error: unknown) => void;
}

const STOPPING = "the server is stopping";

/** All open streams. */
export class StreamHub {
  readonly #options: HubOptions;
  readonly #clock: Clock;
  readonly #parts: FeedParts;
  readonly #feeds = new Map<string, Feed>();
  readonly #streams = new Set<RunStream>();
  readonly #work = new Set<Promise<void>>();
  #stopTicking: (() => void) | undefined;
  #isDismissing = false;
  #dropped = 0;
  #isClosed = false;

  constructor(options: HubOptions) {
    const { store } = options;
    this.#options = options;
    this.#clock = store.clock;
    const own = (work: Promise<void>) => this.#own(work);
    this.#parts = { database: store.database, pages: new LogPages(options), clock: store.clock, own };
  }

  /** Number of open streams. */
  get size(): number {
    return this.#streams.size;
  }

  /** Number of streams that are behind their log. */
  get behind(): number {
    return [...this.#streams].filter(({ isFull }) => isFull).length;
  }

  /** Number of streams that were dropped because their reader took nothing. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Reads what a stream from there begins with; throws if it cannot be read, while an error can still be answered. */
  async prepare(run: string, after: number): Promise<LogPage> {
    return this.#parts.pages.find(run, after);
  }

  /** Streams a run to a client whose headers have been written. */
  open(run: string, options: StreamOptions): void {
    // The client disconnected before anything was sent.
    if (options.outgoing.destroyed) return options.left?.();
    const feed = this.#feeds.get(run) ?? new Feed(run, this.#parts);
    this.#feeds.set(run, feed);
    const stream = new RunStream(
      options,
      { drained: (drained) => feed.drained(drained), closed: (closed) => this.#forget(feed, closed) },
      this.#clock,
    );
    this.#streams.add(stream);
    if (this.#isClosed) stream.leave(STOPPING);
    else feed.add(stream);
    this.#tick();
  }

  /** Hands out what the logs of these runs hold, before they are deleted: a stream ends with its run instead of being cut. */
  async flush(runs: readonly { readonly id: string }[]): Promise<void> {
    await Promise.allSettled(runs.map(async ({ id }) => this.#feeds.get(id)?.flush()));
  }

  /** Ends all streams, so that their clients reconnect to the next server. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled([...this.#feeds.values()].map((feed) => feed.finish()));
    for (const stream of this.#streams) stream.leave(STOPPING);
    while (this.#work.size > 0) await Promise.allSettled(this.#work);
  }

  #forget(feed: Feed, stream: RunStream): void {
    this.#streams.delete(stream);
    feed.remove(stream);
    if (feed.size === 0 && this.#feeds.get(feed.run) === feed) {
      this.#feeds.delete(feed.run);
      feed.close();
    }
    if (this.#streams.size > 0) return;
    this.#stopTicking?.();
    this.#stopTicking = undefined;
  }

  #tick(): void {
    if (this.#stopTicking !== undefined || this.#streams.size === 0) return;
    const timer = this.#clock.after(this.#options.tickMs, () => {
      this.#stopTicking = undefined;
      for (const feed of this.#feeds.values()) feed.tend();
      for (const stream of this.#streams) if (stream.tend() === "dropped") this.#dropped++;
      this.#tick();
      this.#dismiss().catch((error: unknown) => this.#options.report(error));
    });
    this.#stopTicking = () => timer.cancel();
  }

  /**
   * Ends the streams of those whose keys were revoked. Nobody waits for it: keys that take long to read must keep neither
   * streams from being looked after nor the server from stopping.
   */
  async #dismiss(): Promise<void> {
    if (this.#isDismissing) return;
    this.#isDismissing = true;
    try {
      for (const key of new Set([...this.#streams].map((stream) => stream.key))) {
        const isWelcome = await this.#options.isWelcome(key);
        const own = isWelcome ? [] : [...this.#streams].filter((stream) => stream.key === key);
        for (const stream of own) stream.leave("the key was revoked");
      }
    } finally {
      this.#isDismissing = false;
    }
  }

  #own(work: Promise<void>): void {
    const settled = work.catch((error: unknown) => this.#options.report(error));
    this.#work.add(settled);
    settled.then(
      () => this.#work.delete(settled),
      () => this.#work.delete(settled),
    );
  }
}
