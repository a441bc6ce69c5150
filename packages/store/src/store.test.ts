import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedClock } from "@baton/core/testing";
import type { Change } from "./record.ts";
import { openMemory, SharedMemory } from "./sqlite/memory.ts";
import { Store } from "./store.ts";
import { hold } from "./testing/database-pair.ts";

const request = { key: "request:k", fingerprint: "f", run: "r", keptUntil: 1e15 };

test("changes of one turn are one commit, and each learns whether it was written", async () => {
  const data = new SharedMemory();
  const commits: (readonly Change[])[] = [];
  const second = data.open();
  const commit = (changes: readonly Change[]) => {
    commits.push(changes);
    return second.commit(changes);
  };
  await using store = await Store.open({ database: Object.assign(data.open(), { commit }) });
  const claim = await store.lease.claim(request.key);
  assert.ok(claim !== undefined);
  const theirs = { ...(await hold(store.database, "request:theirs", "other")), number: 2 };
  const written = await Promise.all([
    store.write({ claim, request }),
    store.write({ claim: theirs, request: { ...request, key: theirs.key } }),
  ]);
  assert.deepEqual([written, commits.length], [[true, false], 1]);
  assert.deepEqual(await store.database.requests.find(request.key), request);
  assert.equal(await store.database.requests.find(theirs.key), undefined);
});

test("what cannot be written now is refused at once", async () => {
  const commit = () => Promise.reject(new Error("the disk is full"));
  const store = await Store.open({ database: Object.assign(openMemory(), { commit }) });
  const claim = await store.lease.claim(request.key);
  assert.ok(claim !== undefined);
  for (let tries = 0; tries < 2; tries++) {
    await assert.rejects(store.write({ claim, request }), { code: "busy", retryable: true, message: /disk is full/ });
  }
  await store[Symbol.asyncDispose]();
});

test("a store is healthy again, each time, once what it could not write is written", async () => {
  const clock = new SimulatedClock(1);
  const database = openMemory();
  let isFull = false;
  const commit: typeof database.commit = (changes) =>
    isFull ? Promise.reject(new Error("the disk is full")) : ownCommit(changes);
  const ownCommit = database.commit.bind(database);
  await using store = await Store.open({ database: Object.assign(database, { commit }), clock });
  const claim = await store.lease.claim(request.key);
  assert.ok(claim !== undefined);
  for (let times = 0; times < 2; times++) {
    isFull = true;
    await assert.rejects(clock.run(store.write({ claim, request })), { code: "busy" });
    assert.equal(store.healthy, false);
    isFull = false;
    await clock.advance(2_000);
    assert.equal(store.healthy, true);
    assert.equal(await clock.run(store.write({ claim, request })), true);
  }
});
