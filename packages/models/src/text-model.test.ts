import assert from "node:assert/strict";
import { test } from "node:test";
import type { Chunk, Message, Prompt, ToolSpec } from "@baton/core";
import * as fc from "fast-check";
import { withTextCalls } from "./text-model.ts";
import { fakeModel, hear, toPrompt } from "./testing.ts";

const GET_PRICE: ToolSpec = {
  name: "GetPrice",
  description: "The price of a share.",
  inputSchema: {
    type: "object",
    properties: { symbol: { type: "string" }, days: { type: "integer" } },
    required: ["symbol"],
  },
};
const END: Chunk = { type: "end", finish: "stop", usage: { inputTokens: 1, outputTokens: 1 } };

async function reply(parts: readonly string[]) {
  const model = withTextCalls(
    fakeModel("m", () => ({ chunks: [...parts.map((text): Chunk => ({ type: "text", text })), END] })),
  );
  return hear(model, toPrompt({ tools: [GET_PRICE] }));
}

test("a call in the text becomes a call, and its text is not part of the reply", async () => {
  const { chunks, text } = await reply(["Let me look.\nGet", 'Price("F', 'PT")']);
  assert.equal(text, "Let me look.\n");
  assert.deepEqual(chunks.slice(-2), [
    { type: "call", tool: "GetPrice", args: '{"symbol":"FPT"}' },
    { ...END, finish: "calls" },
  ]);
});

test("text that is no call streams on as it comes", async () => {
  const { batches } = await reply(["Good", "bye", ".\n", "Get", "ting late", "\n[EN", "D]"]);
  assert.deepEqual(
    batches.map((batch) => batch.map((chunk) => (chunk.type === "text" ? chunk.text : chunk.type))),
    [["Good"], ["bye"], [".\n"], ["Getting late"], ["\n[EN"], ["D]"], ["end"]],
  );
});

test("however the text is cut, the reply is the same", () => {
  const whole =
    'One.\n  GetPrice(A)\nTwo ```json {\n```json\n{"name": "GetPrice", "arguments": {"symbol": "B"}}\n```\nEnd';
  return fc.assert(
    fc.asyncProperty(fc.array(fc.nat(whole.length), { maxLength: 20 }), async (cuts) => {
      const places = [0, ...cuts.toSorted((a, b) => a - b), whole.length];
      const { chunks, text } = await reply(places.slice(1).map((end, index) => whole.slice(places[index], end)));
      assert.equal(text, "One.\n\nTwo ```json {\n\nEnd");
      assert.deepEqual(
        chunks.flatMap((chunk) => (chunk.type === "call" ? [chunk.args] : [])),
        ['{"symbol":"A"}', '{"symbol":"B"}'],
      );
    }),
  );
});

test("the model is told of the tools in words, and shown past calls and results as text", async () => {
  let seen: Prompt | undefined;
  const model = withTextCalls(
    fakeModel("m", (prompt) => {
      seen = prompt;
      return { chunks: [END] };
    }),
  );
  const messages: readonly Message[] = [
    { role: "user", content: "Price?" },
    {
      role: "assistant",
      content: "Wait",
      agent: "clerk",
      calls: [{ id: "1.1.1", tool: "GetPrice", args: { symbol: "FPT" } }],
    },
    { role: "tool", call: "1.1.1", tool: "GetPrice", content: "42" },
  ];
  await hear(model, toPrompt({ messages, tools: [GET_PRICE] }));
  assert.deepEqual(seen?.tools, []);
  assert.match(seen?.system ?? "", /- GetPrice\(symbol: string, days: integer\): The price of a share\./);
  assert.deepEqual(seen?.messages, [
    { role: "user", content: "Price?" },
    { role: "assistant", content: 'Wait\nGetPrice({"symbol":"FPT"})', agent: "clerk" },
    { role: "user", content: "[Result of GetPrice]\n42" },
  ]);
});

test("with tools switched off nothing is read as a call", async () => {
  const model = withTextCalls(fakeModel("m", () => ({ chunks: [{ type: "text", text: "GetPrice(A)" }, END] })));
  const { text } = await hear(model, toPrompt());
  assert.equal(text, "GetPrice(A)");
});

test("what was held is forgotten when the reply starts again", async () => {
  const chunks: Chunk[] = [
    { type: "text", text: "GetPrice(" },
    { type: "restart", reason: "lost" },
    { type: "text", text: "Sorry." },
    END,
  ];
  const { text } = await hear(withTextCalls(fakeModel("m", () => ({ chunks }))), toPrompt({ tools: [GET_PRICE] }));
  assert.equal(text, "Sorry.");
});
