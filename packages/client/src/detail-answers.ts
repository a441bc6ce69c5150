/**
 * Past answer: types of what the server says about itself, about a crew as it is drawn, and about a past run.
 */
import type { Json, Message, RunEvent } from "@baton/core";
import { invalidAnswer } from "./endpoint.ts";
import { isObject } from "./json-value.ts";
import type { CrewInfo } from "./run-answers.ts";

/** The caller as the server knows it, and the model that answers there. */
export interface Me {
  readonly tenant: string;
  readonly user: string;
  readonly scopes: readonly ("run" | "read" | "approve" | "admin")[];
  readonly keys_required: boolean;
  readonly version: string;
  /** The name of the model that answers, with the reason in words. */
  readonly model: string;
}

/** A place in a drawing. */
export type DrawnPoint = Readonly<{ x: number; y: number }>;

/** A box of a drawing, by its upper left corner. */
export interface DrawnBox extends DrawnPoint {
  readonly id: string;
  readonly kind: "agent" | "group" | "crew" | "program" | "end";
  readonly subtitle: string;
  readonly marks: readonly ("entry" | "terminal" | "pause" | "unreachable")[];
  readonly members: readonly string[];
  /** Signals with which it keeps the baton. */
  readonly again: readonly string[];
  readonly width: number;
  readonly height: number;
}

/** An arrow between two boxes, by their positions in the list. */
export interface DrawnArrow {
  readonly from: number;
  readonly to: number;
  readonly labels: readonly string[];
  readonly is_rule: boolean;
  readonly is_cycle: boolean;
  readonly points: readonly DrawnPoint[];
  readonly label: DrawnPoint;
}

/** A crew with places for its boxes and arrows. */
export interface CrewDrawing {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly DrawnBox[];
  readonly arrows: readonly DrawnArrow[];
  readonly left_out: string;
}

/** An agent of a crew. */
export interface AgentInfo {
  readonly id: string;
  readonly name: string;
  readonly role: string;
  readonly description: string;
  readonly model?: string;
  readonly system_prompt: string;
  /** Where it is written. */
  readonly prompt_at?: Readonly<{ file: string; line: number }>;
  readonly tools: readonly string[];
  /** Names of the skills that its prompt lists. */
  readonly skills?: readonly string[];
  readonly audience: "user" | "crew";
  readonly terminal: boolean;
  readonly pause: boolean;
  /** Where its signals count. */
  readonly signal_position?: "anywhere" | "end";
}

/** Something that a check of a crew says. */
export interface CrewFinding {
  readonly code?: string;
  readonly severity: "error" | "warning" | "note";
  readonly message: string;
  readonly fix: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  /** The shortest conversation that shows it: agents, signals and groups in turn. */
  readonly conversation?: readonly string[];
}

/** A crew, whole. */
export interface CrewDetail extends Omit<CrewInfo, "agents"> {
  readonly entry: Readonly<{ kind: "agent" | "group" | "crew"; id: string }>;
  readonly agents: readonly AgentInfo[];
  readonly groups: readonly Readonly<{
    id: string;
    agents: readonly string[];
    mode: "settled" | "all" | "first";
    next_agent?: string;
    /** Of a map: the agent or crew that works on each item, and the path of the list. */
    map?: string;
    over?: string;
  }>[];
  readonly signals: readonly Readonly<{
    agent: string;
    signal?: string;
    when?: Readonly<Record<string, Json>>;
    target: string;
    description?: string;
  }>[];
  /** Tools; `server` is the MCP server that has the tool. */
  readonly tools: readonly Readonly<{ name: string; description: string; effect: string; server?: string }>[];
  readonly permissions: Readonly<Record<string, "allow" | "ask" | "ask_operator" | "deny">>;
  /** By their names in crew.yaml. */
  readonly settings: Readonly<Record<string, number>>;
  readonly worst_case: Readonly<{ model_calls: number; tool_rounds: number; handoffs: number; is_exact: boolean }>;
  readonly graph: string;
  readonly drawing: CrewDrawing;
  readonly findings: readonly CrewFinding[];
}

/** A tool of a crew that is served. */
export interface ToolInfo {
  readonly name: string;
  readonly description: string;
  readonly effect: "read" | "idempotent" | "irreversible";
  readonly crew: string;
  readonly tags: readonly string[];
  readonly is_client: boolean;
  readonly input_schema: Json;
}

/** A piece of a prompt: `source` is `system_prompt`, `state:KEY`, `input`, `turn 7` or `call 3.1.2`. */
export interface PromptPiece {
  readonly kind: string;
  readonly source: string;
  /** The position it comes from. */
  readonly of?: string;
}

/** The prompt of one step. */
export interface StepPrompt {
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly Readonly<{ name: string; description: string }>[];
  readonly blocks: readonly (PromptPiece & Readonly<{ tokens: number }>)[];
  readonly left_out: readonly (PromptPiece & Readonly<{ reason: string }>)[];
  readonly tokens?: number;
  readonly window?: number;
}

/** Options of a fork: a crew that is served now, and a new text for the last user message. */
export interface HowToFork {
  readonly crew?: string;
  /** Replaces the last message at or before the event; what came after that message is left out. */
  readonly input?: string;
}

/** The result of a replay. */
export interface Replayed {
  readonly identical: boolean;
  readonly events: number;
  readonly difference?: Readonly<{ seq: number; lane: string; text: string; logged: RunEvent; now?: Json }>;
}

/** The runs that began in some time. */
export interface OverviewFigures {
  readonly runs: number;
  readonly ended: number;
  readonly done: number;
  /** Median duration of runs that ended, without the time they waited; absent if none has ended, as the next two. */
  readonly p50_ms?: number;
  readonly p95_ms?: number;
  readonly first_text_p95_ms?: number;
  readonly tokens: number;
  readonly cost_usd: number;
}

/** Figures of recent runs, and the state of the server. */
export interface ServerOverview {
  /** The runs that are counted: all of the tenant for a key with `admin`, else the caller's own. */
  readonly of: "tenant" | "user";
  /** Oldest first; `at` is when the minute began. */
  readonly minutes: readonly (OverviewFigures & { readonly at: string })[];
  readonly total: OverviewFigures;
  /** Those with the most errors first. */
  readonly tools: readonly Readonly<{ name: string; calls: number; errors: number; average_ms: number }>[];
  readonly agents: readonly Readonly<{
    name: string;
    crew: string;
    turns: number;
    errors: number;
    tokens: number;
    cost_usd: number;
  }>[];
  /** True if there were more runs than are counted here. */
  readonly is_partial?: true;
  readonly server: {
    readonly open_streams: number;
    readonly active_runs: number;
    readonly breakers: readonly Readonly<{ model: string; is_open: boolean }>[];
    readonly store: Readonly<{ kind: string; is_healthy: boolean; problem?: string }>;
  };
}

/** Checks that it is an overview. */
export function parseOverview(value: unknown): ServerOverview {
  return isOverview(value) ? value : invalidAnswer("is not an overview");
}

function isOverview(value: unknown): value is ServerOverview {
  return isObject(value) && Array.isArray(value["minutes"]) && "total" in value && "server" in value;
}

/** Checks that it says who the caller is. */
export function parseMe(value: unknown): Me {
  return isMe(value) ? value : invalidAnswer("does not say who you are");
}

/** A token that a browser holds instead of an API key. */
export interface SignedIn {
  readonly token: string;
  readonly expires_at: string;
}

/** Checks that it is a token. */
export function parseSignedIn(value: unknown): SignedIn {
  const { token, expires_at: end } = isObject(value) ? value : {};
  return typeof token === "string" && typeof end === "string"
    ? { token, expires_at: end }
    : invalidAnswer("has no token");
}

/** Checks that it is a crew with its drawing. */
export function parseCrewDetail(value: unknown): CrewDetail {
  return isCrewDetail(value) ? value : invalidAnswer("is not a crew");
}

/** A model that a run may name. */
export interface ModelInfo {
  /** The `model` of a start. */
  readonly id: string;
  readonly provider: string;
  readonly label: string;
  readonly default: boolean;
  readonly available: boolean;
  /** Why it is not available. */
  readonly reason?: string;
  /** The most tokens it reads. */
  readonly window?: number;
  /** US dollars a million tokens. */
  readonly price?: Readonly<Record<"input" | "output" | "cached" | "cache_write", number>>;
  readonly reasoning: boolean;
  readonly images: boolean;
}

/** The models of a list. */
export function parseModels(value: unknown): readonly ModelInfo[] {
  const models: unknown = isObject(value) ? value["models"] : undefined;
  return Array.isArray(models) && models.every(isModel) ? models : invalidAnswer("has no list of models");
}

function isModel(value: unknown): value is ModelInfo {
  return isObject(value) && typeof value["id"] === "string" && typeof value["available"] === "boolean";
}

/** The tools of a list. */
export function parseTools(value: unknown): readonly ToolInfo[] {
  const tools: unknown = isObject(value) ? value["tools"] : undefined;
  return Array.isArray(tools) && tools.every(isTool) ? tools : invalidAnswer("has no list of tools");
}

/** Checks that it is a prompt. */
export function parsePrompt(value: unknown): StepPrompt {
  return isPrompt(value) ? value : invalidAnswer("is not a prompt");
}

/** Checks that it says how a replay went. */
export function parseReplayed(value: unknown): Replayed {
  return isReplayed(value) ? value : invalidAnswer("does not say how the replay went");
}

/** The events of a list. */
export function parseEvents(value: unknown): readonly RunEvent[] {
  const events: unknown = isObject(value) ? value["events"] : undefined;
  return Array.isArray(events) && events.every(isEvent) ? events : invalidAnswer("has no list of events");
}

function isMe(value: unknown): value is Me {
  return isObject(value) && typeof value["user"] === "string" && Array.isArray(value["scopes"]);
}

function isCrewDetail(value: unknown): value is CrewDetail {
  return isObject(value) && typeof value["id"] === "string" && isObject(value["drawing"]);
}

function isTool(value: unknown): value is ToolInfo {
  return isObject(value) && typeof value["name"] === "string" && typeof value["crew"] === "string";
}

function isPrompt(value: unknown): value is StepPrompt {
  return isObject(value) && typeof value["system"] === "string" && Array.isArray(value["blocks"]);
}

function isReplayed(value: unknown): value is Replayed {
  return isObject(value) && typeof value["identical"] === "boolean";
}

function isEvent(value: unknown): value is RunEvent {
  return isObject(value) && typeof value["type"] === "string" && typeof value["seq"] === "number";
}
