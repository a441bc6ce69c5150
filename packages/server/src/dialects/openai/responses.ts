/**
 * OpenAI Responses: a run as a response and its output items.
 *
 * A tool call is an `mcp_call` once it has run, because before it may wait for a person. An approval is an
 * `mcp_approval_request`, any other question a call of `answer_question`. If several agents write for the user, their
 * names come before their texts; with `baton_final_only` there is only the last answer. A restarted reply is `incomplete`.
 */
import {
  type Beat,
  type BeatOf,
  type Call,
  type ClosedPart,
  type SegmentEnd,
  type Part,
  toEndFailure,
  toText,
} from "../chat/chat-event.ts";
import { type ChatDialectState, defineChatDialect } from "../chat/chat-dialect.ts";
import { BLANK_LINE, isFinalOnly, toFinal, toLast, toSpeaker } from "./openai.ts";
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
  type Output,
  type ResponseEvent,
  toItems,
} from "./response-output.ts";
import { toTotal } from "../chat/usage.ts";

/** What this dialect remembers. */
export interface ResponseState extends ChatDialectState {
  /** How many events this response has had. */
  readonly sequence: number;
  readonly output: Output;
  /** The response of the latest segment, once that has ended. */
  readonly response: object | undefined;
  /** The name of the agent whose message was opened last, and what the last turn said. */
  readonly speaker: string;
  readonly last: string;
}

type Told = readonly [Output, readonly ResponseEvent[]];

/** How the ids of messages begin. */
const MESSAGE = "msg_";
const NOTHING_YET = { sequence: 0, output: NO_OUTPUT, response: undefined, speaker: "", last: "" };

/** The stream of `POST /v1/responses`. */
export const responses = defineChatDialect<ResponseState, ResponseEvent>({
  name: "responses",
  isOneMessage: true,
  start: (context, narration) => ({ context, narration, ...NOTHING_YET }),
  tell(before, beat) {
    const [state, events] = tell(before, beat);
    if (events.length === 0) return [state, events];
    const first = state.sequence;
    const numbered = events.map((event, index) => ({ ...event, sequence_number: first + index }));
    return [{ ...state, sequence: first + events.length }, numbered];
  },
  nameOf: ({ type }) => type,
  interrupted: (message) => ({ type: "error", code: "cut_off", message, param: null }),
});

function tell(state: ResponseState, beat: Beat): readonly [ResponseState, readonly ResponseEvent[]] {
  if (beat.type === "segment.opened") return openResponse(state);
  if (beat.type === "segment.closed") return closeResponse(state, beat);
  if (isFinalOnly(state.context)) {
    return [beat.type === "turn.closed" ? { ...state, last: toLast(state.last, beat) } : state, []];
  }
  if (beat.type === "text.opened") return openText(state, beat.part);
  const [output, events] = tellItem(state, beat);
  // The item that had the name is not in the final response: the next one has it again.
  const { speaker } = state;
  const known = beat.type === "step.dropped" && beat.part.name === speaker ? { ...state, speaker: "" } : state;
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
function openText(state: ResponseState, part: Part): readonly [ResponseState, readonly ResponseEvent[]] {
  const id = toMessageId(part);
  const name = toSpeaker(state.narration.cast, part.name, state.speaker);
  const isFirst = !hasMessage(state.output);
  const [opened, opening] = openMessage(state.output, id);
  const [output, filling] = name === "" ? [opened, []] : fillMessage(opened, id, (isFirst ? "" : BLANK_LINE) + name);
  return [{ ...state, output, speaker: part.name }, [...opening, ...filling]];
}

function hasMessage({ open, done }: Output): boolean {
  return [...open.keys(), ...done.map(({ item }) => item.id)].some((id) => id.startsWith(MESSAGE));
}

function tellItem({ output, context }: ResponseState, beat: Beat): Told {
  switch (beat.type) {
    case "text.added":
      return fillMessage(output, toMessageId(beat.part), beat.text);
    case "text.closed":
      return closeMessage(output, toMessageId(beat.part), toStatus(beat));
    case "reasoning.opened":
      return addItem(output, toReasoningItem(toReasoningId(beat.part), "", "in_progress"));
    case "reasoning.added":
      return fillReasoning(output, toReasoningId(beat.part), beat.text);
    case "reasoning.closed":
      return closeReasoning(output, toReasoningId(beat.part), toStatus(beat));
    case "step.dropped":
      return [dropItems(output, [toMessageId(beat.part), toReasoningId(beat.part)]), []];
    case "call.closed":
      return beat.isRefused ? [output, []] : tellCall(output, beat, context.crew.name);
    default:
      return [output, []];
  }
}

function toStatus({ isWhole }: ClosedPart): ItemStatus {
  return isWhole ? "completed" : "incomplete";
}

/** A call that was made, all at once. */
function tellCall(output: Output, { call, args, ...ended }: BeatOf<"call.closed">, label: string): Told {
  const item = { id: toCallId(call), label, args: toText(args) };
  const [opened, opening] = openCall(output, call, { ...item, args: "", status: "in_progress" });
  const [filled, filling] = fillCall(opened, item.id, item.args);
  const { error } = ended;
  const result =
    error === undefined
      ? ({ status: "completed", output: toText(ended.output) } as const)
      : ({ status: "failed", error: error.message } as const);
  const [closed, closing] = closeCall(filled, call, { ...item, ...result });
  return [closed, [...opening, ...filling, ...closeArguments(filled, item.id), ...closing]];
}

/** What a run that pauses waits for are the last items. */
function closeResponse(before: ResponseState, end: SegmentEnd): readonly [ResponseState, readonly ResponseEvent[]] {
  const label = before.context.crew.name;
  const events: ResponseEvent[] = [];
  let { output } = before;
  const take = ([after, more]: Told): void => {
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
  { context, narration, output }: ResponseState,
  fields: Fields & { readonly usage?: object },
): object {
  const { run, session, createdAt, options } = context;
  return {
    id: `resp_${toSegmentId({ context, narration })}`,
    object: "response",
    created_at: Math.floor(createdAt / 1_000),
    model: context.model,
    error: null,
    incomplete_details: null,
    instructions: null,
    metadata: { run_id: run, ...(session === undefined ? {} : { session_id: session }) },
    output: toItems(output),
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
  const { input, cached, output, reasoning } = toTotal(usage);
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + output,
  };
}

function toSegmentId({ context, narration }: Pick<ResponseState, "context" | "narration">): string {
  return `${context.run}${narration.segment === 1 ? "" : `-${narration.segment}`}`;
}

const toCallId = ({ id }: Call): string => `mcp_${id}`;
const toMessageId = ({ id }: Part): string => `${MESSAGE}${id}`;
const toReasoningId = ({ id }: Part): string => `rs_${id}`;
