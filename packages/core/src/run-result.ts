/**
 * Run result: what the caller that started or resumed a run holds, and gets.
 *
 * A `Run` covers one segment of the run, from a start or resume to the next pause or end; the log goes on over all of
 * them. `toResult` is the only builder of a result: of a live run, a stored one, one that a server answers with.
 */
import { BatonError, type Failure } from "./error.ts";
import type { Command, FactOf, Outcome, Receipt, RunEvent } from "./event.ts";
import { fold } from "./fold.ts";
import { Follower, readAll } from "./follower.ts";
import { forSession } from "./history.ts";
import { given, type Json } from "./json.ts";
import type { RunLog } from "./log.ts";
import type { Message } from "./message.ts";

/** How a segment of a run ended. */
export interface RunResult {
  readonly outcome: Outcome;
  /** Who had the baton last. */
  readonly agent: string;
  /** The final reply for people, signals taken out; of an interrupted run what was said so far. */
  readonly content: string;
  /** The final reply as the model wrote it. */
  readonly raw: string;
  /** What the last agent gave, if it has an output schema. */
  readonly output?: Json;
  readonly error?: Failure;
  readonly receipt?: Receipt;
  /** What a paused run waits to be told; empty if it waits for a message. */
  readonly questions: readonly FactOf<"question.opened">[];
  /** What has been said, the input and earlier conversation included: the history of a run that is to follow. */
  readonly history: readonly Message[];
}

/** What a command led to. */
export interface Commanded {
  /** The segment that goes on: a new one if the command resumed the run. */
  readonly run: Run;
  /** Of a cancel. */
  readonly receipt?: Receipt;
}

/** One segment of a run. */
export interface Run {
  readonly id: string;
  /** Settles at the next pause or end; never rejects. */
  readonly outcome: Promise<RunResult>;
  /** The log from a place on, live, up to this segment's pause or end. */
  events(after?: number): AsyncIterableIterator<RunEvent>;
  command(command: Command): Promise<Commanded>;
}

/** What a result is made of: a `RunView`, or what a live run knows without reading its log. */
export interface Settled {
  readonly outcome: Outcome | undefined;
  readonly holder: string;
  readonly text: string;
  readonly content: string;
  readonly output?: Json | undefined;
  readonly error?: Failure | undefined;
  readonly receipt?: Receipt | undefined;
  readonly questions: ReadonlyMap<string, FactOf<"question.opened">>;
  readonly history: readonly Message[];
}

/** The result of a run that is paused or has ended. */
export function toResult(settled: Settled): RunResult {
  const { outcome, holder, text, content, output, error, receipt, questions, history } = settled;
  if (outcome === undefined) throw new BatonError("internal", "a run that is running has no result");
  const open = outcome === "paused" ? [...questions.values()] : [];
  const result = { outcome, agent: holder, content, raw: text, questions: open, history: forSession(history) };
  const isPlain = output === undefined && (error ?? receipt) === undefined;
  return isPlain ? result : { ...result, ...given({ output, error, receipt }) };
}

/** A run that has ended, of which only the log is left. */
export function toPastRun(id: string, log: RunLog): Run {
  return {
    id,
    outcome: readAll(log).then((events) => toResult(fold(events))),
    events: (after = 0) => new Follower(log, after, ({ type }) => type === "run.ended"),
    command: () => Promise.reject(new BatonError("run_ended", `run ${id} has ended`)),
  };
}
