import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import type { Image, Prompt } from "@baton/core";
import { LLMock } from "@copilotkit/aimock";
import { parseJson } from "@baton/core/util";
import { isRecord } from "../json.ts";
import { ModelRegistry } from "../choice/model-registry.ts";
import { hear, toPrompt } from "../testing/harness.ts";

const NAMES = {
  openai: "openai/gpt-5-mini",
  chat: "openai-chat/gpt-4o",
  compatible: "openai-compatible/any",
  anthropic: "anthropic/claude-haiku-4-5",
  google: "google/gemini-2.5-flash",
  ollama: "ollama/qwen3",
} as const;

type Wire = { readonly [key: string]: unknown };
const keys = new Map(["openai", "openai-chat", "anthropic", "google"].map((name) => [name, "k"]));
const mock = new LLMock({ port: 0, host: "127.0.0.1" });
const models = new ModelRegistry({ keys });
const realFetch = globalThis.fetch;
let sent: Wire = {};

/** The body of the request that a provider is sent; the mock answers it. */
async function wire(name: string, prompt: Partial<Prompt>): Promise<Wire> {
  const url = mock.url + (name.startsWith("openai") ? "/v1" : "");
  const { text, error } = await hear(models.resolve({ name, url }), toPrompt(prompt));
  assert.deepEqual([error, text], [undefined, "Well."], name);
  return sent;
}

const field = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((at, key) => (isRecord(at) ? at[key] : undefined), value);
const list = (value: unknown): readonly Wire[] => (Array.isArray(value) ? value.filter((item) => isRecord(item)) : []);

const tools = ["look", "buy"].map((name) => ({ name, description: name, inputSchema: { type: "object" } }));

describe("what a provider is asked for", () => {
  before(async () => {
    await mock.start();
    globalThis.fetch = (input, init) => {
      const body = parseJson(typeof init?.body === "string" ? init.body : "");
      sent = isRecord(body) ? body : {};
      return realFetch(input, init);
    };
  });
  after(async () => {
    globalThis.fetch = realFetch;
    await mock.stop();
  });
  beforeEach(() => {
    mock.reset();
    mock.on({}, { content: "Well." });
  });

  const choiceOf: { readonly [key in keyof typeof NAMES]: (body: Wire) => unknown } = {
    openai: (body) => body["tool_choice"],
    chat: (body) => body["tool_choice"],
    compatible: (body) => body["tool_choice"],
    anthropic: (body) => body["tool_choice"],
    google: (body) => field(body, "toolConfig", "functionCallingConfig"),
    ollama: (body) => body["tool_choice"],
  };
  const CHOICES: readonly (readonly [keyof typeof NAMES, required: unknown, one: unknown])[] = [
    ["openai", "required", { type: "function", name: "buy" }],
    ["chat", "required", { type: "function", function: { name: "buy" } }],
    ["compatible", "required", { type: "function", function: { name: "buy" } }],
    ["anthropic", { type: "any" }, { type: "tool", name: "buy" }],
    ["google", { mode: "ANY" }, { mode: "ANY", allowedFunctionNames: ["buy"] }],
    // It takes no such option; a model that need not call does as it likes.
    ["ollama", undefined, undefined],
  ];
  for (const [key, required, one] of CHOICES) {
    test(`${NAMES[key]}: a tool may be demanded, or a certain one, as far as the provider can`, async () => {
      const toChoice = async (prompt: Partial<Prompt>): Promise<unknown> =>
        choiceOf[key](await wire(NAMES[key], { tools, ...prompt }));
      assert.deepEqual(await toChoice({ toolChoice: "required" }), required);
      assert.deepEqual(await toChoice({ toolChoice: { tool: "buy" } }), one);
      assert.deepEqual(await toChoice({ toolChoice: "required", tools: [] }), undefined);
    });
  }

  test("one call a reply is asked of OpenAI and Anthropic, and only where there are tools", async () => {
    const oneCall = { tools, parallelCalls: false } as const;
    for (const name of [NAMES.openai, NAMES.chat]) {
      assert.equal((await wire(name, oneCall))["parallel_tool_calls"], false);
      assert.equal((await wire(name, { tools }))["parallel_tool_calls"], undefined);
      assert.equal((await wire(name, { parallelCalls: false }))["parallel_tool_calls"], undefined);
    }
    const disabled = async (prompt: Partial<Prompt>): Promise<unknown> =>
      field(await wire(NAMES.anthropic, prompt), "tool_choice", "disable_parallel_tool_use");
    assert.equal(await disabled(oneCall), true);
    assert.equal(await disabled({ ...oneCall, toolChoice: "required" }), true);
    assert.equal(await disabled({ tools }), undefined);
    assert.equal(await disabled({ parallelCalls: false }), undefined);
    for (const name of [NAMES.google, NAMES.compatible, NAMES.ollama]) {
      assert.ok(!/parallel/i.test(JSON.stringify(await wire(name, oneCall))), name);
    }
  });

  test("a picture without text reaches every provider, with no empty text beside it", async () => {
    const image: Image = { mediaType: "image/png", data: "iVBORw0KGgo=" };
    const messages = [{ role: "user", content: "", images: [image] }] as const;
    const partsOf: { readonly [key in keyof typeof NAMES]: (body: Wire) => unknown } = {
      openai: (body) => list(body["input"]).at(-1)?.["content"],
      chat: (body) => list(body["messages"]).at(-1)?.["content"],
      compatible: (body) => list(body["messages"]).at(-1)?.["content"],
      anthropic: (body) => list(body["messages"]).at(-1)?.["content"],
      google: (body) => list(body["contents"]).at(-1)?.["parts"],
      ollama: (body) => [{ images: list(body["messages"]).at(-1)?.["images"] }],
    };
    for (const key of ["openai", "chat", "compatible", "anthropic", "google", "ollama"] as const) {
      const parts = list(partsOf[key](await wire(NAMES[key], { messages })));
      assert.equal(parts.length, 1, key);
      assert.ok(JSON.stringify(parts).includes(image.data), key);
    }
  });
});
