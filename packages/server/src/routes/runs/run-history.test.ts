/** Looking back at runs: the crew they began with, prompts of steps, replays and forks. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { defineCrew } from "@baton/core";
import { z } from "zod";
import { ASKS, RELAY } from "../../testing/crews.ts";
import { sentOf } from "../../testing/sent.ts";
import { startTestServer, type TestServer } from "../../testing/test-server.ts";

const LOG = z.object({ events: z.array(z.looseObject({ seq: z.int(), type: z.string() })) });

async function play(server: TestServer, crew = "relay"): Promise<string> {
  return (await sentOf(await server.post("/api/runs", { crew, input: "Hello?" }, { Prefer: "wait" }))).id ?? "";
}

async function logOf(server: TestServer, run: string): Promise<z.infer<typeof LOG>["events"]> {
  const response = await server.get(`/api/runs/${run}/events`, { Accept: "application/json" });
  return LOG.parse(await response.json()).events;
}

/** The log of a run that goes on by itself, once it has ended: its stream ends with it. */
async function endedLogOf(server: TestServer, run: string): ReturnType<typeof logOf> {
  await (await server.get(`/api/runs/${run}/events`)).text();
  return logOf(server, run);
}

test("a caller is told who it is and what answers", async () => {
  const about = { version: "1.2.3", model: "script: no key" };
  await using server = await startTestServer([RELAY], { about });
  assert.deepEqual(await (await server.get("/api/me")).json(), {
    tenant: "local",
    user: "local",
    scopes: ["run", "read", "approve", "admin"],
    keys_required: false,
    ...about,
  });
});

test("the crew of a run is the one it began with", async () => {
  await using server = await startTestServer([RELAY, ASKS]);
  const run = await play(server);
  assert.partialDeepStrictEqual(await (await server.get(`/api/runs/${run}/crew`)).json(), {
    id: "relay",
    agents: [{ id: "first" }, { id: "second" }],
  });
  assert.equal((await server.get("/api/runs/nobody/crew")).status, 404);
});

test("the prompt of a step is rebuilt with its pieces, whose tokens add up", async () => {
  await using server = await startTestServer([RELAY]);
  const run = await play(server);
  const response = await server.get(`/api/runs/${run}/steps/2.1/prompt`);
  const {
    messages,
    blocks,
    tokens: whole,
  } = z
    .object({
      messages: z.array(z.looseObject({ content: z.string() })),
      blocks: z.array(z.looseObject({ source: z.string(), tokens: z.int() })),
      left_out: z.array(z.unknown()),
      tokens: z.int(),
    })
    .parse(await response.json());
  assert.equal(messages[0]?.content, "Hello?");
  assert.ok(blocks.some(({ source }) => source === "turn 1"));
  assert.equal(
    blocks.reduce((sum, { tokens }) => sum + tokens, 0),
    whole,
  );
  assert.equal((await server.get(`/api/runs/${run}/steps/9.9/prompt`)).status, 404);
});

test("a replay is identical, and against a crew that routes otherwise says where it first differs", async () => {
  const like = defineCrew({ name: "other", agents: [{ id: "first" }, { id: "second", isTerminal: true }] });
  const other = { crew: like, script: RELAY.script };
  await using server = await startTestServer([RELAY, other]);
  const run = await play(server);
  const events = (await logOf(server, run)).length;
  assert.deepEqual(await (await server.post(`/api/runs/${run}/replay`, {})).json(), { identical: true, events });
  const against: unknown = await (await server.post(`/api/runs/${run}/replay`, { crew: "other" })).json();
  assert.partialDeepStrictEqual(against, { identical: false, events });
  assert.equal((await server.post(`/api/runs/${run}/replay`, { crew: "nobody" })).status, 404);
});

test("a fork with other words begins after the message that it replaces", async () => {
  await using server = await startTestServer([RELAY]);
  const run = await play(server);
  const log = await logOf(server, run);
  const response = await server.post(`/api/runs/${run}/fork`, { seq: log.length, input: "Goodbye!" });
  assert.equal(response.status, 201);
  const fork = (await sentOf(response)).id ?? "";
  const own = await endedLogOf(server, fork);
  assert.partialDeepStrictEqual(own[0], { type: "run.started", input: "Goodbye!" });
  assert.equal(own.at(-1)?.type, "run.ended");
  assert.partialDeepStrictEqual(await (await server.get(`/api/runs/${fork}`)).json(), { input: "Goodbye!" });
  assert.partialDeepStrictEqual((await logOf(server, run))[0], { input: "Hello?" });
  assert.equal((await server.post(`/api/runs/${run}/fork`, { seq: 1, input: "" })).status, 400);
});

test("a fork is a new run with the finished steps of the other, and continues from there", async () => {
  await using server = await startTestServer([RELAY]);
  const run = await play(server);
  const log = await logOf(server, run);
  const first = log.find(({ type }) => type === "step.ended");
  const response = await server.post(`/api/runs/${run}/fork`, { seq: first?.seq });
  assert.equal(response.status, 201);
  const fork = (await sentOf(response)).id ?? "";
  assert.notEqual(fork, run);
  const own = await endedLogOf(server, fork);
  assert.equal(own.at(-1)?.type, "run.ended");
  const from = { forked_from: { run, seq: first?.seq } };
  assert.partialDeepStrictEqual(await (await server.get(`/api/runs/${fork}`)).json(), from);
  assert.partialDeepStrictEqual(await (await server.get("/api/runs?limit=1")).json(), { runs: [from] });
  assert.deepEqual(
    own.filter(({ type }) => type === "step.started").length,
    log.filter(({ type }) => type === "step.started").length,
  );
  assert.equal((await server.post(`/api/runs/${run}/fork`, { seq: log.length + 1 })).status, 400);
  assert.equal((await server.post(`/api/runs/${run}/fork`, {})).status, 400);
});
