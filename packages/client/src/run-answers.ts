/**
 * Answer: what the server's JSON routes say, as types.
 *
 * Only what identifies an answer is checked; the rest is trusted to the server, and fields that are not listed here
 * are kept.
 */
import type { Failure, Json, Message, Outcome, Receipt } from "@baton/core";
import type { EventBodyOf } from "@baton/core/ports";
import { invalidAnswer } from "./endpoint.ts";
import { isObject } from "./json-value.ts";

/** Paths of what belongs to a run. */
export type RunLinks = Readonly<Record<"self" | "events" | "commands", string>>;

/** A run that was started, or that was waiting in its session and continued. */
export interface StartedRun {
  readonly id: string;
  /** For people: `req-` and twelve digits. */
  readonly short_id: string;
  readonly session_id?: string;
  readonly links: RunLinks;
}

export type RunStatus = "queued" | "running" | "paused" | "ended";

/** The result of a run at its pause or end. */
export interface RunResultInfo {
  readonly outcome: Outcome;
  readonly agent: string;
  /** The final reply for people, signals taken out. */
  readonly content: string;
  /** The final reply as the model wrote it. */
  readonly raw: string;
  /** The structured output of the last agent, if it has an output schema. */
  readonly output?: Json;
  readonly error?: Failure;
  readonly receipt?: Receipt;
  /** The questions a paused run waits for; empty if it waits for a message. */
  readonly questions: readonly EventBodyOf<"question.opened">[];
  /** Tokens of all steps, those of agents and crews inside the run included. */
  readonly usage: Readonly<
    Record<"input_tokens" | "output_tokens" | "cached_tokens" | "cache_write_tokens" | "reasoning_tokens", number>
  >;
  /** Absent if the price of a model is not known. */
  readonly cost_usd?: number;
  readonly warnings: readonly { readonly agent: string; readonly text: string; readonly code?: string }[];
}

/** A user's judgement of a run. */
export interface RunFeedbackInfo {
  readonly rating: "up" | "down";
  readonly comment?: string;
  readonly user: string;
  readonly at: string;
}

/** A run as the server lists it, without its log. */
export interface RunInfo extends StartedRun {
  readonly crew: string;
  /** The owner: the user of the key that started it. */
  readonly user: string;
  /** The `X-Request-Id` that started it. */
  readonly request_id?: string;
  readonly status: RunStatus;
  /** Once it is paused or has ended. */
  readonly outcome?: Outcome;
  readonly error?: Failure;
  readonly input: string;
  /** The metadata it was started with. */
  readonly options?: Json;
  /** The run that it follows, as the `after` of that run's crew. */
  readonly after_of?: string;
  /** The run that it was forked from, and the event. */
  readonly forked_from?: { readonly run: string; readonly seq: number };
  /** The agent that has the baton, or had it last. */
  readonly agent: string;
  readonly agent_calls: number;
  readonly tool_calls: number;
  readonly rounds: number;
  readonly tokens: Readonly<Record<"input" | "output" | "total" | "cached" | "cache_write", number>>;
  readonly cost_usd: number;
  /** Ids of the questions that are open. */
  readonly questions: readonly string[];
  /** ISO 8601. */
  readonly created_at: string;
  readonly updated_at: string;
  readonly duration_ms: number;
  /** The time it ran, without the time it waited; older runs lack it, as the next two. */
  readonly active_ms?: number;
  /** From its start to its first text. */
  readonly first_text_ms?: number;
  /** The models that were called. */
  readonly models?: readonly string[];
  /** It was imported before it had ended. */
  readonly interrupted?: true;
  /** Yours, or else the newest of another user. */
  readonly feedback?: RunFeedbackInfo;
  /** Of a search: the fields in which a word was found. */
  readonly matched?: readonly string[];
  /** Of one run that is paused or has ended; not in lists. */
  readonly result?: RunResultInfo;
}

/** Some runs, the newest first; `next` is the `before` of those that follow. */
export interface RunPage {
  readonly runs: readonly RunInfo[];
  readonly next?: string;
}

/** One call of a tool. */
export interface CallInfo {
  readonly run: string;
  /** Its position. */
  readonly call: string;
  readonly agent: string;
  readonly tool: string;
  readonly effect: "read" | "idempotent" | "irreversible";
  /** `waiting`: for an approval, for another answer, or for the client that carries it out. */
  readonly status: "waiting" | "running" | "ended";
  /** As the model wrote them. */
  readonly args: Json;
  /** The decision of the tool's own permission hook. */
  readonly decision?: { readonly decision: string; readonly reason?: string; readonly args?: Json };
  /** Whole; absent on failure. */
  readonly output?: Json;
  readonly error?: Failure;
  readonly attempts: number;
  readonly retries: readonly {
    readonly attempt: number;
    readonly at: string;
    readonly delay_ms: number;
    readonly error: Failure;
  }[];
  /** ISO 8601. */
  readonly started_at: string;
  readonly ended_at?: string;
  readonly duration_ms?: number;
}

/** A conversation. */
export interface SessionInfo {
  readonly id: string;
  /** The title it was given, or the first input in one line of at most 120 characters. */
  readonly title?: string;
  /** Pinned ones come first in the list. */
  readonly pinned: boolean;
  /** The crew of its newest run. */
  readonly crew?: string;
  /** The number of its runs that are kept. */
  readonly runs: number;
  /** Of its newest run. */
  readonly status?: RunStatus;
  /** The run that waits for an answer. */
  readonly paused_run?: string;
  readonly created_at: string;
  readonly updated_at: string;
}

/** A message of a conversation; `commentary` if it was said before tool calls and is not the answer. */
export type SessionMessage = Message & Readonly<{ commentary?: true }>;

/** Some conversations, pinned ones first, then the one that was used last; `next` is the `before` of those that follow. */
export interface SessionPage {
  readonly sessions: readonly SessionInfo[];
  readonly next?: string;
}

/** A run that was cancelled. */
export interface CancelledRun {
  readonly id: string;
  readonly receipt: Receipt;
}

/** A crew that is served. */
export interface CrewInfo {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** `assistant` for a chat assistant, else `crew`. */
  readonly kind: "crew" | "assistant";
  /** Their ids. */
  readonly agents: readonly string[];
  /** Inputs that a person could try. */
  readonly examples: readonly string[];
}

/** Checks that the value is a run that was started. */
export function parseStarted(value: unknown): StartedRun {
  return isStarted(value) ? value : invalidAnswer("is not a run");
}

/** Checks that the value is a run. */
export function parseRun(value: unknown): RunInfo {
  return isRun(value) ? value : invalidAnswer("is not a run");
}

/** Checks that the value is a call. */
export function parseCall(value: unknown): CallInfo {
  return isCall(value) ? value : invalidAnswer("is not a call");
}

/** Checks that the value is a page of runs. */
export function parseRunPage(value: unknown): RunPage {
  return { runs: parseList(value, "runs", isRun), ...parseNext(value) };
}

/** Checks that the value is a page of sessions. */
export function parseSessionPage(value: unknown): SessionPage {
  return { sessions: parseList(value, "sessions", isSession), ...parseNext(value) };
}

/** The runs that were cancelled with their session. */
export function parseCancelled(value: unknown): readonly CancelledRun[] {
  return parseList(value, "runs", isCancelled);
}

/** The crews of a list. */
export function parseCrews(value: unknown): readonly CrewInfo[] {
  return parseList(value, "crews", isCrew);
}

/** The messages of a conversation. */
export function parseMessages(value: unknown): readonly SessionMessage[] {
  return parseList(value, "messages", isMessage);
}

/** The receipt of a cancel, if there is one. */
export function parseReceipt(value: unknown): Receipt | undefined {
  return isReceipt(value) ? value : undefined;
}

function parseList<T>(value: unknown, name: string, isItem: (item: unknown) => item is T): readonly T[] {
  const items: unknown = isObject(value) ? value[name] : undefined;
  return Array.isArray(items) && items.every(isItem) ? items : invalidAnswer(`has no list of ${name}`);
}

/** Where the next page begins, if there is one. */
function parseNext(value: unknown): { readonly next?: string } {
  const next = isObject(value) ? value["next"] : undefined;
  return typeof next === "string" ? { next } : {};
}

function isNamed(value: unknown): value is { readonly id: string } {
  return isObject(value) && typeof value["id"] === "string";
}

function isSession(value: unknown): value is SessionInfo {
  return isNamed(value) && "created_at" in value;
}

function isCancelled(value: unknown): value is CancelledRun {
  return isNamed(value) && "receipt" in value && isReceipt(value.receipt);
}

function isCrew(value: unknown): value is CrewInfo {
  return isNamed(value) && "name" in value && "agents" in value && "examples" in value;
}

function isStarted(value: unknown): value is StartedRun {
  return isNamed(value) && "short_id" in value;
}

function isRun(value: unknown): value is RunInfo {
  return isStarted(value) && "status" in value && "crew" in value && "input" in value;
}

function isCall(value: unknown): value is CallInfo {
  return isObject(value) && typeof value["call"] === "string" && "tool" in value && "status" in value;
}

function isMessage(value: unknown): value is SessionMessage {
  return isObject(value) && typeof value["role"] === "string" && typeof value["content"] === "string";
}

function isReceipt(value: unknown): value is Receipt {
  return isObject(value) && ["stopped", "finished", "abandoned"].every((name) => Array.isArray(value[name]));
}
