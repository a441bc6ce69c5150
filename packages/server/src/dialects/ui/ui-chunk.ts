/**
 * UI chunk: the types of the AI SDK's UI message chunks that a run is sent as.
 */
import type { Json } from "@baton/core";

/** Why a message ended. */
export type UiFinish = "stop" | "length" | "content-filter" | "tool-calls" | "error" | "other";

/** Marks calls that the server carries out (`providerExecuted`); the client carries out the others. */
interface ToolChunk {
  readonly toolCallId: string;
  readonly providerExecuted?: boolean;
  readonly dynamic?: true;
}

/** One chunk. */
export type UiChunk =
  | { readonly type: "start"; readonly messageId: string; readonly messageMetadata: object }
  | { readonly type: "finish"; readonly finishReason: UiFinish; readonly messageMetadata: object }
  | { readonly type: "abort"; readonly reason: string }
  | { readonly type: "error"; readonly errorText: string }
  | { readonly type: "start-step" | "finish-step" | "reset-step" }
  | { readonly type: "text-start" | "text-end" | "reasoning-start" | "reasoning-end"; readonly id: string }
  | { readonly type: "text-delta" | "reasoning-delta"; readonly id: string; readonly delta: string }
  | ({ readonly type: "tool-input-start"; readonly toolName: string } & ToolChunk)
  | { readonly type: "tool-input-delta"; readonly toolCallId: string; readonly inputTextDelta: string }
  | ({ readonly type: "tool-input-available"; readonly toolName: string; readonly input: Json } & ToolChunk)
  | ({ readonly type: "tool-output-available"; readonly output: Json; readonly preliminary?: true } & ToolChunk)
  | ({ readonly type: "tool-output-error"; readonly errorText: string } & ToolChunk)
  | { readonly type: "tool-output-denied"; readonly toolCallId: string }
  | {
      readonly type: "tool-approval-request";
      readonly approvalId: string;
      readonly toolCallId: string;
      readonly reason: string;
    }
  | {
      readonly type: "tool-approval-response";
      readonly approvalId: string;
      readonly approved: boolean;
      readonly reason?: string;
    }
  | { readonly type: `data-${string}`; readonly id?: string; readonly data: object; readonly transient?: true };
