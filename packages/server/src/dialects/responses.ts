/**
 * OpenAI Responses: a run as a response and its output items.
 *
 * A tool the crew uses is an `mcp_call`, and no item before it was made where it may have to wait for a person; an
 * approval is an `mcp_approval_request`, any other question a call of `answer_question`. Members of a group interleave
 * by item. A reply that starts again leaves its item `incomplete`; the final response holds only the new one.
 * Reads: beat, chat-dialect, response-item, response-output, usage. Read by: collect, index.
 */
import { type Crew, isFree } from "@baton/core";
import {
  type Beat,
  type BeatOf,
  type Call,
  type ClosedPart,
  type LifeEnd,
  type Part,
  toEndFailure,
  toText,
} from "./beat.ts";
import { type ChatDialectState, defineChatDialect } from "./chat-dialect.ts";
import { type ItemStatus, toQuestionItem, toReasoningItem } from "./response-item.ts";
import {
  addItem,
  closeArguments,
  closeCall,
  closeMessage,
  closeReasoning,
  cutCall,
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
import { toTotal } from "./usage.ts";

/** What this dialect remembers. */
export interface ResponseState extends ChatDialectState {
  /** How many events this response has had. */
  readonly sequence: number;
  readonly output: Output;
  /** The response of the latest life, once that has ended. */
  readonly response: object | undefined;
}

type Told = readonly [Output, readonly ResponseEvent[]];

/** The stream of `POST /v1/responses`. */
export const responses = defineChatDialect<ResponseState, ResponseEvent>({
  name: "responses",
  isOneMessage: true,
  start: (context, narration) => ({ context, narration, sequence: 0, output: NO_OUTPUT, response: undefined }),
  tell(before, beat) {
    const [state, events] = tell(before, beat);
    if (events.length === 0) return [state, events];
    const first = state.sequence;
    const numbered = events.map((event, index) => ({ ...event, sequence_number: first + index }));
    return [{ ...state, sequence: first + events.length }, numbered];
  },
  nameOf: ({ type }) => type,
  cutOff: (message) => ({ type: "error", code: "cut_off", message, param: null }),
});

function tell(state: ResponseState, beat: Beat): readonly [ResponseState, readonly ResponseEvent[]] {
  if (beat.type === "life.opened") return openResponse(state);
  if (beat.type === "life.closed") return closeResponse(state, beat);
  const [output, events] = tellItem(state, beat);
  return [output === state.output ? state : { ...state, output }, events];
}

function openResponse(before: ResponseState): readonly [ResponseState, readonly ResponseEvent[]] {
  const state: ResponseState = { ...before, sequence: 0, output: NO_OUTPUT, response: undefined };
  const response = toResponse(state, { status: "in_progress" });
  return [
    state,
    [
      { type: "response.created", response },
      { type: "response.in_progress", response },
    ],
  ];
}

function tellItem({ output, context }: ResponseState, beat: Beat): Told {
  const label = context.crew.name;
  switch (beat.type) {
    case "text.opened":
      return openMessage(output, toMessageId(beat.part));
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
    case "args.opened":
      return mayWait(context.crew, beat.call) ? [output, []] : startCall(output, beat.call, label);
    case "args.added":
      return fillCall(output, toCallId(beat.call), beat.text);
    case "args.closed":
      return beat.isDropped
        ? dropCall(output, beat.call, label)
        : [output, closeArguments(output, toCallId(beat.call))];
    case "call.opened":
      return beat.isStreamed || mayWait(context.crew, beat.call) ? [output, []] : tellCall(output, beat, label);
    case "call.closed":
      return beat.isRefused ? [output, []] : tellResult(output, beat, label);
    default:
      return [output, []];
  }
}

function toStatus({ isWhole }: ClosedPart): ItemStatus {
  return isWhole ? "completed" : "incomplete";
}

/** Whether a call may wait for a person, by itself or behind another; one of a tool the crew does not know may. */
function mayWait(crew: Crew, { tool: name }: Call): boolean {
  const tool = crew.tools.get(name);
  return tool === undefined || tool.concurrency === "sequential" || !isFree(crew, tool);
}

function startCall(output: Output, call: Call, label: string): Told {
  return openCall(output, call, { id: toCallId(call), label, args: "", status: "in_progress" });
}

/** A call whose arguments come at once. */
function tellCall(output: Output, { call, args }: Pick<BeatOf<"call.opened">, "call" | "args">, label: string): Told {
  const id = toCallId(call);
  const [opened, events] = startCall(output, call, label);
  const [filled, delta] = fillCall(opened, id, toText(args));
  return [filled, [...events, ...delta, ...closeArguments(filled, id)]];
}

function dropCall(output: Output, call: Call, label: string): Told {
  const id = toCallId(call);
  const [cut, events] = cutCall(output, call, { id, label });
  return [dropItems(cut, [id]), events];
}

/** A call that a person allowed is an item from here on, in the response that goes on. */
function tellResult(before: Output, ended: BeatOf<"call.closed">, label: string): Told {
  const { call, args, output, error } = ended;
  const id = toCallId(call);
  const [opened, opening]: Told = before.open.has(id) ? [before, []] : tellCall(before, ended, label);
  const result = error === undefined ? { output: toText(output) } : { error: error.message };
  const status = error === undefined ? "completed" : "failed";
  const [closed, events] = closeCall(opened, call, { id, label, args: toText(args), status, ...result });
  return [closed, [...opening, ...events]];
}

/** At a pause, calls that are open have not been made; what they wait for are the last items. */
function closeResponse(before: ResponseState, end: LifeEnd): readonly [ResponseState, readonly ResponseEvent[]] {
  const label = before.context.crew.name;
  const events: ResponseEvent[] = [];
  let { output } = before;
  const take = ([after, more]: Told): void => {
    output = after;
    events.push(...more);
  };
  const cut = end.end.type === "run.paused" ? [] : before.output.open;
  for (const [id, { call }] of cut) if (call !== undefined) take(cutCall(output, call, { id, label }));
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

function toEnd({ end, finish }: LifeEnd): readonly [string, Fields] {
  if (end.type === "run.ended" && (end.outcome === "failed" || end.outcome === "cancelled")) {
    const status = end.outcome;
    return ["response.failed", { status, error: { code: "server_error", message: toEndFailure(end).message } }];
  }
  const isLimit = end.type === "run.ended" && end.outcome === "limit";
  const reason =
    isLimit || finish === "length" ? "max_output_tokens" : finish === "filter" ? "content_filter" : undefined;
  if (reason === undefined) return ["response.completed", { status: "completed" }];
  return ["response.incomplete", { status: "incomplete", incomplete_details: { reason } }];
}

function toResponse(
  { context, narration, output }: ResponseState,
  fields: Fields & { readonly usage?: object },
): object {
  const { run, session, createdAt, options } = context;
  return {
    id: `resp_${run}${narration.life === 1 ? "" : `-${narration.life}`}`,
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

function toResponseUsage({ usage }: LifeEnd): object {
  const { input, cached, output, reasoning } = toTotal(usage);
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + output,
  };
}

const toCallId = ({ id }: Call): string => `mcp_${id}`;
const toMessageId = ({ id }: Part): string => `msg_${id}`;
const toReasoningId = ({ id }: Part): string => `rs_${id}`;
