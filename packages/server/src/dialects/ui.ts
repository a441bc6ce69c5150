/**
 * AI SDK UI message stream: a run as the chunks that `useChat` builds a message from.
 *
 * A reply is a step with a text part, a tool the crew uses a tool part run by the provider; an approval is that
 * part's approval request. A message goes on over a pause for answers; a new one begins when the user has spoken.
 * Members of a group interleave by part.
 */
import type { Finish } from "@baton/core";
import { type Beat, type BeatOf, type LifeEnd, type Part, toEndFailure } from "./beat.ts";
import { type ChatDialectState, defineChatDialect, type Shown } from "./chat-dialect.ts";
import type { UiChunk, UiFinish } from "./ui-chunk.ts";
import { toTotal } from "./usage.ts";

/** What this dialect remembers: whether a step is open, and whether it is a group's. */
export interface UiState extends ChatDialectState {
  readonly step: "none" | "own" | "group";
}

type Told = Shown<UiState, UiChunk>;

/** The stream of `POST /api/chat`. */
export const ui = defineChatDialect<UiState, UiChunk>({
  name: "ui",
  headers: { "X-Vercel-AI-UI-Message-Stream": "v1" },
  start: (context, narration) => ({ context, narration, step: "none" }),
  tell,
  closing: [{ data: "[DONE]" }],
  cutOff: (errorText) => ({ type: "error", errorText }),
});

function tell(state: UiState, beat: Beat): Told {
  switch (beat.type) {
    case "step.opened":
      return beat.part.lane === "" ? openStep(state, "own") : [state, []];
    case "group.opened":
      return openStep(state, "group");
    case "group.closed":
      return closeStep(state);
    case "step.dropped":
      return [state, tellDrop(beat)];
    case "life.closed": {
      const [closed, chunks] = closeStep(state);
      return [closed, [...chunks, ...tellEnd(state, beat)]];
    }
    default:
      return [state, [...tellWords(state, beat), ...tellCall(beat), ...tellQuestion(beat)]];
  }
}

function openStep(state: UiState, step: "own" | "group"): Told {
  const [, chunks] = closeStep(state);
  return [{ ...state, step }, [...chunks, { type: "start-step" }]];
}

function closeStep(state: UiState): Told {
  return state.step === "none" ? [state, []] : [{ ...state, step: "none" }, [{ type: "finish-step" }]];
}

/** In a group a reset would take away what other members show: there a transient part names what to drop. */
function tellDrop({ part, error }: BeatOf<"step.dropped">): readonly UiChunk[] {
  if (part.lane === "") return [{ type: "reset-step" }];
  const parts = [part.id, toReasoningId(part)];
  return [{ type: "data-step-retried", data: { step: part.step, parts, reason: error.message }, transient: true }];
}

function tellWords({ context, narration }: UiState, beat: Beat): readonly UiChunk[] {
  switch (beat.type) {
    case "life.opened": {
      const { run, session } = context;
      const messageMetadata = { run, ...(session === undefined ? {} : { session }) };
      return [{ type: "start", messageId: `${run}-${narration.message}`, messageMetadata }];
    }
    case "turn.opened": {
      const { turn, agent, lane } = beat;
      const name = context.crew.agents.get(agent)?.name ?? agent;
      return [{ type: "data-agent", id: turn, data: { agent, name, ...(lane === "" ? {} : { lane }) } }];
    }
    case "text.opened":
      return [{ type: "text-start", id: beat.part.id }];
    case "text.added":
      return [{ type: "text-delta", id: beat.part.id, delta: beat.text }];
    case "text.closed":
      return [{ type: "text-end", id: beat.part.id }];
    case "reasoning.opened":
      return [{ type: "reasoning-start", id: toReasoningId(beat.part) }];
    case "reasoning.added":
      return [{ type: "reasoning-delta", id: toReasoningId(beat.part), delta: beat.text }];
    case "reasoning.closed":
      return [{ type: "reasoning-end", id: toReasoningId(beat.part) }];
    case "handoff.made": {
      const { from, to, via } = beat.fact;
      return [{ type: "data-handoff", data: { from, to, via } }];
    }
    case "warning.raised":
      return [{ type: "data-warning", data: { agent: beat.fact.agent, text: beat.fact.text }, transient: true }];
    default:
      return [];
  }
}

function tellCall(beat: Beat): readonly UiChunk[] {
  switch (beat.type) {
    case "args.opened":
      return [{ type: "tool-input-start", toolCallId: beat.call.id, toolName: beat.call.tool, ...SERVERS }];
    case "args.added":
      return [{ type: "tool-input-delta", toolCallId: beat.call.id, inputTextDelta: beat.text }];
    case "args.closed":
      if (!beat.isDropped) return [];
      return [{ type: "tool-output-error", toolCallId: beat.call.id, errorText: "the call was not made", ...SERVERS }];
    case "call.opened": {
      const { id: toolCallId, tool: toolName } = beat.call;
      return [{ type: "tool-input-available", toolCallId, toolName, input: beat.args, ...SERVERS }];
    }
    case "call.progressed": {
      const output = beat.progress;
      return [{ type: "tool-output-available", toolCallId: beat.call.id, output, preliminary: true, ...SERVERS }];
    }
    case "call.closed":
      return [tellResult(beat)];
    default:
      return [];
  }
}

/** Tools that no client runs, and whose types no client has. */
const SERVERS = { providerExecuted: true, dynamic: true } as const;

function tellResult({ call, output, error, isRefused }: BeatOf<"call.closed">): UiChunk {
  const { id: toolCallId } = call;
  if (isRefused) return { type: "tool-output-denied", toolCallId };
  if (error === undefined) return { type: "tool-output-available", toolCallId, output, ...SERVERS };
  return { type: "tool-output-error", toolCallId, errorText: error.message, ...SERVERS };
}

function tellQuestion(beat: Beat): readonly UiChunk[] {
  if (beat.type !== "question.opened" && beat.type !== "question.answered") return [];
  const { id, opened, call } = beat.asked;
  const { kind, text, schema } = opened;
  const isApproval = kind === "approval" && call !== undefined;
  if (beat.type === "question.answered") {
    if (isApproval) return [{ type: "tool-approval-response", approvalId: id, approved: beat.value === "allow" }];
    return [{ type: "data-question", id, data: { kind, text, schema, answer: beat.value } }];
  }
  if (isApproval) return [{ type: "tool-approval-request", approvalId: id, toolCallId: call, reason: text }];
  return [{ type: "data-question", id, data: { kind, text, schema } }];
}

function tellEnd({ context }: UiState, { end, finish, questions, usage }: LifeEnd): readonly UiChunk[] {
  const { input, output } = toTotal(usage);
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

const toReasoningId = ({ id }: Part): string => `${id}/reasoning`;
