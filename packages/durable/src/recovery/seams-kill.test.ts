/** Programs, outputs, notes, sub-crews and what runs after, in processes that are killed again and again. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { SimulatedClock } from "@baton/core/testing";
import { followUpIdOf } from "../engine/follow-up-run.ts";
import { readAll } from "@baton/store";
import { openSqlite } from "@baton/store/sqlite";
import { replay } from "../replay/replay.ts";
import { seams, toFacts } from "../testing/seams.ts";

const WORKER = join(import.meta.dirname, "../testing", "seams-worker.ts");
const RUNS = 12;
const MIN_KILLS = 12;
const MAX_KILLS = 300;
/** Less than the runs take. */
const MAX_LIFE_MS = 60;

test(`processes that are killed at least ${MIN_KILLS} times: each run ends as if nothing had happened, and one follows it`, async (t) => {
  const seed = Number(process.env["BATON_SEED"] ?? Date.now() % 1_000_000);
  t.diagnostic(`seed ${seed}`);
  const chance = new SimulatedClock(seed);
  const folder = await mkdtemp(join(tmpdir(), "baton-seams-"));
  try {
    let kills = 0;
    let last: string | undefined;
    for (let batch = 0; kills < MIN_KILLS; batch++) {
      const path = join(folder, `${batch}.db`);
      while (!(await live(path, chance.random() * MAX_LIFE_MS * (1 + kills / 50)))) kills++;
      assert.ok(kills < MAX_KILLS, "the runs do not come to their end");
      last = await check(path, last);
    }
    t.diagnostic(`${kills} kills`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

/** One life of a worker that is killed after so long; gives whether it came to the end before that. */
async function live(path: string, lifeMs: number): Promise<boolean> {
  const child = spawn(process.execPath, [WORKER, path, `${RUNS}`], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "exit");
  await Promise.race([ended, once(child.stdout, "data")]);
  const isOver = await Promise.race([ended.then(() => true), sleep(lifeMs).then(() => false)]);
  if (!isOver) child.kill("SIGKILL");
  await ended;
  if (isOver) assert.equal(child.exitCode, 0);
  return isOver;
}

/** All runs of a store have said the same, up to their ids; gives what that was. */
async function check(path: string, before: string | undefined): Promise<string> {
  await using database = await openSqlite({ path });
  let said = before;
  for (let index = 0; index < RUNS; index++) {
    const id = `r${index}`;
    const events = await readAll(database, id);
    const facts = JSON.stringify(toFacts(events));
    assert.equal(facts, (said ??= facts), id);
    assert.equal(await replay(seams, events), undefined, id);
    const next = (await database.runs.find(followUpIdOf(id))) ?? assert.fail(`nothing follows ${id}`);
    assert.deepEqual([next.outcome, next.afterOf, next.crew], ["done", id, "notes"]);
  }
  assert.equal((await database.runs.list({ limit: 1_000 })).length, 2 * RUNS);
  assert.match(said ?? "", /"end":\[\["done"/);
  return said ?? assert.fail("there are no runs");
}
