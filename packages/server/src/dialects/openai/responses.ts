/**
 * OpenAI Responses: a run as a response and its output items.
 *
 * A tool call is an `mcp_call` once it has run, an approval an `mcp_approval_request`, a tool of the client a
 * `function_call`, any other question a call of `answer_question`. If several agents write for the user, their names
 * come before their texts; with `baton_final_only` there is only the last answer. A restarted reply is `incomplete`.
 */
import {
  type ChatEvent,
  type ChatEventOf,
  type ChatToolCall,
  type ClosedPart,
  type SegmentEnd,
  type ReplyPart,
  toEndFailure,
  jsonAsText,
} from "../chat/chat-event.ts";
import { type ChatDialectState, defineChatDialect } from "../chat/chat-dialect.ts";
import { BLANK_LINE, isFinalOnly, toFinal, lastTextOf, toSpeaker } from "./openai.ts";
import { type ItemStatus, toQuestionItem, toReasoningItem } from "./response-item.ts";
import {
  addItem,
  closeArguments,
  closeCall,
  closeMessage,
  closeReasoning,
  dropItems,
  fillCall,
  fillMessage,
  fillReasoning,
  finishItem,
  NO_OUTPUT,
  openCall,
  openMessage,
  type ResponseOutput,
  type ResponseEvent,
  doneItems,
} from "./response-output.ts";
import { sumUsage } from "../chat/usage.ts";

/** State of this dialect. */
export interface ResponseState extends ChatDialectState {
  /** Number of events of this response so far. */
  readonly sequence: number;
  readonly output: ResponseOutput;
  /** The response of the latest segment, once that has ended. */
  readonly response: object | undefined;
  /** The name of the agent whose message was opened last, and what the last turn said. */
  readonly speaker: string;
  readonly last: string;
}

type Shown = readonly [ResponseOutput, readonly ResponseEvent[]];

/** Prefix of message ids. */
const MESSAGE = "msg_";
const NOTHING_YET = { sequence: 0, output: NO_OUTPUT, response: undefined, speaker: "", last: "" };

/** The stream of `POST /v1/responses`. */
export const responses = defineChatDialect<ResponseState, ResponseEvent>({
  name: "responses",
  isOneMessage: true,
  start: (context, progress) => ({ context, progress, ...NOTHING_YET }),
  show(before, chatEvent) {
    const [state, events] = showChatEvent(before, chatEvent);
    if (events.length === 0) return [state, events];
    const first = state.sequence;
    const numbered = events.map((event, index) => ({ ...event, sequence_number: first + index }));
    return [{ ...state, sequence: first + events.length }, numbered];
  },
  nameOf: ({ type }) => type,
  interrupted: (message) => ({ type: "error", code: "cut_off", message, param: null }),
});

function showChatEvent(state: ResponseState, chatEvent: ChatEvent): readonly [ResponseState, readonly ResponseEvent[]] {
  if (chatEvent.type === "segment.opened") return openResponse(state);
  if (chatEvent.type === "segment.closed") return closeResponse(state, chatEvent);
  if (isFinalOnly(state.context)) {
    return [chatEvent.type === "turn.closed" ? { ...state, last: lastTextOf(state.last, chatEvent) } : state, []];
  }
  if (chatEvent.type === "text.opened") return openText(state, chatEvent.part);
  const [output, events] = showItem(state, chatEvent);
  // The item that had the name is not in the final response: the next one has it again.
  const { speaker } = state;
  const known =
    chatEvent.type === "step.dropped" && chatEvent.part.name === speaker ? { ...state, speaker: "" } : state;
  return [output === known.output ? known : { ...known, output }, events];
}

function openResponse(before: ResponseState): readonly [ResponseState, readonly ResponseEvent[]] {
  const state: ResponseState = { ...before, ...NOTHING_YET };
  const response = toResponse(state, { status: "in_progress" });
  return [
    state,
    [
      { type: "response.created", response },
      { type: "response.in_progress", response },
    ],
  ];
}

/** Items are read one after the other as one text, so what stands before a name is not glued to it. */
function openText(state: ResponseState, part: ReplyPart): readonly [ResponseState, readonly ResponseEvent[]] {
  const id = toMessageId(part);
  const name = hasMessage(state.output) ? toSpeaker(state.progress.agents, part.name, state.speaker) : "";
  const [opened, opening] = openMessage(state.output, id);
  const [output, filling] = name === "" ? [opened, []] : fillMessage(opened, id, BLANK_LINE + name);
  return [{ ...state, output, speaker: part.name }, [...opening, ...filling]];
}

function hasMessage({ open, done }: ResponseOutput): boolean {
  return [...open.keys(), ...done.map(({ item }) => item.id)].some((id) => id.startsWith(MESSAGE));
}

function showItem({ output, context }: ResponseState, chatEvent: ChatEvent): Shown {
  switch (chatEvent.type) {
    case "text.added":
      return fillMessage(output, toMessageId(chatEvent.part), chatEvent.text);
    case "text.closed":
      return closeMessage(output, toMessageId(chatEvent.part), toStatus(chatEvent));
    case "reasoning.opened":
      return addItem(output, toReasoningItem(toReasoningId(chatEvent.part), "", "in_progress"));
    case "reasoning.added":
      return fillReasoning(output, toReasoningId(chatEvent.part), chatEvent.text);
    case "reasoning.closed":
      return closeReasoning(output, toReasoningId(chatEvent.part), toStatus(chatEvent));
    case "step.dropped":
      return [dropItems(output, [toMessageId(chatEvent.part), toReasoningId(chatEvent.part)]), []];
    case "call.closed":
      return isShown(chatEvent) ? showCall(output, chatEvent, context.crew.name) : [output, []];
    default:
      return [output, []];
  }
}

function toStatus({ isWhole }: ClosedPart): ItemStatus {
  return isWhole ? "completed" : "incomplete";
}

/** A client's own tool was an item to which it has given the output; calls in code are part of that code's call. */
function isShown({ isRefused, call }: ChatEventOf<"call.closed">): boolean {
  return !isRefused && !call.isClient && !call.isInCode;
}

/** A call that was made, all at once. */
function showCall(output: ResponseOutput, { call, args, ...ended }: ChatEventOf<"call.closed">, label: string): Shown {
  const item = { id: toCallId(call), label, args: jsonAsText(args) };
  const [opened, opening] = openCall(output, call, { ...item, args: "", status: "in_progress" });
  const [filled, filling] = fillCall(opened, item.id, item.args);
  const { error } = ended;
  const result =
    error === undefined
      ? ({ status: "completed", output: jsonAsText(ended.output) } as const)
      : ({ status: "failed", error: error.message } as const);
  const [closed, closing] = closeCall(filled, call, { ...item, ...result });
  return [closed, [...opening, ...filling, ...closeArguments(filled, item.id), ...closing]];
}

/** Adds the questions of a paused run as the last items. */
function closeResponse(before: ResponseState, end: SegmentEnd): readonly [ResponseState, readonly ResponseEvent[]] {
  const label = before.context.crew.name;
  const events: ResponseEvent[] = [];
  let { output } = before;
  const take = ([after, more]: Shown): void => {
    output = after;
    events.push(...more);
  };
  const final = isFinalOnly(before.context) ? toFinal(end, before.last) : "";
  if (final !== "") {
    const id = `${MESSAGE}${toSegmentId(before)}`;
    take(openMessage(output, id));
    take(fillMessage(output, id, final));
    take(closeMessage(output, id, "completed"));
  }
  for (const asked of end.questions) {
    const item = toQuestionItem(label, asked);
    take(addItem(output, item));
    take(finishItem(output, item));
  }
  const [type, fields] = toEnd(end);
  const response = toResponse({ ...before, output }, { ...fields, usage: toResponseUsage(end) });
  return [{ ...before, output, response }, [...events, { type, response }]];
}

type Fields = Readonly<{ status: string; error?: object; incomplete_details?: object }>;

function toEnd({ end, finish }: SegmentEnd): readonly [string, Fields] {
  if (end.type === "run.ended" && end.outcome !== "done") {
    const status = end.outcome === "cancelled" ? "cancelled" : "failed";
    return ["response.failed", { status, error: { code: "server_error", message: toEndFailure(end).message } }];
  }
  const reason = finish === "length" ? "max_output_tokens" : finish === "filter" ? "content_filter" : undefined;
  if (reason === undefined) return ["response.completed", { status: "completed" }];
  return ["response.incomplete", { status: "incomplete", incomplete_details: { reason } }];
}

function toResponse(
  { context, progress, output }: ResponseState,
  fields: Fields & { readonly usage?: object },
): object {
  const { run, session, createdAt, options } = context;
  return {
    id: `resp_${toSegmentId({ context, progress })}`,
    object: "response",
    created_at: Math.floor(createdAt / 1_000),
    model: context.model,
    error: null,
    incomplete_details: null,
    instructions: null,
    metadata: { run_id: run, ...(session === undefined ? {} : { session_id: session }) },
    output: doneItems(output),
    parallel_tool_calls: true,
    previous_response_id: options?.previous_response_id ?? null,
    temperature: null,
    tool_choice: "auto",
    tools: [],
    top_p: null,
    ...fields,
  };
}

function toResponseUsage({ usage }: SegmentEnd): object {
  const { input, cached, output, reasoning } = sumUsage(usage);
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + output,
  };
}

function toSegmentId({ context, progress }: Pick<ResponseState, "context" | "progress">): string {
  return `${context.run}${progress.segment === 1 ? "" : `-${progress.segment}`}`;
}

const toCallId = ({ id }: ChatToolCall): string => `mcp_${id}`;
const toMessageId = ({ id }: ReplyPart): string => `${MESSAGE}${id}`;
const toReasoningId = ({ id }: ReplyPart): string => `rs_${id}`;
