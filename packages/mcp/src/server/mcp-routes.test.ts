import assert from "node:assert/strict";
import { test } from "node:test";
import { defineCrew, defineTool, suspend } from "@baton/core";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { z } from "zod";
import { ABLE, connectClient, FORMS, type ScriptedCrew, startMcpServer } from "./testing/mcp-server.ts";

const look = defineTool({
  name: "look",
  description: "Looks.",
  effect: "read",
  input: z.object({}),
  run: () => "seen",
});
const erase = defineTool({
  name: "erase",
  description: "Erases a file.",
  effect: "irreversible",
  input: z.object({ path: z.string() }),
  run: ({ path }) => `erased ${path}`,
});

const GREETER: ScriptedCrew = {
  crew: defineCrew({
    name: "greeter",
    description: "Greets people",
    examples: ["Greet Ann", "Greet Bob"],
    agents: [{ id: "host", isTerminal: true, tools: ["look"] }],
    tools: [look],
  }),
  script: { host: [{ say: "One moment.", call: [{ tool: "look", args: {} }] }, { say: "Hello!" }] },
};

const ERASER: ScriptedCrew = {
  crew: defineCrew({
    name: "eraser",
    agents: [{ id: "helper", isTerminal: true, tools: ["erase"] }],
    tools: [erase],
  }),
  script: {
    helper: [
      {
        say: "I erase.",
        call: [
          { tool: "erase", args: { path: "a.txt" } },
          { tool: "erase", args: { path: "b.txt" } },
        ],
      },
      { when: "erased", say: "Erased." },
      { say: "As you wish." },
    ],
  },
};

const SCORER: ScriptedCrew = {
  crew: defineCrew({
    name: "scorer",
    agents: [{ id: "judge", isTerminal: true, output: z.object({ score: z.number() }) }],
  }),
  script: { judge: [{ say: '{"score": 7}' }] },
  expose: {
    name: "score",
    input: { type: "object", properties: { symbol: { type: "string" } }, required: ["symbol"] },
  },
};

const keysOf = (value: unknown) => Object.keys(z.record(z.string(), z.unknown()).parse(value));

test("the newest client lists crews as tools and calls one, with progress", async () => {
  await using server = await startMcpServer([GREETER, ERASER, SCORER]);
  const client = await connectClient(server.url);
  const { tools } = await client.listTools();
  assert.deepEqual(
    tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint]),
    [
      ["eraser", false],
      ["greeter", true],
      ["score", true],
    ],
  );
  const seen: string[] = [];
  const onprogress = ({ message = "" }) => {
    seen.push(message);
  };
  const answer = await client.callTool({ name: "greeter", arguments: { input: "hi" } }, { onprogress });
  assert.deepEqual(answer.content, [{ type: "text", text: "Hello!" }]);
  assert.equal(typeof answer._meta?.["baton/run"], "string");
  assert.deepEqual(seen, ["host", "host: look"]);
  await client.close();
});

test("clients of the revision before work without a session", async () => {
  await using server = await startMcpServer([GREETER, SCORER]);
  const old = new OldClient({ name: "old", version: "1" });
  await old.connect(new OldTransport(new URL(server.url)));
  const { tools } = await old.listTools();
  assert.deepEqual(
    tools.map(({ name }) => name),
    ["greeter", "score"],
  );
  const answer = await old.callTool({ name: "greeter", arguments: { input: "hi" } });
  assert.deepEqual(answer.content, [{ type: "text", text: "Hello!" }]);
  const scored = await old.callTool({ name: "score", arguments: { symbol: "X" } });
  assert.deepEqual(scored.structuredContent, { score: 7 });
  await old.close();
  const legacy = await connectClient(server.url, { mode: "legacy" });
  assert.deepEqual((await legacy.callTool({ name: "greeter", arguments: { input: "hi" } })).content, [
    { type: "text", text: "Hello!" },
  ]);
  await legacy.close();
});

test("arguments that do not fit are refused field by field, and unknown tools do not exist", async () => {
  await using server = await startMcpServer([GREETER, SCORER]);
  const wrong = await server.send("tools/call", { name: "score", arguments: {} });
  assert.equal(wrong.error.code, -32_602);
  assert.match(wrong.error.message ?? "", /symbol/);
  const empty = await server.send("tools/call", { name: "greeter", arguments: { input: "hi", more: 1 } });
  assert.equal(empty.error.code, -32_602);
  assert.equal((await server.send("tools/call", { name: "nobody", arguments: {} })).error.code, -32_602);
});

test("GET and DELETE are not allowed, and 10 MB of arguments are refused before they are parsed", async () => {
  await using server = await startMcpServer([GREETER]);
  for (const method of ["GET", "DELETE"]) assert.equal((await fetch(server.url, { method })).status, 405);
  const input = "x".repeat(10 * 1_024 * 1_024);
  const answer = await server.send("tools/call", { name: "greeter", arguments: { input } });
  assert.equal(answer.status, 413);
});

test("examples of crews are prompts", async () => {
  await using server = await startMcpServer([GREETER]);
  const client = await connectClient(server.url);
  const { prompts } = await client.listPrompts();
  assert.deepEqual(
    prompts.map(({ name }) => name),
    ["greeter-1", "greeter-2"],
  );
  const { messages } = await client.getPrompt({ name: "greeter-2" });
  assert.deepEqual(messages, [{ role: "user", content: { type: "text", text: "Greet Bob" } }]);
  await client.close();
});

test("a paused run asks all its questions at once, and the answers continue it", async () => {
  await using server = await startMcpServer([ERASER]);
  const client = await connectClient(server.url, { capabilities: FORMS });
  const asked: string[] = [];
  client.setRequestHandler("elicitation/create", ({ params }) => {
    asked.push(params.message);
    return { action: "accept", content: { answer: "allow" } };
  });
  const answer = await client.callTool({ name: "eraser", arguments: { input: "erase" } });
  assert.deepEqual(answer.content, [{ type: "text", text: "Erased." }]);
  assert.equal(asked.length, 2);
  assert.match(asked.join("\n"), /a\.txt[^]*b\.txt/);
  await client.close();
});

test("declining denies an approval; a client without forms gets the link of the run", async () => {
  await using server = await startMcpServer([ERASER]);
  const client = await connectClient(server.url, { capabilities: FORMS });
  client.setRequestHandler("elicitation/create", () => ({ action: "decline" }));
  const answer = await client.callTool({ name: "eraser", arguments: { input: "erase" } });
  assert.deepEqual(answer.content, [{ type: "text", text: "As you wish." }]);
  await client.close();
  const { result } = await server.send("tools/call", { name: "eraser", arguments: { input: "erase" } });
  assert.equal(result["isError"], true);
  assert.match(JSON.stringify(result["content"]), /http:\/\/127\.0\.0\.1:\d+\/runs\//);
});

test("a forged request state is refused, and a second answer changes nothing", async () => {
  await using server = await startMcpServer([ERASER, GREETER]);
  const call = { name: "eraser", arguments: { input: "erase" } };
  const paused = await server.send("tools/call", call, { capabilities: FORMS });
  assert.equal(paused.result["resultType"], "input_required");
  const { inputRequests, requestState } = z
    .object({ inputRequests: z.record(z.string(), z.unknown()), requestState: z.string() })
    .parse(paused.result);
  const keys = Object.keys(inputRequests);
  assert.equal(keys.length, 2);
  const reply = (answer: string) =>
    Object.fromEntries(keys.map((key) => [key, { action: "accept", content: { answer } }]));
  const forged = `${requestState.slice(0, -4)}AAAA`;
  const refused = await server.send(
    "tools/call",
    { ...call, requestState: forged, inputResponses: reply("allow") },
    { capabilities: FORMS },
  );
  assert.equal(refused.error.code, -32_602);
  const other = { name: "greeter", arguments: { input: "x" }, requestState, inputResponses: reply("allow") };
  assert.equal((await server.send("tools/call", other, { capabilities: FORMS })).error.code, -32_602);
  const invalid = { ...call, requestState, inputResponses: { [keys[0] ?? ""]: { action: "accept", content: {} } } };
  const again = await server.send("tools/call", invalid, { capabilities: FORMS });
  assert.equal(again.result["resultType"], "input_required");
  const answered = { ...call, requestState, inputResponses: reply("deny") };
  const first = await server.send("tools/call", answered, { capabilities: FORMS });
  assert.deepEqual(first.result["content"], [{ type: "text", text: "As you wish." }]);
  const second = { ...call, requestState, inputResponses: reply("allow") };
  const same = await server.send("tools/call", second, { capabilities: FORMS });
  assert.deepEqual(same.result["content"], [{ type: "text", text: "As you wish." }]);
});

test("a form is answered by what the call brought with it, an approval is not", async () => {
  const schema = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
  const form = defineTool({
    name: "form",
    description: "Asks for a name.",
    effect: "read",
    input: z.object({}),
    run: (_, { answers }) =>
      answers === undefined
        ? suspend({ keep: 1, questions: [{ name: "who", kind: "input", text: "Who?", schema }] })
        : "asked",
  });
  const asker: ScriptedCrew = {
    crew: defineCrew({ name: "asker", agents: [{ id: "a", isTerminal: true, tools: ["form"] }], tools: [form] }),
    script: { a: [{ say: "Wait.", call: [{ tool: "form", args: {} }] }, { say: "Thanks." }] },
  };
  await using server = await startMcpServer([asker, ERASER]);
  const early = async (name: string, inputResponses: object) =>
    (await server.send("tools/call", { name, arguments: { input: "go" }, inputResponses }, { capabilities: FORMS }))
      .result;
  const named = await early("asker", { who: { action: "accept", content: { name: "Ann" } }, other: {} });
  assert.deepEqual(named["content"], [{ type: "text", text: "Thanks." }]);
  assert.deepEqual(keysOf((await early("asker", { other: {} }))["inputRequests"]), ["who"]);
  const allow = { action: "accept", content: { answer: "allow" } };
  const erasing = await early("eraser", { "1.1.1": allow, "1.1.2": allow, approval: allow });
  assert.equal(erasing["resultType"], "input_required");
});

test("answers of several requests at once are taken once, and all get the result", async () => {
  await using server = await startMcpServer([ERASER]);
  const call = { name: "eraser", arguments: { input: "erase" } };
  const { result } = await server.send("tools/call", call, { capabilities: FORMS });
  const allow = { action: "accept", content: { answer: "allow" } };
  const inputResponses = Object.fromEntries(keysOf(result["inputRequests"]).map((key) => [key, allow]));
  const again = { ...call, requestState: result["requestState"], inputResponses };
  const all = await Promise.all(
    Array.from({ length: 6 }, () => server.send("tools/call", again, { capabilities: FORMS })),
  );
  for (const one of all) assert.deepEqual(one.result["content"], [{ type: "text", text: "Erased." }]);
});

test("a client that polls gets a task, answers its questions one by one, and reads the result", async () => {
  await using server = await startMcpServer([{ ...ERASER, expose: { task: "prefer" } }]);
  const able = { capabilities: ABLE };
  const made = await server.send("tools/call", { name: "eraser", arguments: { input: "erase" } }, able);
  assert.equal(made.result["resultType"], "task");
  const taskId = String(made.result["taskId"]);
  const get = async () => (await server.send("tasks/get", { taskId }, able)).result;
  const until = async (status: string) => {
    for (;;) {
      const task = await get();
      if (task["status"] === status) return task;
      assert.ok(["working", "input_required"].includes(String(task["status"])), JSON.stringify(task));
    }
  };
  const waiting = await until("input_required");
  const [a = "", b = ""] = keysOf(waiting["inputRequests"]);
  const allow = { action: "accept", content: { answer: "allow" } };
  const update = await server.send("tasks/update", { taskId, inputResponses: { [a]: allow } }, able);
  assert.equal(update.result["resultType"], "complete");
  assert.deepEqual(keysOf((await get())["inputRequests"]), [b]);
  await server.send("tasks/update", { taskId, inputResponses: { [b]: allow } }, able);
  const done = await until("completed");
  assert.match(JSON.stringify(done["result"]), /Erased\./);
  const unknown = await server.send("tasks/get", { taskId: "no-such-run" }, able);
  assert.equal(unknown.error.code, -32_602);
  assert.equal((await server.send("tasks/get", { taskId })).error.code, -32_021);
});
