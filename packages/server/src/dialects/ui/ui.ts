/**
 * AI SDK UI message stream: a run as the chunks that `useChat` builds a message from.
 *
 * A reply is a step with a text part. A tool of the crew is a tool part run by the provider, a tool of the client one
 * that the client runs; an approval is that part's approval request. A message continues over a pause for answers; a new
 * one begins when the user has spoken. Members of a group interleave by part.
 */
import type { Json } from "@baton/core";
import type { Finish } from "@baton/core/ports";
import { type Approval, omitUndefined, toApproval } from "@baton/core/util";
import {
  type ChatEvent,
  type ChatEventOf,
  type ChatToolCall,
  type SegmentEnd,
  type ReplyPart,
  toEndFailure,
} from "../chat/chat-event.ts";
import { type ChatDialectState, defineChatDialect, type ChatFrames } from "../chat/chat-dialect.ts";
import type { UiChunk, UiFinish } from "./ui-chunk.ts";
import { sumUsage } from "../chat/usage.ts";

/** State of this dialect: whether a step is open, and whether it belongs to a group. */
export interface UiState extends ChatDialectState {
  readonly step: "none" | "own" | "group";
  /** Calls of the client's tools whose input is not shown yet: a client would carry them out at once. */
  readonly held: ReadonlySet<string>;
}

type Shown = ChatFrames<UiState, UiChunk>;

/** The stream of `POST /api/chat`. */
export const ui = defineChatDialect<UiState, UiChunk>({
  name: "ui",
  headers: { "X-Vercel-AI-UI-Message-Stream": "v1" },
  start: (context, progress) => ({ context, progress, step: "none", held: new Set() }),
  show: showChatEvent,
  closing: [{ data: "[DONE]" }],
  interrupted: (errorText) => ({ type: "error", errorText }),
});

function showChatEvent(state: UiState, chatEvent: ChatEvent): Shown {
  switch (chatEvent.type) {
    case "step.opened":
      return chatEvent.part.lane === "" ? openStep(state, "own") : [state, []];
    case "group.opened":
      return openStep(state, "group");
    case "group.closed":
      return closeStep(state);
    case "step.dropped":
      return [state, showDrop(chatEvent)];
    case "segment.closed": {
      const [closed, chunks] = closeStep(state);
      return [closed, [...chunks, ...showEnd(state, chatEvent)]];
    }
    case "call.opened":
      if (!chatEvent.call.isClient) return [state, showCall(chatEvent)];
      return [{ ...state, held: state.held.union(new Set([chatEvent.call.id])) }, []];
    case "call.closed": {
      const [shown, chunks] = show(state, toServerInput(chatEvent.call, chatEvent.args));
      return [shown, [...chunks, ...showCall(chatEvent)]];
    }
    case "question.opened":
    case "question.answered":
      return showQuestion(state, chatEvent);
    default:
      return [state, [...showWords(state, chatEvent), ...showCall(chatEvent)]];
  }
}

function openStep(state: UiState, step: "own" | "group"): Shown {
  const [, chunks] = closeStep(state);
  return [{ ...state, step }, [...chunks, { type: "start-step" }]];
}

function closeStep(state: UiState): Shown {
  return state.step === "none" ? [state, []] : [{ ...state, step: "none" }, [{ type: "finish-step" }]];
}

/** In a group a reset would take away what other members show: there a transient part names what to drop. */
function showDrop({ part, error }: ChatEventOf<"step.dropped">): readonly UiChunk[] {
  if (part.lane === "") return [{ type: "reset-step" }];
  const parts = [part.id, toReasoningId(part)];
  return [{ type: "data-step-retried", data: { step: part.step, parts, reason: error.message }, transient: true }];
}

function showWords({ context, progress }: UiState, chatEvent: ChatEvent): readonly UiChunk[] {
  switch (chatEvent.type) {
    case "segment.opened": {
      const { run, session } = context;
      const messageMetadata = { run, ...(session === undefined ? {} : { session }) };
      return [{ type: "start", messageId: `${run}-${progress.message}`, messageMetadata }];
    }
    case "turn.opened": {
      const { turn, agent, name, lane } = chatEvent;
      return [{ type: "data-agent", id: turn, data: { agent, name, ...(lane === "" ? {} : { lane }) } }];
    }
    case "text.opened":
      return [{ type: "text-start", id: chatEvent.part.id }];
    case "text.added":
      return [{ type: "text-delta", id: chatEvent.part.id, delta: chatEvent.text }];
    case "text.closed":
      return [{ type: "text-end", id: chatEvent.part.id }];
    case "reasoning.opened":
      return [{ type: "reasoning-start", id: toReasoningId(chatEvent.part) }];
    case "reasoning.added":
      return [{ type: "reasoning-delta", id: toReasoningId(chatEvent.part), delta: chatEvent.text }];
    case "reasoning.closed":
      return [{ type: "reasoning-end", id: toReasoningId(chatEvent.part) }];
    case "handoff.made": {
      const { from, to, via } = chatEvent.fact;
      return [{ type: "data-handoff", data: { from, to, via } }];
    }
    case "warning.raised":
      return [
        { type: "data-warning", data: { agent: chatEvent.fact.agent, text: chatEvent.fact.text }, transient: true },
      ];
    default:
      return [];
  }
}

type Input = Extract<UiChunk, { readonly type: "tool-input-available" }>;

/** Shows the input of a call that is held; not twice. */
function show(state: UiState, input: Input): Shown {
  const own = new Set([input.toolCallId]);
  return state.held.isDisjointFrom(own) ? [state, []] : [{ ...state, held: state.held.difference(own) }, [input]];
}

function toServerInput({ id, tool, isClient }: Pick<ChatToolCall, "id" | "tool" | "isClient">, input: Json): Input {
  return { type: "tool-input-available", toolCallId: id, toolName: tool, input, ...toServers({ isClient }) };
}

function showCall(chatEvent: ChatEvent): readonly UiChunk[] {
  switch (chatEvent.type) {
    case "args.opened": {
      const { id: toolCallId, tool: toolName, isClient } = chatEvent.call;
      return [{ type: "tool-input-start", toolCallId, toolName, ...(isClient ? {} : toServers(chatEvent.call)) }];
    }
    case "args.added":
      return [{ type: "tool-input-delta", toolCallId: chatEvent.call.id, inputTextDelta: chatEvent.text }];
    case "args.closed":
      return chatEvent.isDropped ? [toError(chatEvent.call, "the call was not made")] : [];
    case "call.opened":
      return [toServerInput(chatEvent.call, chatEvent.args)];
    case "call.changed":
      return chatEvent.call.isClient ? [] : [toServerInput(chatEvent.call, chatEvent.args)];
    case "call.progressed": {
      const { call, progress: output } = chatEvent;
      return [{ type: "tool-output-available", toolCallId: call.id, output, preliminary: true, ...toServers(call) }];
    }
    case "call.closed":
      return [showResult(chatEvent)];
    default:
      return [];
  }
}

/** Not for the client to run; it has no types of the crew's own tools. */
function toServers({ isClient }: Pick<ChatToolCall, "isClient">) {
  return isClient ? { providerExecuted: true } : { providerExecuted: true, dynamic: true as const };
}

/** A recorded result is the server's, also of a client's tool: clients send results of their own again and again. */
function showResult({ call, output, error, isRefused }: ChatEventOf<"call.closed">): UiChunk {
  const { id: toolCallId } = call;
  if (isRefused) return { type: "tool-output-denied", toolCallId };
  if (error !== undefined) return toError(call, error.message);
  return { type: "tool-output-available", toolCallId, output, ...toServers(call) };
}

function toError(call: ChatToolCall, errorText: string): UiChunk {
  return { type: "tool-output-error", toolCallId: call.id, errorText, ...toServers(call) };
}

type QuestionBeat = ChatEventOf<"question.opened" | "question.answered">;

function showQuestion(state: UiState, chatEvent: QuestionBeat): Shown {
  const { id, opened, call } = chatEvent.asked;
  const { kind, text, schema, url } = opened;
  if (kind === "approval" && call !== undefined) return showApproval(state, chatEvent, call);
  if (kind === "tool" && call !== undefined) return showClientCall(state, chatEvent, call);
  const answer = chatEvent.type === "question.answered" ? { answer: chatEvent.value } : {};
  return [state, [{ type: "data-question", id, data: { kind, text, schema, ...omitUndefined({ url }), ...answer } }]];
}

/** A call of a client's tool is the server's until it is approved. */
function showApproval(state: UiState, chatEvent: QuestionBeat, toolCallId: string): Shown {
  const { id: approvalId, opened } = chatEvent.asked;
  if (chatEvent.type === "question.answered")
    return [state, [toApprovalResponse(approvalId, toApproval(chatEvent.value))]];
  const call = { id: toolCallId, tool: opened.tool ?? "", isClient: true };
  const [shown, chunks] = show(state, toServerInput(call, opened.args ?? null));
  return [shown, [...chunks, { type: "tool-approval-request", approvalId, toolCallId, reason: opened.text }]];
}

function toApprovalResponse(approvalId: string, approval: Approval): UiChunk {
  const response = { type: "tool-approval-response", approvalId, approved: approval.decision !== "deny" } as const;
  const reason = approval.decision === "deny" ? approval.reason : undefined;
  return { ...response, ...omitUndefined({ reason }) };
}

/** The client executes the call when it gets the input of its own tool. */
function showClientCall(state: UiState, { type, asked }: QuestionBeat, toolCallId: string): Shown {
  if (type === "question.answered") return [state, []];
  const { tool: toolName = "", args: input = null } = asked.opened;
  const own: Input = { type: "tool-input-available", toolCallId, toolName, input };
  const [shown, chunks] = show(state, own);
  return [shown, chunks.length > 0 ? chunks : [{ ...own, providerExecuted: false }]];
}

function showEnd({ context }: UiState, { end, finish, questions, usage }: SegmentEnd): readonly UiChunk[] {
  const { input, output } = sumUsage(usage);
  const outcome = end.type === "run.paused" ? "paused" : end.outcome;
  const messageMetadata = {
    run: context.run,
    outcome,
    agent: end.agent,
    usage: { inputTokens: input, outputTokens: output, totalTokens: input + output },
  };
  const toFinish = (finishReason: UiFinish): UiChunk => ({ type: "finish", finishReason, messageMetadata });
  if (end.type === "run.paused") return [toFinish(questions.length > 0 ? "tool-calls" : FINISHES[finish])];
  switch (end.outcome) {
    case "failed":
    case "limit":
      return [{ type: "error", errorText: toEndFailure(end).message }, toFinish("error")];
    case "cancelled":
      return [{ type: "abort", reason: toEndFailure(end).message }];
    default:
      return [toFinish(FINISHES[finish])];
  }
}

const FINISHES: Readonly<Record<Finish, UiFinish>> = {
  stop: "stop",
  calls: "stop",
  length: "length",
  filter: "content-filter",
  other: "other",
};

const toReasoningId = ({ id }: ReplyPart): string => `${id}/reasoning`;
