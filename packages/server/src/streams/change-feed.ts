/**
 * Change feed: tells every reader which runs and crews have changed, so that lists need not ask again and again.
 *
 * One watch of the database serves all readers; it ends with the last of them. A reader begins with the runs that have
 * not ended, and sees only what it may. One that does not take what it is sent is closed, and begins anew.
 */
import type { Writable } from "node:stream";
import type { Clock } from "@baton/core/ports";
import type { Database, RunFilter, RunRecord } from "@baton/store";
import { KEEP_ALIVE, OPENING, RETRY_MS, toSse } from "./sse.ts";

/** Options of a change feed. */
export interface ChangeFeedOptions {
  readonly database: Database;
  readonly clock: Clock;
  /** Whether the key may still read. */
  readonly isWelcome: (key: string) => Promise<boolean>;
  /** Returns the latest record of a run; for one that runs here it is newer than the stored one. */
  readonly toCurrent: (record: RunRecord) => RunRecord;
  /** A run as clients see it. */
  readonly toView: (record: RunRecord) => object;
  /** The crews as clients see them. */
  readonly toCrews: () => readonly object[];
  readonly report: (error: unknown) => void;
}

/** A reader, and the runs it may see. */
export interface FeedReader {
  /** The answer, whose headers have been written. */
  readonly outgoing: Writable;
  /** The id of a key, or `local`. */
  readonly key: string;
  /** Without a user: all of the tenant. */
  readonly visible: Pick<RunFilter, "tenant" | "user">;
}

/** Time to gather changes before they are read. */
const GATHER_MS = 150;
/** Largest difference between the clocks of two servers on one store. */
const SKEW_MS = 10_000;
const KEEP_ALIVE_MS = 15_000;
/** Interval of the checks for revoked keys. With the cache of the keys a stream ends within 2 s. */
const DISMISS_MS = 500;
const MAX_CHANGED = 5_000;
/** Open runs of each status that a reader begins with. */
const MAX_OPEN = 200;
const MAX_UNSENT_BYTES = 1_024 * 1_024;
const OPEN_STATUSES = ["paused", "running", "queued"] as const;

/** The feed of all readers. */
export class ChangeFeed {
  readonly #options: ChangeFeedOptions;
  readonly #readers = new Set<Reader>();
  /** The view last sent of each run that is running or changed recently. */
  readonly #sent = new Map<string, Sent>();
  #stopWatching: (() => void) | undefined;
  #looking: Promise<void> | undefined;
  #timer: Timer | undefined;
  #ticking: Timer | undefined;
  #lookedAt = 0;
  #keptAliveAt = 0;
  #isDismissing = false;
  #isStale = false;
  #dropped = 0;
  #isClosed = false;

  constructor(options: ChangeFeedOptions) {
    this.#options = options;
  }

  /** Number of readers. */
  get size(): number {
    return this.#readers.size;
  }

  /** Number of readers that were closed because they took nothing. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Tells a reader from now on; resolves when it has what it begins with. */
  async open(reader: FeedReader): Promise<void> {
    const { outgoing, visible, key } = reader;
    if (outgoing.destroyed) return;
    if (this.#isClosed) return farewell(outgoing, "the server is stopping");
    const early: string[] = [];
    const made: Reader = { outgoing, visible, key, early };
    this.#readers.add(made);
    outgoing.on("close", () => this.#forget(made));
    outgoing.write(OPENING);
    this.#begin();
    try {
      outgoing.write(
        toFrame({ type: "snapshot", runs: await this.#findOpen(visible), crews: this.#options.toCrews() }),
      );
    } catch (error) {
      // It comes back and tries again.
      outgoing.destroy();
      throw error;
    }
    made.early = undefined;
    for (const frame of early) outgoing.write(frame);
  }

  /** Sends all readers the changed crews. */
  crewsChanged(): void {
    const frame = toFrame({ type: "crews", crews: this.#options.toCrews() });
    for (const reader of this.#readers) this.#send(reader, frame);
  }

  /** Tells the readers that may see these runs that they were removed. */
  removed(records: readonly RunRecord[]): void {
    for (const record of records) {
      this.#sent.delete(record.id);
      this.#sendTo(record, toFrame({ type: "removed", id: record.id }));
    }
  }

  /** Ends all streams, so that their clients reconnect to the next server. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { outgoing } of this.#readers) farewell(outgoing, "the server is stopping");
    this.#readers.clear();
    this.#end();
    await this.#looking;
  }

  async #findOpen(visible: FeedReader["visible"]): Promise<readonly object[]> {
    const { database, toCurrent, toView } = this.#options;
    const found: RunRecord[] = [];
    for (const status of OPEN_STATUSES)
      found.push(...(await database.runs.list({ ...visible, status, limit: MAX_OPEN })));
    return found.map((record) => toView(toCurrent(record)));
  }

  #begin(): void {
    if (this.#stopWatching !== undefined) return;
    const { database, clock } = this.#options;
    this.#lookedAt = clock.now();
    this.#keptAliveAt = clock.monotonic();
    this.#stopWatching = database.logs.watchAll(() => this.#gather());
    this.#tick();
  }

  #end(): void {
    this.#stopWatching?.();
    this.#stopWatching = undefined;
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#ticking?.cancel();
    this.#sent.clear();
  }

  #forget(reader: Reader): void {
    if (this.#readers.delete(reader) && this.#readers.size === 0) this.#end();
  }

  /** Looks soon; what changes while it looks is looked for once more. */
  #gather(): void {
    this.#isStale = true;
    if (this.#timer !== undefined || this.#stopWatching === undefined) return;
    this.#timer = this.#options.clock.after(GATHER_MS, () => {
      this.#isStale = false;
      this.#looking = this.#look()
        .catch((error: unknown) => this.#options.report(error))
        .finally(() => {
          this.#timer = undefined;
          if (this.#isStale) this.#gather();
        });
    });
  }

  async #look(): Promise<void> {
    const { database, clock, toCurrent } = this.#options;
    const now = clock.now();
    const records = await database.runs.list({ changedSince: this.#lookedAt - SKEW_MS, limit: MAX_CHANGED });
    this.#lookedAt = now;
    const seen = new Map(Array.from(this.#sent, ([id, { record }]) => [id, record]));
    for (const record of records.toReversed()) seen.set(record.id, record);
    for (const record of seen.values()) this.#tell(toCurrent(record));
    for (const [id, { record }] of this.#sent) {
      if (record.status !== "running" && record.updatedAt < now - 2 * SKEW_MS) this.#sent.delete(id);
    }
  }

  #tell(record: RunRecord): void {
    const mark = toMark(record);
    if (this.#sent.get(record.id)?.mark === mark) return;
    this.#sent.set(record.id, { record, mark });
    this.#sendTo(record, toFrame({ type: "run", run: this.#options.toView(record) }));
  }

  #sendTo(record: RunRecord, frame: string): void {
    for (const reader of this.#readers) if (isVisible(record, reader.visible)) this.#send(reader, frame);
  }

  #send({ outgoing, early }: Reader, frame: string): void {
    if (outgoing.destroyed) return;
    if (early !== undefined) {
      early.push(frame);
      return;
    }
    outgoing.write(frame);
    if (outgoing.writableLength > MAX_UNSENT_BYTES) this.#cut(outgoing);
  }

  #cut(outgoing: Writable): void {
    this.#dropped++;
    outgoing.destroy();
  }

  #tick(): void {
    const { clock, report } = this.#options;
    this.#ticking = clock.after(DISMISS_MS, () => {
      if (clock.monotonic() - this.#keptAliveAt >= KEEP_ALIVE_MS) this.#keepAlive();
      this.#dismiss().catch(report);
      if (this.#readers.size > 0) this.#tick();
    });
  }

  #keepAlive(): void {
    this.#keptAliveAt = this.#options.clock.monotonic();
    for (const { outgoing } of this.#readers) {
      // It has not taken the last keep-alive.
      if (outgoing.writableNeedDrain) this.#cut(outgoing);
      else outgoing.write(KEEP_ALIVE);
    }
  }

  /** Ends the streams of revoked keys. A look-up that takes long is not started twice. */
  async #dismiss(): Promise<void> {
    if (this.#isDismissing) return;
    this.#isDismissing = true;
    try {
      for (const key of new Set([...this.#readers].map((reader) => reader.key))) {
        const isWelcome = await this.#options.isWelcome(key);
        const own = isWelcome ? [] : [...this.#readers].filter((reader) => reader.key === key);
        for (const { outgoing } of own) farewell(outgoing, "the key was revoked");
      }
    } finally {
      this.#isDismissing = false;
    }
  }
}

interface Reader extends FeedReader {
  /** Frames that arrived before the reader's snapshot was sent. */
  early: string[] | undefined;
}

interface Sent {
  readonly record: RunRecord;
  readonly mark: string;
}

type Timer = Readonly<{ cancel(): void }>;

/** Compares runs without the fields that only say that time has passed. */
function toMark(record: RunRecord): string {
  const { status, outcome, agent, turns, steps, calls, questions } = record;
  return JSON.stringify([status, outcome, agent, turns, steps, calls, questions]);
}

function isVisible(record: RunRecord, { tenant, user = record.user }: FeedReader["visible"]): boolean {
  return record.tenant === tenant && record.user === user;
}

function toFrame(data: object): string {
  return toSse({ data: JSON.stringify(data) });
}

function farewell(outgoing: Writable, why: string): void {
  outgoing.end(`: ${why}\nretry: ${RETRY_MS}\n\n`);
}
