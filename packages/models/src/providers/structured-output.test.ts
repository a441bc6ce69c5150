import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { defineCrew, defineTool, Engine, type Prompt } from "@baton/core";
import { LLMock } from "@copilotkit/aimock";
import { parseJson } from "@baton/core/util";
import { isRecord } from "../json.ts";
import { ModelRegistry } from "../choice/model-registry.ts";
import { hear, toPrompt } from "../testing/harness.ts";

type Wire = { readonly [key: string]: unknown };
const keys = new Map(["openai", "openai-chat", "anthropic", "google"].map((name) => [name, "k"]));
const mock = new LLMock({ port: 0, host: "127.0.0.1" });
const models = new ModelRegistry({ keys });
const realFetch = globalThis.fetch;
let sent: Wire = {};

const toRef = (name: string) => ({ name, url: mock.url + (name.startsWith("openai") ? "/v1" : "") });

const schema = {
  type: "object",
  properties: { mood: { type: "string", enum: ["good", "bad"] } },
  required: ["mood"],
  additionalProperties: false,
};
const loose = { type: "object", properties: { mood: { enum: ["good", "bad"] } } };
const tools = [{ name: "look", description: "Looks.", inputSchema: { type: "object" } }];

const field = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((at, key) => (isRecord(at) ? at[key] : undefined), value);

/** The schema as each provider is given it. */
const GIVEN: ReadonlyMap<string, (body: Wire) => unknown> = new Map([
  ["openai", (body) => field(body, "text", "format", "schema")],
  ["openai-chat", (body) => field(body, "response_format", "json_schema", "schema")],
  ["openai-compatible", (body) => body["response_format"]],
  ["anthropic", (body) => field(body, "output_config", "format", "schema")],
  ["google", (body) => field(body, "generationConfig", "responseJsonSchema")],
  ["ollama", (body) => body["format"]],
]);

/** Asks a model for a schema; returns the schema in the request's own field, and whether the prompt states it in words. */
async function ask(name: string, prompt: Partial<Prompt>) {
  const { error } = await hear(models.resolve(toRef(name)), toPrompt({ outputSchema: schema, ...prompt }));
  assert.equal(error, undefined, name);
  const given = GIVEN.get(name.slice(0, name.indexOf("/")))?.(sent);
  const text = JSON.stringify(sent);
  const isTold = text.includes("one JSON value that fits the JSON Schema") && text.includes(String.raw`\"mood\"`);
  assert.ok(!/"name":"json/.test(text), `${name}: a tool stands for the schema`);
  return { given, isTold };
}

describe("structured output", () => {
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
    mock.on({}, { content: '{"mood":"good"}' });
  });

  const native = { given: schema, isTold: false };
  const told = { given: undefined, isTold: true };
  const WAYS = [
    ["openai/gpt-5-mini", native, native],
    ["openai-chat/gpt-4o", native, native],
    ["openai-chat/gpt-4-turbo", told, told],
    ["openai-compatible/any", told, told],
    ["anthropic/claude-haiku-4-5", native, native],
    ["anthropic/claude-sonnet-5-5", native, native],
    ["anthropic/claude-sonnet-4-20250514", told, told],
    ["google/gemini-3.5-flash", native, native],
    ["google/gemini-2.5-flash", native, told],
    ["google/gemma-3-27b-it", told, told],
    ["ollama/qwen3", native, told],
  ] as const;
  for (const [name, alone, withTools] of WAYS) {
    test(`${name}: the schema is given to the provider if it can take it, else the prompt asks for it`, async () => {
      assert.deepEqual(await ask(name, {}), alone);
      assert.deepEqual(await ask(name, { tools }), withTools);
    });
  }

  test("keywords that a provider may refuse are told in the description, and none is lost", async () => {
    const text = { type: "string" };
    const own = { ...text, format: "email", pattern: "^a", description: "Address." };
    const mood = { oneOf: [{ type: "number", exclusiveMinimum: 0, multipleOf: 2 }, own] };
    const list = { type: "array", items: { $ref: "#/$defs/day" }, uniqueItems: true };
    const outputSchema = {
      ...schema,
      properties: { mood, list },
      required: ["mood", "list"],
      $defs: { day: { ...text, format: "date" } },
    };
    const given = {
      ...outputSchema,
      properties: {
        mood: {
          anyOf: [
            { type: "number", description: "> 0; multiple of 2" },
            { ...text, description: "Address.\nemail; matches ^a" },
          ],
        },
        list: { type: "array", items: { $ref: "#/$defs/day" }, description: "uniqueItems: true" },
      },
      $defs: { day: { ...text, description: "date" } },
    };
    for (const name of ["openai/gpt-5-mini", "openai-chat/gpt-4o", "google/gemini-3.5-flash", "ollama/qwen3"])
      assert.deepEqual(await ask(name, { outputSchema }), { given, isTold: false }, name);
    await ask("openai-compatible/any", { outputSchema });
    assert.ok(JSON.stringify(sent).includes(String.raw`\"pattern\":\"^a\"`), "in words it is told whole");
  });

  test("a tool that must be used is not replaced by the schema", async () => {
    assert.deepEqual(await ask("google/gemini-3.5-flash", { tools, toolChoice: "required" }), told);
    assert.deepEqual(await ask("anthropic/claude-haiku-4-5", { tools, toolChoice: "required" }), native);
  });

  test("OpenAI is asked to be strict only if the schema allows it, and for objects only", async () => {
    for (const [name, path] of [
      ["openai/gpt-5-mini", ["text", "format", "strict"]],
      ["openai-chat/gpt-4o", ["response_format", "json_schema", "strict"]],
    ] as const) {
      await ask(name, {});
      assert.equal(field(sent, ...path), true);
      assert.deepEqual(await ask(name, { outputSchema: loose }), { given: loose, isTold: false });
      assert.equal(field(sent, ...path), false);
      assert.deepEqual(await ask(name, { outputSchema: { type: "array", items: schema } }), told);
    }
  });

  test("Anthropic is not given a schema that its own form would change", async () => {
    const open = { ...schema, additionalProperties: { type: "string" } };
    assert.deepEqual(await ask("anthropic/claude-haiku-4-5", { outputSchema: open }), told);
  });

  test("the prompt's paragraph comes last in the system text, and stands alone without one", async () => {
    const systemOf = async (prompt: Partial<Prompt>): Promise<unknown> => {
      await ask("openai-compatible/any", prompt);
      const messages: readonly unknown[] = Array.isArray(sent["messages"]) ? sent["messages"] : [];
      return field(messages[0], "content");
    };
    const json = JSON.stringify(schema);
    const rest = "must be one JSON value that fits the JSON Schema below. Write only the JSON: no other text, and no";
    assert.equal(await systemOf({}), `Be brief.\n\nYour reply ${rest} code fence.\n${json}`);
    assert.equal(
      await systemOf({ system: "", tools }),
      `Your final reply, after any use of tools, ${rest} code fence.\n${json}`,
    );
  });

  const look = defineTool({
    name: "look",
    description: "Looks.",
    effect: "read",
    input: { jsonSchema: { type: "object" }, validate: (value) => ({ ok: true, value }) },
    run: () => "sunny",
  });
  for (const [name] of WAYS) {
    test(`${name}: an agent uses its tool and gives its output`, async () => {
      mock.reset();
      mock.on({ hasToolResult: false }, { toolCalls: [{ name: "look", arguments: {} }] });
      mock.on({ hasToolResult: true }, { content: '{"mood":"good"}' });
      const agent = { id: "a", model: toRef(name), tools: ["look"], output: schema, isTerminal: true };
      const crew = defineCrew({ name: "desk", agents: [agent], tools: [look] });
      await using engine = new Engine({
        model: ({ model = { name }, toolCalls }) => models.forAgent({ model, toolCalls }),
      });
      const { outcome, output } = await engine.start(crew, { input: "How is it?" }).result;
      assert.deepEqual({ outcome, output }, { outcome: "done", output: { mood: "good" } });
    });
  }
});
