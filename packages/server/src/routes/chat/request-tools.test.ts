import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Message, HttpAgent } from "@ag-ui/client";
import { defineCrew, type Json } from "@baton/core";
import OpenAI from "openai";
import { sentOf } from "../../testing/sent.ts";
import { startTestServer, type TestServer } from "../../testing/test-server.ts";

const PLACE = { type: "object", properties: { place: { type: "string" } }, required: ["place"] };
const LOCATE = { name: "locate", description: "Finds a place.", parameters: PLACE };
const BROUGHT = { name: "locate", description: "Finds a place.", input_schema: PLACE };

/** A crew without tools, whose agent takes those of a request; another one takes none. */
const TAKES = {
  crew: defineCrew({ name: "takes", agents: [{ id: "guide", isTerminal: true, clientTools: true }] }),
  script: {
    guide: [
      { say: "Let me look.", call: [{ tool: "locate", args: { place: "here" } }] },
      { when: "river", say: "By the river." },
      { say: "Nowhere." },
    ],
  },
};
const REFUSES = {
  crew: defineCrew({ name: "refuses", agents: [{ id: "guide", isTerminal: true }] }),
  script: { guide: [{ say: "Hello." }] },
};

const clientOf = ({ url }: TestServer) => new OpenAI({ apiKey: "none", baseURL: `${url}/v1`, maxRetries: 0 });

async function startRun(server: TestServer, tools: Json) {
  const body = { input: "where?", tools };
  return sentOf(await server.post("/api/runs", body, { Prefer: "wait" }));
}

/** Reads the log to the end of the run. */
async function finish(server: TestServer, id: string | undefined): Promise<string> {
  return (await server.get(`/api/runs/${id}/events`)).text();
}

describe("POST /api/runs", () => {
  test("brings tools, whose call is a question that the client answers", async () => {
    await using server = await startTestServer([TAKES]);
    const asked = await startRun(server, [BROUGHT]);
    assert.partialDeepStrictEqual(asked, {
      status: "paused",
      result: { questions: [{ question: "1.1.1/tool", kind: "tool", tool: "locate", args: { place: "here" } }] },
    });
    const answer = { type: "answer", question: "1.1.1/tool", value: { at: "the river" } };
    assert.equal((await server.post(`/api/runs/${asked.id}/commands`, answer)).ok, true);
    await finish(server, asked.id);
    const done = await sentOf(await server.get(`/api/runs/${asked.id}`));
    assert.partialDeepStrictEqual(done, { outcome: "done", result: { content: "By the river." } });
  });

  test("takes the answer of one of two clients", async () => {
    await using server = await startTestServer([TAKES]);
    const { id } = await startRun(server, [BROUGHT]);
    const answer = { type: "answer", question: "1.1.1/tool", value: "the river" };
    const sent = await Promise.all([1, 2].map(() => server.post(`/api/runs/${id}/commands`, answer)));
    assert.equal(sent.filter(({ ok }) => ok).length, 1);
    assert.equal((await finish(server, id)).split('"type":"question.answered"').length, 2);
  });

  test("keeps a run whose client never answers, until it is cancelled", async () => {
    await using server = await startTestServer([TAKES]);
    const { id, session_id: session } = await startRun(server, [BROUGHT]);
    const next = await server.post("/api/runs", { input: "hello?", session_id: session });
    assert.deepEqual([next.status, (await sentOf(next))["code"]], [409, "question_open"]);
    assert.equal((await server.post(`/api/runs/${id}/commands`, { type: "cancel" })).ok, true);
    assert.partialDeepStrictEqual(await sentOf(await server.get(`/api/runs/${id}`)), { outcome: "cancelled" });
  });

  test("refuses a result of more than the body may have, and leaves the question open", async () => {
    await using server = await startTestServer([TAKES]);
    const { id } = await startRun(server, [BROUGHT]);
    const large = { type: "answer", question: "1.1.1/tool", value: "x".repeat(10 * 1_024 * 1_024) };
    assert.equal((await server.post(`/api/runs/${id}/commands`, large)).status, 413);
    const within = { ...large, value: `river ${"x".repeat(2 * 1_024 * 1_024)}` };
    assert.equal((await server.post(`/api/runs/${id}/commands`, within)).ok, true);
    await finish(server, id);
    assert.partialDeepStrictEqual(await sentOf(await server.get(`/api/runs/${id}`)), { outcome: "done" });
    const { output } = await sentOf(await server.get(`/api/runs/${id}/calls/1.1.1`));
    assert.ok(String(output).length < 1_048_700);
  });

  const deep = (levels: number): Json => (levels === 0 ? {} : { properties: { a: deep(levels - 1) } });
  const refused: readonly (readonly [what: string, tools: Json, field: string, message: RegExp])[] = [
    ["no list", {}, "tools", /./],
    ["no schema", [{ name: "locate" }], "tools.0.input_schema", /./],
    ["a schema that is none", [{ ...BROUGHT, input_schema: { type: "text" } }], "tools.0.input_schema.type", /one of/],
    ["a wrong name", [{ ...BROUGHT, name: "find it" }], "tools.0.name", /letters, digits/],
    ["a name twice", [BROUGHT, BROUGHT], "tools.1.name", /twice/],
    ["the crew's own name", [{ ...BROUGHT, name: "tool_search" }], "tools.0.name", /tool of the crew/],
    ["65 tools", Array.from({ length: 65 }, (_, at) => ({ ...BROUGHT, name: `t${at}` })), "tools", /at most 64/],
    ["64 KB", [{ ...BROUGHT, description: "x".repeat(65_530) }], "tools", /64 KB/],
    ["too deep a schema", [{ ...BROUGHT, input_schema: deep(40) }], "", /./],
  ];
  for (const [what, tools, field, message] of refused) {
    test(`refuses ${what} with 400 and the field`, async () => {
      await using server = await startTestServer([TAKES]);
      const answer = await server.post("/api/runs", { input: "where?", tools });
      const { code, problems = [], detail } = await sentOf(answer);
      assert.equal(answer.status, 400, String(detail));
      if (field === "") return;
      assert.equal(code, "invalid");
      assert.equal(problems[0]?.field, field);
      assert.match(problems[0]?.message ?? "", message);
    });
  }

  test("warns if no agent takes them", async () => {
    await using server = await startTestServer([REFUSES]);
    const warned = await startRun(server, [BROUGHT]);
    assert.partialDeepStrictEqual(warned, { result: { content: "Hello.", warnings: [{ code: "tools_unused" }] } });
  });
});

describe("OpenAI's client", () => {
  test("brings tools to a chat completion, and answers their calls", async () => {
    await using server = await startTestServer([TAKES]);
    const client = clientOf(server);
    const tools: OpenAI.ChatCompletionTool[] = [
      { type: "function", function: { ...LOCATE, strict: true } },
      { type: "custom", custom: { name: "other" } },
    ];
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: "where?" }];
    const [asked] = (await client.chat.completions.create({ model: "takes", messages, tools })).choices;
    assert.equal(asked?.finish_reason, "tool_calls");
    const [call] = asked.message.tool_calls ?? [];
    assert.ok(call?.type === "function");
    assert.deepEqual([call.function.name, call.function.arguments], ["locate", '{"place":"here"}']);
    messages.push(asked.message, { role: "tool", tool_call_id: call.id, content: "the river" });
    const [done] = (await client.chat.completions.create({ model: "takes", messages, tools })).choices;
    assert.deepEqual([done?.finish_reason, done?.message.content], ["stop", "By the river."]);
  });

  test("runs its own loop of tools over streams", async () => {
    await using server = await startTestServer([TAKES]);
    const runner = clientOf(server).chat.completions.runTools({
      model: "takes",
      stream: true,
      messages: [{ role: "user", content: "where?" }],
      tools: [{ type: "function", function: { ...LOCATE, parse: JSON.parse, function: () => "the river" } }],
    });
    assert.equal(await runner.finalContent(), "By the river.");
  });

  test("brings function tools to a response, and answers their calls", async () => {
    await using server = await startTestServer([TAKES]);
    const client = clientOf(server);
    const tools: OpenAI.Responses.Tool[] = [{ type: "function", ...LOCATE, strict: false }, { type: "web_search" }];
    const asked = await client.responses.create({ model: "takes", input: "where?", tools });
    const call = asked.output.find(({ type }) => type === "function_call");
    assert.ok(call?.type === "function_call");
    const done = await client.responses.create({
      model: "takes",
      previous_response_id: asked.id,
      input: [{ type: "function_call_output", call_id: call.call_id, output: "the river" }],
      tools,
    });
    assert.equal(done.output_text, "By the river.");
  });

  test("is told the field of a tool that cannot be brought", async () => {
    await using server = await startTestServer([TAKES]);
    const client = clientOf(server);
    const messages = [{ role: "user", content: "where?" }] as const;
    const bad = { ...LOCATE, parameters: { type: "object", properties: { a: { type: "text" } } } };
    await assert.rejects(
      client.chat.completions.create({
        model: "takes",
        messages: [...messages],
        tools: [{ type: "function", function: bad }],
      }),
      { status: 400, param: "tools.0.function.parameters.properties.a.type" },
    );
    await assert.rejects(
      client.responses.create({ model: "takes", input: "x", tools: [{ type: "function", ...bad, strict: null }] }),
      { status: 400, param: "tools.0.parameters.properties.a.type" },
    );
  });
});

test("AG-UI's client brings tools to a run, and answers their calls", async () => {
  await using server = await startTestServer([TAKES]);
  const agent = new HttpAgent({ url: `${server.url}/api/agui`, threadId: "thread-1" });
  agent.addMessage({ id: "m-1", role: "user", content: "where?" });
  const { newMessages } = await agent.runAgent({ tools: [LOCATE] });
  const calls = newMessages.flatMap((message: Message) =>
    message.role === "assistant" ? (message.toolCalls ?? []) : [],
  );
  assert.deepEqual(
    calls.map(({ function: { name, arguments: args } }) => [name, args]),
    [["locate", '{"place":"here"}']],
  );
  agent.addMessage({ id: "m-2", role: "tool", toolCallId: calls[0]?.id ?? "", content: "the river" });
  const rest = await agent.runAgent({ tools: [LOCATE] });
  assert.equal(rest.newMessages.at(-1)?.content, "By the river.");
});
