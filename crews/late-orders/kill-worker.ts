/**
 * Kill worker: a process that plays the clerk's run on a SQLite store, and kills itself at a moment: when it reads an
 * event (`event 120`), or before or after a refund (`before 7`, `after 7`). Each thing that a tool does is a line of a
 * file, written at once. Started as `node kill-worker.ts DATABASE FILE MOMENT NUMBER`.
 */
import { appendFileSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { type Crew, scriptModel, type Tool } from "@baton/core";
import type { EventBodyOf } from "@baton/core/ports";
import { toBatonError } from "@baton/core/util";
import { DurableEngine } from "@baton/durable";
import { Store } from "@baton/store";
import { openSqlite } from "@baton/store/sqlite";
import { crew, INPUT, interpreter, isRefused, replies } from "./clerk-run.ts";

const [path = "", file = "", moment = "", number = ""] = process.argv.slice(2);
const last = Number(number);
const pass = (name: string, at: number): void => {
  if (name === moment && at >= last) process.kill(process.pid, "SIGKILL");
};

let refunds = 0;

/** The same tool, which writes what it does. */
function watch(tool: Tool): Tool {
  const prepare: Tool["prepare"] = async (args) => {
    const prepared = await tool.prepare(args);
    if (!prepared.ok) return prepared;
    const run: typeof prepared.run = (context) => {
      if (tool.name === "refund") pass("before", ++refunds);
      appendFileSync(file, `${tool.name} ${context.call} ${JSON.stringify(args)}\n`);
      if (tool.name === "refund") pass("after", refunds);
      return prepared.run(context);
    };
    return { ok: true, run };
  };
  return { ...tool, prepare };
}

const watched: Crew = { ...crew, tools: new Map(Array.from(crew.tools, ([name, tool]) => [name, watch(tool)])) };

/** A person who looks whether an interrupted refund was made. */
function answer({ kind, args, tool, call }: EventBodyOf<"question.opened">): string {
  if (kind !== "doubt") return isRefused(args) ? "deny" : "allow";
  return readFileSync(file, "utf8").includes(`${tool} ${call} `) ? "skip" : "again";
}

const store = await Store.open({ database: await openSqlite({ path }), leaseMs: 150 });
const engine = new DurableEngine({ store, crews: [watched], model: () => scriptModel(replies) });
if ((await store.database.runs.find("r")) === undefined) await engine.start(watched, { input: INPUT, id: "r" });
for (;;) {
  const status = (await store.database.runs.find("r"))?.status;
  try {
    const run = status === "ended" ? await engine.run("r") : await engine.recoverRun("r");
    if (run === undefined) break;
    for await (const { seq } of run.events()) pass("event", seq);
    const { outcome, questions } = await run.result;
    const [open] = questions;
    if (outcome !== "paused" || open === undefined) break;
    await run.answer(open.question, answer(open));
  } catch (error) {
    // The claim of the process before is free when its lease is over.
    const { code } = toBatonError(error, "internal");
    if (code !== "conflict" && code !== "run_ended") throw error;
    await sleep(5);
  }
}
await engine.stop();
await store[Symbol.asyncDispose]();
interpreter.close();
