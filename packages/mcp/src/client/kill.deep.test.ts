import assert from "node:assert/strict";
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { inSlice, SimulatedClock } from "@baton/core/testing";
import { z } from "zod";
import { startHttpServer } from "./testing/http-server.ts";

const WORKER = join(import.meta.dirname, "testing", "kill-worker.ts");
const KILLS = inSlice(Array.from({ length: 40 })).length;
const RUNS = 3;
const LONGEST_MS = 500;
const RETRY_MS = 50;

type Worker = ChildProcessByStdio<null, Readable, null>;

const LISTED = z.object({ runs: z.array(z.object({ id: z.string(), status: z.string() })) });
const EVENTS = z.object({
  events: z.array(z.looseObject({ type: z.string(), question: z.string().optional(), kind: z.string().optional() })),
});

test(`a Baton that is killed ${KILLS} times ends every run, repeats no effect and leaves no process`, async (t) => {
  const seed = Number(process.env["BATON_SEED"] ?? Date.now() % 1_000_000);
  t.diagnostic(`seed ${seed}`);
  const chance = new SimulatedClock(seed);
  const folder = await mkdtemp(join(tmpdir(), "mcp-killed-"));
  const jobs = await startJobs();
  try {
    for (let kill = 0; kill < KILLS; kill++) {
      await using baton = await startWorker(folder, jobs.url);
      assert.deepEqual(await findAlive(folder, baton.before), [], "processes of the Baton before");
      for (let index = 0; index < RUNS; index++) await post(`${baton.url}/api/runs`, { input: "go" });
      await sleep(chance.random() * LONGEST_MS);
      baton.worker.kill("SIGKILL");
    }
    {
      await using baton = await startWorker(folder, jobs.url);
      await endAll(baton.url);
      baton.worker.kill("SIGTERM");
      await baton.ended;
    }
    assert.deepEqual(await findAlive(folder, Infinity), [], "processes at the end");
    const effects = await readLines(join(folder, "effects"));
    assert.equal(new Set(effects).size, effects.length, "an effect of a process was repeated");
    assert.equal(new Set(jobs.keys).size, jobs.keys.length, "a task was begun twice");
    assert.ok(effects.length > 0 && jobs.keys.length > 0);
  } finally {
    await jobs[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  }
});

/** A server whose tool gives tasks, which are done when they are polled for the second time. */
async function startJobs() {
  const keys: string[] = [];
  const polls = new Map<unknown, number>();
  const server = await startHttpServer({
    tools: [{ name: "make", description: "make", inputSchema: { type: "object", properties: {} } }],
    handlers: {
      "tools/call": ({ _meta }) => {
        const { "baton/key": key } = z.looseObject({ "baton/key": z.string() }).parse(_meta);
        keys.push(key);
        return { resultType: "task", taskId: key, status: "working", pollIntervalMs: 100 };
      },
      "tasks/get": ({ taskId }) => {
        const count = (polls.get(taskId) ?? 0) + 1;
        polls.set(taskId, count);
        const task = { taskId, pollIntervalMs: 100 };
        return count === 1
          ? { ...task, status: "working" }
          : { ...task, status: "completed", result: { content: [{ type: "text", text: "made" }] } };
      },
      "tasks/cancel": () => ({}),
    },
  });
  return { ...server, keys };
}

async function startWorker(folder: string, jobs: string) {
  const before = (await readLines(join(folder, "pids"))).length;
  const worker: Worker = spawn(process.execPath, ["--no-warnings", WORKER, folder, jobs], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(worker, "exit");
  const line = String(await Promise.race([once(worker.stdout, "data"), ended])).trim();
  return {
    url: line,
    before,
    worker,
    ended,
    async [Symbol.asyncDispose]() {
      worker.kill("SIGKILL");
      await ended;
    },
  };
}

/** Waits until all runs have ended; calls that may or may not be done are skipped. */
async function endAll(url: string): Promise<void> {
  for (;;) {
    const { runs } = LISTED.parse(await (await fetch(`${url}/api/runs?limit=1000`)).json());
    const open = runs.filter(({ status }) => status !== "ended");
    if (open.length === 0) return;
    for (const { id, status } of open) if (status === "paused") await skipDoubts(url, id);
    await sleep(RETRY_MS);
  }
}

async function skipDoubts(url: string, id: string): Promise<void> {
  const answer = await fetch(`${url}/api/runs/${id}/events`, { headers: { accept: "application/json" } });
  const { events } = EVENTS.parse(await answer.json());
  const answered = new Set(events.flatMap((event) => (event.type === "question.answered" ? [event.question] : [])));
  for (const { type, question, kind } of events) {
    if (type !== "question.opened" || answered.has(question)) continue;
    assert.equal(kind, "doubt");
    await post(`${url}/api/runs/${id}/commands`, { type: "answer", question, value: "skip" });
  }
}

async function post(url: string, body: object): Promise<void> {
  const headers = { "content-type": "application/json" };
  await (await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })).text();
}

async function readLines(path: string): Promise<readonly string[]> {
  const text = await readFile(path, "utf8").catch(() => "");
  return text.split("\n").filter((line) => line !== "");
}

/** The processes among the first ones that still run; one that has just been killed gets a moment. */
async function findAlive(folder: string, count: number): Promise<readonly string[]> {
  const pids = (await readLines(join(folder, "pids"))).slice(0, count);
  for (let tries = 0; ; tries++) {
    const states = await Promise.all(pids.map(async (pid) => [pid, await readStat(pid)] as const));
    const alive = states.flatMap(([pid, stat]) => (stat.includes("effect-worker") ? [pid] : []));
    if (alive.length === 0 || tries === 40) return alive;
    await sleep(RETRY_MS);
  }
}

/** The command of a process; empty if it has ended. */
async function readStat(pid: string): Promise<string> {
  return readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
}
