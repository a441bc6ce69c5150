/**
 * Kill worker: a process that runs twenty runs on a SQLite store, until it is killed or all have ended.
 *
 * Each thing its tools do, each model call and each event a reader of it sees is a line in a file, written at once.
 * It says "ready" when it begins. Started as `node kill-worker.ts DATABASE FILE BATCH`.
 */
import { appendFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { type Model, type Run, scriptModel, toBatonError } from "@baton/core";
import { DurableEngine } from "../durable-engine.ts";
import { openSqlite } from "../sqlite/index.ts";
import { Store } from "../store.ts";
import { defineFiveSteps, REPLIES } from "./five-steps.ts";

const RUNS = 20;

const [path = "", file = "", batch = ""] = process.argv.slice(2);
const tell = (line: object): void => appendFileSync(file, `${JSON.stringify(line)}\n`);
const script = scriptModel(REPLIES);

const model: Model = {
  name: "script",
  async *stream(prompt, scope) {
    tell({ is: "model", run: prompt.run, agent: prompt.agent, messages: prompt.messages.length });
    for await (const chunks of script.stream(prompt, scope)) {
      await sleep(1);
      yield chunks;
    }
  },
};

const crew = defineFiveSteps(async (deed) => {
  await sleep(2);
  tell({ is: "deed", ...deed });
  await sleep(2);
});

const store = await Store.open({ database: await openSqlite({ path }), leaseMs: 150 });
const engine = new DurableEngine({ store, crews: [crew], model: () => model });
process.stdout.write("ready\n");
await Promise.all(Array.from({ length: RUNS }, (_, index) => play(`${batch}-${index}`)));
await engine.stop();
await store[Symbol.asyncDispose]();

async function play(id: string): Promise<void> {
  await begin(id);
  for (let seen = 0; ;) {
    const run = await takeUp(id);
    for await (const event of run.events(seen)) {
      seen = event.seq;
      tell({ is: "seen", event });
      if (event.type === "run.ended") return;
    }
    const { questions } = await run.outcome;
    for (const { question } of questions.slice(0, 1)) {
      await engine.command(id, { type: "answer", question, value: "again" });
    }
  }
}

async function begin(id: string): Promise<void> {
  try {
    if ((await store.database.run(id)) === undefined) await engine.start(crew, { input: "go", id });
  } catch (error) {
    // It was frozen meanwhile, and the other one began it.
    if (toBatonError(error, "internal").code !== "conflict") throw error;
  }
}

/** The claims of the process before are free when its lease is over. */
async function takeUp(id: string): Promise<Run> {
  for (;;) {
    try {
      return await engine.takeUp(id);
    } catch (error) {
      const { code } = toBatonError(error, "internal");
      const run = code === "run_ended" ? await engine.run(id) : undefined;
      if (run !== undefined) return run;
      if (code !== "conflict") throw error;
    }
  }
}
