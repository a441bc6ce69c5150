/**
 * Chat state: what the chat dialect remembers between two events, and what a product decides about its chat.
 */
import type { Json, RunEvent } from "@baton/core";
import type { EventBodyOf } from "@baton/core/ports";
import {
  type AnswerExtras,
  type CrewAgents,
  type DialectContext,
  findAgent,
  listCrewAgents,
} from "@baton/server/mount";
import { type Content, NO_CONTENT } from "./chat-content.ts";
import type { ChatFrame, SourceItem, ShownQuestion } from "./chat-frame.ts";
import { startTotals, type ChatTotals } from "./chat-totals.ts";
import { SAVE_COMPACTION } from "../context/compaction-tools.ts";

/** A call that has ended, as `toSources` is given it. */
export type EndedCall = Readonly<{ call: string; tool: string; output: Json }>;

/** A product's options of its chat. */
export interface ChatOptions {
  /** The agents whose steps are turns and thinking. Default: those that write for the crew with a language model. */
  readonly thinkers?: readonly string[];
  /** The sources that a call's output names; by default its `provenance`. */
  readonly toSources?: (call: EndedCall) => readonly Omit<SourceItem, "n" | "call">[];
  /** The text at the end of a session's first answer, by language. */
  readonly disclaimer?: Readonly<Record<string, string>>;
  /** Draws the charts of an answer for chat channels, in a language. */
  readonly toPictures?: (charts: readonly Json[], language: string) => AnswerExtras["pictures"];
}

/** The state of the dialect between two events. */
export interface ChatState {
  readonly context: DialectContext;
  readonly cast: CrewAgents;
  /** Lanes whose turn is an agent's that writes for the crew alone. */
  readonly hidden: ReadonlySet<string>;
  /** Steps whose reply is JSON. */
  readonly structured: ReadonlySet<string>;
  /** Steps that are offered tools: their text may be commentary. */
  readonly calling: ReadonlySet<string>;
  /** The step that asks for a forgotten signal; its text is not shown. */
  readonly unshown: string;
  readonly hasThinking: boolean;
  readonly thinkingSince?: number;
  readonly content: Content;
  readonly totals: ChatTotals;
  /** Frames that wait for the classification, which comes first; undefined once nothing waits for it. */
  readonly waiting: readonly ChatFrame[] | undefined;
  /** Questions that are open. */
  readonly questions: ReadonlyMap<string, ShownQuestion>;
  /** The cap that was reached last. */
  readonly limit?: EventBodyOf<"limit.reached">;
  readonly isFirst: boolean;
  /** Whether the answer that has just ended was the session's first. */
  readonly wasFirst?: boolean;
  readonly language: string;
  /** The model of the latest step. */
  readonly model: string;
  /** `open` between a message of the user and the end of its answer. */
  readonly segment: "waiting" | "open" | "ended";
}

/** The state after an event, and the frames that tell it. */
export type ChatUpdate = readonly [ChatState, readonly ChatFrame[]];

/** The agent that classifies the question by a note `intent`: nothing is sent before that. */
const CLASSIFIER = "intent";
/** The program that executes plans: its steps and calls are sent. */
const RUNNER = "runner";

/** Before the first event. */
export function startChat(context: DialectContext): ChatState {
  return {
    context,
    cast: listCrewAgents(context.crew),
    hidden: new Set(),
    structured: new Set(),
    calling: new Set(),
    unshown: "",
    hasThinking: true,
    content: NO_CONTENT,
    totals: startTotals(context.createdAt),
    waiting: context.crew.agents.has(CLASSIFIER) ? [] : undefined,
    questions: new Map(),
    isFirst: false,
    language: "en",
    model: "",
    segment: "waiting",
  };
}

/** Whether a step is a turn: its commentary and reasoning are thinking. */
export function isTurn(state: ChatState, event: ByAgent, options: ChatOptions): boolean {
  if (options.thinkers !== undefined) return options.thinkers.includes(event.agent);
  return state.hidden.has(event.lane) && isShown(state, event);
}

type ByAgent = Extract<RunEvent, { readonly agent: string }>;

/** Whether an agent's steps and calls are sent: it uses a language model, or executes plans. */
export function isShown({ cast }: ChatState, event: ByAgent): boolean {
  const { lane, agent } = event;
  if ("tool" in event && event.tool === SAVE_COMPACTION) return false;
  return agent === RUNNER || !findAgent(cast, lane, agent).isProgram;
}
