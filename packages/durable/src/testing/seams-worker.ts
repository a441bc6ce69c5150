/**
 * Seams worker: a process that plays runs of the crew of `seams.ts` on a SQLite store, until it is killed or all have
 * ended and what follows them too. It says "ready" when it begins. Started as `node seams-worker.ts DATABASE RUNS`.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { toBatonError } from "@baton/core/util";
import { followUpIdOf } from "../engine/follow-up-run.ts";
import { DurableEngine } from "../engine/durable-engine.ts";
import { Store } from "@baton/store";
import { openSqlite } from "@baton/store/sqlite";
import { seams, seamsModel } from "./seams.ts";

const [path = "", count = ""] = process.argv.slice(2);
const store = await Store.open({ database: await openSqlite({ path }), leaseMs: 150 });
const engine = new DurableEngine({ store, crews: [seams], model: () => seamsModel });
process.stdout.write("ready\n");
await Promise.all(Array.from({ length: Number(count) }, (_, index) => play(`r${index}`)));
await engine.stop();
await store[Symbol.asyncDispose]();

/** Plays a run and the one that follows it to their ends. */
async function play(id: string): Promise<void> {
  if ((await store.database.runs.find(id)) === undefined)
    await engine.start(seams, { input: "What shall I drink?", id });
  await goOn(id);
  await goOn(followUpIdOf(id));
}

async function goOn(id: string): Promise<void> {
  for (;;) {
    const record = await store.database.runs.find(id);
    if (record?.status === "ended") return;
    try {
      if (record?.status === "paused") await (await engine.resume(id, "green")).result;
      else if (!engine.holds(id)) await (await engine.recoverRun(id)).result;
    } catch (error) {
      // The claims of the process before are free when its lease is over.
      const { code } = toBatonError(error, "internal");
      if (code !== "conflict" && code !== "run_ended") throw error;
    }
    await sleep(2);
  }
}
