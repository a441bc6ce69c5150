import assert from "node:assert/strict";
import { test } from "node:test";
import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { Prompt } from "@baton/core";
import { type CallRules, toCallOptions } from "./call-options.ts";
import { fromLanguageModel } from "./language-model.ts";
import { hear, toPrompt } from "../testing/harness.ts";

const RULES: CallRules = {
  model: "m",
  imageUrls: true,
  declarePastTools: false,
  marksCache: false,
  eventFilter: () => () => undefined,
  takesSchema: () => true,
  providerOptions: () => ({}),
};
const toOptions = (prompt: Partial<Prompt>, rules: Partial<CallRules> = {}) =>
  toCallOptions(toPrompt(prompt), { ...RULES, ...rules }, new AbortController().signal);

test("settings, tools and the schema of the reply are handed on, and what is not said is left out", () => {
  const bare = toOptions({});
  assert.deepEqual(Object.keys(bare).toSorted(), ["abortSignal", "prompt", "providerOptions"]);
  const schema = { type: "object", properties: { a: { type: "string" } } };
  const tools = [{ name: "t", description: "d", inputSchema: schema }];
  const full = toOptions({ temperature: 0.2, topP: 0.9, maxTokens: 7, outputSchema: schema, tools });
  assert.equal(full.temperature, 0.2);
  assert.equal(full.topP, 0.9);
  assert.equal(full.maxOutputTokens, 7);
  assert.deepEqual(full.responseFormat, { type: "json", name: "reply", schema });
  assert.deepEqual(full.tools, [{ type: "function", name: "t", description: "d", inputSchema: schema }]);
  assert.deepEqual(full.toolChoice, { type: "auto" });
});

test("where tools are switched off, past calls still have theirs declared, not to be used, if the provider insists", () => {
  const messages = [{ role: "assistant", content: "", calls: [{ id: "1", tool: "t", args: {} }] }] as const;
  assert.equal(toOptions({ messages }).tools, undefined);
  const { tools, toolChoice } = toOptions({ messages }, { declarePastTools: true });
  assert.deepEqual(tools, [
    { type: "function", name: "t", description: "", inputSchema: { type: "object", properties: {} } },
  ]);
  assert.deepEqual(toolChoice, { type: "none" });
});

function toStream(parts: readonly LanguageModelV4StreamPart[]): ReadableStream<LanguageModelV4StreamPart> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
}

test("a language model of another package works as it is", async () => {
  const usage = {
    inputTokens: { total: 3, noCache: 1, cacheRead: 2, cacheWrite: 0 },
    outputTokens: { total: 4, text: 3, reasoning: 1 },
  };
  const parts: readonly LanguageModelV4StreamPart[] = [
    { type: "stream-start", warnings: [] },
    { type: "text-start", id: "1" },
    { type: "text-delta", id: "1", delta: "Hi" },
    { type: "text-end", id: "1" },
    { type: "tool-call", toolCallId: "x", toolName: "search", input: "{}", providerExecuted: true },
    { type: "finish", finishReason: { unified: "length", raw: "max" }, usage },
  ];
  const model = fromLanguageModel(
    {
      doStream: async () => ({
        stream: toStream(parts),
      }),
    },
    { name: "mistral/large" },
  );
  assert.deepEqual((await hear(model)).chunks, [
    { type: "text", text: "Hi" },
    {
      type: "end",
      finish: "length",
      usage: { inputTokens: 3, outputTokens: 4, cachedTokens: 2, cacheWriteTokens: 0, reasoningTokens: 1 },
    },
  ]);
});

test("a prompt may demand a tool, or one of them", () => {
  const tools = [{ name: "t", description: "d", inputSchema: {} }];
  assert.deepEqual(toOptions({ tools, toolChoice: "required" }).toolChoice, { type: "required" });
  assert.deepEqual(toOptions({ tools, toolChoice: { tool: "t" } }).toolChoice, { type: "tool", toolName: "t" });
});
