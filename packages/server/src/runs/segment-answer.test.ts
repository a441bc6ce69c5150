import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import type { Database } from "@baton/store";
import { openMemory } from "@baton/store/sqlite";
import { withMethods } from "@baton/store/testing";
import { GatedModel, SLOW, WAITS } from "../testing/crews.ts";
import { sentOf } from "../testing/sent.ts";
import { startTestServer } from "../testing/test-server.ts";

const CANCEL = "?on_disconnect=cancel";

test("a client that was answered before the outcome has not left: its run continues", async () => {
  const model = new GatedModel();
  const database = openMemory();
  await using server = await startTestServer([SLOW], { model: () => model, database });
  const answer = await server.post(`/api/runs${CANCEL}`, { input: "hello" }, { Prefer: "wait=0" });
  assert.equal(answer.status, 202);
  const { id = "" } = await sentOf(answer);
  // An answer over the same connection comes after the one before has left it.
  await sentOf(await server.get(`/api/runs/${id}`));
  model.say("Hello.");
  model.end();
  while ((await database.runs.find(id))?.status !== "ended") await setTimeout(1);
  assert.equal((await database.runs.find(id))?.outcome, "done");
});

test("a server that stops leaves a run whose client was answered for the next start", async () => {
  const model = new GatedModel();
  const database = openMemory();
  await using server = await startTestServer([SLOW], { model: () => model, database });
  const answer = await server.post(`/api/runs${CANCEL}`, { input: "hello" }, { Prefer: "wait=0" });
  const { id = "" } = await sentOf(answer);
  await sentOf(await server.get(`/api/runs/${id}`));
  await server.server.stop();
  assert.equal((await database.runs.find(id))?.status, "running");
});

test("a run that ends with its client is cancelled where its stream cannot be opened", async () => {
  const model = new GatedModel();
  const memory = openMemory();
  let saves = 0;
  /** Fails once a run has begun, before its stream has. */
  const save = async (hash: string, body: string) => {
    saves++;
    if (saves === 2) throw new Error("the disk is gone for a moment");
    await memory.definitions.save(hash, body);
  };
  const database = withMethods(memory, { definitions: { ...memory.definitions, save } });
  await using server = await startTestServer([SLOW], { model: () => model, database });
  const answer = await server.post(`/api/crew/stream${CANCEL}`, { query: "hello" });
  assert.equal(answer.status, 500);
  const run = async () => (await database.runs.list({}))[0];
  while ((await run())?.status !== "ended") await setTimeout(1);
  assert.equal((await run())?.outcome, "cancelled");
});

test("who leaves a run that has paused meanwhile does not cancel what others do with it then", async () => {
  const memory = openMemory();
  const gate = Promise.withResolvers<void>();
  /** Blocks all reads of logs for a while. */
  const batches: Database["logs"]["batches"] = async (...place) => {
    await gate.promise;
    return memory.logs.batches(...place);
  };
  const database = withMethods(memory, { logs: { ...memory.logs, batches } });
  await using server = await startTestServer([WAITS], { database });
  const abort = new AbortController();
  const left = await fetch(`${server.url}/api/crew/stream${CANCEL}&q=hello&session_id=ours`, { signal: abort.signal });
  const id = left.headers.get("x-run-id") ?? "";
  while ((await database.runs.find(id))?.status !== "paused") await setTimeout(1);
  abort.abort();
  while (!(await (await server.get("/metrics")).text()).includes("baton_open_streams 0\n")) await setTimeout(1);
  gate.resolve();
  const next = await server.post("/api/runs", { input: "that one", session_id: "ours" }, { Prefer: "wait" });
  assert.equal(next.headers.get("x-run-id"), id);
  assert.equal((await sentOf(next))["outcome"], "done");
});
