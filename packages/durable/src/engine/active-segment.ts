/**
 * Active segment: a run from a start or resume to its next pause or end.
 */
import type { Receipt, RunEvent, RunResult } from "@baton/core";
import type { RunRecord } from "@baton/store";

/** A run from a start or resume to its next pause or end. */
export interface ActiveSegment {
  readonly id: string;
  /** It does not execute in this process: it is read from the store. */
  readonly isStored?: true;
  /** Returns the run's record, if the run executes or has executed in this process. */
  readonly record?: () => RunRecord;
  /** Settles at that pause or end, once it is on disk; never rejects. */
  readonly outcome: Promise<RunResult>;
  /** The log from a place on, live, up to that pause or end. */
  events(after?: number): AsyncIterableIterator<RunEvent>;
}

/** The result of a command. */
export interface CommandResult {
  /** The segment that is under way: a new one if the command resumed the run. */
  readonly segment: ActiveSegment;
  /** Of a cancel. */
  readonly receipt?: Receipt;
}
