/**
 * Store: what it costs that runs are kept.
 *
 * `node bench/store.ts [--only=append,w2,recovery,pauses]`. Everything is on a real SQLite file in a temporary
 * folder. What the figures mean is in this folder's README.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { defineCrew, Engine, type RunEvent, scriptModel } from "@baton/core";
import { DurableEngine } from "@baton/durable";
import { readAll, Store } from "@baton/store";
import { openMemory, openSqlite } from "@baton/store/sqlite";
import { batonModel, batonRun } from "./crew.ts";
import { medianOf, print } from "./report.ts";
import { newWorld } from "./workload.ts";

const ROUNDS = 7;
const AT_ONCE = 100;
const EVENTS = 200_000;
const CUT_OFF = 10_000;
const PAUSED = 100_000;

const { values: options } = parseArgs({ options: { only: { type: "string" } } });
const parts = { append, w2: measureRuns, recovery: recover, pauses: pause };
for (const [name, measure] of Object.entries(parts)) {
  if (options.only === undefined || options.only.split(",").includes(name)) await inFolder(measure);
}

async function inFolder(measure: (path: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "baton-bench-"));
  try {
    await measure(join(folder, "baton.db"));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Events a second, written durably by a hundred runs at once and read again. */
async function append(path: string): Promise<void> {
  await using store = await Store.open({ database: await openSqlite({ path }) });
  const words = Array.from({ length: EVENTS / AT_ONCE }, (_, index) => `word ${index}`).join(" ");
  const crew = defineCrew({ name: "talker", agents: [{ id: "a", isTerminal: true }] });
  const chunks = words.split(" ").map((text) => [{ type: "text", text: `${text} ` } as const]);
  const model = {
    name: "talker",
    async *stream() {
      for (const [index, chunk] of chunks.entries()) {
        if (index % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
        yield chunk;
      }
      yield [{ type: "end", finish: "stop", usage: { inputTokens: 0, outputTokens: 0 } } as const];
    },
  };
  await using engine = new DurableEngine({ store, crews: [crew], model: () => model });
  const began = performance.now();
  const runs = await Promise.all(Array.from({ length: AT_ONCE }, () => engine.start(crew, { input: "go" })));
  await Promise.all(runs.map(({ result }) => result));
  const wroteMs = performance.now() - began;
  const readAt = performance.now();
  const logs: (readonly RunEvent[])[] = [];
  for (const { id } of runs) logs.push(await readAll(store.database, id));
  const readMs = performance.now() - readAt;
  const count = logs.reduce((sum, log) => sum + log.length, 0);
  print("append", {
    events: count,
    "written a second": (count / wroteMs) * 1_000,
    "read a second": (count / readMs) * 1_000,
  });
}

/** W2 of the engine's benchmark, a hundred at once, in memory and on SQLite by turns. */
async function measureRuns(path: string): Promise<void> {
  const world = newWorld();
  const model = batonModel(world);
  await using engine = new Engine({ model: () => model });
  await using store = await Store.open({ database: await openSqlite({ path }) });
  await using durable = new DurableEngine({ store, crews: [], model: () => model });
  await using memory = await Store.open({ database: openMemory() });
  await using kept = new DurableEngine({ store: memory, crews: [], model: () => model });
  const sides = [engine, kept, durable].map((one) => batonRun("w2", world, one));
  const times = sides.map((): number[] => []);
  for (let round = 0; round < ROUNDS + 3; round++) {
    for (const [index, side] of sides.entries()) {
      const took = await timeCrowd(side);
      if (round >= 3) times[index]?.push(took);
    }
  }
  const [inMemory = 0, inMaps = 0, onSqlite = 0] = times.map(medianOf);
  print("w2 × 100", {
    "memory µs a run": inMemory,
    "memory database µs": inMaps,
    "SQLite µs": onSqlite,
    "SQLite / memory (target 2)": onSqlite / inMemory,
  });
}

async function timeCrowd(once: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  for (let count = 0; count < 10; count++) await Promise.all(Array.from({ length: AT_ONCE }, () => once()));
  return ((performance.now() - began) * 1_000) / (10 * AT_ONCE);
}

/** How long a start takes that finds ten thousand runs cut off in the middle of a reply. */
async function recover(path: string): Promise<void> {
  const crew = defineCrew({ name: "cut", agents: [{ id: "a", isTerminal: true }] });
  const never = { [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }) };
  const stuck = { name: "stuck", stream: () => never };
  {
    const store = await Store.open({ database: await openSqlite({ path }) });
    const engine = new DurableEngine({ store, crews: [crew], model: () => stuck });
    for (let count = 0; count < CUT_OFF; count += 500) {
      await Promise.all(Array.from({ length: 500 }, () => engine.start(crew, { input: "go" })));
    }
    await engine.stop();
    await store[Symbol.asyncDispose]();
  }
  await using store = await Store.open({ database: await openSqlite({ path }) });
  await using engine = new DurableEngine({ store, crews: [crew], model: () => scriptModel({ a: [{ say: "Done." }] }) });
  const began = performance.now();
  const count = await engine.recover();
  const takenMs = performance.now() - began;
  for (let open = 1; open > 0; open = engine.open) await new Promise((resolve) => setTimeout(resolve, 10));
  print("recovery", {
    runs: count,
    "taken up after ms (target 5,000)": takenMs,
    "ended after ms": performance.now() - began,
  });
}

/** What a hundred thousand paused runs cost in memory, and how long one takes to go on. */
async function pause(path: string): Promise<void> {
  const crew = defineCrew({ name: "waits", agents: [{ id: "a" }], behaviors: { a: { waitForSignal: true } } });
  await using store = await Store.open({ database: await openSqlite({ path }) });
  const script = { a: [{ say: "Which one?" }, { say: "Thank you." }] };
  await using engine = new DurableEngine({ store, crews: [crew], model: () => scriptModel(script) });
  const ids: string[] = [];
  let after10 = 0;
  for (let count = 0; count < PAUSED; count += 500) {
    const runs = await Promise.all(Array.from({ length: 500 }, () => engine.start(crew, { input: "go" })));
    await Promise.all(runs.map(({ result }) => result));
    ids.push(runs[0]?.id ?? "");
    if (count === PAUSED / 10) after10 = heapMb();
  }
  const grown = heapMb() - after10;
  const times: number[] = [];
  for (const id of ids.slice(0, 100)) {
    const began = performance.now();
    const run = await engine.resume(id, "that one");
    await run.result;
    times.push(performance.now() - began);
  }
  print("pauses", {
    runs: PAUSED,
    "heap MB after a tenth": after10,
    "grown by MB since": grown,
    "resume and answer ms": medianOf(times),
  });
}

function heapMb(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 1_048_576;
}
