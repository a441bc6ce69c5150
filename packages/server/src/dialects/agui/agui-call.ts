/**
 * AG-UI call: a call of a tool as AG-UI's events.
 *
 * Every call that is shown gets a result, unless the client is to execute it.
 */
import type { Json, RunEvent } from "@baton/core";
import type { AguiEvent } from "./agui-event.ts";
import { type ChatEvent, type ChatToolCall, jsonAsText } from "../chat/chat-event.ts";

/** Returns the AG-UI events of a call that the crew's own tools carry out. */
export function showCall(chatEvent: ChatEvent): readonly AguiEvent[] {
  switch (chatEvent.type) {
    case "args.opened":
      return [startCall(chatEvent.call)];
    case "args.added":
      return [
        { type: "TOOL_CALL_ARGS", toolCallId: chatEvent.call.id, delta: chatEvent.text, ...toTag(chatEvent.call) },
      ];
    case "args.closed": {
      const ended: AguiEvent = { type: "TOOL_CALL_END", toolCallId: chatEvent.call.id, ...toTag(chatEvent.call) };
      // A client that finds a call without a result takes it for its own to make.
      return chatEvent.isDropped ? [ended, toResult(chatEvent.call, "the call was not made")] : [ended];
    }
    case "call.opened":
      return chatEvent.isStreamed ? [] : toWholeCall(chatEvent.call, chatEvent.args);
    case "call.changed": {
      const value = { toolCallId: chatEvent.call.id, args: chatEvent.args };
      return [{ type: "CUSTOM", name: chatEvent.type, value, ...toTag(chatEvent.call) }];
    }
    case "call.progressed": {
      const value = { toolCallId: chatEvent.call.id, progress: chatEvent.progress };
      return [{ type: "CUSTOM", name: chatEvent.type, value, ...toTag(chatEvent.call) }];
    }
    case "call.closed": {
      const { call, output, error } = chatEvent;
      const content = error === undefined ? jsonAsText(output) : error.message;
      const failed = error === undefined ? {} : { metadata: { error: error.kind ?? error.code } };
      return [{ ...toResult(call, content), ...failed }];
    }
    default:
      return [];
  }
}

/** A call with all its arguments. */
export function toWholeCall(call: ChatToolCall, args: Json): readonly AguiEvent[] {
  const about = { toolCallId: call.id, ...toTag(call) };
  return [
    startCall(call),
    { type: "TOOL_CALL_ARGS", delta: jsonAsText(args), ...about },
    { type: "TOOL_CALL_END", ...about },
  ];
}

function startCall(call: ChatToolCall): AguiEvent {
  const { id: toolCallId, tool: toolCallName, part: parentMessageId } = call;
  return { type: "TOOL_CALL_START", toolCallId, toolCallName, parentMessageId, ...toTag(call) };
}

function toResult(call: ChatToolCall, content: string): AguiEvent {
  const { id: toolCallId } = call;
  return {
    type: "TOOL_CALL_RESULT",
    messageId: `${toolCallId}/result`,
    toolCallId,
    role: "tool",
    content,
    ...toTag(call),
  };
}

/** Names the lane of an event that belongs to a member of a group. */
export function toTag({ lane }: Pick<RunEvent, "lane">): { readonly subagentRunId?: string } {
  return lane === "" ? {} : { subagentRunId: lane };
}
