import assert from "node:assert/strict";
import { test } from "node:test";
import { Reply } from "./reply.ts";

test("arguments come as they stream, numbered like the calls that follow", () => {
  const reply = new Reply("p/m");
  const chunks = [
    { type: "tool-input-start", id: "x", toolName: "Look" },
    { type: "tool-input-delta", id: "x", delta: '{"a"' },
    { type: "tool-input-delta", id: "x", delta: "" },
    { type: "tool-input-start", id: "y", toolName: "Find" },
    { type: "tool-input-delta", id: "x", delta: ":1}" },
    { type: "tool-input-end", id: "x" },
    { type: "tool-call", toolCallId: "x", toolName: "Look", input: '{"a":1}' },
    { type: "tool-input-delta", id: "y", delta: "{}" },
    { type: "tool-call", toolCallId: "y", toolName: "Find", input: "{}" },
  ] as const;
  assert.deepEqual(
    chunks.flatMap((part) => reply.take(part)),
    [
      { type: "args", index: 1, tool: "Look", text: '{"a"' },
      { type: "args", index: 1, tool: "Look", text: ":1}" },
      { type: "call", tool: "Look", args: '{"a":1}' },
      { type: "args", index: 2, tool: "Find", text: "{}" },
      { type: "call", tool: "Find", args: "{}" },
    ],
  );
});
