import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { MemoryDatabase } from "@baton/store";
import { GatedModel, SLOW, WAITS } from "../testing/crews.ts";
import { sentOf } from "../testing/sent.ts";
import { startTestServer } from "../testing/test-server.ts";

const CANCEL = "?on_disconnect=cancel";

test("a client that was answered before the outcome has not left: its run continues", async () => {
  const model = new GatedModel();
  const database = new MemoryDatabase();
  await using server = await startTestServer([SLOW], { model: () => model, database });
  const answer = await server.post(`/api/runs${CANCEL}`, { input: "hello" }, { Prefer: "wait=0" });
  assert.equal(answer.status, 202);
  const { id = "" } = await sentOf(answer);
  // An answer over the same connection comes after the one before has left it.
  await sentOf(await server.get(`/api/runs/${id}`));
  model.say("Hello.");
  model.end();
  while ((await database.run(id))?.status !== "ended") await setTimeout(1);
  assert.equal((await database.run(id))?.outcome, "done");
});

test("a server that stops leaves a run whose client was answered for the next start", async () => {
  const model = new GatedModel();
  const database = new MemoryDatabase();
  await using server = await startTestServer([SLOW], { model: () => model, database });
  const answer = await server.post(`/api/runs${CANCEL}`, { input: "hello" }, { Prefer: "wait=0" });
  const { id = "" } = await sentOf(answer);
  await sentOf(await server.get(`/api/runs/${id}`));
  await server.server.stop();
  assert.equal((await database.run(id))?.status, "running");
});

/** Fails once a run has begun, before its stream has. */
class FailingDatabase extends MemoryDatabase {
  #saves = 0;

  override async saveDefinition(hash: string, body: string): Promise<void> {
    this.#saves++;
    if (this.#saves === 2) throw new Error("the disk is gone for a moment");
    return super.saveDefinition(hash, body);
  }
}

test("a run that ends with its client is cancelled where its stream cannot be opened", async () => {
  const model = new GatedModel();
  const database = new FailingDatabase();
  await using server = await startTestServer([SLOW], { model: () => model, database });
  const answer = await server.post(`/api/crew/stream${CANCEL}`, { query: "hello" });
  assert.equal(answer.status, 500);
  const run = async () => (await database.runs({}))[0];
  while ((await run())?.status !== "ended") await setTimeout(1);
  assert.equal((await run())?.outcome, "cancelled");
});

/** Lets nobody read a log for a while. */
class GatedDatabase extends MemoryDatabase {
  readonly gate = Promise.withResolvers<void>();

  override async batches(...place: Parameters<MemoryDatabase["batches"]>): ReturnType<MemoryDatabase["batches"]> {
    await this.gate.promise;
    return super.batches(...place);
  }
}

test("who leaves a run that has paused meanwhile does not cancel what others do with it then", async () => {
  const database = new GatedDatabase();
  await using server = await startTestServer([WAITS], { database });
  const abort = new AbortController();
  const left = await fetch(`${server.url}/api/crew/stream${CANCEL}&q=hello&session_id=ours`, { signal: abort.signal });
  const id = left.headers.get("x-run-id") ?? "";
  while ((await database.run(id))?.status !== "paused") await setTimeout(1);
  abort.abort();
  while (!(await (await server.get("/metrics")).text()).includes("baton_open_streams 0\n")) await setTimeout(1);
  database.gate.resolve();
  const next = await server.post("/api/runs", { input: "that one", session_id: "ours" }, { Prefer: "wait" });
  assert.equal(next.headers.get("x-run-id"), id);
  assert.equal((await sentOf(next))["outcome"], "done");
});
