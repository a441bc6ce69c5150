/**
 * Response item: what the output of an OpenAI response is made of, as data.
 */
import { type ChatQuestion, type ChatToolCall, jsonAsText } from "../chat/chat-event.ts";
import { toChatCall } from "./openai.ts";

/** The status of an item. */
export type ItemStatus = "in_progress" | "completed" | "incomplete";

/** An output item. */
export type ResponseItem = Readonly<{ id: string; type: string; [field: string]: unknown }>;

/** A reply; without text if it has only begun. */
export function toMessageItem(id: string, text: string | undefined, status: ItemStatus): ResponseItem {
  const content = text === undefined ? [] : [{ type: "output_text", text, annotations: [] }];
  return { id, type: "message", role: "assistant", status, content };
}

/** A reply's reasoning. */
export function toReasoningItem(id: string, text: string, status: ItemStatus): ResponseItem {
  return { id, type: "reasoning", summary: [], content: [{ type: "reasoning_text", text }], status };
}

/** The data of a call; `label` is the crew, which clients see as a tool server. */
export interface CallItem {
  readonly id: string;
  readonly label: string;
  readonly args: string;
  readonly status: ItemStatus | "failed";
  readonly output?: string;
  readonly error?: string;
}

/** A tool that the crew used. */
export function toCallItem({ tool }: ChatToolCall, { id, label, args, status, output, error }: CallItem): ResponseItem {
  const content = [{ type: "text", text: error }];
  return {
    id,
    type: "mcp_call",
    server_label: label,
    name: tool,
    arguments: args,
    status,
    output: output ?? null,
    error: error === undefined ? null : { type: "mcp_tool_execution_error", content },
  };
}

/** A question: an approval request for approvals, else a function call. Its id is the one to answer with. */
export function toQuestionItem(label: string, asked: ChatQuestion): ResponseItem {
  const { id, opened } = asked;
  const { kind, tool, args = null } = opened;
  if (kind === "approval" && tool !== undefined) {
    return { id, type: "mcp_approval_request", server_label: label, name: tool, arguments: jsonAsText(args) };
  }
  return { id, type: "function_call", call_id: id, ...toChatCall(asked).function, status: "completed" };
}
