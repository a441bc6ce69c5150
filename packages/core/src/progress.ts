/**
 * Progress: where a run stands between two turns, and how it stopped.
 */
import type { Failure } from "./error.ts";
import type { Outcome, Place } from "./event.ts";
import type { Json } from "./json.ts";

/** Where a run stands between two turns. */
export interface Progress {
  next: Place;
  /** Who had the baton last; empty at the start. */
  from: string;
  /** Who gets the baton after a sub-crew, if not the agent that sent it there. */
  returnTo?: string;
  /** The last reply that was written for the user, without signals. */
  shown?: string;
  /** A user's message has made the run go on. */
  isResumed?: boolean;
  /** Turns and groups so far. */
  turns: number;
  /** Since the user's last message. */
  handoffs: number;
}

/** How a run stopped, for now or for good. */
export interface RunEnd {
  readonly outcome: Outcome;
  readonly by: "answer" | "signal" | "limit" | "command" | "error" | "question";
  readonly agent: string;
  readonly text: string;
  /** For people, if that is not `text` without the agent's own signals. */
  readonly content?: string;
  /** What the last agent gave, if it has an output schema. */
  readonly output?: Json;
  readonly error?: Failure;
}
