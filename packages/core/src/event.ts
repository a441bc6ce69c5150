/**
 * Events: everything that happens in a run, as one closed union.
 *
 * Past tense, JSON only, never edited; a new field is optional for ever. A `Fact` is what the engine says,
 * a `RunEvent` is that fact with its place in the log. Every `started` has exactly one `ended`.
 * Positions: a turn is `3`, its first step `3.1`, that step's second call `3.1.2`; a group's member works in
 * the lane `4/quiz/student` and its positions are prefixed by that (`4/quiz/student/1.1`).
 * Reads: error, json, message. Read by: host, log, all verbs, and every reader of a run.
 */
import type { Failure } from "./error.ts";
import type { Json } from "./json.ts";
import type { CallRequest, Finish, Image, Message, Usage } from "./message.ts";

/** How a run can end; `paused` is not an end, but what `run.outcome` settles as meanwhile. */
export type Outcome = "done" | "paused" | "limit" | "cancelled" | "failed";

/** What a tool does to the world; retries, parallelism, approval and recovery follow from it. */
export type Effect = "read" | "idempotent" | "irreversible";

/** What became of everything that was at work when it was cancelled, by name. */
export interface Receipt {
  readonly stopped: readonly string[];
  readonly finished: readonly string[];
  readonly abandoned: readonly string[];
}

/** A message into a live run. */
export type Command =
  | { readonly type: "pause" }
  | { readonly type: "resume"; readonly input?: string }
  | { readonly type: "cancel"; readonly reason?: string }
  | { readonly type: "say"; readonly text: string }
  | { readonly type: "answer"; readonly question: string; readonly value: Json };

/** How a signal was recognised. */
export type MatchKind = "exact" | "case" | "normalised";

/** Why the baton went where it went. */
export type Via = "signal" | "default" | "handoff_target" | "any" | "group";

/** What became of one member of a group. */
export interface MemberResult {
  readonly agent: string;
  readonly text?: string;
  readonly error?: Failure;
}

/** Where a run begins or goes on: an agent, or a group of agents. */
export type Place =
  | { readonly kind: "agent"; readonly id: string }
  | { readonly kind: "group"; readonly id: string };

/** Caps that the caller of a run may set below the crew's own. */
export interface RunLimits {
  readonly maxTokens?: number;
  readonly maxUsd?: number;
  readonly timeoutMs?: number;
}

/** Caps on what a model reads of tool output, in characters. */
export interface OutputChars {
  readonly each: number;
  readonly total: number;
}

/** What happened. */
export type Fact =
  | {
      readonly type: "run.started";
      readonly crew: string;
      readonly input: string;
      readonly images?: readonly Image[];
      readonly history: readonly Message[];
      readonly entry: Place;
      /** How long a tool's output may be in the history: each, and all of one reply. */
      readonly outputChars: OutputChars;
      readonly session?: string;
      readonly limits?: RunLimits;
    }
  | {
      readonly type: "run.paused";
      /** `signal`: an agent waits for the user; `question`: for answers; `command`: somebody paused it. */
      readonly by: "signal" | "question" | "command";
      readonly agent: string;
      readonly questions: readonly string[];
    }
  | { readonly type: "run.resumed"; readonly agent: string; readonly input?: string }
  | {
      readonly type: "run.ended";
      readonly outcome: Outcome;
      /** `answer`: the last agent was done; `signal`: a signal with no target. */
      readonly by: "answer" | "signal" | "limit" | "command" | "error";
      readonly agent: string;
      readonly text: string;
      readonly error?: Failure;
      readonly receipt?: Receipt;
    }
  | { readonly type: "turn.started"; readonly turn: string; readonly agent: string }
  | {
      readonly type: "turn.ended";
      readonly turn: string;
      readonly agent: string;
      readonly text: string;
      readonly error?: Failure;
    }
  | {
      readonly type: "step.started";
      readonly step: string;
      readonly agent: string;
      readonly model: string;
    }
  | {
      readonly type: "step.retried";
      readonly step: string;
      readonly agent: string;
      readonly attempt: number;
      readonly delayMs: number;
      readonly error: Failure;
    }
  | {
      readonly type: "step.ended";
      readonly step: string;
      readonly agent: string;
      readonly text: string;
      readonly calls: readonly CallRequest[];
      readonly finish: Finish;
      readonly usage: Usage;
      readonly reasoning?: string;
      readonly provider?: { readonly name: string; readonly data: Json };
      /** What the model wants back at this agent's next call in the run. */
      readonly state?: Json;
      readonly error?: Failure;
    }
  | {
      readonly type: "text.delta";
      readonly step: string;
      readonly agent: string;
      readonly text: string;
    }
  | {
      readonly type: "reasoning.delta";
      readonly step: string;
      readonly agent: string;
      readonly text: string;
    }
  | {
      readonly type: "call.started";
      readonly call: string;
      readonly agent: string;
      readonly tool: string;
      readonly args: Json;
      readonly effect: Effect;
    }
  | {
      readonly type: "call.progressed";
      readonly call: string;
      readonly agent: string;
      readonly tool: string;
      readonly progress: Json;
    }
  | {
      readonly type: "call.retried";
      readonly call: string;
      readonly agent: string;
      readonly tool: string;
      readonly attempt: number;
      readonly delayMs: number;
      readonly error: Failure;
    }
  | {
      readonly type: "call.ended";
      readonly call: string;
      readonly agent: string;
      readonly tool: string;
      /** Whole up to 1 MiB of JSON text; absent on failure. */
      readonly output?: Json;
      readonly attempts: number;
      /** What the call set in the run's key/value store. */
      readonly state?: { readonly [key: string]: Json };
      readonly error?: Failure;
    }
  | {
      readonly type: "permission.decided";
      readonly call: string;
      readonly decision: "allow" | "deny" | "ask" | "transform";
      readonly reason?: string;
      readonly args?: Json;
    }
  | {
      readonly type: "effect.intended";
      readonly key: string;
      readonly effect: Effect;
    }
  | {
      readonly type: "signal.matched";
      readonly agent: string;
      readonly signal: string;
      readonly match: MatchKind;
      /** Agent or group; empty ends the run. */
      readonly target: string;
      /** False in a group, where signals are recorded only. */
      readonly followed: boolean;
    }
  | {
      readonly type: "handoff.made";
      readonly from: string;
      readonly to: string;
      readonly via: Via;
      /** How many have been made since the user's last message, this one included. */
      readonly count: number;
    }
  | {
      readonly type: "group.started";
      readonly turn: string;
      readonly group: string;
      readonly agents: readonly string[];
      /** The agent whose signal led here; empty where the run starts with the group. */
      readonly from: string;
    }
  | {
      readonly type: "group.ended";
      readonly turn: string;
      readonly group: string;
      readonly results: readonly MemberResult[];
      /** With `wait_for_all: false`: whose answer was taken. */
      readonly winner?: string;
      readonly error?: Failure;
    }
  | {
      readonly type: "question.opened";
      readonly question: string;
      readonly kind: "approval" | "pause";
      readonly agent: string;
      readonly text: string;
      readonly call?: string;
      readonly tool?: string;
      /** The exact arguments an approval is bound to. */
      readonly args?: Json;
      /** JSON Schema of the answer. */
      readonly schema: Json;
    }
  | { readonly type: "question.answered"; readonly question: string; readonly value: Json }
  /** Nobody needs the answer any more: what asked was cancelled. */
  | { readonly type: "question.closed"; readonly question: string }
  | {
      readonly type: "history.trimmed";
      readonly agent: string;
      readonly step: string;
      readonly dropped: number;
      readonly tokensBefore: number;
      readonly tokensAfter: number;
    }
  | {
      readonly type: "limit.reached";
      readonly limit: string;
      readonly value: number;
      readonly agent: string;
    }
  | {
      readonly type: "warning.raised";
      readonly agent: string;
      readonly text: string;
      /** The step or call during which it was raised. */
      readonly of?: string;
    }
  | { readonly type: "command.received"; readonly command: Command };

/** Where a fact stands in its run's log. */
export interface Stamp {
  readonly run: string;
  /** 1, 2, 3 … with no gap. */
  readonly seq: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Empty for the run's own line; `4/quiz/student` for a member of a group. */
  readonly lane: string;
}

/** A fact with its place in the log. */
export type RunEvent = Fact & Stamp;

/** The fact of one type. */
export type FactOf<Type extends Fact["type"]> = Extract<Fact, { readonly type: Type }>;
