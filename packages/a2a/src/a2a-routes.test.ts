import assert from "node:assert/strict";
import { test } from "node:test";
import { ClientFactory } from "@a2a-js/sdk/client";
import { type Message, Role, type SendMessageRequest, TaskState } from "@a2a-js/sdk";
import { type Agent, type Crew, defineCrew, defineTool, scriptModel } from "@baton/core";
import { startServer } from "@baton/server";
import { KeyRing } from "@baton/server/keys";
import { SystemClock } from "@baton/core/ports";
import { Store } from "@baton/store";
import { openMemory } from "@baton/store/sqlite";
import { z } from "zod";
import { a2aRoutes } from "./a2a-routes.ts";

const erase = defineTool({
  name: "erase",
  description: "Erases a file.",
  effect: "irreversible",
  input: z.object({ path: z.string() }),
  run: () => "erased",
});

const RELAY = defineCrew({
  name: "relay",
  description: "Two who pass the baton",
  agents: [{ id: "first" }, { id: "second", isTerminal: true }],
  signals: { first: [{ signal: "[NEXT]", target: "second" }] },
});
const ERASER = defineCrew({
  name: "eraser",
  agents: [{ id: "helper", isTerminal: true, tools: ["erase"] }],
  tools: [erase],
});
const SCRIPTS = new Map([
  ["relay", scriptModel({ first: [{ say: "To you. [NEXT]" }], second: [{ say: "Done." }] })],
  [
    "eraser",
    scriptModel({
      helper: [
        { say: "I erase.", call: [{ tool: "erase", args: { path: "a.txt" } }] },
        { when: "erased", say: "Erased." },
        { say: "As you wish." },
      ],
    }),
  ],
]);

type Sent = Readonly<{ headers?: Record<string, string>; id?: string | undefined; message?: object }>;

async function startAgents(own?: Store) {
  const store = own ?? (await Store.open({ database: openMemory() }));
  const server = await startServer({
    store,
    crews: [RELAY, ERASER].map((crew) => ({ id: crew.name, crew, findings: [] })),
    model: (_: Agent, crew: Crew) => SCRIPTS.get(crew.name) ?? scriptModel({}),
    port: 0,
    graceMs: 0,
    logTo: { write: () => true },
    routes: a2aRoutes(),
  });
  return {
    url: server.url,
    async [Symbol.asyncDispose]() {
      await server.stop();
      await store[Symbol.asyncDispose]();
    },
  };
}

function say(text: string, more: Partial<Message> = {}): SendMessageRequest {
  const part = { content: { $case: "text", value: text }, metadata: undefined, filename: "", mediaType: "" } as const;
  const message: Message = {
    messageId: "m",
    contextId: "",
    taskId: "",
    role: Role.ROLE_USER,
    parts: [part],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
    ...more,
  };
  return { tenant: "", message, configuration: undefined, metadata: undefined };
}

const textOf = (part: Message["parts"][number] | undefined) =>
  part?.content?.$case === "text" ? part.content.value : "";

test("the official client finds a crew by its card, sends a message and reads the answer", async () => {
  await using server = await startAgents();
  const client = await new ClientFactory().createFromUrl(server.url);
  const answer = await client.sendMessage(say("hello"));
  assert.ok("status" in answer);
  assert.equal(answer.status?.state, TaskState.TASK_STATE_COMPLETED);
  assert.equal(textOf(answer.artifacts[0]?.parts[0]), "Done.");
  const again = await client.getTask({ tenant: "", id: answer.id });
  assert.equal(textOf(again.artifacts[0]?.parts[0]), "Done.");
  await assert.rejects(client.getTask({ tenant: "", id: "no-such-task" }));
  await assert.rejects(client.cancelTask({ tenant: "", id: answer.id, metadata: undefined }));
});

test("a stream tells of each turn and ends with the answer", async () => {
  await using server = await startAgents();
  const client = await new ClientFactory().createFromUrl(server.url);
  const seen: string[] = [];
  for await (const { payload } of client.sendMessageStream(say("hello"))) {
    if (payload?.$case === "statusUpdate") seen.push(textOf(payload.value.status?.message?.parts[0]));
    else if (payload?.$case === "artifactUpdate") seen.push(textOf(payload.value.artifact?.parts[0]));
    else seen.push(payload?.$case ?? "");
  }
  assert.deepEqual(seen, ["task", "first", "second", "Done.", ""]);
});

test("a task that waits for an approval is answered by text, and another one's data part names the question", async () => {
  await using server = await startAgents();
  const client = await new ClientFactory().createFromUrl(`${server.url}/a2a/eraser/`);
  const first = await client.sendMessage(say("erase"));
  assert.ok("status" in first);
  assert.equal(first.status?.state, TaskState.TASK_STATE_INPUT_REQUIRED);
  const denied = await client.sendMessage(say("deny", { taskId: first.id }));
  assert.ok("status" in denied);
  assert.equal(denied.status?.state, TaskState.TASK_STATE_COMPLETED);
  assert.equal(textOf(denied.artifacts[0]?.parts[0]), "As you wish.");
  await assert.rejects(client.sendMessage(say("allow", { taskId: first.id })), /ended/);
  const second = await client.sendMessage(say("erase"));
  assert.ok("status" in second);
  const asked = second.status?.message?.parts[1]?.content;
  assert.ok(asked?.$case === "data");
  const question = /"question":"([^"]+)"/.exec(JSON.stringify(asked.value))?.[1] ?? "";
  const part = {
    content: { $case: "data", value: { [question]: "allow" } },
    metadata: undefined,
    filename: "",
    mediaType: "",
  } as const;
  const allowed = await client.sendMessage(say("", { taskId: second.id, parts: [part] }));
  assert.ok("status" in allowed);
  assert.equal(textOf(allowed.artifacts[0]?.parts[0]), "Erased.");
});

test("a paused task is cancelled, a card needs no key, and another owner's task does not exist", async () => {
  const store = await Store.open({ database: openMemory() });
  const keys = new KeyRing({ database: store.database, clock: new SystemClock(), isLoopback: true });
  const [ann, bob] = [await keys.create("acme", ["run"]), await keys.create("acme", ["run"])];
  await using server = await startAgents(store);
  const post = async ({ key }: typeof ann, method: string, { headers = {}, ...params }: Sent) => {
    const answer = await fetch(`${server.url}/a2a/eraser`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${key}`, ...headers },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    return answer.text();
  };
  const message = { messageId: "m", role: "ROLE_USER", parts: [{ text: "erase" }] };
  const made = await post(ann, "SendMessage", { message });
  assert.match(made, /TASK_STATE_INPUT_REQUIRED/);
  const id = /"id":"([^"]+)","contextId"/.exec(made)?.[1];
  assert.match(await post(bob, "GetTask", { id }), /-32001/);
  const other = { ...message, taskId: id, contextId: "another" };
  assert.match(await post(ann, "SendMessage", { message: other }), /-32602.*contextId/);
  const parts = [...message.parts, { url: "https://example.com/a.pdf", mediaType: "application/pdf" }];
  assert.match(await post(ann, "SendMessage", { message: { ...message, parts } }), /-32005.*files/);
  assert.match(await post(bob, "CancelTask", { id }), /-32001/);
  assert.match(await post(ann, "CancelTask", { id }), /TASK_STATE_CANCELED/);
  assert.match(await post(ann, "GetTask", { id, headers: { "a2a-version": "0.3" } }), /-32009/);
  assert.match(await post(ann, "ListTasks", {}), /-32601/);
  assert.equal((await fetch(`${server.url}/.well-known/agent-card.json`)).status, 200);
  assert.equal((await fetch(`${server.url}/a2a/eraser`, { method: "POST" })).status, 401);
});
