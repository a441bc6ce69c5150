import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { test } from "node:test";
import { DurableEngine } from "@baton/durable";
import { Store } from "@baton/store";
import { openMemory } from "@baton/store/sqlite";
import { Admission } from "./admission.ts";
import { GatedModel, SLOW } from "../testing/crews.ts";
import { startTestServer } from "../testing/test-server.ts";

/** Admission to an engine whose runs are running until the model ends. */
async function open(maxRuns: number) {
  const database = openMemory();
  const model = new GatedModel();
  const store = await Store.open({ database });
  const engine = new DurableEngine({ store, crews: [SLOW.crew], model: () => model });
  return {
    admission: new Admission({ engine, store, maxRuns }),
    database,
    store,
    model,
    start: (id: string) => engine.start(SLOW.crew, { input: "hello", id }),
    [Symbol.asyncDispose]: async () => {
      await engine.stop();
      await store[Symbol.asyncDispose]();
    },
  };
}

const OVERLOADED = { code: "overloaded", status: 503, headers: { "Retry-After": "1" } };

test("a run counts from when somebody is on the way to it until it is let go, and once", async () => {
  await using world = await open(2);
  const { admission, model, start } = world;
  const first = admission.enter("1");
  const run = await start("1");
  const second = admission.enter("2");
  assert.throws(() => admission.enter("3"), OVERLOADED);
  first[Symbol.dispose]();
  assert.throws(() => admission.enter("3"), OVERLOADED);
  second[Symbol.dispose]();
  admission.enter("3")[Symbol.dispose]();
  using _third = admission.enter("3");
  assert.throws(() => admission.enter("4"), OVERLOADED);
  model.end();
  await run.result;
  using _fourth = admission.enter("4");
  assert.throws(() => admission.enter("5"), OVERLOADED);
});

test("whoever goes to a run that is here, or on its way, needs no room of its own", async () => {
  await using world = await open(2);
  const { admission, start } = world;
  await start("1");
  using _on = admission.enter("1");
  using _coming = admission.enter("2");
  using _too = admission.enter("2");
  using _again = admission.enter("1");
  assert.throws(() => admission.enter("3"), OVERLOADED);
});

test("one who leaves without a run lets nobody in for another", async () => {
  await using world = await open(2);
  const { admission, start } = world;
  const first = admission.enter("1");
  const second = admission.enter("2");
  await start("1");
  second[Symbol.dispose]();
  await start("2");
  assert.throws(() => admission.enter("3"), OVERLOADED);
  first[Symbol.dispose]();
  assert.throws(() => admission.enter("3"), OVERLOADED);
});

test("as many requests as there may be runs are taken on while their runs are being written, and no more", async () => {
  const model = new GatedModel();
  const database = openMemory();
  await using server = await startTestServer([SLOW], { maxRuns: 2, database, model: () => model });
  const disk = Promise.withResolvers<void>();
  const commit = database.commit.bind(database);
  database.commit = async (changes) => {
    await disk.promise;
    return commit(changes);
  };
  const start = async () => (await server.post("/api/runs", { input: "hello" })).status;
  const started = [start(), start(), start()];
  // Whoever is refused is told so at once, and whoever is taken on only when it is on disk.
  assert.equal(await Promise.race(started), 503);
  disk.resolve();
  const statuses = await Promise.all(started);
  assert.deepEqual(
    statuses.toSorted((one, other) => one - other),
    [202, 202, 503],
  );
  assert.equal(await start(), 503);
  model.end();
});

test("nothing is taken on while the store cannot be written or the server stops", async () => {
  await using world = await open(2);
  const { admission, database, store, start } = world;
  const commit = database.commit.bind(database);
  database.commit = () => Promise.reject(new Error("the disk is full"));
  await assert.rejects(start("1"), { code: "busy" });
  const unavailable = { code: "store_unavailable", status: 503, headers: { "Retry-After": "1" }, cause: store.problem };
  assert.throws(() => admission.enter("1"), unavailable);
  assert.equal(admission.isReady, false);
  database.commit = commit;
  while (store.problem !== undefined) await setImmediate();
  assert.equal(admission.isReady, true);
  admission.stop();
  assert.equal(admission.isReady, false);
  assert.throws(() => admission.check(), { code: "stopping", status: 503, headers: { "Retry-After": "5" } });
});
