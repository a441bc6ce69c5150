/**
 * Run result: what the one who started or resumed a run holds, and gets.
 *
 * A `Run` covers one life of the run, from a start or resume to the next pause or end; the log goes on over all of
 * them.
 */
import { BatonError, type Failure } from "./error.ts";
import type { Command, FactOf, Outcome, Receipt, RunEvent } from "./event.ts";
import { fold } from "./fold.ts";
import { given } from "./json.ts";
import { Follower, readAll, type RunLog } from "./log.ts";
import type { Message } from "./message.ts";

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
  /** What has been said, the input and earlier conversation included: the history of a run that is to follow. */
  readonly history: readonly Message[];
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

/** The result that an ended run's last event tells. */
export function toResult(ended: FactOf<"run.ended">, history: readonly Message[]): RunResult {
  const { outcome, agent, text, content, error, receipt } = ended;
  const more = given({ error, receipt });
  return { outcome, agent, content: content ?? text, raw: text, ...more, questions: [], history };
}

/** A run that has ended, of which only the log is left. */
export function toPastRun(id: string, log: RunLog): Run {
  const ended = async (): Promise<RunResult> => {
    const events = await readAll(log);
    const last = events.at(-1);
    if (last?.type !== "run.ended") throw new BatonError("internal", `run ${id} has no end`);
    return toResult(last, fold(events).history);
  };
  return {
    id,
    outcome: ended(),
    events: (after = 0) => new Follower(log, after, ({ type }) => type === "run.ended"),
    command: () => Promise.reject(new BatonError("run_ended", `run ${id} has ended`)),
  };
}
