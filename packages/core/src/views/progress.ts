/**
 * Progress: the state of a run between two turns, how a turn ended, and how the run stopped.
 */
import { type BatonError, type Failure, toFailure } from "../words/error.ts";
import type { EventBodyOf, Outcome, Place } from "../words/event.ts";
import type { Json } from "../words/json.ts";
import type { Role } from "./plan.ts";

/** The state of a run between two turns. */
export interface Progress {
  next: Place;
  /** The agent that had the baton last; empty at the start. */
  from: string;
  /** The agent that gets the baton after a sub-crew, if not the one that sent it there. */
  returnTo?: string;
  /** The last reply that was written for the user, without signals. */
  shown?: string;
  /** Output of that agent, if it has an output schema. */
  output?: Json | undefined;
  /** A user's message has made the run continue. */
  isResumed?: boolean;
  /** Turns and groups so far. */
  turns: number;
  /** Since the user's last message. */
  handoffs: number;
}

/** Pause or end of a run. */
export interface RunEnd {
  readonly outcome: Outcome;
  readonly by: "answer" | "signal" | "limit" | "command" | "error" | "question";
  readonly agent: string;
  readonly text: string;
  /** For people, if that is not `text` without the agent's own signals. */
  readonly content?: string;
  /** Output of the last agent, if it has an output schema. */
  readonly output?: Json;
  /** The output is as the model wrote it. */
  readonly isUnparsed?: true;
  readonly error?: Failure;
}

/** End of a turn: with an answer, interrupted or failed, or not yet. */
export type TurnEnd =
  | {
      readonly kind: "answered";
      readonly text: string;
      readonly content?: string;
      /** The signal that the model gave when it was asked for it. */
      readonly signal?: string;
      /** Output of an agent with an output schema. */
      readonly output?: Json;
      /** The output is as the model wrote it, because what its schema makes of it is not JSON. */
      readonly isUnparsed?: true;
      readonly endsRun: boolean;
      /** Calls and results of a member as others read them, if the crew shares them. */
      readonly told?: string;
      /** A user's message ended a pause of this turn. */
      readonly isResumed?: boolean;
    }
  /** `text` is what was said so far, `content` the same for people if that is not `text` without signals. */
  | {
      readonly kind: "stopped";
      readonly error: Failure;
      readonly text: string;
      readonly content?: string;
      readonly isResumed?: boolean;
    }
  | { readonly kind: "waiting" };

/** The end of a lane that gave none; it never happens. */
export const LOST = {
  kind: "stopped",
  text: "",
  error: { code: "internal", message: "the lane was lost" },
} as const satisfies TurnEnd;

/** The end of a child that never began: it was cancelled, or the run pauses first. */
export function toUnstarted(reason: BatonError | undefined): TurnEnd {
  return reason === undefined ? { kind: "waiting" } : { kind: "stopped", error: toFailure(reason), text: "" };
}

/** The fact of a turn that has ended. */
export function toTurnEnded(
  { agent, matcher }: Role,
  turn: string,
  end: Exclude<TurnEnd, { kind: "waiting" }>,
): EventBodyOf<"turn.ended"> {
  const { text } = end;
  const content = matcher.strip(text);
  const ended = { type: "turn.ended", turn, agent: agent.id, text, ...(content === text ? {} : { content }) } as const;
  if (end.kind === "stopped") return { ...ended, error: end.error };
  if (end.output === undefined) return ended;
  return { ...ended, output: end.output, ...(end.isUnparsed && { unparsed: true }) };
}

/** First fact of a turn. */
export function toTurnStarted({ agent: { id: agent, audience } }: Role, turn: string): EventBodyOf<"turn.started"> {
  return audience === "user" ? { type: "turn.started", turn, agent } : { type: "turn.started", turn, agent, audience };
}
