/** A process may die at any call of its database: each time that was due has one run. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { defineCrew, defineTool } from "@baton/core";
import { z } from "zod";
import { add, ANN, end, find, hourly, openScheduleHarness, pass, runsOf } from "../testing/schedule-harness.ts";
import { solo } from "../testing/small-crews.ts";
import { type Process, World } from "../testing/world.ts";
import { toFiredRunId } from "./firing.ts";
import type { NewSchedule } from "./schedule.ts";

const watch = defineCrew({
  name: "watch",
  agents: [{ id: "a", isTerminal: true }],
  tools: [
    defineTool({
      name: "look",
      description: "",
      effect: "read",
      input: z.object({ seen: z.number() }),
      run: ({ seen }) => ({ fires: true, input: `look ${seen}`, args: { seen: seen + 1 } }),
    }),
  ],
});
const CREWS = [solo, watch];
const MINUTE = 60_000;
const at = (minute: number): number => Date.UTC(2025, 0, 1, 0, minute);
const soon: NewSchedule = { ...hourly, when: { cron: "1 * * * *", timeZone: "UTC" } };
const often: NewSchedule = { ...hourly, when: { cron: "1,11,21 * * * *", timeZone: "UTC" } };

/** The schedule that is due when the process dies. */
interface Case {
  readonly name: string;
  readonly schedule: NewSchedule;
  /** Time after it was due at which the process looks. */
  readonly lateMs: number;
  /** When the run is due, and its input. */
  readonly dueAt: number;
  readonly missed: number;
}

const ON_TIME = { name: "on time", schedule: { ...soon, session: "s" }, lateMs: 0, dueAt: at(1), missed: 0 };
const check = { tool: "look", args: { seen: 0 } };
const CASES: readonly Case[] = [
  ON_TIME,
  { ...ON_TIME, name: "without a session", schedule: soon },
  { name: "after missed times", schedule: often, lateMs: 25 * MINUTE, dueAt: at(21), missed: 2 },
  { ...ON_TIME, name: "with a check", schedule: { ...soon, crew: "watch", check } },
  { ...ON_TIME, name: "at one time", schedule: { ...soon, when: { at: at(1) } } },
];

/** Lives until it dies at a call of the database; false if it lived on. */
async function dieAt(place: number, { schedule, lateMs }: Case, world: World): Promise<Process | undefined> {
  let left = Infinity;
  const meddle = (process: Process): void => {
    left--;
    if (left === 0) process.isAlive = false;
  };
  const harness = await openScheduleHarness(world, CREWS, { meddle, leaseMs: MINUTE });
  const { nextAt } = await add(harness, schedule);
  await world.clock.advance(nextAt - world.clock.now() + lateMs);
  left = place;
  const going = (async () => {
    await harness.scheduler.tick();
    await harness.process.engine.idle();
  })();
  const died = (async () => {
    while (harness.process.isAlive) await new Promise<void>((resolve) => world.clock.after(10, resolve));
  })();
  await world.run(Promise.race([going, died]));
  return harness.process.isAlive ? undefined : harness.process;
}

/** Another process continues, after `laterMs`; gives what is there then. */
async function goOn(world: World, { schedule }: Case, laterMs: number) {
  await world.clock.advance(laterMs);
  const harness = await openScheduleHarness(world, CREWS);
  await world.run(harness.process.engine.recover());
  await pass(harness, 0);
  await pass(harness, 1_000);
  const kept = await find(harness, schedule.name);
  const runs = runsOf(world).map(({ id, input, outcome, options }) => ({ id, input, outcome, options }));
  await end(harness);
  return { runs, kept };
}

for (const one of CASES) {
  test(`a process that dies at any call of the database, ${one.name}: there is one run for the time, and it is done`, async () => {
    const fates = new Set<string>();
    let places = 0;
    for (let place = 1; ; place++) {
      const world = new World();
      if ((await dieAt(place, one, world)) === undefined) break;
      places = place;
      fates.add(`${world.records.length} ${await isAdvanced(world, one)}`);
      const { runs, kept } = await goOn(world, one, MINUTE + 5_000);
      assert.equal(runs.length, 1, `place ${place}: ${JSON.stringify(runs)}`);
      const [run] = runs;
      assert.equal(run?.id, toFiredRunId(ANN, one.schedule.name, one.dueAt), `place ${place}`);
      assert.partialDeepStrictEqual(run?.options, { schedule: { missed: one.missed } });
      assert.equal(run?.outcome, "done");
      assert.equal(run?.input, one.schedule.check === undefined ? "Brief me" : "look 0");
      assert.equal(kept?.pending, undefined, `place ${place}`);
      if (one.schedule.check !== undefined) assert.deepEqual(kept?.check?.args, { seen: 1 });
      if (one.name === "at one time") assert.equal(kept, undefined);
      else assert.equal(kept?.lastRun, run?.id);
    }
    assert.ok(places > 10, `there were only ${places} places to die at`);
    // It died before the run was there, between that and the next time, and after both.
    for (const fate of ["0 false", "1 false", "1 true"]) assert.ok(fates.has(fate), [...fates].join(", "));
  });
}

async function isAdvanced(world: World, { schedule }: Case): Promise<boolean> {
  const harness = await openScheduleHarness(world, CREWS);
  const kept = await find(harness, schedule.name);
  await end(harness);
  return kept === undefined || kept.nextAt > world.clock.now();
}

test("a run that started before a crash counts, also if the next process comes much later", async () => {
  const one = { ...ON_TIME, schedule: often };
  const starts = new Set<boolean>();
  for (let place = 1; ; place++) {
    const world = new World();
    if ((await dieAt(place, one, world)) === undefined) break;
    const first = toFiredRunId(ANN, "hourly", at(1));
    const isStarted = world.record(first) !== undefined;
    starts.add(isStarted);
    const { runs } = await goOn(world, one, 32 * MINUTE);
    const newest = toFiredRunId(ANN, "hourly", at(21));
    assert.deepEqual(
      runs.map(({ id }) => id),
      isStarted ? [first, newest] : [newest],
      `place ${place}`,
    );
    // Times that had a run are not missed.
    assert.partialDeepStrictEqual(runs.at(-1)?.options, { schedule: { missed: isStarted ? 1 : 2 } });
  }
  assert.equal(starts.size, 2);
});
