import assert from "node:assert/strict";
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { DatabaseSync } from "node:sqlite";
import { test, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { RunEvent } from "@baton/core";
import { of, SimulatedClock } from "@baton/core/testing";
import { readAll } from "./reader.ts";
import { openSqlite } from "./sqlite/index.ts";
import { type Deed, LAST_WORDS } from "./testing/five-steps.ts";

const WORKER = join(import.meta.dirname, "testing", "kill-worker.ts");
const CYCLES = 200;
/** Less than the twenty runs take. */
const MAX_LIFE_MS = 200;
const FREEZES = 5;
const RUNS = 20;

type Line =
  | { readonly is: "model"; readonly run: string; readonly agent: string; readonly messages: number }
  | { readonly is: "seen"; readonly event: RunEvent }
  | ({ readonly is: "deed" } & Deed);

/** Steps and the model calls they are made of: the agent, and how many messages it was shown. */
const STEPS: ReadonlyMap<string, string> = new Map([
  ["1.1", "first 1"],
  ["1.2", "first 3"],
  ["1.3", "first 5"],
  ["1.4", "first 7"],
  ["2.1", "second 2"],
  ["2.2", "second 5"],
]);

/** Moments in the lives of workers, from a seed that is told. To play a failure again: BATON_SEED=N. */
function toMoments(t: TestContext): () => number {
  const seed = Number(process.env["BATON_SEED"] ?? Date.now() % 1_000_000);
  t.diagnostic(`seed ${seed}`);
  const chance = new SimulatedClock(seed);
  return () => chance.random() * MAX_LIFE_MS;
}

test(`a process that is killed ${CYCLES} times loses nothing, repeats nothing, and every run ends`, async (t) => {
  const someMs = toMoments(t);
  await inFolder(async ({ path, file }) => {
    let batches = 0;
    for (let cycles = 0; cycles < CYCLES; batches++) cycles += await playBatch({ path, file }, `b${batches}`, someMs);
    const lines = await readLines(file);
    checkOrder(lines);
    await checkStored(path, lines, batches * RUNS);
  });
});

test("a process that is frozen beyond its lease and wakes up writes nothing to what another has taken over", async (t) => {
  const someMs = toMoments(t);
  await inFolder(async (place) => {
    for (let round = 0; round < FREEZES; round++) {
      const frozen = start(place, `f${round}`);
      await once(frozen.stdout, "data");
      await sleep(someMs());
      frozen.kill("SIGSTOP");
      // One that is frozen in the middle of a transaction holds SQLite's lock, and nobody can go on.
      while (isLocked(place.path)) {
        frozen.kill("SIGCONT");
        await sleep(1);
        frozen.kill("SIGSTOP");
      }
      const other = start(place, `f${round}`);
      await once(other, "exit");
      frozen.kill("SIGCONT");
      if (frozen.exitCode === null) await once(frozen, "exit");
      assert.deepEqual([other.exitCode, frozen.exitCode], [0, 0]);
    }
    await checkStored(place.path, await readLines(place.file), FREEZES * RUNS);
  });
});

function isLocked(path: string): boolean {
  using database = new DatabaseSync(path, { timeout: 20 });
  try {
    database.exec("BEGIN IMMEDIATE; ROLLBACK");
    return false;
  } catch {
    return true;
  }
}

interface Place {
  /** The database. */
  readonly path: string;
  /** What the workers tell, a line each. */
  readonly file: string;
}

async function inFolder(work: (place: Place) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "baton-kill-"));
  try {
    await work({ path: join(folder, "baton.db"), file: join(folder, "lines") });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function start({ path, file }: Place, batch: string): ChildProcessByStdio<null, Readable, null> {
  const env = { ...process.env, NODE_COMPILE_CACHE: `${path}.cache` };
  return spawn(process.execPath, [WORKER, path, file, batch], { env, stdio: ["ignore", "pipe", "inherit"] });
}

async function readLines(file: string): Promise<readonly Line[]> {
  return (await readFile(file, "utf8")).trimEnd().split("\n").map(parseLine);
}

/** Kills the worker again and again until it has lived to the end of its runs; gives how often it was killed. */
async function playBatch(place: Place, batch: string, someMs: () => number): Promise<number> {
  for (let kills = 0; ; kills++) {
    const child = start(place, batch);
    const ended = once(child, "exit");
    await Promise.race([ended, once(child.stdout, "data")]);
    const isOver = await Promise.race([ended.then(() => true), sleep(someMs()).then(() => false)]);
    if (!isOver) child.kill("SIGKILL");
    await ended;
    if (!isOver) continue;
    assert.equal(child.exitCode, 0);
    return kills;
  }
}

function parseLine(text: string): Line {
  const line: unknown = JSON.parse(text);
  if (isLine(line)) return line;
  throw new Error(`what is ${text}?`);
}

function isLine(value: unknown): value is Line {
  return typeof value === "object" && value !== null && "is" in value;
}

/** What a reader has seen the end of is never done again; what is irreversible only where somebody was asked. */
function checkOrder(lines: readonly Line[]): void {
  const ended = new Set<string>();
  const doubts = new Map<string, number>();
  const times = new Map<string, number>();
  for (const line of lines) {
    if (line.is === "seen") noteSeen(line.event, ended, doubts);
    if (line.is === "model") assert.ok(!ended.has(`${line.run} ${line.agent} ${line.messages}`), JSON.stringify(line));
    if (line.is !== "deed") continue;
    assert.ok(!ended.has(line.key), JSON.stringify(line));
    assert.equal(line.key, `${line.run}/${line.call}`);
    times.set(line.key, (times.get(line.key) ?? 0) + 1);
    if (line.effect !== "irreversible") continue;
    assert.ok((times.get(line.key) ?? 0) <= 1 + (doubts.get(line.key) ?? 0), `${line.key} was repeated in silence`);
  }
}

function noteSeen(event: RunEvent, ended: Set<string>, doubts: Map<string, number>): void {
  if (event.type === "call.ended") ended.add(`${event.run}/${event.call}`);
  if (event.type === "step.ended") ended.add(`${event.run} ${STEPS.get(event.step)}`);
  if (event.type !== "question.opened" || event.kind !== "doubt") return;
  const key = `${event.run}/${event.call}`;
  const number = Number(event.question.split("-").at(-1));
  doubts.set(key, Math.max(doubts.get(key) ?? 0, Number.isNaN(number) ? 1 : number));
}

/** What readers have seen is what is stored, and every run ended as an undisturbed one does. */
async function checkStored(path: string, lines: readonly Line[], count: number): Promise<void> {
  await using database = await openSqlite({ path });
  const logs = new Map<string, readonly RunEvent[]>();
  for (const { id } of await database.runs({ limit: 100_000 })) logs.set(id, await readAll(database, id));
  assert.equal(logs.size, count);
  for (const line of lines) {
    if (line.is === "seen") assert.deepEqual(logs.get(line.event.run)?.[line.event.seq - 1], line.event);
  }
  for (const events of logs.values()) {
    assert.deepEqual(
      of(events, "run.ended").map(({ outcome, text }) => [outcome, text]),
      [["done", LAST_WORDS]],
    );
    assert.deepEqual(
      of(events, "call.ended").map(({ call, output }) => [call, output]),
      [
        ["1.1.1", "read done"],
        ["1.2.1", "idempotent done"],
        ["1.3.1", "irreversible done"],
        ["2.1.1", "idempotent done"],
        ["2.1.2", "irreversible done"],
      ],
    );
    assert.deepEqual(
      of(events, "step.ended").map(({ step }) => step),
      [...STEPS.keys()],
    );
  }
}
