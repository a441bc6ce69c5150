import assert from "node:assert/strict";
import { test } from "node:test";
import { failureOf } from "../failure.ts";
import { isRecord } from "../../json.ts";
import { ModelRegistry } from "../../choice/model-registry.ts";
import { hear, serve, toPrompt } from "../../testing/harness.ts";

interface Body {
  readonly messages: readonly object[];
  readonly format?: object;
  readonly options: { readonly num_ctx?: number; readonly num_predict?: number };
}

const isBody = (value: unknown): value is Body => isRecord(value) && Array.isArray(value["messages"]);

async function ask(lines: readonly (object | string)[], prompt = toPrompt(), status = 200) {
  let body = "";
  await using server = await serve((request, response) => {
    request.on("data", (data: Buffer) => {
      body += data.toString();
    });
    request.on("end", () => {
      response.writeHead(status, { "content-type": "application/x-ndjson" });
      const text = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n");
      for (const char of text) response.write(char);
      response.end();
    });
  });
  const heard = await hear(new ModelRegistry({}).resolve({ name: "ollama/qwen3", url: server.url }), prompt);
  const sent: unknown = JSON.parse(body);
  assert.ok(isBody(sent));
  return { ...heard, sent };
}

test("thinking, text, calls and usage are read from Ollama's lines, however they are cut", async () => {
  const { chunks } = await ask([
    { message: { role: "assistant", content: "", thinking: "Hm." }, done: false },
    { message: { role: "assistant", content: "Wait" }, done: false },
    {
      message: {
        role: "assistant",
        content: "",
        tool_calls: [{ function: { name: "getPrice", arguments: { symbol: "Đ" } } }],
      },
    },
    {
      message: { role: "assistant", content: "" },
      done: true,
      done_reason: "stop",
      prompt_eval_count: 12,
      eval_count: 5,
    },
  ]);
  assert.deepEqual(chunks, [
    { type: "reasoning", text: "Hm." },
    { type: "text", text: "Wait" },
    { type: "call", tool: "getPrice", args: '{"symbol":"Đ"}' },
    {
      type: "end",
      finish: "calls",
      usage: { inputTokens: 12, outputTokens: 5 },
      provider: {
        name: "ollama/qwen3",
        data: [{ kind: "reasoning", text: "Hm." }, { kind: "text", length: 4 }, { kind: "call" }],
      },
    },
  ]);
});

test("thinking goes back to the model that thought it, with calls and results", async () => {
  const { sent } = await ask(
    [{ done: true }],
    toPrompt({
      messages: [
        { role: "user", content: "Price?", images: [{ mediaType: "image/png", data: "aGk=" }] },
        {
          role: "assistant",
          content: "Wait",
          calls: [{ id: "1.1.1", tool: "getPrice", args: { symbol: "FPT" } }],
          provider: {
            name: "ollama/qwen3",
            data: [{ kind: "reasoning", text: "Hm." }, { kind: "text", length: 4 }, { kind: "call" }],
          },
        },
        { role: "tool", call: "1.1.1", tool: "getPrice", content: "42" },
      ],
    }),
  );
  assert.deepEqual(sent.messages, [
    { role: "system", content: "Be brief." },
    { role: "user", content: "Price?", images: ["aGk="] },
    {
      role: "assistant",
      content: "Wait",
      thinking: "Hm.",
      tool_calls: [{ function: { name: "getPrice", arguments: { symbol: "FPT" } } }],
    },
    { role: "tool", tool_name: "getPrice", content: "42" },
  ]);
});

test("a prompt beyond the default window loads a larger one, and a short one loads none", async () => {
  assert.equal((await ask([{ done: true }])).sent.options.num_ctx, undefined);
  const long = await ask([{ done: true }], toPrompt({ system: "x".repeat(30_000) }));
  assert.equal(long.sent.options.num_ctx, 16_384);
});

test("a schema is handed on as the format", async () => {
  const schema = { type: "object", properties: {}, required: [] };
  const { sent } = await ask([{ done: true }], toPrompt({ outputSchema: schema, maxTokens: 9 }));
  assert.deepEqual(sent.format, schema);
  assert.equal(sent.options.num_predict, 16_009);
});

test("errors of Ollama are told: an unknown model, one in mid-stream, a line that is not JSON", async () => {
  const unknown = await ask([{ error: "model 'qwen3' not found" }], toPrompt(), 404);
  assert.equal(failureOf(unknown.error)?.kind, "request");
  assert.match(unknown.error?.message ?? "", /not found/);
  const middle = await ask([{ message: { content: "a" } }, { error: "out of memory" }]);
  assert.match(middle.error?.message ?? "", /out of memory/);
  const broken = await ask(["{nonsense"]);
  assert.equal(failureOf(broken.error)?.kind, "malformed");
});
