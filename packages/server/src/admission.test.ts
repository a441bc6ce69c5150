import assert from "node:assert/strict";
import { test } from "node:test";
import { BatonError } from "@baton/core";
import { MemoryDatabase } from "@baton/store";
import { Admission } from "./admission.ts";
import { GatedModel, SLOW } from "./testing/crews.ts";
import { startTestServer } from "./testing/test-server.ts";

test("those who are on their way in count until they are through", () => {
  const engine = { open: 1 };
  const admission = new Admission({ engine, store: { problem: undefined }, maxRuns: 2 });
  {
    using _first = admission.enter();
    assert.throws(() => admission.enter(), { code: "overloaded", status: 503, headers: { "Retry-After": "1" } });
  }
  admission.enter()[Symbol.dispose]();
  engine.open = 2;
  assert.throws(() => admission.enter(), { status: 503 });
});

test("a run that the engine counts is not counted once more while its request is answered", () => {
  const engine = { open: 0 };
  const admission = new Admission({ engine, store: { problem: undefined }, maxRuns: 3 });
  const first = admission.enter();
  engine.open = 1;
  const second = admission.enter();
  const third = admission.enter();
  assert.throws(() => admission.enter(), { code: "overloaded" });
  engine.open = 3;
  for (const entry of [second, first, third]) entry[Symbol.dispose]();
  assert.throws(() => admission.enter(), { code: "overloaded" });
  engine.open = 2;
  admission.enter();
  assert.throws(() => admission.enter(), { code: "overloaded" });
});

test("one who leaves without a run lets nobody in for another", () => {
  const engine = { open: 0 };
  const admission = new Admission({ engine, store: { problem: undefined }, maxRuns: 2 });
  const first = admission.enter();
  const second = admission.enter();
  engine.open = 1;
  second[Symbol.dispose]();
  engine.open = 2;
  assert.throws(() => admission.enter(), { code: "overloaded" });
  first[Symbol.dispose]();
  assert.throws(() => admission.enter(), { code: "overloaded" });
});

test("as many requests as there may be runs are taken on while their runs are being written, and no more", async () => {
  const model = new GatedModel();
  const database = new MemoryDatabase();
  await using server = await startTestServer([SLOW], { maxRuns: 2, database, model: () => model });
  const writing = Promise.withResolvers<void>();
  const disk = Promise.withResolvers<void>();
  const commit = database.commit.bind(database);
  database.commit = async (changes) => {
    writing.resolve();
    await disk.promise;
    return commit(changes);
  };
  const start = async () => (await server.post("/api/runs", { input: "hello" })).status;
  const first = start();
  await writing.promise;
  const second = start();
  // Whoever is refused is told so at once, and whoever is taken on only when it is on disk.
  setTimeout(() => disk.resolve(), 100);
  assert.deepEqual(await Promise.all([first, second]), [202, 202]);
  assert.equal(await start(), 503);
  model.end();
});

test("nothing is taken on while the store cannot be written or the server stops", () => {
  const problem = new BatonError("busy", "the disk is full");
  const store: { problem: BatonError | undefined } = { problem };
  const admission = new Admission({ engine: { open: 0 }, store, maxRuns: 2 });
  assert.throws(() => admission.enter(), {
    code: "store_unavailable",
    status: 503,
    headers: { "Retry-After": "1" },
    cause: problem,
  });
  assert.equal(admission.isReady, false);
  store.problem = undefined;
  assert.equal(admission.isReady, true);
  admission.stop();
  assert.equal(admission.isReady, false);
  assert.throws(() => admission.check(), { code: "stopping", status: 503, headers: { "Retry-After": "5" } });
});
