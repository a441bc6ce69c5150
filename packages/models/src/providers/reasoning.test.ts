import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Message, Prompt } from "@baton/core";
import { at, openWire, type WireServer } from "../testing/wire.ts";

let wire: WireServer;
before(async () => {
  wire = await openWire();
});
after(() => wire[Symbol.asyncDispose]());

type Effort = NonNullable<Prompt["reasoning"]>;
const EFFORTS: readonly Effort[] = ["none", "low", "medium", "high"];
const tools = [{ name: "look", description: "", inputSchema: { type: "object" } }];

/** The value of a request at a path, for each amount of reasoning. */
async function each(model: string, ...path: readonly (string | number)[]): Promise<readonly unknown[]> {
  const values: unknown[] = [];
  for (const reasoning of EFFORTS) values.push(at(await wire.send(model, { reasoning, maxTokens: 1_000 }), ...path));
  return values;
}

test("OpenAI gets its effort, or the least that a model takes", async () => {
  assert.deepEqual(await each("openai/gpt-5.2", "reasoning", "effort"), ["none", "low", "medium", "high"]);
  assert.deepEqual(await each("openai-chat/gpt-5.2", "reasoning_effort"), ["none", "low", "medium", "high"]);
  assert.deepEqual(await each("openai/gpt-5-mini", "reasoning", "effort"), ["minimal", "low", "medium", "high"]);
  assert.deepEqual(await each("openai/gpt-6-astra", "reasoning", "effort"), ["low", "low", "medium", "high"]);
});

test("Anthropic gets a budget of tokens, or its effort if the model has that", async () => {
  const budget = (tokens: number) => ({ type: "enabled", budget_tokens: tokens });
  assert.deepEqual(await each("anthropic/claude-sonnet-4-5", "thinking"), [
    undefined,
    budget(2_048),
    budget(8_192),
    budget(24_576),
  ]);
  assert.deepEqual(await each("anthropic/claude-opus-4-7", "output_config", "effort"), [
    undefined,
    "low",
    "medium",
    "high",
  ]);
  assert.deepEqual(at(await wire.send("anthropic/claude-opus-4-7", { reasoning: "none" }), "thinking"), {
    type: "disabled",
  });
});

test("Google gets a budget or a level, Ollama a switch or a level", async () => {
  const budgets = await each("google/gemini-2.5-flash", "generationConfig", "thinkingConfig", "thinkingBudget");
  assert.equal(budgets[0], 0);
  assert.ok(
    budgets.every((budget, index) => index === 0 || Number(budget) > Number(budgets[index - 1])),
    budgets.join(),
  );
  const levels = await each("google/gemini-3.6-flash", "generationConfig", "thinkingConfig", "thinkingLevel");
  assert.deepEqual(levels.slice(1), ["low", "medium", "high"]);
  assert.deepEqual(await each("ollama/qwen3", "think"), [false, true, true, true]);
  assert.deepEqual(await each("ollama/gpt-oss:20b", "think"), [false, "low", "medium", "high"]);
});

test("a model that does not reason is sent nothing about it, and no more tokens", async () => {
  for (const model of [
    "openai/gpt-4o",
    "openai-chat/gpt-4.1",
    "openai-compatible/m",
    "anthropic/claude-3-5-haiku-latest",
    "google/gemini-2.0-flash",
    "ollama/llama3.2",
  ]) {
    const plain = JSON.stringify(await wire.send(model, { maxTokens: 1_000 }));
    for (const reasoning of EFFORTS)
      assert.equal(JSON.stringify(await wire.send(model, { reasoning, maxTokens: 1_000 })), plain, model);
    assert.ok(plain.includes("1000"), plain);
  }
});

test("a model that reasons has more tokens than its text may have, at most what it can write", async () => {
  const lengths = [5_000, 5_000, 17_000, 33_000];
  assert.deepEqual(await each("openai/gpt-5-mini", "max_output_tokens"), lengths);
  assert.deepEqual(await each("openai-chat/gpt-5-mini", "max_completion_tokens"), lengths);
  assert.deepEqual(await each("anthropic/claude-sonnet-4-5", "max_tokens"), lengths);
  assert.deepEqual(await each("anthropic/claude-opus-4-7", "max_tokens"), lengths);
  assert.deepEqual(await each("google/gemini-2.5-pro", "generationConfig", "maxOutputTokens"), lengths);
  assert.deepEqual(await each("ollama/qwen3", "options", "num_predict"), lengths);
  const unset = await wire.send("openai/gpt-5-mini", { maxTokens: 1_000 });
  assert.deepEqual([at(unset, "max_output_tokens"), at(unset, "reasoning", "effort")], [17_000, undefined]);
  const most = await wire.send("anthropic/claude-opus-4-1", { maxTokens: 31_000, reasoning: "high" });
  assert.deepEqual([most["max_tokens"], at(most, "thinking", "budget_tokens")], [32_000, 24_576]);
});

test("a call that must use a tool leaves Anthropic's thinking out, and so does the answer to one", async () => {
  for (const toolChoice of ["required", { tool: "look" }] as const) {
    const forced = await wire.send("anthropic/claude-sonnet-4-5", { reasoning: "high", tools, toolChoice });
    assert.equal(forced["thinking"], undefined);
    assert.deepEqual(at(forced, "tool_choice", "type"), toolChoice === "required" ? "any" : "tool");
  }
  const messages: Message[] = [
    { role: "user", content: "Look." },
    { role: "assistant", content: "", agent: "clerk", calls: [{ id: "1", tool: "look", args: {} }] },
    { role: "tool", call: "1", tool: "look", content: "Seen." },
  ];
  const answer = await wire.send("anthropic/claude-sonnet-4-5", { reasoning: "high", tools, messages });
  assert.equal(answer["thinking"], undefined);
  const free = await wire.send("openai/gpt-5-mini", { reasoning: "high", tools, toolChoice: "required" });
  assert.deepEqual([at(free, "reasoning", "effort"), free["tool_choice"]], ["high", "required"]);
});

test("provider_options are merged over what Baton sets, and reach only the provider that they name", async () => {
  const providerOptions = {
    openai: { service_tier: "flex", reasoning: { summary: "detailed" }, store: true, metadata: { a: 1 } },
    anthropic: { top_k: 7, max_tokens: 99 },
    google: { generationConfig: { topK: 3 } },
    ollama: { options: { num_ctx: 2_048 }, keep_alive: "5m" },
    "openai-compatible": { min_p: 0.1 },
  };
  const prompt = { providerOptions, maxTokens: 1_000, reasoning: "low" } as const;
  const openai = await wire.send("openai/gpt-5-mini", prompt);
  assert.deepEqual(
    [openai["service_tier"], openai["store"], openai["metadata"], openai["reasoning"]],
    ["flex", true, { a: 1 }, { effort: "low", summary: "detailed" }],
  );
  const anthropic = await wire.send("anthropic/claude-sonnet-4-5", prompt);
  assert.deepEqual([anthropic["top_k"], anthropic["max_tokens"], anthropic["service_tier"]], [7, 99, undefined]);
  const google = await wire.send("google/gemini-2.5-pro", prompt);
  assert.deepEqual(
    [at(google, "generationConfig", "topK"), at(google, "generationConfig", "maxOutputTokens")],
    [3, 5_000],
  );
  const ollama = await wire.send("ollama/llama3.2", prompt);
  assert.deepEqual([ollama["options"], ollama["keep_alive"]], [{ num_predict: 1_000, num_ctx: 2_048 }, "5m"]);
  assert.equal((await wire.send("openai-compatible/m", prompt))["min_p"], 0.1);
  assert.equal((await wire.send("openai-chat/gpt-4o", prompt))["service_tier"], undefined);
});
