/**
 * Kill worker: a process that runs twenty runs of two crews on a SQLite store, until it is killed or all have ended.
 *
 * Each thing its tools do, each model call, each command before and after it is sent and each event a reader of it
 * sees is a line in a file, written at once. It says "ready" when it begins. Started as
 * `node kill-worker.ts DATABASE FILE BATCH`.
 */
import { appendFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import {
  BatonError,
  type Command,
  type Crew,
  fold,
  type Model,
  type Run,
  type RunEvent,
  scriptModel,
} from "@baton/core";
import { toBatonError } from "@baton/core/util";
import { DurableEngine } from "../engine/durable-engine.ts";
import { Store, readAll } from "@baton/store";
import { openSqlite } from "@baton/store/sqlite";
import { defineFiveSteps, REPLIES } from "./five-steps.ts";
import { defineParts, ORDERS, PARTS_REPLIES, toNext } from "./parts.ts";

/** As each of four users. */
const RUNS = 5;

const [path = "", file = "", batch = ""] = process.argv.slice(2);
const tell = (line: object): void => appendFileSync(file, `${JSON.stringify(line)}\n`);
const script = scriptModel(new Map([...REPLIES, ...PARTS_REPLIES]));

const model: Model = {
  name: "script",
  async *stream(prompt, scope) {
    const { run, agent, messages, temperature } = prompt;
    tell({ is: "model", run, agent, messages: messages.length, temperature });
    for await (const chunks of script.stream(prompt, scope)) {
      await sleep(1);
      yield chunks;
    }
  },
};

const fiveSteps = defineFiveSteps(async (deed) => {
  await sleep(2);
  tell({ is: "deed", ...deed });
  await sleep(2);
});

const parts = defineParts({
  begins: ({ run, call, attempt, key }) => tell({ is: "deed", run, call, attempt, key, effect: "read" }),
  sleeps: async ({ run, scope }) => {
    try {
      // A process that was frozen learns that it has lost its run when it writes, and one that sleeps does not write.
      while ((await store.database.runs.find(run))?.status !== "ended") await scope.sleep(50);
    } finally {
      await sleep(20);
    }
  },
});

/** Starts a run and drives it to its end. */
interface User {
  readonly crew: Crew;
  /** Chooses the next command by the stored log. */
  readonly next: (events: readonly RunEvent[]) => Command | undefined;
}

const USERS: readonly User[] = ORDERS.flatMap((order) => [
  { crew: fiveSteps, next: sayAgain },
  { crew: parts, next: (events) => toNext(events, order) },
]);

const store = await Store.open({ database: await openSqlite({ path }), leaseMs: 150 });
const engine = new DurableEngine({ store, crews: [fiveSteps, parts], model: () => model });
tell({ is: "began" });
process.stdout.write("ready\n");
await Promise.all(
  USERS.flatMap((user, who) => Array.from({ length: RUNS }, (_, index) => play(`${batch}-${who}-${index}`, user))),
);
await engine.stop();
await store[Symbol.asyncDispose]();

/** Repeats a call whose result is unknown. */
function sayAgain(events: readonly RunEvent[]): Command | undefined {
  const [open] = fold(events).questions.values();
  return open && { type: "answer", question: open.question, value: "again" };
}

async function play(id: string, user: User): Promise<void> {
  await begin(id, user.crew);
  for (let seen = 0; ;) {
    const run = await takeUp(id);
    const acting: Promise<void>[] = [];
    let hasEnded = false;
    for await (const event of run.events({ after: seen })) {
      seen = event.seq;
      tell({ is: "seen", event });
      hasEnded = event.type === "run.ended";
      if (event.type === "call.started" && event.tool === "Sleep") acting.push(act(id, user));
    }
    await Promise.all(acting);
    if (hasEnded) return;
    await act(id, user);
    // A run that another process has taken over is let go meanwhile.
    await sleep(1);
  }
}

/** Sends what is to be sent now, until it is accepted: a run that was just recovered may not have come to it yet. */
async function act(id: string, { next }: User): Promise<void> {
  for (;;) {
    const command = next(await readAll(store.database, id));
    if (command === undefined) return;
    const line = { run: id, command: JSON.stringify(command) };
    tell({ is: "sent", ...line });
    try {
      await engine.command(id, command);
      tell({ is: "acknowledged", ...line });
    } catch (error) {
      if (!(error instanceof BatonError)) throw error;
      await sleep(2);
    }
  }
}

async function begin(id: string, crew: Crew): Promise<void> {
  try {
    if ((await store.database.runs.find(id)) === undefined) await engine.start(crew, { input: "go", id });
  } catch (error) {
    // It was frozen meanwhile, and the other one began it.
    if (toBatonError(error, "internal").code !== "conflict") throw error;
  }
}

/** The claims of the process before are free when its lease is over. */
async function takeUp(id: string): Promise<Run> {
  for (;;) {
    try {
      return await engine.recoverRun(id);
    } catch (error) {
      const { code } = toBatonError(error, "internal");
      const run = code === "run_ended" ? await engine.run(id) : undefined;
      if (run !== undefined) return run;
      if (code !== "conflict") throw error;
    }
  }
}
