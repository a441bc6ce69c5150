/** Schedules of crews' files: brought in line when a server starts, and never started twice for that. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Crew, defineCrew } from "@baton/core";
import type { CrewSchedule } from "@baton/core/ports";
import { LOCAL, type Owner } from "@baton/store";
import {
  add,
  ANN,
  type ScheduleHarness,
  end,
  find,
  HOUR,
  hourly,
  openScheduleHarness,
  pass,
  runsOf,
} from "../testing/schedule-harness.ts";
import { World } from "../testing/world.ts";
import { storedNameOf } from "./crew-schedules.ts";
import { SCHEDULES } from "./schedule.ts";

const brief: CrewSchedule = { name: "brief", cron: "0 * * * *", timeZone: "UTC", input: "Brief me", session: "daily" };

function crewOf(schedules: readonly CrewSchedule[], name = "harness"): Crew {
  return defineCrew({ name, agents: [{ id: "a", isTerminal: true }], schedules });
}

/** A server starts with these crews; its first look is done, and it has stopped. */
async function serve(world: World, ...crews: readonly Crew[]): Promise<void> {
  const harness = await openScheduleHarness(world, crews);
  await world.run(harness.scheduler.begin());
  await world.clock.advance(100);
  await world.run(harness.process.engine.idle());
  await end(harness);
}

async function namesOf({ process }: ScheduleHarness, owner: Owner = LOCAL): Promise<readonly string[]> {
  return (await process.store.database.documents(owner).list(SCHEDULES)).documents.map(({ id }) => id);
}

describe("schedules of a crew's file", () => {
  test("are kept when a server starts, changed with the file, and removed with it; others stay as they are", async () => {
    const world = new World();
    const harness = await openScheduleHarness(world, []);
    await add(harness, { ...hourly, name: "harness/own" }, LOCAL);
    await serve(world, crewOf([brief, { ...brief, name: "close", cron: "0 17 * * *" }]), crewOf([brief], "other"));
    assert.deepEqual(await namesOf(harness), ["harness/brief", "harness/close", "harness/own", "other/brief"]);
    const kept = await find(harness, "harness/brief", LOCAL);
    assert.partialDeepStrictEqual(kept, { crew: "harness", input: "Brief me", session: "daily", origin: "crew" });
    await serve(world, crewOf([{ name: "brief", cron: "0 * * * *", timeZone: "UTC", input: "Shorter" }]));
    assert.deepEqual(await namesOf(harness), ["harness/brief", "harness/own", "other/brief"]);
    const changed = await find(harness, "harness/brief", LOCAL);
    assert.deepEqual([changed?.input, changed?.session, changed?.nextAt], ["Shorter", undefined, kept?.nextAt]);
    await serve(world, crewOf([{ ...brief, cron: "30 * * * *" }]));
    assert.equal((await find(harness, "harness/brief", LOCAL))?.nextAt, Date.UTC(2025, 0, 1, 0, 30));
    await serve(world, crewOf([]));
    assert.deepEqual(await namesOf(harness), ["harness/own", "other/brief"]);
    await end(harness);
  });

  test("that were due while no server ran are started at the next start", async () => {
    const world = new World();
    await serve(world, crewOf([brief]));
    await world.clock.advance(3 * HOUR + 30 * 60_000);
    await serve(world, crewOf([brief]));
    assert.deepEqual(
      runsOf(world).map(({ user, session, options }) => [user, session, options]),
      [["local", "daily", { schedule: { name: "harness/brief", due_at: "2025-01-01T03:00:00.000Z", missed: 2 } }]],
    );
  });

  test("stay with the owner that adopted them, and are not there twice", async () => {
    const world = new World();
    const harness = await openScheduleHarness(world, []);
    await serve(world, crewOf([brief]));
    await harness.process.store.database.owners.transfer(LOCAL, ANN);
    await serve(world, crewOf([{ ...brief, input: "New" }]));
    assert.deepEqual([await namesOf(harness), await namesOf(harness, ANN)], [[], ["harness/brief"]]);
    assert.equal((await find(harness, "harness/brief", ANN))?.input, "New");
    const served = await openScheduleHarness(world, [crewOf([brief])]);
    assert.equal(await pass(served, HOUR), 1);
    await end(served);
    await end(harness);
  });

  test("that cannot be read any more are written again, and servers that start together write each once", async () => {
    const world = new World();
    const harness = await openScheduleHarness(world, []);
    await harness.process.store.database
      .documents(LOCAL)
      .put(SCHEDULES, { id: "harness/brief", data: 5, index: { dueAt: 1 } });
    const servers = await Promise.all(
      [1, 2, 3].map(async () => openScheduleHarness(world, [crewOf([{ ...brief, cron: "* * * * *" }])])),
    );
    await world.run(Promise.all(servers.map(({ scheduler }) => scheduler.begin())));
    assert.equal((await find(harness, "harness/brief", LOCAL))?.input, "Brief me");
    await world.clock.advance(60_000 + 2_000);
    assert.equal(runsOf(world).length, 1);
    for (const server of [...servers, harness]) await end(server);
  });

  test("of a crew in code that are not valid are reported, and the others start", async () => {
    const harness = await openScheduleHarness(new World(), [crewOf([{ ...brief, name: "odd", cron: "soon" }, brief])]);
    await harness.world.run(harness.scheduler.begin());
    assert.deepEqual(await namesOf(harness), ["harness/brief"]);
    assert.match(
      harness.said.join(),
      /^warn schedule harness\/odd of crew harness never starts: the cron "soon" is not valid/,
    );
    await end(harness);
  });

  test("have names of their own, whatever the crew and they are called", () => {
    const names = [
      storedNameOf("a", "b/c"),
      storedNameOf("a/b", "c"),
      storedNameOf("Tổng hợp", "sáng"),
      storedNameOf("Tong hop", "sang"),
    ];
    assert.equal(new Set(names).size, names.length);
    for (const name of names) assert.match(name, /^[a-zA-Z0-9_.-]{1,128}\/[a-zA-Z0-9_.-]{1,128}$/);
    assert.equal(storedNameOf("finance", "morning"), "finance/morning");
  });
});
