import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { defineCrew, defineTool, type Model, scriptModel } from "@baton/core";
import { z } from "zod";
import { ASKS, GatedModel, WAITS } from "../../testing/crews.ts";
import { sentOf } from "../../testing/sent.ts";
import { type Scripted, startTestServer, type TestServer } from "../../testing/test-server.ts";

const TEAM = defineCrew({
  name: "team",
  agents: [{ id: "lead" }, { id: "one" }, { id: "two" }, { id: "last", isTerminal: true }],
  signals: { lead: [{ signal: "[ASK]", target: "both" }] },
  groups: { both: { agents: ["one", "two"], nextAgent: "last" } },
});

/** Never comes back by itself. */
const hang = defineTool({
  name: "hang",
  description: "Waits for its abort.",
  effect: "read",
  input: z.object({}),
  run: (_, { scope }) =>
    new Promise((_resolve, reject) => {
      scope.abort.addEventListener("abort", () => reject(new Error("aborted")), { once: true });
    }),
});

const HANGS: Scripted = {
  crew: defineCrew({
    name: "hangs",
    agents: [{ id: "worker", isTerminal: true, tools: ["hang"] }],
    tools: [hang],
  }),
  script: { worker: [{ call: [{ tool: "hang" }] }, { say: "Without it." }] },
};

const EVENTS = z.object({ events: z.array(z.looseObject({ type: z.string() })) });

async function eventsOf(server: TestServer, path: string) {
  return EVENTS.parse(await (await server.get(`${path}/events`, { Accept: "application/json" })).json()).events;
}

/** So many looks, far more than anything here takes. */
const MAX_LOOKS = 2_000;

async function until(server: TestServer, path: string, isThere: (type: string, event: object) => boolean) {
  for (let look = 0; look < MAX_LOOKS; look++) {
    if ((await eventsOf(server, path)).some((event) => isThere(event.type, event))) return;
    await setImmediate();
  }
  assert.fail(`it never came: ${JSON.stringify(await eventsOf(server, path))}`);
}

/** The log of a run up to its end; a run that never ends fails the test. */
async function logOf(server: TestServer, path: string): Promise<string> {
  await until(server, path, (type) => type === "run.ended");
  return (await server.get(`${path}/events`)).text();
}

async function start(server: TestServer): Promise<string> {
  return `/api/runs/${(await server.post("/api/runs", { input: "hello" })).headers.get("x-run-id")}`;
}

test("a cancel that names a lane stops one member of a group, and the run continues without it", async () => {
  const gates = new Map<string, Model & GatedModel>([
    ["one", new GatedModel()],
    ["two", new GatedModel()],
  ]);
  const script = scriptModel({ lead: [{ say: "[ASK]" }], last: [{ say: "Done." }] });
  await using server = await startTestServer([{ crew: TEAM, script: {} }], {
    model: ({ id }) => gates.get(id) ?? script,
  });
  const path = await start(server);
  await until(server, path, (type, event) => type === "step.started" && "agent" in event && event.agent === "two");
  const { lane } = z
    .looseObject({ lane: z.string() })
    .parse((await eventsOf(server, path)).find((event) => event.type === "turn.started" && event["agent"] === "one"));
  assert.match(lane, /\/both\/one$/);
  const cancelled = await server.post(`${path}/commands`, { type: "cancel", lane, reason: "enough of it" });
  assert.equal(cancelled.status, 200);
  const receipt = await sentOf(cancelled);
  assert.deepEqual([receipt["finished"], receipt["abandoned"]], [[], []]);
  assert.match(JSON.stringify(receipt["stopped"]), /one/);
  assert.equal((await server.post(`${path}/commands`, { type: "cancel", lane })).status, 404);
  gates.get("two")?.say("I can.");
  gates.get("two")?.end();
  const log = await logOf(server, path);
  assert.match(
    log,
    /"type":"command.received","command":\{"type":"cancel","reason":"enough of it","lane":"2\/both\/one"\}/,
  );
  assert.match(log, /"type":"run.ended","outcome":"done"/);
  const late = await server.post(`${path}/commands`, { type: "cancel", lane });
  assert.deepEqual([late.status, (await sentOf(late)).code], [409, "run_ended"]);
});

test("a cancel that names a call stops that call, and its agent continues with the error", async () => {
  await using server = await startTestServer([HANGS]);
  const path = await start(server);
  await until(server, path, (type) => type === "call.started");
  const cancelled = await server.post(`${path}/commands`, { type: "cancel", call: "1.1.1" });
  assert.equal(cancelled.status, 200);
  assert.match(JSON.stringify(await sentOf(cancelled)), /"stopped":\["[^"]*1\.1\.1"\]/);
  await logOf(server, path);
  assert.partialDeepStrictEqual(await sentOf(await server.get(`${path}/calls/1.1.1`)), {
    status: "ended",
    error: { code: "tool", kind: "cancelled" },
  });
  assert.partialDeepStrictEqual(await sentOf(await server.get(path)), {
    outcome: "done",
    result: { content: "Without it." },
  });
});

test("a call that waits for a person is cancelled alone, and the run waits for the other", async () => {
  await using server = await startTestServer([ASKS]);
  const { id } = await sentOf(await server.post("/api/runs", { input: "erase" }, { Prefer: "wait" }));
  const path = `/api/runs/${id}`;
  assert.equal((await server.post(`${path}/commands`, { type: "cancel", call: "1.1.1" })).status, 200);
  const allowed = { type: "answer", question: "1.1.2", value: "allow" };
  assert.equal((await server.post(`${path}/commands`, allowed)).status, 202);
  await logOf(server, path);
  assert.partialDeepStrictEqual(await sentOf(await server.get(path)), { outcome: "done" });
  assert.partialDeepStrictEqual(await sentOf(await server.get(`${path}/calls/1.1.1`)), {
    error: { kind: "cancelled" },
  });
  assert.partialDeepStrictEqual(await sentOf(await server.get(`${path}/calls/1.1.2`)), { output: "erased b.txt" });
});

test("what is not running cannot be cancelled alone, and a cancel names a lane or a call, not both", async () => {
  await using server = await startTestServer([WAITS]);
  const { id } = await sentOf(await server.post("/api/runs", { input: "hello" }, { Prefer: "wait" }));
  const send = (command: object) => server.post(`/api/runs/${id}/commands`, { type: "cancel", ...command });
  for (const part of [{ lane: "9/x/y" }, { call: "9.9.9" }]) {
    const refused = await send(part);
    assert.deepEqual([refused.status, (await sentOf(refused)).code], [404, "not_found"]);
  }
  const both = await send({ lane: "1/x/y", call: "1.1.1" });
  assert.equal(both.status, 400);
  assert.deepEqual((await sentOf(both)).problems, [
    { field: "call", message: "must be left out if lane is given: a cancel takes one of them" },
  ]);
  assert.partialDeepStrictEqual(await sentOf(await server.get(`/api/runs/${id}`)), { status: "paused" });
});

test("a run that waits for its session has no part to cancel", async () => {
  const model = new GatedModel();
  await using server = await startTestServer([HANGS], { model: () => model });
  const body = { input: "hello", session_id: "s" };
  await server.post("/api/runs", body);
  const { id } = await sentOf(await server.post("/api/runs", body));
  const refused = await server.post(`/api/runs/${id}/commands`, { type: "cancel", call: "1.1.1" });
  assert.deepEqual([refused.status, (await sentOf(refused)).code], [409, "conflict"]);
  assert.partialDeepStrictEqual(await sentOf(await server.get(`/api/runs/${id}`)), { status: "queued" });
});
