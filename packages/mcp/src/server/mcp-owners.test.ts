import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { createSign, generateKeyPairSync } from "node:crypto";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { defineCrew, defineProgram, defineTool } from "@baton/core";
import { SystemClock } from "@baton/core/ports";
import { KeyRing } from "@baton/server/keys";
import { openLasting } from "@baton/store/testing";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { ReadBuffer } from "@modelcontextprotocol/sdk/shared/stdio.js";
import type { Transport as OldTransport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { z } from "zod";
import { serveStdio } from "./serve-stdio.ts";
import { ABLE, FORMS, type ScriptedCrew, startMcpServer } from "./testing/mcp-server.ts";

const erase = defineTool({
  name: "erase",
  description: "Erases a file.",
  effect: "irreversible",
  input: z.object({}),
  run: () => "erased",
});

const ERASER: ScriptedCrew = {
  crew: defineCrew({ name: "eraser", agents: [{ id: "helper", isTerminal: true, tools: ["erase"] }], tools: [erase] }),
  script: {
    helper: [
      { say: "I erase.", call: [{ tool: "erase", args: {} }] },
      { when: "erased", say: "Erased." },
      { say: "As you wish." },
    ],
  },
};

const TALKER: ScriptedCrew = {
  crew: defineCrew({ name: "talker", agents: [{ id: "host", isTerminal: true }] }),
  script: { host: [{ say: "Hello!" }] },
};

const CALL = { name: "eraser", arguments: { input: "erase" } };
const PAUSED = z.object({ inputRequests: z.record(z.string(), z.unknown()), requestState: z.string() });

function allow(paused: Readonly<Record<string, unknown>>) {
  const { inputRequests, requestState } = PAUSED.parse(paused);
  const answer = { action: "accept", content: { answer: "allow" } };
  const inputResponses = Object.fromEntries(Object.keys(inputRequests).map((key) => [key, answer]));
  return { ...CALL, requestState, inputResponses };
}

test("a key sees the crews that it may use and only its user's tasks and questions", async () => {
  const database = openLasting();
  const keys = new KeyRing({ database, clock: new SystemClock(), isLoopback: true });
  const headersOf = async (...args: Parameters<KeyRing["create"]>) => ({
    headers: { authorization: `Bearer ${(await keys.create(...args)).key}` },
  });
  const ann = await headersOf("acme", ["run"], { user: "ann" });
  const bob = await headersOf("acme", ["run"], { user: "bob" });
  const talks = await headersOf("acme", ["run"], { user: "ann", crews: ["talker"] });
  const reads = await headersOf("acme", ["read"]);
  await using server = await startMcpServer([ERASER, TALKER], { database });
  const namesOf = async (sending: typeof ann) =>
    z.array(z.object({ name: z.string() })).parse((await server.send("tools/list", {}, sending)).result["tools"]);
  assert.deepEqual(await namesOf(ann), [{ name: "eraser" }, { name: "talker" }]);
  assert.deepEqual(await namesOf(talks), [{ name: "talker" }]);
  assert.equal((await server.send("tools/list", {}, reads)).status, 403);
  assert.equal((await server.send("tools/list")).status, 401);
  assert.equal((await server.send("tools/call", CALL, talks)).error.code, -32_602);
  const { result } = await server.send("tools/call", CALL, { ...ann, capabilities: FORMS });
  const stolen = await server.send("tools/call", allow(result), { ...bob, capabilities: FORMS });
  assert.equal(stolen.error.code, -32_602);
  const [{ id: taskId } = { id: "" }] = await server.store.database.runs.list({});
  for (const other of [bob, talks])
    for (const method of ["tasks/get", "tasks/update", "tasks/cancel"]) {
      const refused = await server.send(method, { taskId, inputResponses: {} }, { ...other, capabilities: ABLE });
      assert.equal(refused.error.code, -32_602, method);
    }
  const done = await server.send("tools/call", allow(result), { ...ann, capabilities: FORMS });
  assert.deepEqual(done.result["content"], [{ type: "text", text: "Erased." }]);
});

test("a question for an operator is asked of a key with the scope approve or admin, and of no other", async () => {
  const database = openLasting();
  const keys = new KeyRing({ database, clock: new SystemClock(), isLoopback: true });
  const sendingOf = async (scope: "run" | "approve" | "admin") => {
    const { key } = await keys.create("acme", ["run", scope]);
    return { headers: { authorization: `Bearer ${key}` }, capabilities: FORMS };
  };
  const [runs, ...operators] = [await sendingOf("run"), await sendingOf("approve"), await sendingOf("admin")];
  const agents = [{ id: "helper", isTerminal: true, tools: ["erase"] }];
  const permissions = { erase: "ask_operator" } as const;
  const crew = defineCrew({ name: "eraser", agents, tools: [erase], permissions });
  await using server = await startMcpServer([{ ...ERASER, crew }], { database });
  assert.equal((await server.send("tools/call", CALL, runs)).result["isError"], true);
  for (const operator of operators) {
    const { result } = await server.send("tools/call", CALL, operator);
    const done = await server.send("tools/call", allow(result), operator);
    assert.deepEqual(done.result["content"], [{ type: "text", text: "Erased." }]);
  }
});

test("a run that paused before a restart is answered after it, and its task is still there", async () => {
  const database = openLasting();
  let paused: Readonly<Record<string, unknown>>;
  {
    await using server = await startMcpServer([ERASER], { database });
    ({ result: paused } = await server.send("tools/call", CALL, { capabilities: FORMS }));
  }
  await using server = await startMcpServer([ERASER], { database });
  const [{ id: taskId } = { id: "" }] = await server.store.database.runs.list({});
  const task = await server.send("tasks/get", { taskId }, { capabilities: ABLE });
  assert.equal(task.result["status"], "input_required");
  const { result } = await server.send("tools/call", allow(paused), { capabilities: FORMS });
  assert.deepEqual(result["content"], [{ type: "text", text: "Erased." }]);
});

const STATUS = z.object({ status: z.string() });

/** A crew whose tool works until it is cancelled. */
function endless(): ScriptedCrew & { readonly begun: Promise<void> } {
  const { promise: begun, resolve } = Promise.withResolvers<void>();
  const wait = defineTool({
    name: "wait",
    description: "Waits.",
    effect: "read",
    input: z.object({}),
    async run(_, { scope }) {
      resolve();
      await once(scope.abort, "abort");
    },
  });
  const program = defineProgram(() => ({ call: [{ tool: "wait" }] }));
  const agent = { id: "program", model: { name: "code/program" }, isTerminal: true, tools: ["wait"] } as const;
  return { crew: defineCrew({ name: "endless", agents: [agent], tools: [wait], programs: { program } }), begun };
}

test("closing a call cancels its run; a task goes on until it is cancelled", async () => {
  const crew = endless();
  await using server = await startMcpServer([crew]);
  const client = new AbortController();
  const params = { name: "endless", arguments: { input: "go" }, _meta: { progressToken: 1 } };
  const call = server.send("tools/call", params, { signal: client.signal });
  await crew.begun;
  client.abort();
  await assert.rejects(call);
  const taskOf = async () => (await server.store.database.runs.list({})).at(0)?.id;
  let cancelled = await taskOf();
  while (cancelled === undefined) {
    await nextTurn();
    cancelled = await taskOf();
  }
  for (let status = "working"; status !== "cancelled";) {
    assert.equal(status, "working");
    ({ status } = STATUS.parse((await server.send("tasks/get", { taskId: cancelled }, { capabilities: ABLE })).result));
  }
  const other = endless();
  await using tasks = await startMcpServer([{ ...other, expose: { task: "prefer" } }]);
  const made = await tasks.send("tools/call", params, { capabilities: ABLE });
  await other.begun;
  const taskId = String(made.result["taskId"]);
  const get = async () => (await tasks.send("tasks/get", { taskId }, { capabilities: ABLE })).result["status"];
  assert.equal(await get(), "working");
  await tasks.send("tasks/cancel", { taskId }, { capabilities: ABLE });
  assert.equal(await get(), "cancelled");
});

const ISSUER_PATHS = ["/.well-known/oauth-authorization-server", "/jwks"];

test("tokens of an authorization server are checked, and its metadata is named by the 401", async () => {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  const jwk = { ...publicKey.export({ format: "jwk" }), kid: "a" };
  const idp = createServer((request, response) => {
    const isKnown = ISSUER_PATHS.includes(request.url ?? "");
    const body =
      request.url === "/jwks" ? { keys: [{ kty: "EC", kid: "odd" }, jwk] } : { issuer, jwks_uri: `${issuer}/jwks` };
    response.writeHead(isKnown ? 200 : 404).end(JSON.stringify(body));
  });
  idp.listen(0, "127.0.0.1");
  await once(idp, "listening");
  const address = idp.address();
  const issuer = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  try {
    await using server = await startMcpServer([TALKER], { publicUrl: "https://crews.example.com", oauth: { issuer } });
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const claims = {
      iss: issuer,
      aud: "https://crews.example.com/mcp",
      exp: Math.floor(Date.now() / 1_000) + 600,
      sub: "ann",
      scope: "baton:run",
    };
    const send = async (more: object, head: object = { alg: "RS256", kid: "a" }) => {
      const text = `${part(head)}.${part({ ...claims, ...more })}`;
      const token = `${text}.${createSign("RSA-SHA256").update(text).sign(privateKey).toString("base64url")}`;
      return server.send("tools/list", {}, { headers: { authorization: `Bearer ${token}` } });
    };
    assert.equal((await send({})).status, 200);
    for (const more of [
      { aud: "https://other.example.com" },
      { iss: "https://evil.example.com" },
      { exp: 1 },
      { sub: 1 },
    ])
      assert.equal((await send(more)).status, 401, JSON.stringify(more));
    assert.equal((await send({}, { alg: "none", kid: "a" })).status, 401);
    assert.equal((await send({}, { alg: "RS256", kid: "b" })).status, 401);
    const weak = await send({ scope: "other" });
    assert.equal(weak.status, 403);
    assert.match(weak.headers.get("www-authenticate") ?? "", /scope="baton:run", error="insufficient_scope"/);
    const none = await server.send("tools/list");
    assert.equal(none.status, 401);
    assert.match(none.headers.get("www-authenticate") ?? "", /resource_metadata="https:\/\/crews\.example\.com\//);
    const metadata = await fetch(new URL("/.well-known/oauth-protected-resource/mcp", server.url));
    assert.deepEqual(z.object({ authorization_servers: z.array(z.string()) }).parse(await metadata.json()), {
      authorization_servers: [issuer],
    });
  } finally {
    idp.close();
  }
});

test("the same server speaks over stdio: only messages are written, and the end of input ends it", async () => {
  await using server = await startMcpServer([TALKER]);
  const [input, output] = [new PassThrough(), new PassThrough()];
  const served = serveStdio({
    fetch: async (request) =>
      fetch(server.url, { method: "POST", headers: withoutHost(request), body: await request.text() }),
    input,
    output,
  });
  const initialize = {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  };
  const lines = [
    { jsonrpc: "2.0", id: 1, method: "initialize", params: initialize },
    { jsonrpc: "2.0", method: "notifications/initialized" },
    { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "talker", arguments: { input: "hi" } } },
  ];
  for (const line of lines) input.write(`${JSON.stringify(line)}\n`);
  input.end("this is not a message\n");
  await served;
  output.end();
  const written = (await output.toArray()).join("").trim().split("\n");
  const ids = written.map((line) => z.object({ id: z.number().nullable() }).parse(JSON.parse(line)).id);
  assert.deepEqual(new Set(ids), new Set([1, 2, null]));
  assert.match(written.join("\n"), /Hello!/);
});

test("the client of the SDK before it speaks over stdio too", async () => {
  await using server = await startMcpServer([TALKER]);
  const [input, output] = [new PassThrough(), new PassThrough()];
  const fetchHere = async (request: Request) =>
    fetch(server.url, { method: "POST", headers: withoutHost(request), body: await request.text() });
  const served = serveStdio({ fetch: fetchHere, input, output });
  const transport: OldTransport = {
    start: () => Promise.resolve(),
    send: async (message) => {
      input.write(`${JSON.stringify(message)}\n`);
    },
    close: async () => {
      input.end();
    },
  };
  const buffer = new ReadBuffer();
  output.on("data", (chunk: Buffer) => {
    buffer.append(chunk);
    for (let one = buffer.readMessage(); one !== null; one = buffer.readMessage()) transport.onmessage?.(one);
  });
  const client = new OldClient({ name: "old", version: "1" });
  await client.connect(transport);
  assert.deepEqual(
    (await client.listTools()).tools.map(({ name }) => name),
    ["talker"],
  );
  const { content } = await client.callTool({ name: "talker", arguments: { input: "hi" } });
  assert.deepEqual(content, [{ type: "text", text: "Hello!" }]);
  await transport.close();
  await served;
});

function withoutHost({ headers }: Request): Headers {
  const kept = new Headers(headers);
  kept.delete("host");
  return kept;
}
