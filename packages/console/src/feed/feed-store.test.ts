import assert from "node:assert/strict";
import { test } from "node:test";
import type { RunInfo } from "@baton/client";
import { runInfo } from "../testing/run-info.ts";
import { FeedStore } from "./feed-store.ts";

const ids = (runs: readonly RunInfo[]) => runs.map(({ id }) => id);

test("what waits is known from the snapshot and from each run that changes, the longest first", () => {
  const feed = new FeedStore();
  const paused = (id: string, updated_at: string) => runInfo(id, { status: "paused", updated_at });
  feed.take({
    type: "snapshot",
    runs: [paused("b", "2026-01-02"), paused("a", "2026-01-01"), runInfo("r")],
    crews: [],
  });
  assert.deepEqual(ids(feed.waiting), ["a", "b"]);
  feed.take({ type: "run", run: paused("r", "2026-01-03") });
  feed.take({ type: "run", run: runInfo("a", { status: "ended", outcome: "done" }) });
  assert.deepEqual(ids(feed.waiting), ["b", "r"]);
  feed.take({ type: "snapshot", runs: [], crews: [] });
  assert.deepEqual([feed.waiting.length, feed.connections], [0, 2]);
});

test("listeners are told of every change, and of runs by themselves, until they stop", () => {
  const feed = new FeedStore();
  const told: string[] = [];
  const stop = feed.subscribe(() => told.push("changed"));
  const stopRuns = feed.onRun(({ id }) => told.push(id));
  feed.take({ type: "run", run: runInfo("a") });
  assert.deepEqual(told, ["a", "changed"]);
  stop();
  stopRuns();
  feed.take({ type: "run", run: runInfo("b") });
  assert.equal(told.length, 2);
});

test("a run that is removed does not wait any more, and listeners are told", () => {
  const feed = new FeedStore();
  const told: string[] = [];
  feed.onRun(() => told.push("changed"));
  feed.onRemoved((id) => told.push(id));
  feed.take({ type: "snapshot", runs: [runInfo("a", { status: "paused" })], crews: [] });
  feed.take({ type: "removed", id: "a" });
  assert.deepEqual([feed.waiting.length, told], [0, ["a"]]);
});

test("crews are read again when they changed, and after a time without a connection", () => {
  const feed = new FeedStore();
  const snapshot = { type: "snapshot", runs: [], crews: [] } as const;
  const counts: number[] = [];
  for (const change of [snapshot, { type: "crews", crews: [] } as const, snapshot]) {
    feed.take(change);
    counts.push(feed.crewChanges);
  }
  assert.deepEqual(counts, [0, 1, 2]);
});

test("a lost connection is known until something is heard again", () => {
  const feed = new FeedStore();
  feed.lose({ nextAt: 5, isStopping: true });
  assert.deepEqual(feed.lost, { nextAt: 5, isStopping: true });
  feed.take({ type: "snapshot", runs: [], crews: [] });
  assert.equal(feed.lost, undefined);
});

test("crews are read again after the first connection, if that was lost before it was made", () => {
  const feed = new FeedStore();
  feed.lose({ nextAt: 0, isStopping: false });
  feed.take({ type: "snapshot", runs: [], crews: [] });
  assert.deepEqual([feed.connections, feed.crewChanges, feed.lost], [1, 1, undefined]);
});
