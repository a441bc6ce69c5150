/**
 * Fatal worker: a process with a run whose tool kills it, and others that only take their time, on a SQLite store.
 *
 * It begins them if there are none yet, recovers what was interrupted, and ends when all runs have. Started as `node
 * fatal-worker.ts DATABASE`.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { defineCrew, defineTool, scriptModel } from "@baton/core";
import { z } from "zod";
import { DurableEngine } from "../engine/durable-engine.ts";
import { Store } from "@baton/store";
import { openSqlite } from "@baton/store/sqlite";

/** More than the process lives once the other tool is used. */
const SLOW_MS = 200;

const [path = ""] = process.argv.slice(2);
const fields = { description: "Does something.", input: z.object({}), effect: "idempotent" } as const;
const fatal = defineTool({ ...fields, name: "Fatal", run: () => process.kill(process.pid, "SIGKILL") });
const slow = defineTool({ ...fields, name: "Slow", run: () => sleep(SLOW_MS, "done") });
const crew = defineCrew({
  name: "mixed",
  agents: [
    { id: "bad", tools: ["Fatal"], isTerminal: true },
    { id: "good", tools: ["Slow"], isTerminal: true },
  ],
  tools: [fatal, slow],
});
const model = scriptModel({
  bad: [{ call: [{ tool: "Fatal" }] }, { say: "Done." }],
  good: [{ call: [{ tool: "Slow" }] }, { say: "Done." }],
});

const store = await Store.open({ database: await openSqlite({ path }), leaseMs: 150 });
const engine = new DurableEngine({ store, crews: [crew], model: () => model });
if ((await store.database.runs.list({})).length === 0) {
  const agents = ["good", "good", "bad", "good"];
  await Promise.all(agents.map((agent, index) => engine.start(crew, { input: "go", agent, id: `${agent}-${index}` })));
}
await engine.recover();
while ((await store.database.runs.list({})).some(({ status }) => status !== "ended")) await sleep(50);
await engine.stop();
await store[Symbol.asyncDispose]();
