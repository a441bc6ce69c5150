/**
 * Feed: a run's log on its way to all its readers: read once, made into bytes once a format, handed to many.
 *
 * Readers that are at its end are live; the others read the log by themselves until they are. It reads when the store
 * says that there is more, and never waits for a reader.
 */
import type { Clock } from "@baton/core/ports";
import type { Database } from "@baton/store";
import type { LogPage, StreamPiece } from "./log-page.ts";
import type { LogPages } from "./log-pages.ts";
import type { Projection } from "./projection.ts";
import type { RunStream } from "./run-stream.ts";

/** Options of a feed. */
export interface FeedParts {
  readonly database: Pick<Database, "logs" | "runs">;
  readonly pages: LogPages;
  readonly clock: Clock;
  /** Keeps a promise until it settles, and reports its error. */
  readonly own: (work: Promise<void>) => void;
}

/** Readers at the end of the log, to whom the same bytes go. */
interface Live {
  readonly projection: Projection;
  readonly streams: Set<RunStream>;
}

/** A page that is smaller was all there was. */
const WHOLE_PAGE_CHARS = 256 * 1_024;

/** All readers of one run here. */
export class Feed {
  readonly run: string;
  readonly #parts: FeedParts;
  readonly #streams = new Set<RunStream>();
  readonly #live = new Map<string, Live>();
  readonly #full = new Set<RunStream>();
  /** Readers that are not live yet and have room, on their way. */
  readonly #catchingUp = new Set<Promise<void>>();
  readonly #stopWatching: () => void;
  readonly #opened: Promise<void>;
  /** The seq of the last event that was handed out. */
  #after = 0;
  #isReading = true;
  #hasGrown = false;
  /** The read that is under way, or was last. */
  #reading: Promise<void> = Promise.resolve();

  constructor(run: string, parts: FeedParts) {
    this.run = run;
    this.#parts = parts;
    // The store notifies watchers before the engine's in-memory lines are updated; wait one event-loop turn.
    this.#stopWatching = parts.database.logs.watch(run, () => parts.clock.soon(() => this.#grow()));
    this.#opened = this.#open();
    parts.own(this.#opened);
  }

  get size(): number {
    return this.#streams.size;
  }

  /** Takes a reader, from wherever it is. */
  add(stream: RunStream): void {
    this.#streams.add(stream);
    this.#startCatchUp(stream);
  }

  /** Its connection has room again. */
  drained(stream: RunStream): void {
    // A stream whose log is being read for it continues without this.
    if (this.#full.delete(stream)) this.#startCatchUp(stream);
  }

  remove(stream: RunStream): void {
    this.#streams.delete(stream);
    this.#full.delete(stream);
    const key = this.#keyOf(stream.projection);
    const live = this.#live.get(key);
    live?.streams.delete(stream);
    if (live?.streams.size === 0) this.#live.delete(key);
  }

  /** Checks a run that has not begun from time to time, because its deletion is not announced. */
  tend(): void {
    if (this.#after === 0) this.#grow();
  }

  /** Hands out what there is by now. */
  async finish(): Promise<void> {
    await this.#opened;
    this.#grow();
    await this.#reading;
  }

  /** Sends what there is by now, to readers that are behind too; does not wait for one whose connection is full. */
  async flush(): Promise<void> {
    await this.finish();
    await Promise.allSettled(this.#catchingUp);
  }

  close(): void {
    this.#stopWatching();
  }

  async #open(): Promise<void> {
    const { database } = this.#parts;
    this.#after = await database.logs.length(this.run);
    if (this.#after === 0 && (await this.#isGone())) this.#disconnectAll();
    this.#isReading = false;
    if (this.#hasGrown) this.#grow();
  }

  #startCatchUp(stream: RunStream): void {
    const done = this.#catchUp(stream).finally(() => this.#catchingUp.delete(done));
    this.#catchingUp.add(done);
    this.#parts.own(done);
  }

  /** Reads the log for one reader, until it is live, full or gone. */
  async #catchUp(stream: RunStream): Promise<void> {
    try {
      await this.#opened;
      while (!stream.isClosed) {
        if (stream.isFull) {
          this.#full.add(stream);
          return;
        }
        if (stream.projection.after >= this.#after) return this.#join(stream);
        const page = await this.#parts.pages.find(this.run, stream.projection.after);
        // What was there has gone.
        if (page.last <= stream.projection.after) return stream.cut();
        stream.takePage(page, this.#after);
        await this.#parts.clock.breathe();
      }
    } catch (error) {
      stream.cut();
      throw error;
    }
  }

  #join(stream: RunStream): void {
    const key = this.#keyOf(stream.projection);
    const live = this.#live.get(key);
    if (live === undefined) this.#live.set(key, { projection: stream.projection, streams: new Set([stream]) });
    else {
      stream.projection = live.projection;
      live.streams.add(stream);
    }
  }

  /** A reader ahead of the log gets its own projection until the log catches up. */
  #keyOf({ key, after }: Projection): string {
    return after > this.#after ? `${key} from ${after}` : key;
  }

  #grow(): void {
    this.#hasGrown = true;
    if (this.#isReading) return;
    this.#reading = this.#read();
    this.#parts.own(this.#reading);
  }

  async #read(): Promise<void> {
    this.#isReading = true;
    try {
      while (this.#hasGrown && this.#streams.size > 0) {
        this.#hasGrown = false;
        const page = await this.#parts.pages.read(this.run, this.#after);
        if (page.chars >= WHOLE_PAGE_CHARS) this.#hasGrown = true;
        if (page.last > this.#after) this.#broadcast(page);
        else if (await this.#isGone()) this.#disconnectAll();
      }
    } catch (error) {
      this.#disconnectAll();
      throw error;
    } finally {
      this.#isReading = false;
    }
  }

  /** Whether the run was deleted; one that waits for its session has a record, but no log. */
  async #isGone(): Promise<boolean> {
    const { database } = this.#parts;
    if (this.#after > 0) return (await database.logs.length(this.run)) < this.#after;
    return (await database.runs.find(this.run)) === undefined;
  }

  /** The log cannot be read, or the run was deleted: a client that reconnects gets the error. */
  #disconnectAll(): void {
    for (const stream of this.#streams) stream.cut();
  }

  #broadcast(page: LogPage): void {
    const groups = [...this.#live.values()];
    // A stream that is done with the page joins again: two that were apart may now be at the same position.
    this.#live.clear();
    for (const stream of this.#full) stream.miss(page.chars);
    this.#after = Math.max(this.#after, page.last);
    for (const { projection, streams } of groups) {
      for (const piece of projection.pieces(page, page.last)) this.#writeTo(piece, streams);
      for (const stream of streams) this.#join(stream);
    }
  }

  #writeTo(piece: StreamPiece, streams: Set<RunStream>): void {
    for (const stream of streams) {
      stream.take(piece);
      if (stream.isClosed) streams.delete(stream);
      else if (stream.isFull) this.#setBehind(stream, streams);
    }
  }

  #setBehind(stream: RunStream, streams: Set<RunStream>): void {
    streams.delete(stream);
    stream.projection = stream.projection.fork();
    this.#full.add(stream);
  }
}
