/**
 * Durable: W1 to W3 with every event on disk, one after the other and a hundred at once, with instant and paced deltas.
 *
 * `node bench/durable.ts [--only=w1,crowd]`. Paced means that each delta comes in its own turn of the event loop: one stream
 * that is faster than any model's, the worst case for a log. What the figures mean is in this folder's README.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turnOfLoop } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { Model } from "@baton/core";
import { DurableEngine } from "@baton/durable";
import { Store } from "@baton/store";
import { openSqlite } from "@baton/store/sqlite";
import { batonModel, batonRun } from "./crew.ts";
import { medianOf, print } from "./report.ts";
import { EXPECTED, newWorld, type WorkloadName } from "./workload.ts";

const ROUNDS = 7;
const ROUND_US = 400_000;
const WARM_UP_US = 2_000_000;
const MIN_RUNS = 5;
const AT_ONCE = 100;
const NAMES: readonly WorkloadName[] = ["w1", "w2", "w3"];

const { values: options } = parseArgs({ options: { only: { type: "string" } } });
const isWanted = (name: string) => options.only === undefined || options.only.split(",").includes(name);

for (const pace of ["instant", "paced"] as const) {
  for (const name of NAMES.filter(isWanted)) print(`${name}, ${pace}`, await measure(name, pace));
  if (isWanted("crowd")) print(`${AT_ONCE} of w2 at once, ${pace}`, await measureCrowd(pace));
}

type Pace = "instant" | "paced";

async function measure(name: WorkloadName, pace: Pace): Promise<Record<string, number>> {
  return onStore(name, pace, (run) => timeRounds(async () => run()));
}

async function measureCrowd(pace: Pace): Promise<Record<string, number>> {
  return onStore("w2", pace, async (run) => {
    const crowd = () => Promise.all(Array.from({ length: AT_ONCE }, run));
    const { "CPU µs a run": cpuUs, "µs a run": us } = await timeRounds(crowd);
    return { "CPU µs a run": cpuUs / AT_ONCE, "runs a second": (1e6 * AT_ONCE) / us };
  });
}

type Measured = Record<"CPU µs a run" | "µs a run", number>;

/** Runs a workload on a new store; its output is checked once, before it is timed. */
async function onStore<T>(
  name: WorkloadName,
  pace: Pace,
  work: (run: () => Promise<string>) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "baton-durable-"));
  try {
    await using store = await Store.open({ database: await openSqlite({ path: join(folder, "baton.db") }) });
    const world = newWorld();
    const model = pace === "paced" ? toPaced(batonModel(world)) : batonModel(world);
    await using engine = new DurableEngine({ store, crews: [], model: () => model });
    const run = batonRun(name, world, engine);
    const { length } = await run();
    if (length !== EXPECTED[name].chars) throw new Error(`${name} gave ${length} characters`);
    return await work(run);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function toPaced(model: Model): Model {
  return {
    ...model,
    async *stream(prompt, scope) {
      for await (const chunks of model.stream(prompt, scope)) {
        await turnOfLoop();
        yield chunks;
      }
    },
  };
}

/** The median of rounds of as much CPU time each, so that a busy machine shortens none. */
async function timeRounds(run: () => Promise<unknown>): Promise<Measured> {
  await timeRuns(run, WARM_UP_US);
  const rounds: Measured[] = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push(await timeRuns(run, ROUND_US));
  return {
    "CPU µs a run": medianOf(rounds.map((one) => one["CPU µs a run"])),
    "µs a run": medianOf(rounds.map((one) => one["µs a run"])),
  };
}

async function timeRuns(run: () => Promise<unknown>, us: number): Promise<Measured> {
  const before = process.cpuUsage();
  const beganAt = performance.now();
  let [runs, spentUs] = [0, 0];
  while (runs < MIN_RUNS || spentUs < us) {
    await run();
    runs += 1;
    const { user, system } = process.cpuUsage(before);
    spentUs = user + system;
  }
  return { "CPU µs a run": spentUs / runs, "µs a run": ((performance.now() - beganAt) * 1_000) / runs };
}
