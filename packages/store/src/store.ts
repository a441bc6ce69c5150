/**
 * Store: a database in use by this process: its one writer, its lease, and whether it is well.
 */
import { BatonError, type RunEvent } from "@baton/core";
import { type Clock, Follower, SystemClock } from "@baton/core/ports";
import type { Database } from "./database.ts";
import type { Change } from "./record.ts";
import { Lease } from "./lease.ts";
import { openReader, readLines } from "./reader.ts";
import { storeClosedError, unwritableError } from "./store-errors.ts";
import { Writer } from "./writer.ts";

/** Options of opening a store. */
export interface StoreOptions {
  readonly database: Database;
  readonly clock?: Clock;
  /** This process, named differently each time it starts. */
  readonly owner?: string;
  /** Time for which this process counts as alive after its last renewal. */
  readonly leaseMs?: number;
}

const LEASE_MS = 3_000;
/** Time for which a caller waits for a store that cannot be written: longer than until its next try. */
const PATIENCE_MS = 1_500;

/** A database in use. */
export class Store implements AsyncDisposable {
  readonly database: Database;
  readonly clock: Clock;
  readonly writer: Writer;
  readonly lease: Lease;

  private constructor(options: StoreOptions) {
    const { database, clock = new SystemClock(), owner = crypto.randomUUID(), leaseMs = LEASE_MS } = options;
    this.database = database;
    this.clock = clock;
    this.writer = new Writer(database, clock);
    this.lease = new Lease({ owner, database, clock, leaseMs });
  }

  /** Says that this process uses the database; it is closed with the store. */
  static async open(options: StoreOptions): Promise<Store> {
    const store = new Store(options);
    await store.lease.begin();
    return store;
  }

  /** Why the database cannot be written to, reached or trusted; undefined while all is well. */
  get problem(): BatonError | undefined {
    return this.writer.problem ?? this.lease.problem ?? this.database.problem;
  }

  get healthy(): boolean {
    return this.problem === undefined;
  }

  /**
   * Writes a change together with what runs have to write; resolves when it is on disk, with false if its claim was
   * lost. What cannot be written now is refused, and may be written later all the same.
   */
  async write(change: Change, { isUnknown = false }: { readonly isUnknown?: boolean } = {}): Promise<boolean> {
    let fate: "written" | "lost" | undefined;
    this.writer.add(
      {
        isUnknown,
        take: () => change,
        wrote: () => {
          fate = "written";
        },
        lost: () => {
          fate = "lost";
        },
        givenUp: () => {},
      },
      change.request?.answer?.length ?? 0,
    );
    await this.writer.tried();
    if (fate !== undefined) return fate === "written";
    throw unwritableError(this.writer.problem ?? storeClosedError());
  }

  /** Throws if nothing can be written now. */
  checkWritable(): void {
    const { problem } = this;
    if (problem !== undefined) throw unwritableError(problem);
  }

  /** Resolves with the work's result; rejects with `busy` if the store cannot be written for 1.5 s. The work is not cancelled. */
  async orUnwritable<T>(work: Promise<T>): Promise<T> {
    const { promise: unwritten, reject } = Promise.withResolvers<never>();
    const look = (): void => {
      const { problem } = this.writer;
      if (problem === undefined) timer = this.clock.after(PATIENCE_MS, look);
      else reject(unwritableError(problem));
    };
    let timer = this.clock.after(PATIENCE_MS, look);
    try {
      return await Promise.race([work, unwritten]);
    } finally {
      timer.cancel();
    }
  }

  /** Some stored lines of a run beyond `after`, as streams send them. */
  lines(run: string, after: number): Promise<readonly string[]> {
    return readLines(this.database, run, after);
  }

  /** Stored events of a run and those that any process adds, up to the one that `isLast`. */
  async *follow(run: string, after: number, isLast: (event: RunEvent) => boolean): AsyncGenerator<RunEvent> {
    yield* new Follower(await openReader(this.database, run), after, isLast);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.writer.close();
    await this.lease.end();
    await this.database[Symbol.asyncDispose]();
  }
}
