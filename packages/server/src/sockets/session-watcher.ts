/**
 * Session watcher: tells follows of sessions which runs of theirs there are, whichever server began them.
 *
 * One watch of the database serves all; it ends with the last.
 */
import type { Clock } from "@baton/core/ports";
import type { Database, RunFilter, RunRecord } from "@baton/store";

/** Runs of one session that a caller may see. */
export interface SessionWatch {
  readonly session: string;
  readonly visible: Pick<RunFilter, "tenant" | "user">;
  /** Called with runs that were written lately, also if it was told of them before. */
  readonly found: (records: readonly RunRecord[]) => void;
}

type SessionQuery = Omit<SessionWatch, "found"> & Pick<RunFilter, "status">;

/** Time to gather changes before they are read. */
const GATHER_MS = 50;
/** Largest difference between the clocks of two servers on one store. */
const SKEW_MS = 10_000;
const PAGE = 1_000;

/** All watches of one server. */
export class SessionWatcher {
  readonly #database: Pick<Database, "runs" | "logs">;
  readonly #clock: Clock;
  readonly #report: (error: unknown) => void;
  readonly #watches = new Set<SessionWatch>();
  #unwatch: (() => void) | undefined;
  #timer: ReturnType<Clock["after"]> | undefined;
  #lookedAt = 0;

  constructor(database: Pick<Database, "runs" | "logs">, clock: Clock, report: (error: unknown) => void) {
    this.#database = database;
    this.#clock = clock;
    this.#report = report;
  }

  /** Tells of new runs until the given function is called. */
  watch(watch: SessionWatch): () => void {
    this.#watches.add(watch);
    if (this.#watches.size === 1) this.#lookedAt = this.#clock.now();
    this.#unwatch ??= this.#database.logs.watchAll(() => this.#gather());
    return () => {
      this.#watches.delete(watch);
      if (this.#watches.size > 0) return;
      this.#unwatch?.();
      this.#unwatch = undefined;
      this.#timer?.cancel();
      this.#timer = undefined;
    };
  }

  /** The newest runs of a session. */
  async recent({ session, visible }: Omit<SessionWatch, "found">): Promise<readonly RunRecord[]> {
    return this.#database.runs.list({ ...visible, session, limit: PAGE });
  }

  /** The runs of a session, the newest first, page by page. */
  async *list({ session, visible, ...more }: SessionQuery): AsyncGenerator<RunRecord, void> {
    for (let before: string | undefined; ;) {
      const filter = { ...visible, ...more, session, limit: PAGE };
      const page = await this.#database.runs.list(before === undefined ? filter : { ...filter, before });
      yield* page;
      before = page.at(-1)?.id;
      if (before === undefined || page.length < PAGE) return;
    }
  }

  #gather(): void {
    this.#timer ??= this.#clock.after(GATHER_MS, () => {
      this.#timer = undefined;
      this.#look().catch(this.#report);
    });
  }

  async #look(): Promise<void> {
    const since = this.#lookedAt - SKEW_MS;
    this.#lookedAt = this.#clock.now();
    const records = await this.#database.runs.list({ changedSince: since, limit: PAGE });
    for (const { session, visible, found } of this.#watches) {
      const own = records.filter(
        (one) => one.session === session && one.tenant === visible.tenant && one.user === (visible.user ?? one.user),
      );
      if (own.length > 0) found(own.toReversed());
    }
  }
}
