/**
 * Stored log: the engine's log, on a database; of the runs that are at work in this process.
 */
import { BatonError } from "@baton/core";
import { ById, type Log } from "@baton/core/ports";
import type { Seat } from "./run-draft.ts";
import { StoredRunLog, type Surroundings } from "./stored-run-log.ts";

/** The logs of the runs that are at work in this process. */
export class StoredLog implements Log {
  readonly #runs = new ById<StoredRunLog>();
  readonly #around: Surroundings;

  constructor(around: Surroundings) {
    this.#around = around;
  }

  /** Makes room for a run; before the engine opens its log. */
  seat(seat: Seat): StoredRunLog {
    const made = new StoredRunLog(seat, this.#around);
    this.#runs.set(seat.record.id, made);
    return made;
  }

  open(run: string): StoredRunLog {
    const found = this.#runs.get(run);
    if (found === undefined) throw new BatonError("internal", `run ${run} has no seat in the store`);
    return found;
  }

  /** Undefined for a run that is seated but has not begun: the engine may start it. */
  find(run: string): StoredRunLog | undefined {
    const found = this.#runs.get(run);
    return found === undefined || found.length === 0 ? undefined : found;
  }

  forget(run: string): void {
    this.#runs.delete(run);
  }
}
