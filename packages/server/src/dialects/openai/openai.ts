/**
 * OpenAI Chat Completions: a run as the chunks of one assistant message, what the crew says, reply after reply.
 *
 * If several agents write for the user, each one's name stands before what it says; a member of a group speaks when its
 * turn has ended. With `baton_final_only` there is only the last answer. A tool of the client is called by its name, any
 * other question is a call of the function `answer_question`.
 */
import type { Finish } from "@baton/core/ports";
import {
  type ChatQuestion,
  type ChatEvent,
  type ChatEventOf,
  type SegmentEnd,
  type ReplyPart,
  toEndFailure,
} from "../chat/chat-event.ts";
import type { CrewAgents } from "../chat/crew-agents.ts";
import { type ChatDialectState, defineChatDialect } from "../chat/chat-dialect.ts";
import type { DialectContext } from "../dialect.ts";
import { sumUsage } from "../chat/usage.ts";

/** State of this dialect. */
export interface OpenaiState extends ChatDialectState {
  /** The part that speaks; empty if nothing was said in this segment. */
  readonly part: string;
  /** The name of the agent that spoke last in this segment. */
  readonly speaker: string;
  /** Text of the last turn of this segment. */
  readonly last: string;
}

/** Why a completion ended. */
export type ChatFinish = "stop" | "length" | "tool_calls" | "content_filter";

/** An error in OpenAI's words. */
export interface ChatError {
  readonly message: string;
  readonly type: string;
  readonly code: string;
  readonly param: null;
}

/** A question as a tool call. */
export interface ChatCall {
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
}

type Delta = Readonly<{
  role?: "assistant";
  content?: string;
  tool_calls?: readonly (ChatCall & { readonly index: number })[];
}>;
type Shown = readonly [OpenaiState, readonly object[]];

const SILENCE = { part: "", speaker: "", last: "" };

/** Separates two replies of one message. */
export const BLANK_LINE = "\n\n";
/** The function by which a question is answered. */
const ANSWER_FUNCTION = "answer_question";

/** The stream of `POST /v1/chat/completions`. */
export const openai = defineChatDialect<OpenaiState>({
  name: "openai",
  isOneMessage: true,
  start: (context, progress) => ({ context, progress, ...SILENCE }),
  show: showChatEvent,
  closing: [{ data: "[DONE]" }],
  interrupted: (message) => ({
    error: { message, type: "server_error", code: "cut_off", param: null } satisfies ChatError,
  }),
});

/** The id of a completion; each segment of a run is one. */
export function toChatId(run: string, segment: number): string {
  return `chatcmpl-${run}${segment === 1 ? "" : `-${segment}`}`;
}

function showChatEvent(state: OpenaiState, chatEvent: ChatEvent): Shown {
  switch (chatEvent.type) {
    case "segment.opened":
      return [{ ...state, ...SILENCE }, [toChunk(state, { role: "assistant", content: "" })]];
    case "text.added":
      return isFinalOnly(state.context) || chatEvent.part.lane !== ""
        ? [state, []]
        : showText(state, chatEvent.part, chatEvent.text);
    case "turn.closed":
      return showTurn(state, chatEvent);
    case "segment.closed":
      return [state, [...showFinal(state, chatEvent), ...showEnd(state, chatEvent)]];
    default:
      return [state, []];
  }
}

/** Whether the client wants the last answer alone. */
export function isFinalOnly({ options }: DialectContext): boolean {
  return options?.baton_final_only === true;
}

function showTurn(state: OpenaiState, turn: ChatEventOf<"turn.closed">): Shown {
  if (isFinalOnly(state.context)) return [{ ...state, last: lastTextOf(state.last, turn) }, []];
  return isMemberReply(turn) ? showText(state, { id: turn.turn, name: turn.name }, turn.text) : [state, []];
}

/** Returns the text of this turn, or the one before if this turn has none. */
export function lastTextOf(before: string, { lane, text }: ChatEventOf<"turn.closed">): string {
  return lane === "" && text !== "" ? text : before;
}

/** The last answer of a segment: what the run ended with, or what it said before it began to wait for a message. */
export function toFinal({ end, questions }: SegmentEnd, last: string): string {
  if (end.type === "run.ended") return end.content ?? end.text;
  return questions.length > 0 ? "" : last;
}

function showFinal(state: OpenaiState, end: SegmentEnd): readonly object[] {
  const content = toChatError(end.end) === undefined && isFinalOnly(state.context) ? toFinal(end, state.last) : "";
  return content === "" ? [] : [toChunk(state, { content })];
}

/** Whether a member of a group has something to say. */
export function isMemberReply({ lane, text, error }: ChatEventOf<"turn.closed">): boolean {
  return lane !== "" && error === undefined && text !== "";
}

/**
 * A blank line stands before each other part. Nothing can be taken back: a reply that starts again is another part, and
 * follows what was shown of it.
 */
function showText(state: OpenaiState, { id, name }: Pick<ReplyPart, "id" | "name">, text: string): Shown {
  if (state.part === id) return [state, [toChunk(state, { content: text })]];
  const before = state.part === "" ? "" : BLANK_LINE + toSpeaker(state.progress.agents, name, state.speaker);
  const content = before + text;
  return [{ ...state, part: id, speaker: name }, [toChunk(state, { content })]];
}

/** Returns the text before a reply that is not the first: the agent's name, if another one spoke before. */
export function toSpeaker({ speakers }: CrewAgents, name: string, before: string): string {
  return speakers <= 1 || name === before ? "" : `${name}: `;
}

function showEnd(state: OpenaiState, end: SegmentEnd): readonly object[] {
  const error = toChatError(end.end);
  if (error !== undefined) return [{ error }];
  const calls = end.questions.map(toChatCall);
  const asked = calls.map((call, index) => toChunk(state, { tool_calls: [{ index, ...call }] }));
  const last = toChunk(state, {}, toChatFinish(end));
  if (state.context.options?.include_usage !== true) return [...asked, last];
  return [...asked, last, { ...toChunk(state, {}), choices: [], usage: toChatUsage(end) }];
}

function toChunk({ context, progress }: OpenaiState, delta: Delta, finish: ChatFinish | null = null): object {
  return {
    id: toChatId(context.run, progress.segment),
    object: "chat.completion.chunk",
    created: Math.floor(context.createdAt / 1_000),
    model: context.model,
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
    ...(context.options?.include_usage === true ? { usage: null } : {}),
  };
}

/** Why a segment of the run ended, in OpenAI's words. */
export function toChatFinish({ finish, questions }: SegmentEnd): ChatFinish {
  if (questions.length > 0) return "tool_calls";
  return FINISHES[finish];
}

const FINISHES: Readonly<Record<Finish, ChatFinish>> = {
  stop: "stop",
  calls: "stop",
  length: "length",
  filter: "content_filter",
  other: "stop",
};

/** A question as the call by which the client answers it; a tool of the client is called itself. */
export function toChatCall({ id, opened }: ChatQuestion): ChatCall {
  const { kind, text, tool, args, schema } = opened;
  if (kind === "tool" && tool !== undefined)
    return { id, type: "function", function: { name: tool, arguments: JSON.stringify(args ?? {}) } };
  const about = { question: opened.question, kind, text, ...(tool === undefined ? {} : { tool, args }), schema };
  return { id, type: "function", function: { name: ANSWER_FUNCTION, arguments: JSON.stringify(about) } };
}

/** The error of a run that was not done; a message that is not whole must not look as if it were. */
export function toChatError(end: SegmentEnd["end"]): ChatError | undefined {
  if (end.type === "run.paused" || end.outcome === "done") return undefined;
  const { code, message } = toEndFailure(end);
  return { message, type: code === "cancelled" ? "cancelled" : "server_error", code, param: null };
}

/** Usage in the words of Chat Completions. */
export function toChatUsage({ usage }: Pick<SegmentEnd, "usage">): object {
  const { input, cached, output, reasoning } = sumUsage(usage);
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens_details: { reasoning_tokens: reasoning },
  };
}
