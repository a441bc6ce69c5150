/**
 * Log: the append-only events of each run.
 *
 * The log gives every event its `seq` and `at`, and shows readers only what is committed.
 */
import type { EventBody, RunEvent } from "../words/event.ts";
import type { Message } from "../words/message.ts";

/** Where the text of one step comes from; made once a step, so that a delta costs no more than its text. */
export type TextSource = Readonly<{ lane: string; step: string; agent: string }>;

/** The log of one run, with one writer. */
export interface RunLog {
  /** Number of events that have been appended: the `seq` of the last one. */
  readonly length: number;
  /** Adds a fact and returns its time. It is readable once committed. */
  append(fact: EventBody, lane: string): number;
  /** Adds a `text.delta`. */
  appendText(source: TextSource, text: string): void;
  /** A promise if what was appended is not on disk yet, else undefined. */
  committed(): Promise<void> | undefined;
  /** The next committed events with a higher `seq`; empty only if there are none yet. */
  read(after: number): readonly RunEvent[] | Promise<readonly RunEvent[]>;
  /**
   * Resolves once more than this `seq` is committed, or never will be, after all that is ready now; a run's end may
   * be reported at once.
   */
  grown(after: number): Promise<void>;
  /** Backpressure: a promise if so much waits for the disk that the run should wait too, else undefined. */
  room(): Promise<void> | undefined;
  /** Hands over the conversation so far, which a log of conversations writes with the next event. */
  remember(history: readonly Message[]): void;
  /** From here on nothing is added, not even by the writer. */
  seal(): void;
  readonly isSealed: boolean;
}

/** The logs of all runs. */
export interface Log {
  /** The run's log, made if there is none. */
  open(run: string): RunLog;
  find(run: string): RunLog | undefined;
  forget(run: string): void;
}

/** Sees every committed event, at once and in order; must not throw. */
export type Observer = (event: RunEvent) => void;
