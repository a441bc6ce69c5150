/**
 * Schedule harness: a process with a scheduler in simulated time, and what tests of schedules do with it.
 */
import type { Crew } from "@baton/core";
import type { Owner, RunRecord } from "@baton/store";
import { type NewSchedule, readSchedule, type Schedule, SCHEDULES, toScheduleDocument } from "../schedule/schedule.ts";
import { Scheduler } from "../schedule/scheduler.ts";
import { script, solo, waits } from "./small-crews.ts";
import { type Process, type ProcessOptions, World } from "./world.ts";

/** Owner of these schedules. */
export const ANN: Owner = { tenant: "acme", user: "ann" };

export const HOUR = 3_600_000;

/** Seldom renewed, so that simulated hours cost little. */
const LEASE_MS = HOUR;

/** A schedule of the crew `solo`, due at each full hour. */
export const hourly: NewSchedule = {
  name: "hourly",
  crew: "solo",
  input: "Brief me",
  when: { cron: "0 * * * *", timeZone: "UTC" },
  origin: "user",
};

/** A process with a scheduler that looks when the test says, and what it said. */
export interface ScheduleHarness {
  readonly world: World;
  readonly process: Process;
  readonly scheduler: Scheduler;
  readonly said: string[];
}

const model = script({ a: [{ say: "Good morning." }], b: [{ say: "Bye." }] });

/** Opens a process in a world. */
export async function openScheduleHarness(
  world = new World(),
  crews: readonly Crew[] = [solo, waits],
  more: Partial<ProcessOptions> = {},
): Promise<ScheduleHarness> {
  const process = await world.process({ crews, model, leaseMs: LEASE_MS, ...more });
  const said: string[] = [];
  const { store, engine } = process;
  const scheduler = new Scheduler({
    store,
    engine,
    crews,
    info: (text) => said.push(`info ${text}`),
    warn: (text) => said.push(`warn ${text}`),
  });
  return { world, process, scheduler, said };
}

/** Adds a schedule as of now. */
export async function add(
  { world, process }: ScheduleHarness,
  schedule: NewSchedule,
  owner: Owner = ANN,
): Promise<Schedule> {
  const document = toScheduleDocument(schedule, world.clock.now());
  return readSchedule(await world.run(process.store.database.documents(owner).put(SCHEDULES, document)));
}

/** A schedule as it is kept. */
export async function find(
  { world, process }: ScheduleHarness,
  name: string,
  owner: Owner = ANN,
): Promise<Schedule | undefined> {
  const found = await world.run(process.store.database.documents(owner).get(SCHEDULES, name));
  return found && readSchedule(found);
}

/** Lets time pass, then looks once; gives how many runs were started, once they have ended. */
export async function pass({ world, process, scheduler }: ScheduleHarness, durationMs: number): Promise<number> {
  await world.clock.advance(durationMs);
  const count = await world.run(scheduler.tick());
  await world.run(process.engine.idle());
  return count;
}

/** All runs, the oldest first. */
export function runsOf({ records }: World): readonly RunRecord[] {
  return records.toSorted((one, other) => one.createdAt - other.createdAt);
}

/** Stops the process in good order. */
export async function end({ world, process, scheduler }: ScheduleHarness): Promise<void> {
  await world.run(scheduler.stop());
  await world.run(process.engine.stop());
}
