/**
 * Seams process: a real process with runs of the crew `seams`, killed at a moment, and what its store must have then.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readAll } from "@baton/store";
import { openSqlite } from "@baton/store/sqlite";
import { followUpIdOf } from "../engine/follow-up-run.ts";
import { replay } from "../replay/replay.ts";
import { seams, toFacts } from "./seams.ts";

const WORKER = join(import.meta.dirname, "seams-worker.ts");
const RUNS = 12;

/** One life of a worker that is killed after so long; gives whether it came to the end before that. */
export async function liveSeams(path: string, lifeMs: number): Promise<boolean> {
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
export async function checkSeams(path: string, before: string | undefined): Promise<string> {
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
