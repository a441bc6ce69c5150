/**
 * Chat event: what a chat shows of a run, in the words that all chat protocols share.
 *
 * Text has no signals; what agents write for the crew alone is reasoning. Everything that opens closes before the end
 * of its segment. A part is one reply's text; the ids of parts and calls are the same in every protocol, and a step that
 * starts again gives its parts and calls new ids.
 */
import type { Failure, Json } from "@baton/core";
import type { OpenQuestion } from "@baton/core/engine";
import type { EventBodyOf, Finish, Usage } from "@baton/core/ports";

/** A reply's text or reasoning. */
export interface ReplyPart {
  /** `<run>/<step>`. */
  readonly id: string;
  readonly step: string;
  readonly agent: string;
  /** The display name of the agent. */
  readonly name: string;
  /** Of a group's member; empty for the run's own line, which its sub-crews speak in too. */
  readonly lane: string;
}

/** A part to which nothing is added any more; whole if the reply was not interrupted. */
export interface ClosedPart {
  readonly part: ReplyPart;
  readonly isWhole: boolean;
}

/** A tool call under its outside id. */
export interface ChatToolCall {
  readonly id: string;
  /** The part of the reply that asked for it. */
  readonly part: string;
  readonly tool: string;
  readonly agent: string;
  readonly lane: string;
  /** The client that follows the run executes it, once a question of the kind `tool` is open. */
  readonly isClient: boolean;
  /** Code makes it, not the reply itself. */
  readonly isInCode: boolean;
}

/** A question under its outside id, with that of the call it is about. */
export interface ChatQuestion {
  readonly id: string;
  readonly opened: OpenQuestion;
  readonly call: string | undefined;
}

/** The end of a segment of the run: its outcome, usage and open questions. */
export interface SegmentEnd {
  readonly end: EventBodyOf<"run.paused"> | EventBodyOf<"run.ended">;
  /** Why the last reply of the run's own line stopped. */
  readonly finish: Finish;
  /** By model. */
  readonly usage: ReadonlyMap<string, Usage>;
  readonly questions: readonly ChatQuestion[];
}

/** One thing to show. */
export type ChatEvent =
  /** `segment` and `message` count from 1; a message continues over segments until the user says something. */
  | { readonly type: "segment.opened"; readonly segment: number; readonly message: number }
  | ({ readonly type: "segment.closed" } & SegmentEnd)
  | {
      readonly type: "turn.opened";
      readonly turn: string;
      readonly agent: string;
      readonly name: string;
      readonly lane: string;
    }
  /** `text` is the whole reply, for people; empty if it is for the crew alone. */
  | {
      readonly type: "turn.closed";
      readonly turn: string;
      readonly agent: string;
      readonly name: string;
      readonly lane: string;
      readonly text: string;
      readonly error: Failure | undefined;
    }
  | { readonly type: "group.opened" | "group.closed" }
  | { readonly type: "step.opened"; readonly part: ReplyPart }
  /** The reply starts again: what its part and calls have shown does not count. */
  | { readonly type: "step.dropped"; readonly part: ReplyPart; readonly error: Failure }
  | { readonly type: "text.opened" | "reasoning.opened"; readonly part: ReplyPart }
  | ({ readonly type: "text.closed" | "reasoning.closed" } & ClosedPart)
  | { readonly type: "text.added" | "reasoning.added"; readonly part: ReplyPart; readonly text: string }
  | { readonly type: "args.opened"; readonly call: ChatToolCall }
  | { readonly type: "args.added"; readonly call: ChatToolCall; readonly text: string }
  /** `isDropped` if no call came of it. */
  | { readonly type: "args.closed"; readonly call: ChatToolCall; readonly isDropped: boolean }
  /** `isStreamed` if its arguments have been shown. */
  | { readonly type: "call.opened"; readonly call: ChatToolCall; readonly args: Json; readonly isStreamed: boolean }
  /** A person changed its arguments after they were shown. */
  | { readonly type: "call.changed"; readonly call: ChatToolCall; readonly args: Json }
  | { readonly type: "call.progressed"; readonly call: ChatToolCall; readonly progress: Json }
  /** `isRefused` if a person refused it. */
  | {
      readonly type: "call.closed";
      readonly call: ChatToolCall;
      readonly args: Json;
      readonly output: Json;
      readonly error: Failure | undefined;
      readonly isRefused: boolean;
    }
  | { readonly type: "question.opened"; readonly asked: ChatQuestion }
  | { readonly type: "question.answered"; readonly asked: ChatQuestion; readonly value: Json }
  | { readonly type: "handoff.made"; readonly fact: EventBodyOf<"handoff.made"> }
  | { readonly type: "warning.raised"; readonly fact: EventBodyOf<"warning.raised"> };

/** The chat event of one type. */
export type ChatEventOf<Type extends ChatEvent["type"]> = Extract<ChatEvent, { readonly type: Type }>;

/** Arguments or a result as text. */
export function jsonAsText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Why a run failed or was cancelled. */
export function toEndFailure({ outcome, error }: EventBodyOf<"run.ended">): Failure {
  if (error !== undefined) return error;
  if (outcome === "limit") return { code: "limit", message: "the run was ended by a limit" };
  return outcome === "cancelled"
    ? { code: "cancelled", message: "the run was cancelled" }
    : { code: "internal", message: "the run failed" };
}
