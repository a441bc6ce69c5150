/**
 * Placement: decides which process executes a run's next segment.
 *
 * A placement only chooses the process. The log is the journal, and the claim in the database is the fence: if two
 * processes believe that a run is theirs, the writes of one of them are refused.
 */
import type { RunRecord } from "@baton/store";
import { ownerOf, runKey, sessionKey } from "@baton/store/ports";

/** Work that some process must do. */
export type Work =
  /** A run that is queued, was interrupted, or has a command in its inbox. One at a time for each key. */
  | { readonly kind: "segment"; readonly run: string; readonly key: string; readonly token: string }
  /** Schedules that are due. */
  | { readonly kind: "schedules"; readonly token: string };

/** Work that was given to this process. */
export interface PlacedWork {
  readonly work: Work;
  /** No other process may do it any more: its lock is taken over, even from an owner that seems to be alive. */
  readonly takesOver: boolean;
}

/** Work that has begun. */
export interface StartedWork {
  /** Resolves at the pause or end of the segment; rejects if this process has left it to another one. */
  done(): Promise<void>;
}

/** Begins work in this process; rejects if it cannot begin now: another process, or a later try, must do it. */
export type StartWork = (placed: PlacedWork) => Promise<StartedWork>;

/** Where work is offered, and where a process gets it from. */
export interface Placement {
  /** Whether a run that is started in this process executes here at once, without an offer. */
  readonly isLocal: boolean;
  /** Interval at which the engine looks for runs that no process has, and offers them again. */
  readonly lookMs: number;
  /** The engine also looks as soon as something was written: other processes offer nothing to this one. */
  readonly isWatching: boolean;
  /**
   * Some process does this work, not before `at` (milliseconds since the epoch). Offers with the same token are one offer.
   * It may reject: what is offered is on disk, and is offered again.
   */
  offer(work: Work, options?: { readonly at?: number }): Promise<void>;
  /** Begins what is placed in this process, from now on. */
  serve(begin: StartWork): Promise<void>;
  /** Takes no more work. What has begun ends with the engine. */
  stop(): Promise<void>;
}

/** The part of a process on a lease: it does everything, accepts runs for others to execute, or executes runs that others accept. */
export type ProcessRole = "all" | "server" | "worker";

/** Lease placement: a process executes what it starts, and looks for what no living process has. It needs only the database. */
export class LeasePlacement implements Placement {
  readonly isLocal: boolean;
  readonly isWatching: boolean;
  readonly lookMs = 1_000;
  readonly #executes: boolean;
  #begin: StartWork | undefined;

  constructor(role: ProcessRole = "all") {
    this.isLocal = role !== "server";
    this.isWatching = role === "worker";
    this.#executes = role !== "server";
  }

  async offer(work: Work): Promise<void> {
    await this.#begin?.({ work, takesOver: false });
  }

  serve(begin: StartWork): Promise<void> {
    if (this.#executes) this.#begin = begin;
    return Promise.resolve();
  }

  stop(): Promise<void> {
    this.#begin = undefined;
    return Promise.resolve();
  }
}

/** The work of continuing a run, as its record is now. `more` makes it another offer than the last one. */
export function toWork(record: RunRecord, more = ""): Work {
  const { id, session, updatedAt } = record;
  const key = session === undefined ? runKey(id) : sessionKey(ownerOf(record), session);
  return { kind: "segment", run: id, key, token: `${id}@${updatedAt}${more}` };
}
