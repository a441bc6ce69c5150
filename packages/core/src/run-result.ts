/**
 * Run result: what the one who started or resumed a run holds, and gets.
 *
 * A `Run` covers one life of the run, from a start or resume to the next pause or end; the log goes on over all
 * of them. Reads: error, event. Read by: live-run, engine.
 */
import type { Failure } from "./error.ts";
import type { Command, FactOf, Outcome, Receipt, RunEvent } from "./event.ts";

/** How a life of a run ended. */
export interface RunResult {
  readonly outcome: Outcome;
  /** Who had the baton last. */
  readonly agent: string;
  /** The final reply for people, signals taken out. */
  readonly content: string;
  /** The final reply as the model wrote it. */
  readonly raw: string;
  readonly error?: Failure;
  readonly receipt?: Receipt;
  /** What a paused run waits to be told; empty where it waits for a message. */
  readonly questions: readonly FactOf<"question.opened">[];
}

/** What a command led to. */
export interface Commanded {
  /** The life that goes on: a new one where the command resumed the run. */
  readonly run: Run;
  /** Of a cancel. */
  readonly receipt?: Receipt;
}

/** One life of a run. */
export interface Run {
  readonly id: string;
  /** Settles at the next pause or end; never rejects. */
  readonly outcome: Promise<RunResult>;
  /** The log from a place on, live, up to this life's pause or end. */
  events(after?: number): AsyncIterableIterator<RunEvent>;
  command(command: Command): Promise<Commanded>;
}
