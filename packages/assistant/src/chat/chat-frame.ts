/**
 * Chat frame: what the chat dialect says, one JSON object a frame.
 */
import type { Json } from "@baton/core";

/** A tool call as the chat tells it. */
export type ShownCall = Readonly<{ id: string; name: string; args: Json }>;

/** The result of a call: `data` is whole up to 64 KB, else `href` is its URL. */
export interface ShownResult {
  readonly id: string;
  readonly name: string;
  readonly success: boolean;
  readonly data?: Json;
  readonly preview: string;
  readonly ms: number;
  readonly truncated?: true;
  readonly href?: string;
}

/** One place that an answer's facts come from. */
export interface SourceItem {
  readonly n: number;
  readonly title: string;
  readonly source: string;
  readonly url?: string;
  readonly as_of: string;
  readonly kind: string;
  readonly call: string;
}

/** A question that the user has to answer before the run continues. */
export type ShownQuestion = Readonly<{
  id: string;
  kind: string;
  text: string;
  tool?: string;
  args?: Json;
  schema: Json;
}>;

/** The code of an error. */
export type ChatErrorCode = "model_failed" | "limit" | "cancelled" | "timeout" | "no_model" | "internal";

/** The data of the frame `done`. */
export interface DoneData {
  readonly flow_id: string;
  /** `paused` if the run waits for an answer. */
  readonly status: string;
  readonly total_turns: number;
  readonly total_tool_calls: number;
  readonly tools_succeeded: number;
  readonly tools_failed: number;
  /** Calls that found no data: neither succeeded nor failed. */
  readonly tools_no_data: number;
  readonly tool_time_ms: number;
  readonly processing_time_ms: number;
  readonly context_tokens: number;
  readonly tokens_saved: number;
  readonly tokens_used: number;
  readonly cost_usd: number;
  readonly charts: readonly Json[];
  readonly grounding: Json;
  readonly disclaimer?: string;
}

/** A frame's `data`. */
export type ChatFrame =
  | { readonly type: "thinking_start"; readonly timestamp: string }
  | { readonly type: "thinking_step"; readonly step: Readonly<{ title: string; content: string }> }
  | { readonly type: "thinking_end"; readonly elapsed_ms: number }
  | { readonly type: "classification"; readonly data: Json }
  | { readonly type: "turn_start"; readonly turn: number }
  | { readonly type: "tool_calls"; readonly tools: readonly ShownCall[] }
  | { readonly type: "tool_results"; readonly results: readonly ShownResult[] }
  | { readonly type: "plan_update"; readonly plan: Json }
  | { readonly type: "content_start" }
  | { readonly type: "content_delta"; readonly content: string }
  | { readonly type: "content_restart" }
  | { readonly type: "content_end" }
  | { readonly type: "sources"; readonly items: readonly SourceItem[] }
  | { readonly type: "question"; readonly question: ShownQuestion }
  | { readonly type: "warning"; readonly message: string }
  | { readonly type: "error"; readonly message: string; readonly code: ChatErrorCode }
  | { readonly type: "heartbeat"; readonly timestamp: string }
  | { readonly type: "done"; readonly data: DoneData };
