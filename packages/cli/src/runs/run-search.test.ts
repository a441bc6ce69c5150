import assert from "node:assert/strict";
import { test } from "node:test";
import type { Database, RunRecord } from "@baton/store";
import { openMemory } from "@baton/store/sqlite";
import { requireRun, listRuns } from "./run-search.ts";

const BASE: RunRecord = {
  id: "",
  tenant: "local",
  user: "local",
  crew: "c",
  definition: "d",
  status: "ended",
  outcome: "done",
  request: null,
  input: "",
  agent: "a",
  turns: 1,
  steps: 1,
  calls: 0,
  inputTokens: 0,
  outputTokens: 0,
  costUsd: 0,
  questions: [],
  createdAt: 0,
  updatedAt: 0,
};

async function databaseOf(...records: readonly Partial<RunRecord>[]): Promise<Database> {
  const database = openMemory();
  await database.claims.renew("me", 60_000);
  for (const [index, record] of records.entries()) {
    const run = { ...BASE, createdAt: index, updatedAt: index, ...record };
    const claim = { key: `run:${run.id}`, owner: "me", number: index };
    await database.commit([{ claim, begins: true, ends: run.status !== "running", run }]);
  }
  return database;
}

test("a run is found by its id, its beginning or its end, if only one run matches", async () => {
  const database = await databaseOf({ id: "abcd1111" }, { id: "abcd2222" }, { id: "abcd" }, { id: "r" });
  assert.equal((await requireRun(database, "abcd1")).id, "abcd1111");
  assert.equal((await requireRun(database, "2222")).id, "abcd2222");
  assert.equal((await requireRun(database, "abcd")).id, "abcd");
  assert.equal((await requireRun(database, "r")).id, "r");
  await assert.rejects(requireRun(database, "abc"), { code: "not_found", message: /at least 4 characters/ });
  await assert.rejects(requireRun(database, "zzzz"), { code: "not_found", message: /`baton runs` lists/ });
  const two = await databaseOf({ id: "abcd1111" }, { id: "abcd2222" });
  await assert.rejects(requireRun(two, "abcd"), {
    code: "invalid",
    message: "2 runs match abcd: abcd2222, abcd1111; write more of the id",
  });
});

test("a run is found by the beginning of its short id, as the list shows it", async () => {
  const id = "01a1e28e-1c2d-7000-8000-0a1b8689648c";
  const database = await databaseOf({ id }, { id: "01a1e28e-1c2d-7000-8000-0a1b11112222" });
  assert.equal((await requireRun(database, "8689")).id, id);
  assert.equal((await requireRun(database, "8689648c")).id, id);
  await assert.rejects(requireRun(database, "1b86"), { code: "not_found" });
});

test("a running run without a live owner is interrupted", async () => {
  const database = await databaseOf({ id: "held", status: "running" }, { id: "left", status: "running" });
  await database.claims.release({ key: "run:left", owner: "me", number: 1 });
  const all = { crew: undefined, session: undefined, status: undefined, limit: 10 };
  assert.deepEqual(
    (await listRuns(database, all)).map(({ id, state }) => [id, state]),
    [
      ["left", "interrupted"],
      ["held", "running"],
    ],
  );
  assert.deepEqual(
    (await listRuns(database, { ...all, status: "running" })).map(({ id }) => id),
    ["held"],
  );
});

test("more runs than one page are all looked at", async () => {
  const database = await databaseOf(...Array.from({ length: 1_101 }, (_, index) => ({ id: `run-${index}` })));
  assert.equal((await requireRun(database, "run-0")).id, "run-0");
  const wanted = { crew: undefined, session: undefined, status: undefined, limit: 1_100 } as const;
  assert.equal((await listRuns(database, wanted)).length, 1_100);
});
