/**
 * Chat dialect: a run as the answer of an assistant: classification, thinking and tools, one block of content, sources,
 * and a sum at the end.
 *
 * What agents of audience `crew` write is thinking; what those of audience `user` write is the content. Calls of
 * programs are not sent, unless the program executes a plan.
 */
import type { Json, RunEvent } from "@baton/core";
import { isMember } from "@baton/core/engine";
import type { EventBodyOf } from "@baton/core/ports";
import { omitUndefined, lookInto } from "@baton/core/util";
import { type Dialect, type Frame, findAgent, toNumbered } from "@baton/server/mount";
import { callFrames, showResult } from "./chat-call.ts";
import { addText, type Content, endText, NO_CONTENT, restartText } from "./chat-content.ts";
import { closeChat } from "./chat-end.ts";
import type { ChatFrame } from "./chat-frame.ts";
import { type ChatOptions, type ChatState, isShown, isTurn, startChat, type ChatUpdate } from "./chat-state.ts";
import { countEvent, continueTotals } from "./chat-totals.ts";
import { endThinking, startThinking, thinkingFrames } from "./chat-thinking.ts";

/** Silence on a stream before a heartbeat. */
const HEARTBEAT_MS = 15_000;

/** The chat's wire format. */
export function chatDialect(options: ChatOptions = {}): Dialect<ChatState> {
  return {
    name: "chat",
    keepAliveMs: HEARTBEAT_MS,
    start: startChat,
    next(before, event) {
      if (before.segment === "ended") return [before, []];
      const state = before.segment === "open" || !isBeginning(event) ? before : openSegment(before, event.at);
      const [after, frames] = tell(state, event, options);
      const counted = isCounted(after, event) ? { ...after, totals: countEvent(after.totals, event) } : after;
      const [next, ordered] = putInOrder(counted, frames);
      return [next, toNumbered(event.seq, ordered)];
    },
    closing: [{ data: "[DONE]" }],
    toPing: (at) => toFrame({ type: "heartbeat", timestamp: new Date(at).toISOString() }),
    toQueued: (place) => toFrame({ type: "warning", message: toPlaceText(place) }),
    toExtras({ totals, wasFirst }, language) {
      const disclaimer = wasFirst === true ? (options.disclaimer?.[language] ?? options.disclaimer?.["en"]) : undefined;
      const pictures = options.toPictures?.(totals.charts, language) ?? [];
      return { sources: totals.sources, pictures, ...omitUndefined({ disclaimer }) };
    },
  };
}

/** Some commands reach a paused run without waking it. */
const isBeginning = ({ type }: RunEvent): boolean => type !== "command.received";

/** Calls of programs do not count. */
const isCounted = (state: ChatState, event: RunEvent): boolean =>
  !("call" in event && "agent" in event) || isShown(state, event);

function openSegment(state: ChatState, at: number): ChatState {
  const { thinkingSince: _, limit: __, ...rest } = state;
  return { ...rest, content: NO_CONTENT, totals: continueTotals(state.totals, at), segment: "open" };
}

function tell(state: ChatState, event: RunEvent, options: ChatOptions): ChatUpdate {
  switch (event.type) {
    case "run.started": {
      const hasThinking = lookInto(event.options ?? {}, "enable_thinking") !== false;
      return [{ ...state, isFirst: event.history.length === 0, hasThinking }, []];
    }
    case "turn.started":
      return [{ ...state, hidden: toHidden(state, event) }, []];
    case "step.started":
    case "step.ended":
    case "step.retried":
    case "text.delta":
      return tellStep(state, event, options);
    case "call.ended":
      return showResult(state, event, options);
    case "note.made":
      return tellNote(state, event);
    case "question.opened":
    case "question.answered":
    case "question.closed":
      return [keepQuestion(state, event), []];
    case "limit.reached":
      return [{ ...state, limit: event }, []];
    case "warning.raised":
      return [state, [{ type: "warning", message: event.text }]];
    case "run.paused":
    case "run.ended":
      return closeChat(state, event, options);
    default:
      return [state, []];
  }
}

/** The turn of a sub-crew says nothing: its agents have turns of their own. */
function toHidden({ hidden }: ChatState, { lane, audience, crew }: EventBodyOf<"turn.started"> & RunEvent) {
  const isHidden = audience === "crew";
  if (crew !== undefined || hidden.has(lane) === isHidden) return hidden;
  return isHidden ? new Set(hidden).add(lane) : hidden.difference(new Set([lane]));
}

type StepEvent = Extract<RunEvent, { readonly type: "step.started" | "step.ended" | "step.retried" | "text.delta" }>;

function tellStep(state: ChatState, event: StepEvent, options: ChatOptions): ChatUpdate {
  const isForUser = !state.hidden.has(event.lane);
  switch (event.type) {
    case "step.started": {
      const structured = event.output === true ? new Set(state.structured).add(event.step) : state.structured;
      const calling = event.tools === true ? new Set(state.calling).add(event.step) : state.calling;
      const unshown = event.correction === undefined ? "" : event.step;
      const opened = { ...state, structured, calling, unshown, model: event.model };
      return isTurn(state, event, options) ? startThinking(opened, event.at) : [opened, []];
    }
    case "text.delta":
      return isForUser && !isMember(event.lane) && event.step !== state.unshown ? speak(state, event) : [state, []];
    case "step.retried": {
      const { message } = event.error;
      // Without a wait the reply itself was written again, and its text says enough.
      const told: readonly ChatFrame[] =
        event.delayMs === 0 ? [] : [{ type: "warning", message: `${message}; asking again` }];
      const update = isForUser ? tellContent(state, restartText(state.content, event.step), event.at) : none(state);
      return append(update, told);
    }
    case "step.ended": {
      const calls = callFrames(state, event);
      if (isForUser) return event.step === state.unshown ? [state, calls] : append(endSpeech(state, event), calls);
      return [state, [...(isTurn(state, event, options) ? thinkingFrames(state, event) : []), ...calls]];
    }
  }
}

const none = (state: ChatState): ChatUpdate => [state, []];

const append = ([state, frames]: ChatUpdate, more: readonly ChatFrame[]): ChatUpdate => [state, [...frames, ...more]];

type Spoken = Readonly<{ step: string; agent: string; lane: string; text: string; at: number }>;

function speak(state: ChatState, { step, agent, lane, text, at }: Spoken): ChatUpdate {
  const { watch } = findAgent(state.cast, lane, agent);
  const mayCall = state.calling.has(step);
  return tellContent(state, addText(state.content, step, { text, watch, mayCall }), at);
}

/** Members of a group speak at the same time, so their text is shown when a step is whole. */
function endSpeech(state: ChatState, event: EventBodyOf<"step.ended"> & RunEvent): ChatUpdate {
  // The text of a reply that calls tools is not the answer.
  if (event.calls.length > 0) {
    const [quiet, frames] = tellContent(state, restartText(state.content, event.step), event.at);
    return [quiet, [...frames, ...thinkingFrames(quiet, event)]];
  }
  const [spoken, early] = isMember(event.lane) ? speak(state, event) : [state, []];
  const [ended, late] = tellContent(spoken, endText(spoken.content, event.step), event.at);
  return [ended, [...early, ...late]];
}

/** Content comes after the thinking has ended. */
function tellContent(
  state: ChatState,
  [content, frames]: readonly [Content, readonly ChatFrame[]],
  at: number,
): ChatUpdate {
  const next = { ...state, content };
  if (!frames.some(({ type }) => type === "content_start")) return [next, frames];
  const [quiet, ending] = endThinking(next, at);
  return [quiet, [...ending, ...frames]];
}

function tellNote(state: ChatState, { kind, data }: EventBodyOf<"note.made">): ChatUpdate {
  if (kind === "plan") return [state, [{ type: "plan_update", plan: lookInto(data, "plan") ?? data }]];
  if (kind !== "intent") return [state, []];
  const language = lookInto(data, "response_language");
  const symbols = lookInto(data, "validated_symbols") ?? [];
  const pick = (name: string): Json => lookInto(data, name) ?? "";
  const shown = { query_type: pick("query_type"), symbols, complexity: pick("complexity"), by: pick("by") };
  const next = typeof language === "string" ? { ...state, language } : state;
  return [next, [{ type: "classification", data: shown }]];
}

type QuestionEvent = Extract<RunEvent, { readonly type: "question.opened" | "question.answered" | "question.closed" }>;

/** An agent that waits for a message asks nothing: the user's next message is the answer. */
function keepQuestion(state: ChatState, event: QuestionEvent): ChatState {
  const questions = new Map(state.questions);
  if (event.type !== "question.opened") questions.delete(event.question);
  else if (event.kind !== "message") {
    const { question: id, kind, tool, args, schema } = event;
    questions.set(id, { id, kind, text: toQuestionText(state, event), ...omitUndefined({ tool, args }), schema });
  }
  return { ...state, questions };
}

/** The text of an approval in the language of the answer: Vietnamese, else as the engine words it. */
function toQuestionText({ language, cast }: ChatState, event: EventBodyOf<"question.opened"> & RunEvent): string {
  const { kind, text, tool, agent, lane } = event;
  if (kind !== "approval" || tool === undefined || !language.startsWith("vi")) return text;
  return `${findAgent(cast, lane, agent).name} muốn dùng ${tool}`;
}

/** The frames between classification and content. */
const LATER: readonly string[] = [
  "thinking_start",
  "thinking_step",
  "thinking_end",
  "turn_start",
  "tool_calls",
  "tool_results",
  "plan_update",
] satisfies readonly ChatFrame["type"][];

/** The classification comes first: earlier frames follow it or, without one, come before the content or the end. */
function putInOrder(state: ChatState, frames: readonly ChatFrame[]): ChatUpdate {
  const { waiting } = state;
  if (waiting === undefined || frames.length === 0) return [state, frames];
  const [first, rest] = [frames.filter(isFirstFrame), frames.filter((frame) => !isFirstFrame(frame))];
  if (first.length > 0) return [{ ...state, waiting: undefined }, [...first, ...waiting, ...rest]];
  const [later, now] = [rest.filter(isLater), rest.filter((frame) => !isLater(frame))];
  const isOver = now.some(({ type }) => type === "content_start" || type === "done");
  return isOver
    ? [{ ...state, waiting: undefined }, [...waiting, ...frames]]
    : [{ ...state, waiting: [...waiting, ...later] }, now];
}

const isFirstFrame = ({ type }: ChatFrame): boolean => type === "classification";
const isLater = ({ type }: ChatFrame): boolean => LATER.includes(type);

function toPlaceText(place: number): string {
  return `another answer of this session is not finished yet: this one has place ${place} in line`;
}

const toFrame = (frame: ChatFrame): Frame => ({ data: JSON.stringify(frame) });
