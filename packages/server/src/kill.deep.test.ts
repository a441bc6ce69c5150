import assert from "node:assert/strict";
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { inSlice, SimulatedClock } from "@baton/core/testing";
import { z } from "zod";

const WORKER = join(import.meta.dirname, "testing", "kill-worker.ts");
const LIVES = inSlice(Array.from({ length: 20 })).length;
const REQUESTS = 20;
const RETRY_MS = 20;

const STARTED = z.object({ id: z.string() });
const RUNS = z.object({ runs: z.array(z.object({ id: z.string(), input: z.string(), status: z.string() })) });

test(`a server that is killed ${LIVES} times begins one run for each key, and every answer stays the same`, async (t) => {
  // To play a failure again: BATON_SEED=N
  const seed = Number(process.env["BATON_SEED"] ?? Date.now() % 1_000_000);
  t.diagnostic(`seed ${seed}`);
  const chance = new SimulatedClock(seed);
  const folder = await mkdtemp(join(tmpdir(), "baton-served-"));
  const path = join(folder, "baton.db");
  /** The answer of each key; undefined while there is none. */
  const answered = new Map<string, string | undefined>();
  try {
    for (let segment = 0; segment < LIVES; segment++) {
      for (let index = 0; index < REQUESTS; index++) answered.set(`key-${segment}-${index}`, undefined);
      const open = [...answered].filter(([, answer]) => answer === undefined).map(([key]) => key);
      await inSegment(path, async (url, worker) => {
        // It is killed when so many of them are answered; the others are somewhere on their way.
        let left = 1 + Math.floor(chance.random() * open.length);
        const sent = open.map(async (key) => {
          answered.set(key, await send(url, key));
          if (--left === 0) worker.kill("SIGKILL");
        });
        await Promise.allSettled(sent);
      });
    }
    await inSegment(path, async (url) => {
      for (const [key, answer] of answered) {
        const again = await send(url, key);
        assert.equal(again, answer ?? again, key);
        answered.set(key, again);
      }
      await checkRuns(url, answered);
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

type Worker = ChildProcessByStdio<null, Readable, null>;

/** Starts a server, does something with it, and ends it. */
async function inSegment(path: string, work: (url: string, worker: Worker) => Promise<void>): Promise<void> {
  const worker = spawn(process.execPath, [WORKER, path], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(worker, "exit");
  try {
    const line = String(await Promise.race([once(worker.stdout, "data"), ended]));
    await work(line.trim(), worker);
  } finally {
    worker.kill("SIGKILL");
    await ended;
  }
}

/** Sends a request until it is answered; gives the answer. The input is the key. */
async function send(url: string, key: string): Promise<string> {
  for (;;) {
    const answer = await fetch(`${url}/api/runs`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "Idempotency-Key": key },
      body: JSON.stringify({ input: key }),
    });
    const body = await answer.text();
    if (answer.status === 202) return body;
    // It is in flight in the process before, until the lease of that is over.
    assert.equal(answer.status, 409, body);
    await sleep(RETRY_MS);
  }
}

async function checkRuns(url: string, answered: ReadonlyMap<string, string | undefined>): Promise<void> {
  const begun = new Map(Array.from(answered, ([key, answer = ""]) => [key, STARTED.parse(JSON.parse(answer)).id]));
  for (;;) {
    const { runs } = RUNS.parse(await (await fetch(`${url}/api/runs?limit=1000`)).json());
    assert.deepEqual(new Map(runs.map(({ input, id }) => [input, id])), begun);
    assert.equal(runs.length, answered.size);
    if (runs.every(({ status }) => status === "ended")) return;
    await sleep(RETRY_MS);
  }
}
