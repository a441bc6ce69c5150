/**
 * Messages: what a conversation is made of, as data.
 *
 * A history is a list of messages that is only ever appended to; objects in it are shared, never changed.
 */
import type { Json } from "./json.ts";

/** A tool call as a model asked for it. `id` is its position in the run (`3.1.2`). */
export interface CallRequest {
  readonly id: string;
  readonly tool: string;
  /** Parsed arguments; a string if the model wrote something that is not JSON. */
  readonly args: Json;
  /** It was read from the text of a reply that could have had native calls. */
  readonly isText?: true;
  /** Of a call that code makes: the call of `run_code`, and the line of the code. */
  readonly within?: string;
  readonly line?: number;
}

/** A picture in a user's message. */
export interface Image {
  /** `image/png`, `image/jpeg` … */
  readonly mediaType: string;
  /** Base64, or an https address. */
  readonly data: string;
  /** Description of the content, for readers who cannot see it. */
  readonly altText?: string;
}

export interface UserMessage {
  readonly role: "user";
  readonly content: string;
  readonly images?: readonly Image[];
  /** Answers of a group that were written for the crew, and do not belong to the session. */
  readonly audience?: "crew";
  /** It holds answers of a group, not words of a person. */
  readonly from?: "group";
}

export type SystemMessage = Readonly<{ role: "system"; content: string }>;

/** Data that a provider needs back to continue (reasoning blocks, signatures), with its name. */
export type ProviderData = Readonly<{ name: string; data: Json }>;

export interface AssistantMessage {
  readonly role: "assistant";
  readonly content: string;
  /** The agent that said it; absent in a history that came from outside. */
  readonly agent?: string;
  readonly calls?: readonly CallRequest[];
  readonly provider?: ProviderData;
  /** It was written for the crew, and does not belong to the session. */
  readonly audience?: "crew";
}

export interface ToolMessage {
  readonly role: "tool";
  /** The id of the `CallRequest` it answers. */
  readonly call: string;
  readonly tool: string;
  readonly content: string;
  readonly failed?: boolean;
}

export type Message = UserMessage | SystemMessage | AssistantMessage | ToolMessage;

/** Tokens of a model call. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Part of `inputTokens` that came from the provider's cache. */
  readonly cachedTokens?: number;
  /** Part of `inputTokens` that was written into the provider's cache. */
  readonly cacheWriteTokens?: number;
  /** Part of `outputTokens` that was reasoning. */
  readonly reasoningTokens?: number;
}

/** Why a model stopped. */
export type Finish = "stop" | "calls" | "length" | "filter" | "other";

/** No tokens at all. */
export const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0 };

/** The sum of two usages. */
export function addUsage(a: Usage, b: Usage): Required<Usage> {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cachedTokens: (a.cachedTokens ?? 0) + (b.cachedTokens ?? 0),
    cacheWriteTokens: (a.cacheWriteTokens ?? 0) + (b.cacheWriteTokens ?? 0),
    reasoningTokens: (a.reasoningTokens ?? 0) + (b.reasoningTokens ?? 0),
  };
}
