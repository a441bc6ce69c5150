/**
 * AG-UI: a run as AG-UI's events, each segment of it one AG-UI run.
 *
 * A turn is a step, named by its agent; a member of a group is a subagent, and what it says carries its lane. A pause
 * for answers ends the run with one interrupt for each question, except calls of the client's tools, which are pending
 * tool calls; a pause for a message ends it like any answer.
 */
import { omitUndefined } from "@baton/core/util";
import { showCall, toTag } from "./agui-call.ts";
import { type ClientCalls, NO_CLIENT_CALLS, showClientCall } from "./agui-client-call.ts";
import type { AguiEvent } from "./agui-event.ts";
import {
  type ChatQuestion,
  type ChatEvent,
  type ChatEventOf,
  type SegmentEnd,
  type ReplyPart,
  toEndFailure,
} from "../chat/chat-event.ts";
import { type ChatDialectState, defineChatDialect, type ChatFrames } from "../chat/chat-dialect.ts";

/** State of this dialect: the agents of open turns by lane. They open again with the next segment. */
export interface AguiState extends ChatDialectState {
  readonly turns: ReadonlyMap<string, string>;
  /** Names of subagents by lane, where that is not the lane: a crew in a lane has several turns, each a subagent. */
  readonly subagents: ReadonlyMap<string, string>;
  readonly clientCalls: ClientCalls;
}

type Shown = ChatFrames<AguiState, AguiEvent>;

/** The stream of `POST /api/agui`. */
export const agui = defineChatDialect<AguiState, AguiEvent>({
  name: "agui",
  start: (context, progress) => ({
    context,
    progress,
    turns: new Map(),
    subagents: new Map(),
    clientCalls: NO_CLIENT_CALLS,
  }),
  show(before, chatEvent, { at }) {
    const [state, events] = showChatEvent(before, chatEvent);
    return [state, events.map((event) => ({ ...event, ...toSubagent(state, event), timestamp: at }))];
  },
  interrupted: (message) => ({ type: "RUN_ERROR", message, code: "cut_off", usage: [] }),
});

function showChatEvent(state: AguiState, chatEvent: ChatEvent): Shown {
  switch (chatEvent.type) {
    case "segment.opened":
      return [state, [{ type: "RUN_STARTED", ...toRun(state), protocolVersion: "1.0" }, ...openTurns(state.turns)]];
    case "turn.opened": {
      const { lane, agent, turn } = chatEvent;
      const turns = new Map(state.turns).set(lane, agent);
      const isFirst = turn === `${lane}/1` || lane === "";
      const subagents = isFirst ? state.subagents : new Map(state.subagents).set(lane, turn);
      return [{ ...state, turns, subagents }, openTurns(new Map([[lane, agent]]))];
    }
    case "turn.closed":
      return closeTurn(state, chatEvent);
    case "segment.closed":
      return closeSegment(state, chatEvent);
    default: {
      const told = showClientCall(state.clientCalls, chatEvent, state.progress.segment);
      if (told !== undefined) return [{ ...state, clientCalls: told[0] }, told[1]];
      return [state, [...showWords(chatEvent), ...showCall(chatEvent), ...showNews(chatEvent)]];
    }
  }
}

/** Returns the name of the subagent that an event is of: the client takes a name once. */
function toSubagent({ subagents }: AguiState, { subagentRunId }: AguiEvent): { readonly subagentRunId?: string } {
  const name = subagentRunId === undefined ? undefined : subagents.get(subagentRunId);
  return name === undefined ? {} : { subagentRunId: name };
}

/** The client's own name for the run; without one each segment has its own, because a stream may hold all of them. */
function toRun({ context, progress }: AguiState): { readonly threadId: string; readonly runId: string } {
  const { run, session = run, options } = context;
  const own = progress.segment === 1 ? run : `${run}-${progress.segment}`;
  return { threadId: session, runId: options?.run_id ?? own };
}

function openTurns(turns: ReadonlyMap<string, string>): readonly AguiEvent[] {
  return Array.from(turns, ([lane, agent]) =>
    lane === ""
      ? { type: "STEP_STARTED", stepName: agent }
      : { type: "SUBAGENT_STARTED", subagentRunId: lane, name: agent },
  );
}

function closeTurn(state: AguiState, { lane, agent, error }: ChatEventOf<"turn.closed">): Shown {
  const turns = new Map(state.turns);
  turns.delete(lane);
  if (lane === "") return [{ ...state, turns }, [{ type: "STEP_FINISHED", stepName: agent }]];
  if (error === undefined) return [{ ...state, turns }, [{ type: "SUBAGENT_FINISHED", subagentRunId: lane }]];
  const { code, message } = error;
  return [{ ...state, turns }, [{ type: "SUBAGENT_ERROR", subagentRunId: lane, message, code }]];
}

function showWords(chatEvent: ChatEvent): readonly AguiEvent[] {
  switch (chatEvent.type) {
    case "text.opened": {
      const { id: messageId, agent: name } = chatEvent.part;
      return [{ type: "TEXT_MESSAGE_START", messageId, role: "assistant", name, ...toTag(chatEvent.part) }];
    }
    case "text.added":
      return [
        { type: "TEXT_MESSAGE_CONTENT", messageId: chatEvent.part.id, delta: chatEvent.text, ...toTag(chatEvent.part) },
      ];
    case "text.closed":
      return [{ type: "TEXT_MESSAGE_END", messageId: chatEvent.part.id, ...toTag(chatEvent.part) }];
    case "reasoning.opened": {
      const about = { messageId: toReasoningId(chatEvent.part), ...toTag(chatEvent.part) };
      return [
        { type: "REASONING_START", ...about },
        { type: "REASONING_MESSAGE_START", role: "reasoning", ...about },
      ];
    }
    case "reasoning.added": {
      const messageId = toReasoningId(chatEvent.part);
      return [{ type: "REASONING_MESSAGE_CONTENT", messageId, delta: chatEvent.text, ...toTag(chatEvent.part) }];
    }
    case "reasoning.closed": {
      const about = { messageId: toReasoningId(chatEvent.part), ...toTag(chatEvent.part) };
      return [
        { type: "REASONING_MESSAGE_END", ...about },
        { type: "REASONING_END", ...about },
      ];
    }
    default:
      return [];
  }
}

/** A reply that starts again has ended its message, and its calls; nothing but a custom event can say to drop them. */
function showNews(chatEvent: ChatEvent): readonly AguiEvent[] {
  switch (chatEvent.type) {
    case "step.dropped": {
      const value = { messageId: chatEvent.part.id, reason: chatEvent.error.message };
      return [{ type: "CUSTOM", name: "step.retried", value, ...toTag(chatEvent.part) }];
    }
    case "handoff.made": {
      const { from, to, via } = chatEvent.fact;
      return [{ type: "CUSTOM", name: chatEvent.type, value: { from, to, via } }];
    }
    case "warning.raised":
      return [
        { type: "CUSTOM", name: chatEvent.type, value: { agent: chatEvent.fact.agent, text: chatEvent.fact.text } },
      ];
    default:
      return [];
  }
}

/**
 * Closes the turns that are open: they wait, or were abandoned. A limit is an error, for the protocol has no other
 * word for an answer that was cut short.
 */
function closeSegment(state: AguiState, { end, questions, usage: used }: SegmentEnd): Shown {
  const usage = Array.from(used, ([model, { inputTokens, outputTokens, cachedTokens, reasoningTokens }]) => ({
    model,
    inputTokens,
    outputTokens,
    totalTokens: inputTokens + outputTokens,
    ...(cachedTokens === undefined ? {} : { cachedInputTokens: cachedTokens }),
    ...(reasoningTokens === undefined ? {} : { reasoningTokens }),
  }));
  const interrupts = questions.filter(({ opened }) => opened.kind !== "tool");
  const closed = Array.from(state.turns, ([lane, agent]): AguiEvent => {
    if (lane === "") return { type: "STEP_FINISHED", stepName: agent };
    const interruptIds = interrupts.filter(({ opened }) => opened.lane === lane).map(({ id }) => id);
    return { type: "SUBAGENT_FINISHED", subagentRunId: lane, outcome: { type: "suspended", interruptIds } };
  });
  if (end.type === "run.paused") {
    const result = { outcome: "paused", agent: end.agent };
    const outcome = interrupts.length === 0 ? toPending(questions) : toInterrupted(interrupts);
    return [state, [...closed, { type: "RUN_FINISHED", ...toRun(state), outcome, result, usage }]];
  }
  const after: AguiState = { ...state, turns: new Map() };
  if (end.outcome === "failed" || end.outcome === "limit") {
    const { code, message } = toEndFailure(end);
    return [after, [...closed, { type: "RUN_ERROR", message, code, usage }]];
  }
  const outcome = end.outcome === "cancelled" ? CANCELLED : SUCCESS;
  const result = { outcome: end.outcome, agent: end.agent };
  return [after, [...closed, { type: "RUN_FINISHED", ...toRun(state), outcome, result, usage }]];
}

const SUCCESS = { type: "success" };
const CANCELLED = { type: "cancelled" };

/** The client continues with the results of its own calls. */
function toPending(questions: readonly ChatQuestion[]): object {
  const pendingToolCallIds = questions.flatMap(({ call }) => (call === undefined ? [] : [call]));
  return pendingToolCallIds.length === 0 ? SUCCESS : { ...SUCCESS, pendingToolCallIds };
}

function toInterrupted(interrupts: readonly ChatQuestion[]): object {
  return { type: "interrupt", interrupts: interrupts.map(toInterrupt) };
}

function toInterrupt({ id, opened, call }: ChatQuestion): object {
  const { kind, text, schema, tool, args, lane, url } = opened;
  return {
    id,
    reason: kind === "approval" ? "tool_call" : kind,
    message: text,
    ...(call === undefined ? {} : { toolCallId: call, metadata: { tool, args, ...omitUndefined({ url }) } }),
    responseSchema: schema,
    ...toTag({ lane }),
  };
}

const toReasoningId = ({ id }: ReplyPart): string => `${id}/reasoning`;
