/**
 * Random histories: any conversation as each provider is sent it, and what each provider accepts.
 */
import assert from "node:assert/strict";
import type { Image, Json, Message } from "@baton/core";
import type { AssistantMessage } from "@baton/core/ports";
import { parseJson } from "@baton/core/util";
import * as fc from "fast-check";
import { isRecord } from "../json.ts";
import { ModelRegistry } from "../choice/model-registry.ts";
import { failureOf } from "../providers/failure.ts";
import { hear, toPrompt } from "./harness.ts";
import type { WireBody } from "./wire.ts";

/** Every provider, by the model that is asked. */
export const MODELS = [
  "openai/gpt-5",
  "openai-chat/gpt-4o",
  "anthropic/claude-sonnet-4-5",
  "google/gemini-2.5-pro",
  "openai-compatible/m",
  "ollama/q",
] as const;

const text = fc.oneof(
  fc.constantFrom("", " \n", "Hello", "\ud800 half", "[END]"),
  fc.string({ maxLength: 12, unit: "binary" }),
);
const callId = fc.constantFrom("1.1.1", "1.1.2", "4/quiz/student/1.1.1");
const args: fc.Arbitrary<Json> = fc.oneof(
  fc.constant({ a: 1 }),
  fc.constant("not json"),
  fc.constant([1]),
  fc.constant(null),
);

/** The data that a provider attaches to a message and gets back later: a signature that only its own model may see. */
function signed(model: string): NonNullable<AssistantMessage["provider"]> {
  const own = {
    signature: `sig of ${model}`,
    thoughtSignature: `sig of ${model}`,
    itemId: `rs_${model}`,
    reasoningEncryptedContent: `sig of ${model}`,
  };
  const options = { openai: own, anthropic: { signature: own.signature }, google: own };
  return {
    name: model,
    data: [
      { kind: "reasoning", text: `thought of ${model}`, options },
      { kind: "text", length: 5 },
      { kind: "call", options },
    ],
  };
}

const provider = fc.oneof(
  fc.constantFrom(...MODELS).map((model) => signed(model)),
  fc.record({
    name: fc.constantFrom(...MODELS),
    data: fc.jsonValue().map((value): Json => parseJson(JSON.stringify(value)) ?? null),
  }),
);
const image = fc.constantFrom<Image[]>(
  { mediaType: "image/png", data: "aGk=" },
  { mediaType: "image/png", data: "data:image/png;base64,aGk=" },
  { mediaType: "image/jpeg", data: "https://example.org/a.jpg" },
  { mediaType: "application/zip", data: "aGk=" },
);
const message: fc.Arbitrary<Message> = fc.oneof(
  fc.record({ role: fc.constant("user" as const), content: text, images: fc.array(image, { maxLength: 2 }) }),
  fc.record({ role: fc.constant("system" as const), content: text }),
  fc.record(
    {
      role: fc.constant("assistant" as const),
      content: text,
      provider,
      calls: fc.array(fc.record({ id: callId, tool: fc.constantFrom("getPrice", "buy"), args }), { maxLength: 3 }),
    },
    { requiredKeys: ["role", "content"] },
  ),
  fc.record({
    role: fc.constant("tool" as const),
    call: callId,
    tool: fc.constant("getPrice"),
    content: text,
    failed: fc.boolean(),
  }),
);
const history = fc.array(message, { maxLength: 12 });

const keys = new Map(["openai", "openai-chat", "anthropic", "google"].map((name) => [name, "k"]));
const models = new ModelRegistry({ keys });

/** Returns the request body that a provider gets for this history; one call at a time. */
export async function toRequest(model: string, messages: readonly Message[]): Promise<WireBody> {
  const realFetch = globalThis.fetch;
  let sent: WireBody = {};
  globalThis.fetch = async (_, init) => {
    const body = parseJson(typeof init?.body === "string" ? init.body : "");
    sent = isRecord(body) ? body : {};
    return Response.json({ error: { message: "seen" } }, { status: 400 });
  };
  try {
    const url = model.startsWith("openai-c") ? { url: "http://localhost/v1" } : {};
    const { error } = await hear(models.resolve({ name: model, ...url }), toPrompt({ messages }));
    assert.equal(failureOf(error)?.status, 400, "the provider's package refused the prompt itself");
    return sent;
  } finally {
    globalThis.fetch = realFetch;
  }
}

const list = (value: unknown): readonly WireBody[] =>
  Array.isArray(value) ? value.filter((item) => isRecord(item)) : [];

const LEGAL: { readonly [model in (typeof MODELS)[number]]: (body: WireBody) => void } = {
  "anthropic/claude-sonnet-4-5"(body) {
    const messages = list(body["messages"]);
    messages.forEach(({ role, content }, index) => {
      assert.equal(role, index % 2 === 0 ? "user" : "assistant", "sides take turns, the user first");
      assert.ok(list(content).length > 0, "no empty message");
      for (const block of list(content))
        if (block["type"] === "text") assert.notEqual(String(block["text"]).trim(), "");
      const asked = list(content).filter(({ type }) => type === "tool_use");
      for (const { id, input } of asked) {
        assert.match(String(id), /^[a-zA-Z0-9_-]+$/);
        assert.ok(typeof input === "object" && input !== null && !Array.isArray(input));
      }
      const answers = list(messages[index + 1]?.["content"]).slice(0, asked.length);
      assert.deepEqual(
        answers.map((block) => block["tool_use_id"]),
        asked.map(({ id }) => id),
      );
      if (asked.length > 0) assert.ok(list(body["tools"]).length > 0, "tools are declared where calls are shown");
      if (index === 0 || role === "user")
        assert.equal(
          list(content).filter(({ type }) => type === "tool_result").length,
          list(messages[index - 1]?.["content"]).filter(({ type }) => type === "tool_use").length,
        );
    });
    assert.equal(messages.length % 2, 1, "the last word is the user's");
  },
  "google/gemini-2.5-pro"(body) {
    const contents = list(body["contents"]);
    assert.equal(contents[0]?.["role"], "user");
    assert.equal(contents.at(-1)?.["role"], "user");
    contents.forEach(({ role, parts }, index) => {
      assert.ok(list(parts).length > 0, "no empty message");
      const calls = list(parts).filter((part) => "functionCall" in part).length;
      for (const { functionCall: call } of list(parts)) if (isRecord(call)) assert.ok(isRecord(call["args"]));
      if (role === "model") assert.equal(contents[index + 1]?.["role"], "user", "sides take turns");
      const answers = list(contents[index + 1]?.["parts"]).filter((part) => "functionResponse" in part).length;
      if (role === "model") assert.equal(answers, calls, "every call has its answer");
    });
  },
  "openai/gpt-5"(body) {
    const input = list(body["input"]);
    const open = new Set<unknown>();
    input.forEach((item, index) => {
      if (item["type"] === "function_call") assert.ok(isObject(item["arguments"]) && open.add(item["call_id"]));
      else if (item["type"] === "function_call_output")
        assert.ok(open.delete(item["call_id"]), "an answer has its call");
      else if (item["type"] === "reasoning")
        assert.ok(
          ["reasoning", "function_call"].includes(String(input[index + 1]?.["type"])) ||
            input[index + 1]?.["role"] === "assistant",
          "reasoning is followed by what it led to",
        );
      else assert.equal(open.size, 0, "calls are answered before anything else is said");
      if (item["role"] !== undefined)
        assert.ok(String(item["content"]).trim() !== "" || list(item["content"]).length > 0);
    });
    assert.equal(open.size, 0);
    assert.equal(body["store"], false);
  },
  "openai-chat/gpt-4o": checkChat,
  "openai-compatible/m": checkChat,
  "ollama/q": checkChat,
};

const isObject = (input: unknown): boolean => isRecord(typeof input === "string" ? parseJson(input) : input);

function checkChat(body: WireBody): void {
  const messages = list(body["messages"]);
  let open: unknown[] = [];
  messages.forEach((said, index) => {
    const { role, content, tool_calls: calls } = said;
    if (role === "tool") {
      assert.ok(open.length > 0, "an answer has its call");
      const id = open.shift();
      if (said["tool_call_id"] !== undefined) assert.equal(said["tool_call_id"], id);
    } else {
      assert.equal(open.length, 0, "calls are answered before anything else is said");
      assert.ok(
        (typeof content === "string" && content.trim() !== "") ||
          list(content).length > 0 ||
          (Array.isArray(said["images"]) && said["images"].length > 0) ||
          list(calls).length > 0,
        "no empty message",
      );
    }
    if (role === "system") assert.equal(index, 0);
    if (role === "assistant") open = list(calls).map(({ id }) => id);
    for (const { function: call } of list(calls)) assert.ok(isRecord(call) && isObject(call["arguments"]));
  });
  assert.equal(open.length, 0);
  assert.notEqual(messages.at(-1)?.["role"], "assistant");
}

/** Checks so many random histories against a provider's rules. */
export async function checkHistories(model: (typeof MODELS)[number], runs: { numRuns: number; seed?: number }) {
  await fc.assert(
    fc.asyncProperty(history, async (messages) => {
      const body = await toRequest(model, messages);
      LEGAL[model](body);
      const all = JSON.stringify(body);
      for (const other of MODELS) {
        if (other !== model) assert.ok(!all.includes(`of ${other}`), `${other}'s reasoning goes to no one else`);
      }
      assert.ok(all.isWellFormed());
      assert.ok(!all.includes("\\ud800"), "half a character is no text");
    }),
    runs,
  );
}
