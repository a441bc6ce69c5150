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
import { inSlice, of, SimulatedClock } from "@baton/core/testing";
import { crewOf } from "../engine/crew-definitions.ts";
import { readAll } from "@baton/store";
import { openSqlite } from "@baton/store/sqlite";
import { replay } from "../replay/replay.ts";
import { type Deed, LAST_WORDS } from "../testing/five-steps.ts";
import { checkParts, isAfterwards, LANE, UNFINISHED, findUnfinished } from "../testing/parts.ts";

const WORKER = join(import.meta.dirname, "../testing", "kill-worker.ts");
const MAX_CYCLES = 200;
const CYCLES = inSlice(Array.from({ length: MAX_CYCLES })).length;
/** Less than the twenty runs take. */
const MAX_LIFE_MS = 200;
/** A batch that is killed more often does not get on. */
const MAX_KILLS = 100;
const FREEZES = CYCLES < MAX_CYCLES ? 1 : 5;
const RUNS = 20;

type Line =
  | Readonly<{ is: "model"; run: string; agent: string; messages: number; temperature: number }>
  | Readonly<{ is: "seen"; event: RunEvent }>
  | Readonly<{ is: "began" }>
  | Readonly<{ is: "sent" | "acknowledged"; run: string; command: string }>
  | ({ readonly is: "deed" } & Deed);

/** The steps of the two crews, each with its agent and how many messages that is shown. */
const STEPS: ReadonlyMap<string, number> = new Map([
  ["first 1.1", 1],
  ["first 1.2", 3],
  ["first 1.3", 5],
  ["first 1.4", 7],
  ["second 2.1", 2],
  ["second 2.2", 5],
  ["asker 1/team/asker/1.1", 1],
  ["asker 1/team/asker/1.2", 3],
  [`sleeper ${LANE}/1.1`, 1],
  ["looper 2.1", 2],
  ["looper 2.2", 4],
  ["looper 2.3", 6],
  ["looper 2.4", 8],
]);

const CALLS: ReadonlySet<string> = new Set(
  Array.from(STEPS, ([step, messages]) => `${step.split(" ")[0]} ${messages}`),
);

/** Moments in the lives of workers, from a seed that is printed. To play a failure again: BATON_SEED=N. */
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
    const unfinished = countUnfinished(lines);
    t.diagnostic(JSON.stringify(Object.fromEntries(unfinished)));
    // For one of them the time is that of a single commit; few kills do not meet them all.
    assert.ok(
      CYCLES < MAX_CYCLES || [...unfinished.values()].filter((kills) => kills === 0).length <= 1,
      "it was killed at other moments only",
    );
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
      // One that is frozen in the middle of a transaction holds SQLite's lock, and no other process can continue.
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
  /** Reports of the workers, a line each. */
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
  return spawn(process.execPath, [WORKER, path, file, batch], { stdio: ["ignore", "pipe", "inherit"] });
}

async function readLines(file: string): Promise<readonly Line[]> {
  return (await readFile(file, "utf8")).trimEnd().split("\n").map(parseLine);
}

/**
 * Kills the worker again and again until it has lived to the end of its runs; gives how often it was killed. It lives a
 * little longer each time, so that a busy machine comes to the end too.
 */
async function playBatch(place: Place, batch: string, someMs: () => number): Promise<number> {
  for (let kills = 0; ; kills++) {
    const child = start(place, batch);
    const ended = once(child, "exit");
    await Promise.race([ended, once(child.stdout, "data")]);
    const isOver = await Promise.race([ended.then(() => true), sleep(someMs() * (1 + kills / 20)).then(() => false)]);
    if (!isOver) child.kill("SIGKILL");
    await ended;
    assert.ok(kills < MAX_KILLS, `${batch}: its runs do not come to their end`);
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

/** State of all runs after the lines up to one. */
interface Told {
  /** Calls and steps that a reader has seen the end of. */
  readonly ended: Set<string>;
  /** Doubts about calls, counted. */
  readonly doubts: Map<string, number>;
  /** Counts how often each call was made. */
  readonly times: Map<string, number>;
  /** Commands that are on disk, and so done for good. */
  readonly acknowledged: Set<string>;
  /** Runs whose lane was seen to be cancelled. */
  readonly cancelled: Set<string>;
}

/** A call whose end a reader has seen is never repeated; an irreversible one only if a person was asked. */
function checkOrder(lines: readonly Line[]): void {
  const told: Told = {
    ended: new Set(),
    doubts: new Map(),
    times: new Map(),
    acknowledged: new Set(),
    cancelled: new Set(),
  };
  for (const line of lines) {
    const text = JSON.stringify(line);
    if (line.is === "seen") noteSeen(line.event, told);
    if (line.is === "model") {
      assert.ok(CALLS.has(`${line.agent} ${line.messages}`), text);
      assert.ok(!told.ended.has(`${line.run} ${line.agent} ${line.messages}`), text);
      if (isAfterwards(line)) assert.equal(line.temperature, 0, text);
    }
    if (line.is === "sent") assert.ok(!told.acknowledged.has(`${line.run} ${line.command}`), text);
    if (line.is === "acknowledged") told.acknowledged.add(`${line.run} ${line.command}`);
    if (line.is === "deed") checkDeed(line, told);
  }
}

function checkDeed({ run, call, key, effect }: Deed, { ended, doubts, times, cancelled }: Told): void {
  assert.ok(!ended.has(key), `${key} was done again`);
  assert.ok(!call.startsWith(LANE) || !cancelled.has(run), `${key} was done in a cancelled lane`);
  assert.equal(key, `${run}/${call}`);
  times.set(key, (times.get(key) ?? 0) + 1);
  if (effect !== "irreversible") return;
  assert.ok((times.get(key) ?? 0) <= 1 + (doubts.get(key) ?? 0), `${key} was repeated in silence`);
}

function noteSeen(event: RunEvent, { ended, doubts, cancelled }: Told): void {
  const { run } = event;
  if (event.type === "call.ended") ended.add(`${run}/${event.call}`);
  if (event.type === "command.received" && event.command.type === "cancel") cancelled.add(run);
  if (event.type === "step.ended") ended.add(`${run} ${event.agent} ${STEPS.get(`${event.agent} ${event.step}`)}`);
  if (event.type !== "question.opened" || event.kind !== "doubt") return;
  const key = `${run}/${event.call}`;
  const number = Number(event.question.split("-").at(-1));
  doubts.set(key, Math.max(doubts.get(key) ?? 0, Number.isNaN(number) ? 1 : number));
}

/** Counts the runs that were at each kind of event when their process was killed, as far as readers have seen. */
function countUnfinished(lines: readonly Line[]): ReadonlyMap<string, number> {
  const counts = new Map(Object.keys(UNFINISHED).map((fact) => [fact, 0]));
  const open = new Map<string, RunEvent[]>();
  const ended = new Set<string>();
  for (const line of lines) {
    if (line.is === "seen" && !ended.has(line.event.run)) {
      const { event } = line;
      if (event.type === "run.started" && event.crew === "parts") open.set(event.run, []);
      open.get(event.run)?.push(event);
      if (event.type === "run.ended") ended.add(event.run);
      if (event.type === "run.ended") open.delete(event.run);
    }
    if (line.is !== "began") continue;
    for (const fact of [...open.values()].flatMap(findUnfinished)) counts.set(fact, (counts.get(fact) ?? 0) + 1);
  }
  return counts;
}

/** Readers have seen the stored log, every run ended as an undisturbed one does, and its log replays. */
async function checkStored(path: string, lines: readonly Line[], count: number): Promise<void> {
  await using database = await openSqlite({ path });
  const logs = new Map<string, readonly RunEvent[]>();
  const crews = new Map<string, number>();
  for (const record of await database.runs.list({ limit: 100_000 })) {
    const events = await readAll(database, record.id);
    logs.set(record.id, events);
    crews.set(record.crew, (crews.get(record.crew) ?? 0) + 1);
    if (record.crew === "parts") checkParts(events, record.id);
    else checkFiveSteps(events);
    const { crew } = await crewOf(database, record);
    assert.equal(await replay(crew, events), undefined, record.id);
  }
  assert.deepEqual([crews.get("five-steps"), crews.get("parts")], [count / 2, count / 2]);
  for (const line of lines) {
    if (line.is === "seen") assert.deepEqual(logs.get(line.event.run)?.[line.event.seq - 1], line.event);
  }
}

function checkFiveSteps(events: readonly RunEvent[]): void {
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
    ["1.1", "1.2", "1.3", "1.4", "2.1", "2.2"],
  );
}
