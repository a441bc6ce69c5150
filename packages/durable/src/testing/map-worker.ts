/**
 * Map worker: a process that plays one run of the crew of `map-crew.ts` on a SQLite store, and kills itself at the stamp
 * with the given number. Each stamp is a line of a file, written at once. Started as `node map-worker.ts DATABASE FILE LAST`.
 */
import { appendFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { scriptModel } from "@baton/core";
import { toBatonError } from "@baton/core/util";
import { Store } from "@baton/store";
import { openSqlite } from "@baton/store/sqlite";
import { DurableEngine } from "../engine/durable-engine.ts";
import { defineMapCrew } from "./map-crew.ts";

const [path = "", file = "", last = ""] = process.argv.slice(2);
const model = scriptModel({ summary: [{ say: "All are stamped." }] });
let left = Number(last);
const crew = defineMapCrew((item) => {
  appendFileSync(file, `${item}\n`);
  left -= 1;
  if (left === 0) process.kill(process.pid, "SIGKILL");
});

const store = await Store.open({ database: await openSqlite({ path }), leaseMs: 150 });
const engine = new DurableEngine({ store, crews: [crew], model: () => model });
if ((await store.database.runs.find("r")) === undefined) await engine.start(crew, { input: "go", id: "r" });
while ((await store.database.runs.find("r"))?.status !== "ended") {
  try {
    if (!engine.holds("r")) await (await engine.recoverRun("r")).result;
  } catch (error) {
    // The claim of the process before is free when its lease is over.
    const { code } = toBatonError(error, "internal");
    if (code !== "conflict" && code !== "run_ended") throw error;
  }
  await sleep(2);
}
await engine.stop();
await store[Symbol.asyncDispose]();
