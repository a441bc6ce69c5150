import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openSqlite } from "@baton/store/sqlite";

const WORKER = join(import.meta.dirname, "../testing", "fatal-worker.ts");

test("real processes that a run kills each time: one survives in the end, and all other runs are done", async (context) => {
  const folder = await mkdtemp(join(tmpdir(), "baton-trial-"));
  context.after(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, "baton.db");
  let kills = 0;
  for (; ; kills++) {
    const child = spawn(process.execPath, [WORKER, path], { stdio: "inherit" });
    await once(child, "exit");
    if (child.signalCode !== "SIGKILL") assert.equal(child.exitCode, 0);
    if (child.exitCode === 0) break;
  }
  await using database = await openSqlite({ path });
  const records = await database.runs.list({});
  assert.deepEqual(records.map(({ id, outcome }) => `${id} ${outcome}`).toSorted(), [
    "bad-2 failed",
    "good-0 done",
    "good-1 done",
    "good-3 done",
  ]);
  assert.equal(kills, 6);
});
