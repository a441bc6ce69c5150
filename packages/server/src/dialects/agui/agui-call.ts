/**
 * AG-UI call: a call of a tool as AG-UI's events.
 *
 * Every call that is shown gets a result, unless the client is to execute it.
 */
import type { Json, RunEvent } from "@baton/core";
import type { AguiEvent } from "./agui-event.ts";
import { type Beat, type Call, toText } from "../chat/chat-event.ts";

/** What a tool of the crew does. */
export function tellCall(beat: Beat): readonly AguiEvent[] {
  switch (beat.type) {
    case "args.opened":
      return [startCall(beat.call)];
    case "args.added":
      return [{ type: "TOOL_CALL_ARGS", toolCallId: beat.call.id, delta: beat.text, ...toTag(beat.call) }];
    case "args.closed": {
      const ended: AguiEvent = { type: "TOOL_CALL_END", toolCallId: beat.call.id, ...toTag(beat.call) };
      // A client that finds a call without a result takes it for its own to make.
      return beat.isDropped ? [ended, toResult(beat.call, "the call was not made")] : [ended];
    }
    case "call.opened":
      return beat.isStreamed ? [] : toWholeCall(beat.call, beat.args);
    case "call.progressed": {
      const value = { toolCallId: beat.call.id, progress: beat.progress };
      return [{ type: "CUSTOM", name: beat.type, value, ...toTag(beat.call) }];
    }
    case "call.closed": {
      const { call, output, error } = beat;
      const content = error === undefined ? toText(output) : error.message;
      const failed = error === undefined ? {} : { metadata: { error: error.kind ?? error.code } };
      return [{ ...toResult(call, content), ...failed }];
    }
    default:
      return [];
  }
}

/** A call with all its arguments. */
export function toWholeCall(call: Call, args: Json): readonly AguiEvent[] {
  const about = { toolCallId: call.id, ...toTag(call) };
  return [
    startCall(call),
    { type: "TOOL_CALL_ARGS", delta: toText(args), ...about },
    { type: "TOOL_CALL_END", ...about },
  ];
}

function startCall(call: Call): AguiEvent {
  const { id: toolCallId, tool: toolCallName, part: parentMessageId } = call;
  return { type: "TOOL_CALL_START", toolCallId, toolCallName, parentMessageId, ...toTag(call) };
}

function toResult(call: Call, content: string): AguiEvent {
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

/** What belongs to a member of a group says so. */
export function toTag({ lane }: Pick<RunEvent, "lane">): { readonly subagentRunId?: string } {
  return lane === "" ? {} : { subagentRunId: lane };
}
