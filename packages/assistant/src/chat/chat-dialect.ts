/**
 * Chat dialect: a run as the answer of an assistant: classification, thinking and tools, one block of content, sources,
 * and a sum at the end.
 *
 * What agents of audience `crew` write is thinking; what those of audience `user` write is the content. Calls of
 * programs are not told, unless the program carries out a plan.
 */
import {
  type Crew,
  type FactOf,
  type Failure,
  type Json,
  lookInto,
  type RunEvent,
  toProgramName,
  toWatch,
  toWatches,
  type Watch,
} from "@baton/core";
import type { Dialect, DialectContext, Frame } from "@baton/server/mount";
import { addText, type Content, endText, NO_CONTENT, restartText } from "./chat-content.ts";
import type { ChatErrorCode, ChatFrame, SourceItem, ToldResult } from "./chat-frame.ts";
import { count, isTogether, startTally, type Tally, toDone, toMs } from "./chat-tally.ts";

/** A call that has ended, as `toSources` is given it. */
export type EndedCall = Readonly<{ call: string; tool: string; output: Json }>;

/** What a product decides about its chat. */
export interface ChatOptions {
  /** The program that carries out plans: its steps and calls are told. Default `runner`. */
  readonly runner?: string;
  /** The sources that a call's output names; by default its `provenance`. */
  readonly toSources?: (call: EndedCall) => readonly Omit<SourceItem, "n" | "call">[];
  /** What the first answer of a session says at its end, by language. */
  readonly disclaimer?: Readonly<Record<string, string>>;
}

/** What the dialect remembers. */
export interface ChatState {
  readonly context: DialectContext;
  readonly watches: ReadonlyMap<string, Watch>;
  /** Of each lane: who writes for the user. */
  readonly isForUser: ReadonlyMap<string, boolean>;
  /** Steps whose reply is JSON. */
  readonly structured: ReadonlySet<string>;
  readonly hasThinking: boolean;
  readonly thinkingSince?: number;
  readonly content: Content;
  readonly tally: Tally;
  readonly isFirst: boolean;
  readonly language: string;
  /** The model of the latest step. */
  readonly model: string;
  /** Between a message of the user and its answer's end. */
  readonly isOpen: boolean;
}

type Told = readonly [ChatState, readonly ChatFrame[]];

const MAX_DATA_BYTES = 64 * 1_024;
const MAX_PREVIEW = 200;
const MAX_TITLE = 80;

/** The chat's wire format. */
export function chatDialect(options: ChatOptions = {}): Dialect<ChatState> {
  return {
    name: "chat",
    start: (context) => startChat(context),
    next(state, event) {
      const opened = state.isOpen || !isBeginning(event) ? state : openLife(state, event);
      const [next, frames] = tell(opened, event, options);
      const isHidden = "call" in event && !isToldAgent(next.context.crew, event, options);
      return [isHidden ? next : { ...next, tally: count(next.tally, event) }, toFrames(event.seq, frames)];
    },
    closing: [{ data: "[DONE]" }],
    toPing: (at) => toFrame({ type: "heartbeat", timestamp: new Date(at).toISOString() }),
  };
}

function startChat(context: DialectContext): ChatState {
  return {
    context,
    watches: toWatches(context.crew),
    isForUser: new Map(),
    structured: new Set(),
    hasThinking: true,
    content: NO_CONTENT,
    tally: startTally(context.createdAt),
    isFirst: false,
    language: "en",
    model: "",
    isOpen: false,
  };
}

/** Some commands reach a paused run without waking it. */
const isBeginning = ({ type }: RunEvent): boolean => type !== "command.received";

function openLife(state: ChatState, event: RunEvent): ChatState {
  const { thinkingSince: _, ...rest } = state;
  return { ...rest, content: NO_CONTENT, tally: startTally(event.at), isOpen: true };
}

function tell(state: ChatState, event: RunEvent, options: ChatOptions): Told {
  switch (event.type) {
    case "run.started":
      return [begin(state, event), []];
    case "turn.started":
      return [{ ...state, isForUser: new Map(state.isForUser).set(event.lane, event.audience !== "crew") }, []];
    case "step.started":
    case "step.ended":
    case "step.retried":
    case "text.delta":
      return tellStep(state, event, options);
    case "call.ended":
      return tellResult(state, event, options);
    case "note.made":
      return tellNote(state, event);
    case "question.opened": {
      const { question: id, kind, text, tool, args, schema } = event;
      const given = { ...(tool === undefined ? {} : { tool }), ...(args === undefined ? {} : { args }) };
      return [state, [{ type: "question", question: { id, kind, text, ...given, schema } }]];
    }
    case "warning.raised":
      return [state, [{ type: "warning", message: event.text }]];
    case "run.paused":
      return close(state, event, { status: "paused", options });
    case "run.ended":
      return close(state, event, { status: event.outcome, error: event.error, options });
    default:
      return [state, []];
  }
}

function begin(state: ChatState, { options = {}, history }: FactOf<"run.started">): ChatState {
  return { ...state, isFirst: history.length === 0, hasThinking: lookInto(options, "enable_thinking") !== false };
}

type StepEvent = Extract<RunEvent, { readonly type: "step.started" | "step.ended" | "step.retried" | "text.delta" }>;

function tellStep(state: ChatState, event: StepEvent, options: ChatOptions): Told {
  const isForUser = state.isForUser.get(event.lane) ?? true;
  switch (event.type) {
    case "step.started": {
      const structured = event.output === true ? new Set([...state.structured, event.step]) : state.structured;
      const opened = { ...state, structured, model: event.model };
      return isForUser || !isToldAgent(state.context.crew, event, options)
        ? [opened, []]
        : openThinking(opened, event.at);
    }
    case "text.delta":
      return isForUser && !isTogether(event) ? speak(state, event) : [state, []];
    case "step.retried":
      return isForUser ? tellContent(state, restartText(state.content, event.step), event.at) : [state, []];
    case "step.ended":
      return isForUser ? endSpeech(state, event, options) : endThought(state, event, options);
  }
}

function speak(state: ChatState, event: FactOf<"text.delta"> & RunEvent): Told {
  if (state.structured.has(event.step)) return [state, []];
  const piece = { text: event.text, watch: state.watches.get(event.agent) ?? NO_WATCH };
  return tellContent(state, addText(state.content, event.step, piece), event.at);
}

function endSpeech(state: ChatState, event: FactOf<"step.ended"> & RunEvent, options: ChatOptions): Told {
  const { step, agent, text, at } = event;
  const whole = {
    step,
    agent,
    text,
    type: "text.delta",
    run: event.run,
    seq: event.seq,
    lane: event.lane,
    at,
  } as const;
  const [spoken, early] = isTogether(event) ? speak(state, whole) : [state, []];
  const [ended, late] = tellContent(spoken, endText(spoken.content, step), at);
  const [called, calls] = tellCalls(ended, event, options);
  return [called, [...early, ...late, ...calls]];
}

/** Content comes after the thinking has ended. */
function tellContent(state: ChatState, [content, frames]: readonly [Content, readonly ChatFrame[]], at: number): Told {
  const next = { ...state, content };
  if (!frames.some(({ type }) => type === "content_start")) return [next, frames];
  const [quiet, ending] = endThinking(next, at);
  return [quiet, [...ending, ...frames]];
}

function openThinking(state: ChatState, at: number): Told {
  const turns = state.tally.turns + 1;
  const next = { ...state, thinkingSince: state.thinkingSince ?? at, tally: { ...state.tally, turns } };
  const opening: readonly ChatFrame[] =
    state.hasThinking && state.thinkingSince === undefined
      ? [{ type: "thinking_start", timestamp: new Date(at).toISOString() }]
      : [];
  return [next, [...opening, { type: "turn_start", turn: turns }]];
}

function endThinking(state: ChatState, at: number): Told {
  const { thinkingSince, ...rest } = state;
  if (thinkingSince === undefined) return [state, []];
  return [rest, state.hasThinking ? [{ type: "thinking_end", elapsed_ms: Math.max(0, at - thinkingSince) }] : []];
}

function endThought(state: ChatState, event: FactOf<"step.ended"> & RunEvent, options: ChatOptions): Told {
  const { reasoning = "", text, step } = event;
  const prose = state.structured.has(step) ? "" : text;
  const content = [reasoning, prose].filter((part) => part.trim() !== "").join("\n\n");
  const isShown = content !== "" && state.hasThinking && isToldAgent(state.context.crew, event, options);
  const thought: readonly ChatFrame[] = isShown
    ? [{ type: "thinking_step", step: { title: toTitle(content), content } }]
    : [];
  const [called, calls] = tellCalls(state, event, options);
  return [called, [...thought, ...calls]];
}

function tellCalls(state: ChatState, event: FactOf<"step.ended"> & RunEvent, options: ChatOptions): Told {
  const { calls } = event;
  if (calls.length === 0 || !isToldAgent(state.context.crew, event, options)) return [state, []];
  return [state, [{ type: "tool_calls", tools: calls.map(({ id, tool, args }) => ({ id, name: tool, args })) }]];
}

function tellResult(state: ChatState, event: FactOf<"call.ended"> & RunEvent, options: ChatOptions): Told {
  if (!isToldAgent(state.context.crew, event, options)) return [state, []];
  const { call, tool, output } = event;
  const found = output === undefined ? [] : (options.toSources ?? toSources)({ call, tool, output });
  const sources = found.reduce((all, item) => addSource(all, { ...item, call }), state.tally.sources);
  const next = { ...state, tally: { ...state.tally, sources } };
  return [next, [{ type: "tool_results", results: [toResult(state, event)] }]];
}

function toResult({ context, tally }: ChatState, event: FactOf<"call.ended"> & RunEvent): ToldResult {
  const { call, tool, output, error, digest } = event;
  const text = JSON.stringify(output ?? error ?? null);
  const isWhole = output !== undefined && new TextEncoder().encode(text).length <= MAX_DATA_BYTES;
  const href = `/api/runs/${encodeURIComponent(context.run)}/calls/${encodeURIComponent(call)}`;
  return {
    id: call,
    name: tool,
    success: error === undefined,
    ...(isWhole ? { data: output } : {}),
    preview: (error?.message ?? digest ?? text).slice(0, MAX_PREVIEW),
    ms: toMs(tally, event),
    ...(output !== undefined && !isWhole ? { truncated: true as const, href } : {}),
  };
}

function addSource(sources: readonly SourceItem[], item: Omit<SourceItem, "n">): readonly SourceItem[] {
  const isKnown = sources.some(
    ({ title, source, url, as_of }) =>
      title === item.title && source === item.source && url === item.url && as_of === item.as_of,
  );
  return isKnown ? sources : [...sources, { n: sources.length + 1, ...item }];
}

/** An output with a `provenance` has one source. */
function toSources({ tool, output }: EndedCall): readonly Omit<SourceItem, "n" | "call">[] {
  const provenance = lookInto(output, "provenance");
  if (provenance === undefined) return [];
  const read = (name: string): string | undefined => {
    const value = lookInto(provenance, name);
    return typeof value === "string" ? value : undefined;
  };
  const [source, asOf, kind, url] = [read("source"), read("as_of"), read("kind"), read("url")];
  if (source === undefined || asOf === undefined || kind === undefined) return [];
  return [{ title: tool, source, ...(url === undefined ? {} : { url }), as_of: asOf, kind }];
}

function tellNote(state: ChatState, { kind, data }: FactOf<"note.made">): Told {
  if (kind === "plan") return [state, [{ type: "plan_update", plan: lookInto(data, "plan") ?? data }]];
  if (kind !== "intent") return [state, []];
  const language = lookInto(data, "response_language");
  const symbols = lookInto(data, "validated_symbols") ?? [];
  const pick = (name: string): Json => lookInto(data, name) ?? "";
  const told = { query_type: pick("query_type"), symbols, complexity: pick("complexity"), by: pick("by") };
  const next = typeof language === "string" ? { ...state, language } : state;
  return [next, [{ type: "classification", data: told }]];
}

type End = Readonly<{ status: string; error?: Failure | undefined; options: ChatOptions }>;

function close(state: ChatState, event: RunEvent, { status, error, options }: End): Told {
  const [quiet, thinking] = endThinking(state, event.at);
  const { content, tally, context, isFirst, language } = quiet;
  const frames: ChatFrame[] = [...thinking];
  if (content.status === "open") frames.push({ type: "content_end" });
  if (tally.sources.length > 0) frames.push({ type: "sources", items: tally.sources });
  if (status !== "done" && status !== "paused") frames.push(toError(state, status, error));
  const disclaimer = isFirst ? (options.disclaimer?.[language] ?? options.disclaimer?.["en"]) : undefined;
  frames.push({ type: "done", data: toDone(tally, context, { at: event.at, status, disclaimer }) });
  return [{ ...quiet, isOpen: false, isFirst: false }, frames];
}

/** What core calls a model that cannot be had. */
const NO_MODEL = "none";
const MODEL_FAILURES: readonly string[] = ["model", "bad_output", "empty_reply"];

function toError({ model }: ChatState, status: string, error: Failure | undefined): ChatFrame {
  const message = error?.message ?? (status === "cancelled" ? "the answer was cancelled" : "the answer failed");
  const code = toCode(status, error);
  return { type: "error", message, code: code === "model_failed" && model === NO_MODEL ? "no_model" : code };
}

function toCode(status: string, error: Failure | undefined): ChatErrorCode {
  if (status === "cancelled") return "cancelled";
  if (error?.limit?.name === "timeout_seconds" || error?.code === "timeout") return "timeout";
  if (status === "limit" || error?.code === "limit") return "limit";
  return MODEL_FAILURES.includes(error?.code ?? "") ? "model_failed" : "internal";
}

/** Agents that think with a language model, and the one that carries out plans. */
function isToldAgent({ agents, model }: Crew, event: RunEvent, { runner = "runner" }: ChatOptions): boolean {
  if (!("agent" in event)) return false;
  if (event.agent === runner) return true;
  const agent = agents.get(event.agent);
  return toProgramName((agent?.model ?? model)?.name ?? "") === undefined;
}

/** The first sentence, at most 80 characters. */
function toTitle(text: string): string {
  const line = text.trim().split("\n", 1)[0] ?? "";
  const end = line.search(/[.!?。](\s|$)/u);
  const sentence = end === -1 ? line : line.slice(0, end + 1);
  const characters = Array.from(sentence);
  return characters.length <= MAX_TITLE ? sentence : `${characters.slice(0, MAX_TITLE - 1).join("")}…`;
}

function toFrames(seq: number, frames: readonly ChatFrame[]): readonly Frame[] {
  return frames.map((frame, index) => ({
    id: frames.length === 1 ? `${seq}` : `${seq}.${index + 1}`,
    ...toFrame(frame),
  }));
}

const toFrame = (frame: ChatFrame): Frame => ({ data: JSON.stringify(frame) });

const NO_WATCH: Watch = toWatch([]);
