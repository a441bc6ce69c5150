/**
 * Model: what turns a prompt into a reply, chunk by chunk.
 *
 * One array per network read: the engine takes all of it before it waits again. A model that fails throws a
 * `BatonError` with code `model`, `retryable` if a retry may help. Its in-memory version is `script`.
 */
import type { RecordedCalls } from "./call-log.ts";
import type { Failure } from "../words/error.ts";
import type { RunLimits } from "../words/event.ts";
import type { Json } from "../words/json.ts";
import type { Finish, Message, ProviderData, Usage } from "../words/message.ts";
import type { Scope } from "../lifetimes/scope.ts";

/** A tool as it is described to a model. */
export type ToolSpec = Readonly<{ name: string; description: string; inputSchema: Json }>;

/** Everything a model is given for one call. */
export interface Prompt extends RecordedCalls {
  readonly run: string;
  readonly agent: string;
  /** The sub-crews that the agent is in, outermost first: `alpha/`; absent in the run's own crew. */
  readonly crew?: string;
  readonly system: string;
  readonly messages: readonly Message[];
  /** Index of the agent's context in `messages`; absent if there is none. */
  readonly contextAt?: number;
  /** Empty if the agent has none, or they are switched off for this call. */
  readonly tools: readonly ToolSpec[];
  readonly temperature?: number;
  readonly topP?: number;
  /** Tokens of text; a model that reasons may write more. */
  readonly maxTokens?: number;
  /** Characters of the reply that are read. */
  readonly maxChars?: number;
  /** Absent: the provider's own default. */
  readonly reasoning?: "none" | "low" | "medium" | "high";
  /** Fields of a provider's request, by the provider's name. */
  readonly providerOptions?: Readonly<Record<string, Readonly<Record<string, Json>>>>;
  /** Absent: `auto`. */
  readonly promptCache?: "auto" | "long" | "off";
  /** Parts of the key under which a provider may keep the beginning of the prompt; an unknown part is empty. */
  readonly cacheKey?: CacheKey;
  /** `required` if the model must call a tool, or the tool it must call; absent if it is free to. */
  readonly toolChoice?: "required" | { readonly tool: string };
  /** False asks the provider for at most one call a reply. */
  readonly parallelCalls?: false;
  /** No native call has been made yet in this turn of the agent. */
  readonly isUncalled?: true;
  /** JSON Schema the whole reply must follow. */
  readonly outputSchema?: Json;
  /** The state that the model's last reply to this agent in this run ended with. */
  readonly state?: Json;
  /** 1 for the first try of this step. */
  readonly attempt: number;
  /** The most tries of this step; a backup counts its own. */
  readonly attempts: number;
  /** The backup has taken over in an earlier try of this step. */
  readonly isBackup?: true;
  /** Limits that the caller of the run set. */
  readonly limits?: RunLimits;
  /** The run's state as this step sees it. */
  readonly values: ReadonlyMap<string, Json>;
  /** The owner of the run; absent if it has none. */
  readonly tenant?: string;
  readonly user?: string;
  readonly session?: string;
  /** The calls of the step before in this turn, whole: neither cut nor as a digest. */
  readonly results: readonly PastCall[];
}

/** Owner, crew, agent and session of a prompt: prompts that share all four begin alike. */
export type CacheKey = Readonly<{ tenant: string; crew: string; agent: string; session: string }>;

/** A call of the step before: its output, or why it failed. */
export type PastCall = Readonly<{ call: string; tool: string; args: Json; output?: Json; error?: Failure }>;

/** A piece of a reply. */
export type Chunk =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "reasoning"; readonly text: string }
  /** A piece of the arguments of the reply's call number `index`, from 1, as they stream; the whole call follows. */
  | { readonly type: "args"; readonly index: number; readonly tool: string; readonly text: string }
  /** A whole tool call; `args` is the JSON text as the model wrote it; `isText` if it was read from the reply's text. */
  | { readonly type: "call"; readonly tool: string; readonly args: string; readonly isText?: true }
  /** The call waits for a cap on calls, about so long; its silence does not count until the next chunks. */
  | { readonly type: "waiting"; readonly limit: string; readonly delayMs: number }
  /** The model's backup answers from here on, and has tries of its own. */
  | { readonly type: "backup" }
  /** Something a reader of the run should know. */
  | { readonly type: "warning"; readonly text: string }
  /** A note that joins the log with the reply; at most 256 KB. */
  | { readonly type: "note"; readonly kind: string; readonly data: Json }
  /** All text so far is void: the reply starts again, after a delay if there is one. */
  | { readonly type: "restart"; readonly reason: string; readonly delayMs?: number }
  /** The last chunk. */
  | {
      readonly type: "end";
      readonly finish: Finish;
      readonly usage: Usage;
      /** The model that answered, if it is not the one that was asked. */
      readonly model?: string;
      readonly costUsd?: number;
      readonly state?: Json;
      readonly provider?: ProviderData;
      /** Changes that a program makes in the run's state, and the output it gives for its agent. */
      readonly set?: { readonly [key: string]: Json };
      readonly output?: Json;
      /** The run ends with this turn, whatever the routing says. */
      readonly end?: true;
    };

/** Model of an agent: it turns a prompt into a reply. */
export interface Model {
  /** `provider/name`, for people and prices. */
  readonly name: string;
  /** It is code: its replies may be empty, and its repeated calls are not counted. */
  readonly isProgram?: true;
  /** If it fails for good, it passes the call on to another model. */
  readonly hasBackup?: true;
  /** Starts a reply; it must stop soon after `scope.abort` fires. */
  stream(prompt: Prompt, scope: Scope): AsyncIterable<readonly Chunk[]>;
  /** Time it may take to begin a reply, if that is more than `model_idle_seconds`: it may have to be loaded first. */
  readonly maxStartMs?: number;
  /** The most tokens it may write, reasoning included, if its text may have `maxTokens`; the same if it is absent. */
  readonly outputTokens?: (maxTokens: number, reasoning?: Prompt["reasoning"]) => number;
  /** Number of tokens it can be given, if that is known. */
  readonly contextTokens?: number;
  /** Counts a message's tokens better than the estimate does. */
  readonly countTokens?: (message: Message) => number;
}
