import assert from "node:assert/strict";
import { PassThrough, Writable } from "node:stream";
import { test } from "node:test";
import { SimulatedClock } from "@baton/core/testing";
import type { Database, RunRecord } from "@baton/store";
import { openMemory } from "@baton/store/sqlite";
import { recordOf } from "@baton/store/testing";
import { KeyRing } from "../gateway/keys.ts";
import { ChangeFeed } from "./change-feed.ts";

const START = 1_000_000;
const VISIBLE = { tenant: "acme" };

/** A feed on a simulated clock, and a reader of it. */
function openFeed(database: Database, clock: SimulatedClock, crews: readonly object[] = []) {
  const keys = new KeyRing({ database, clock, isLoopback: true });
  const feed = new ChangeFeed({
    database,
    clock,
    isWelcome: (key) => keys.isWelcome(key),
    toCurrent: (record) => record,
    toView: ({ id, status }) => ({ id, status }),
    toCrews: () => crews,
    report: (error) => assert.fail(String(error)),
  });
  return { keys, feed };
}

async function read(feed: ChangeFeed, key: string): Promise<{ readonly outgoing: PassThrough; text(): string }> {
  const outgoing = new PassThrough();
  const chunks: Buffer[] = [];
  outgoing.on("data", (chunk: Buffer) => chunks.push(chunk));
  await feed.open({ outgoing, key, visible: VISIBLE });
  return { outgoing, text: () => Buffer.concat(chunks).toString() };
}

test("a feed that was opened without a key ends when the first key is created", async () => {
  const [database, clock] = [openMemory(), new SimulatedClock(START)];
  const { keys, feed } = openFeed(database, clock);
  const reader = await read(feed, "local");
  await clock.advance(5_000);
  assert.equal(reader.outgoing.writableEnded, false);
  await keys.create("acme", ["read"]);
  await clock.advance(2_000);
  assert.equal(reader.outgoing.writableEnded, true);
  await feed.close();
});

test("a revoked key loses its feed within 2 seconds, another one does not", async () => {
  const [database, clock] = [openMemory(), new SimulatedClock(START)];
  const { keys, feed } = openFeed(database, clock);
  const { record } = await keys.create("acme", ["read"]);
  const other = await keys.create("acme", ["read"]);
  const reader = await read(feed, record.id);
  const stays = await read(feed, other.record.id);
  await clock.advance(700);
  // By another process: this one learns it from the store.
  await database.keys.revoke(record.id, clock.now());
  await clock.advance(2_000);
  assert.equal(reader.outgoing.writableEnded, true);
  assert.match(reader.text(), /: the key was revoked/);
  assert.equal(stays.outgoing.writableEnded, false);
  await feed.close();
});

test("a run that another server wrote with a clock that is 5 seconds behind is told", async () => {
  const [database, clock] = [openMemory(), new SimulatedClock(START)];
  const changes: (() => void)[] = [];
  const records: RunRecord[] = [];
  const runs = {
    ...database.runs,
    list: async ({ changedSince = 0, status }: Parameters<Database["runs"]["list"]>[0]) =>
      status === undefined ? records.filter(({ updatedAt }) => updatedAt >= changedSince) : [],
  };
  const logs = { ...database.logs, watchAll: (changed: () => void) => (changes.push(changed), () => {}) };
  const { feed } = openFeed({ ...database, runs, logs }, clock);
  const reader = await read(feed, "local");
  await clock.advance(60_000);
  for (const change of changes) change();
  await clock.advance(1_000);
  records.push(recordOf("late", { ...VISIBLE, updatedAt: clock.now() - 5_000 }));
  for (const change of changes) change();
  await clock.advance(1_000);
  assert.match(reader.text(), /"id":"late"/);
  await feed.close();
});

test("a reader that takes nothing is closed, and another is told more", async () => {
  const clock = new SimulatedClock(START);
  const { feed } = openFeed(openMemory(), clock, [{ id: "x".repeat(600_000) }]);
  const stuck = new Writable({ write: () => {} });
  await feed.open({ outgoing: stuck, key: "local", visible: VISIBLE });
  const reader = await read(feed, "local");
  feed.crewsChanged();
  feed.crewsChanged();
  await clock.advance(1_000);
  feed.crewsChanged();
  await clock.advance(1_000);
  assert.deepEqual([stuck.destroyed, feed.dropped, feed.size], [true, 1, 1]);
  assert.equal(reader.text().split('"type":"crews"').length, 4);
  await feed.close();
});
