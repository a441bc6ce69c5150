/** One of several servers freezes at any call of the database: each time that was due has one run. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { inSlice } from "@baton/core/testing";
import {
  add,
  ANN,
  end,
  find,
  hourly,
  openScheduleHarness,
  pass,
  runsOf,
  type ScheduleHarness,
} from "../testing/schedule-harness.ts";
import { solo } from "../testing/small-crews.ts";
import { type Process, World } from "../testing/world.ts";
import { toFiredRunId } from "./firing.ts";
import type { NewSchedule } from "./schedule.ts";

const MINUTE = 60_000;
const at = (minute: number): number => Date.UTC(2025, 0, 1, 0, minute);
const soon: NewSchedule = { ...hourly, when: { cron: "1 * * * *", timeZone: "UTC" } };

test("of several servers one starts each run, and one that freezes in the middle changes nothing", async () => {
  for (const place of inSlice(Array.from({ length: 60 }, (_, index) => index + 1))) {
    const world = new World();
    let left = Infinity;
    const thaw = Promise.withResolvers<void>();
    const meddle = (process: Process): void => {
      left--;
      if (left === 0) process.frozen = thaw.promise;
    };
    const frozen = await openScheduleHarness(world, [solo], { meddle, leaseMs: MINUTE });
    const others: ScheduleHarness[] = [
      await openScheduleHarness(world, [solo]),
      await openScheduleHarness(world, [solo]),
    ];
    await add(frozen, { ...soon, session: "s" });
    await world.clock.advance(MINUTE);
    left = place;
    const ticking = frozen.scheduler.tick();
    await world.clock.advance(10);
    await world.run(Promise.all(others.map(({ scheduler }) => scheduler.tick())));
    // Its lease ends, and the others continue.
    await world.clock.advance(MINUTE + 10_000);
    for (const harness of others) await pass(harness, 1_000);
    thaw.resolve();
    await world.run(ticking);
    for (const harness of [frozen, ...others]) await pass(harness, 1_000);
    assert.deepEqual(
      runsOf(world).map(({ id, outcome }) => [id, outcome]),
      [[toFiredRunId(ANN, "hourly", at(1)), "done"]],
      `place ${place}`,
    );
    assert.equal((await find(frozen, "hourly"))?.nextAt, at(61));
    for (const harness of [frozen, ...others]) await end(harness);
  }
});
