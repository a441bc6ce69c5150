import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { type AgentDefinition, defineCrew, defineTool, Engine, type RunEvent } from "@baton/core";
import { LLMock } from "@copilotkit/aimock";
import { ModelRegistry } from "../choice/model-registry.ts";

const PROVIDERS = [
  { name: "openai/gpt-5-mini", path: "/v1" },
  { name: "openai-chat/gpt-4o", path: "/v1" },
  { name: "openai-compatible/any", path: "/v1" },
  { name: "anthropic/claude-haiku-4-5", path: "" },
  { name: "google/gemini-2.5-flash", path: "" },
  { name: "ollama/qwen3", path: "" },
] as const;

const keys = new Map(["openai", "openai-chat", "anthropic", "google"].map((name) => [name, "sk-secret-key"]));
const mock = new LLMock({ port: 0, host: "127.0.0.1", chunkSize: 4 });
let models = new ModelRegistry({ keys });

const getPrice = defineTool({
  name: "getPrice",
  description: "The price of a share.",
  effect: "read",
  input: {
    jsonSchema: { type: "object", properties: { symbol: { type: "string" } }, required: ["symbol"] },
    validate: (value) => ({ ok: true, value }),
  },
  run: (input) => ({ asked: input, price: 42 }),
});

/** Runs a crew of one agent to its end. */
async function run(agent: Partial<AgentDefinition>) {
  const crew = defineCrew({
    name: "desk",
    agents: [{ id: "clerk", isTerminal: true, tools: ["getPrice"], ...agent }],
    tools: [getPrice],
    settings: { modelRetryMinMs: 1, modelRetryMaxMs: 2 },
  });
  await using engine = new Engine({
    model: ({ model = { name: "offline" }, backup, toolCalls }) => models.forAgent({ model, backup, toolCalls }),
  });
  const started = engine.start(crew, { input: "What does FPT cost?" });
  const events: RunEvent[] = [];
  for await (const event of started.events()) events.push(event);
  return { ...(await started.result), events };
}

const ofType = <T extends RunEvent["type"]>(events: readonly RunEvent[], type: T) =>
  events.filter((event): event is Extract<RunEvent, { type: T }> => event.type === type);

describe("every provider", () => {
  before(() => mock.start());
  after(() => mock.stop());
  beforeEach(() => {
    models = new ModelRegistry({ keys });
    mock.reset();
    mock.on(
      { hasToolResult: false },
      {
        content: "Let me look.",
        toolCalls: [{ name: "getPrice", arguments: { symbol: "FPT" } }],
        usage: { prompt_tokens: 11, completion_tokens: 7 },
      },
    );
    mock.on(
      { hasToolResult: true },
      { content: "FPT costs 42 today.", usage: { prompt_tokens: 21, completion_tokens: 8 } },
    );
  });

  for (const { name, path } of PROVIDERS) {
    const toAgent = () => ({ model: { name, url: mock.url + path } });

    test(`${name}: text and a call, the tool, the final text, streamed, with usage`, async () => {
      const { outcome, content, events } = await run(toAgent());
      assert.equal(outcome, "done");
      assert.equal(content, "FPT costs 42 today.");
      const [first, second] = ofType(events, "step.ended");
      assert.equal(first?.text, "Let me look.");
      assert.equal(first?.finish, "calls");
      assert.deepEqual(
        first?.calls.map(({ tool, args }) => ({ tool, args })),
        [{ tool: "getPrice", args: { symbol: "FPT" } }],
      );
      assert.equal(second?.finish, "stop");
      assert.deepEqual(
        ofType(events, "call.ended").map(({ output }) => output),
        [{ asked: { symbol: "FPT" }, price: 42 }],
      );
      assert.ok(ofType(events, "text.delta").length > 4, "it streams");
      // The mock's Ollama counts no tokens.
      const counted = name.startsWith("ollama") ? [0, 0] : [11, 21];
      assert.deepEqual([first?.usage.inputTokens, second?.usage.inputTokens], counted);
      assert.ok(!JSON.stringify(events).includes("secret"));
    });

    test(`${name}: a 429 and then a success is one step, tried again`, async () => {
      const error = { message: "slow down", type: "rate_limit_error" };
      mock.prependFixture({ match: { sequenceIndex: 0 }, response: { error, status: 429, retryAfter: 0 } });
      const { outcome, events } = await run(toAgent());
      assert.equal(outcome, "done");
      assert.equal(ofType(events, "step.retried").length, 1);
      assert.match(ofType(events, "step.retried")[0]?.error.message ?? "", /too many requests \(HTTP 429\)/);
    });

    test(`${name}: a 500 again and again takes the backup, with a history that is legal for it`, async () => {
      mock.clearFixtures();
      const isPrimary = (request: { readonly model?: string }): boolean => request.model === name.split("/")[1];
      mock.on(
        { predicate: (request) => isPrimary(request) && !request.messages.some(({ role }) => role === "tool") },
        { toolCalls: [{ name: "getPrice", arguments: { symbol: "FPT" } }] },
      );
      mock.on({ predicate: (request) => isPrimary(request) }, { error: { message: "boom" }, status: 500 });
      mock.on({ hasToolResult: true }, { content: "The backup says 42." });
      const backup = name.startsWith("anthropic")
        ? { name: "openai/gpt-5", url: `${mock.url}/v1` }
        : { name: "anthropic/claude-opus-5", url: mock.url };
      const { outcome, content, events } = await run({ ...toAgent(), backup });
      assert.equal(outcome, "done");
      assert.equal(content, "The backup says 42.");
      assert.equal(ofType(events, "step.retried").length, 2);
      assert.match(ofType(events, "warning.raised")[0]?.text ?? "", new RegExp(`HTTP 500.*${backup.name} takes over`));
    });

    test(`${name}: a stream cut in the middle is tried again, and the partial text is not kept`, async () => {
      mock.clearFixtures();
      mock.on(
        { sequenceIndex: 0 },
        { content: "This will never be finished, for it is cut." },
        { truncateAfterChunks: 4 },
      );
      mock.on({}, { content: "Whole." });
      const { outcome, content, events } = await run(toAgent());
      assert.equal(outcome, "done");
      assert.equal(content, "Whole.");
      assert.ok(ofType(events, "step.retried").length >= 1);
    });
  }

  test("reasoning goes back to the model that did it, signed as it came", async () => {
    for (const [name, path, signature] of [
      ["anthropic/claude-sonnet-4-5", "", "the signature"],
      ["openai/gpt-5", "/v1", "encrypted_content"],
    ] as const) {
      mock.reset();
      const toolCalls = [{ name: "getPrice", arguments: { symbol: "FPT" } }];
      mock.on({ hasToolResult: false }, { reasoning: "Which share?", reasoningSignature: "the signature", toolCalls });
      mock.on({ hasToolResult: true }, { content: "42." });
      const bodies: string[] = [];
      const realFetch = globalThis.fetch;
      globalThis.fetch = (input, init) => {
        if (typeof init?.body === "string") bodies.push(init.body);
        return realFetch(input, init);
      };
      const { outcome, events } = await run({ model: { name, url: mock.url + path } });
      globalThis.fetch = realFetch;
      assert.equal(outcome, "done");
      assert.equal(
        ofType(events, "reasoning.delta")
          .map(({ text }) => text)
          .join(""),
        "Which share?",
      );
      assert.ok(!bodies[0]?.includes("Which share?"));
      assert.ok(bodies[1]?.includes("Which share?") && bodies[1].includes(signature), name);
    }
  });

  test("a model without native calls works the same loop by text", async () => {
    mock.clearFixtures();
    mock.on(
      { predicate: ({ messages }) => !JSON.stringify(messages).includes("Result of") },
      { content: 'I look.\ngetPrice("FPT")' },
    );
    mock.on({}, { content: "FPT costs 42." });
    const { content, events } = await run({ model: { name: "ollama/tiny", url: mock.url }, toolCalls: "text" });
    assert.equal(content, "FPT costs 42.");
    assert.deepEqual(
      ofType(events, "call.ended").map(({ output }) => output),
      [{ asked: { symbol: "FPT" }, price: 42 }],
    );
    assert.equal(ofType(events, "step.ended")[0]?.text, "I look.\n");
  });

  for (const name of ["openai/gpt-5-mini", "anthropic/claude-haiku-4-5", "google/gemini-2.5-flash", "ollama/tiny"]) {
    const url = () => mock.url + (name.startsWith("openai") ? "/v1" : "");

    test(`${name}: a call that is written as text is made`, async () => {
      mock.clearFixtures();
      mock.on({ hasToolResult: false }, { content: 'I look.\ngetPrice("FPT")' });
      mock.on({ hasToolResult: true }, { content: "FPT costs 42." });
      const { content, events } = await run({ model: { name, url: url() } });
      assert.equal(content, "FPT costs 42.");
      const [first] = ofType(events, "step.ended");
      assert.deepEqual([first?.text, first?.finish], ["I look.\n", "calls"]);
      assert.deepEqual(
        ofType(events, "call.ended").map(({ output }) => output),
        [{ asked: { symbol: "FPT" }, price: 42 }],
      );
    });

    test(`${name}: after a native call, a call that is written as text is text`, async () => {
      mock.clearFixtures();
      mock.on({ hasToolResult: false }, { toolCalls: [{ name: "getPrice", arguments: { symbol: "FPT" } }] });
      mock.on({ hasToolResult: true }, { content: 'I asked this:\ngetPrice("FPT")\nFPT costs 42.' });
      const { content, events } = await run({ model: { name, url: url() } });
      assert.equal(content, 'I asked this:\ngetPrice("FPT")\nFPT costs 42.');
      assert.equal(ofType(events, "call.ended").length, 1);
    });
  }
});
