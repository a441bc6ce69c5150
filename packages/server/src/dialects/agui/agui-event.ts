/**
 * AG-UI event: the types of the AG-UI 1.0 events that a run is sent as.
 */
import type { Json } from "@baton/core";

/** Fields that every event may have: its time, and its lane if that is not the run's own. */
interface Base {
  readonly timestamp?: number;
  readonly subagentRunId?: string;
}

interface OfRun {
  readonly threadId: string;
  readonly runId: string;
}

/** One event. */
export type AguiEvent = Base &
  (
    | ({ readonly type: "RUN_STARTED"; readonly protocolVersion: "1.0" } & OfRun)
    | ({
        readonly type: "RUN_FINISHED";
        readonly outcome: object;
        readonly result: object;
        readonly usage: readonly object[];
      } & OfRun)
    | {
        readonly type: "RUN_ERROR";
        readonly message: string;
        readonly code: string;
        readonly usage: readonly object[];
      }
    | { readonly type: "STEP_STARTED" | "STEP_FINISHED"; readonly stepName: string }
    | { readonly type: "SUBAGENT_STARTED"; readonly subagentRunId: string; readonly name: string }
    | { readonly type: "SUBAGENT_FINISHED"; readonly subagentRunId: string; readonly outcome?: object }
    | {
        readonly type: "SUBAGENT_ERROR";
        readonly subagentRunId: string;
        readonly message: string;
        readonly code: string;
      }
    | {
        readonly type: "TEXT_MESSAGE_START";
        readonly messageId: string;
        readonly role: "assistant";
        readonly name: string;
      }
    | {
        readonly type: "TEXT_MESSAGE_CONTENT" | "REASONING_MESSAGE_CONTENT";
        readonly messageId: string;
        readonly delta: string;
      }
    | {
        readonly type: "TEXT_MESSAGE_END" | "REASONING_START" | "REASONING_MESSAGE_END" | "REASONING_END";
        readonly messageId: string;
      }
    | { readonly type: "REASONING_MESSAGE_START"; readonly messageId: string; readonly role: "reasoning" }
    | {
        readonly type: "TOOL_CALL_START";
        readonly toolCallId: string;
        readonly toolCallName: string;
        readonly parentMessageId: string;
      }
    | { readonly type: "TOOL_CALL_ARGS"; readonly toolCallId: string; readonly delta: string }
    | { readonly type: "TOOL_CALL_END"; readonly toolCallId: string }
    | {
        readonly type: "TOOL_CALL_RESULT";
        readonly messageId: string;
        readonly toolCallId: string;
        readonly content: string;
        readonly role: "tool";
        readonly metadata?: object;
      }
    | { readonly type: "CUSTOM"; readonly name: string; readonly value: { readonly [key: string]: Json } }
  );
