/** Schedules in simulated time: what is due starts once, whatever dies, waits, fails or was missed. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { defineCrew, defineTool } from "@baton/core";
import { of } from "@baton/core/testing";
import { z } from "zod";
import { LOCAL, readAll } from "@baton/store";
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
import { script, solo, waits } from "../testing/small-crews.ts";
import { type Process, World } from "../testing/world.ts";
import { toFiredRunId } from "./firing.ts";
import { type NewSchedule, SCHEDULES, toScheduleDocument } from "./schedule.ts";
import { Scheduler } from "./scheduler.ts";

const MINUTE = 60_000;
const DAY = 24 * HOUR;

describe("a schedule that is due", () => {
  test("starts a run of its owner with what it asks, and is due again at its next time", async () => {
    const harness = await openScheduleHarness();
    const { nextAt } = await add(harness, { ...hourly, session: "s", options: { lang: "vi" } });
    assert.equal(await pass(harness, nextAt - harness.world.clock.now() - 1), 0);
    assert.equal(await pass(harness, 1), 1);
    assert.equal(await pass(harness, 10_000), 0);
    const [run, ...others] = runsOf(harness.world);
    assert.equal(others.length, 0);
    assert.partialDeepStrictEqual(run, { ...ANN, crew: "solo", session: "s", input: "Brief me", outcome: "done" });
    const due_at = new Date(nextAt).toISOString();
    assert.deepEqual(run?.options, { lang: "vi", schedule: { name: "hourly", due_at, missed: 0 } });
    const kept = await find(harness, "hourly");
    assert.partialDeepStrictEqual(kept, { nextAt: nextAt + HOUR, lastAt: nextAt, lastRun: run?.id, missed: 0 });
    assert.equal(kept?.pending, undefined);
    assert.deepEqual(harness.said, [`info schedule hourly of acme/ann started run ${run?.id}, due at ${due_at}`]);
    assert.equal((await harness.process.store.database.sessions.messages(ANN, "s")).length, 2);
    await end(harness);
  });

  test("has a run of its own, whoever else has one of that name at that time", async () => {
    const harness = await openScheduleHarness();
    const owners = [ANN, { ...ANN, user: "bob" }, { ...ANN, tenant: "other" }];
    for (const owner of owners) await add(harness, hourly, owner);
    assert.equal(await pass(harness, HOUR), owners.length);
    assert.deepEqual(
      runsOf(harness.world)
        .map(({ tenant, user, outcome }) => `${tenant} ${user} ${outcome}`)
        .toSorted(),
      ["acme ann done", "acme bob done", "other ann done"],
    );
    await end(harness);
  });

  test("starts by itself within a second, from `begin` to `stop`", async () => {
    const harness = await openScheduleHarness();
    await add(harness, { ...hourly, when: { cron: "* * * * *", timeZone: "UTC" } });
    await harness.world.run(harness.scheduler.begin());
    await harness.world.clock.advance(3 * MINUTE + 1_500);
    assert.deepEqual(
      runsOf(harness.world).map(({ createdAt }) => createdAt % MINUTE < 2_000),
      [true, true, true],
    );
    await harness.world.run(harness.scheduler.stop());
    await harness.world.clock.advance(2 * MINUTE);
    assert.equal(runsOf(harness.world).length, 3);
    await end(harness);
  });

  test("at one time, or every so often, is due then, and one that is never due again is removed", async () => {
    const harness = await openScheduleHarness();
    const at = harness.world.clock.now() + 90_000;
    await add(harness, { ...hourly, name: "once", when: { at } });
    await add(harness, { ...hourly, name: "often", when: { everyMs: 30_000 } }, LOCAL);
    for (let count = 0; count < 4; count++) await pass(harness, 30_500);
    const names = runsOf(harness.world).map(({ user, options }) => [user, options]);
    assert.equal(names.filter(([user]) => user === "ann").length, 1);
    assert.equal(names.filter(([user]) => user === "local").length, 4);
    assert.equal(await find(harness, "once"), undefined);
    // It does not drift by how late it was looked at.
    assert.equal((await find(harness, "often", LOCAL))?.nextAt, at - 90_000 + 150_000);
    await end(harness);
  });

  test("of a crew that is not here stays due, and is reported once; the crew may have another name", async () => {
    const harness = await openScheduleHarness();
    await add(harness, { ...hourly, crew: "elsewhere" });
    for (let count = 0; count < 3; count++) assert.equal(await pass(harness, HOUR), 0);
    assert.deepEqual(harness.said, [
      "warn schedule hourly of acme/ann is due, and its crew elsewhere is not served here",
    ]);
    const { store, engine } = harness.process;
    const other = new Scheduler({ store, engine, crews: [], aliases: new Map([["elsewhere", solo]]) });
    assert.equal(await harness.world.run(other.tick()), 1);
    await end(harness);
  });

  test("starts, however many others stay due before it", async () => {
    const harness = await openScheduleHarness();
    const documents = harness.process.store.database.documents(LOCAL);
    const now = harness.world.clock.now();
    const others = Array.from({ length: 250 }, (_, index) => ({
      ...hourly,
      name: `other-${index}`,
      crew: "elsewhere",
    }));
    await documents.putAll(
      SCHEDULES,
      others.map((one) => toScheduleDocument(one, now)),
    );
    await add(harness, { ...hourly, when: { at: now + HOUR + 1 } });
    assert.equal(await pass(harness, HOUR + 1), 1);
    await end(harness);
  });

  test("does not undo what its owner changes while its run starts", async () => {
    const world = new World();
    const harness: { current?: ScheduleHarness } = {};
    let isChanged = false;
    const meddle = async (_process: Process, name: string): Promise<void> => {
      if (isChanged || name !== "commit" || harness.current === undefined || world.records.length === 0) return;
      isChanged = true;
      const changed = toScheduleDocument({ ...hourly, input: "Changed" }, world.clock.now());
      await harness.current.process.store.database.documents(ANN).put(SCHEDULES, changed);
    };
    const first = (harness.current = await openScheduleHarness(world, [solo], { meddle }));
    await add(first, hourly);
    assert.equal(await pass(first, HOUR), 1);
    assert.partialDeepStrictEqual(await find(first, "hourly"), { input: "Changed" });
    assert.equal(await pass(first, HOUR), 1);
    assert.deepEqual(
      runsOf(world).map(({ input }) => input),
      ["Brief me", "Changed"],
    );
    await end(first);
  });

  test("is reported when it cannot start, and is due again at its next time", async () => {
    const small = defineCrew({
      name: "solo",
      agents: [{ id: "a", isTerminal: true }],
      settings: { maxInputBytes: 10 },
    });
    const harness = await openScheduleHarness(new World(), [small]);
    await add(harness, { ...hourly, input: "far too long for this crew" });
    for (let count = 0; count < 3; count++) assert.equal(await pass(harness, HOUR), 0);
    assert.equal(harness.said.length, 1);
    assert.match(
      harness.said[0] ?? "",
      /^warn .*: its run could not start: .*; it is tried again at 2025-01-01T02:00:00.000Z/,
    );
    assert.match((await find(harness, "hourly"))?.problem ?? "", /could not start/);
    assert.equal(runsOf(harness.world).length, 0);
    await end(harness);
  });

  test("waits while there is no room for a run", async () => {
    const harness = await openScheduleHarness();
    const { store, engine } = harness.process;
    let isFull = true;
    const admit = () => {
      if (isFull) throw new Error("no room");
      return { [Symbol.dispose]: () => {} };
    };
    const scheduler = new Scheduler({ store, engine, crews: [solo], admit });
    await add(harness, hourly);
    assert.equal(await pass({ ...harness, scheduler }, HOUR), 0);
    isFull = false;
    assert.equal(await pass({ ...harness, scheduler }, 1_000), 1);
    await end(harness);
  });
});

describe("times that were missed", () => {
  test("because no server ran lead to one run, for the newest, which knows how many others there were", async () => {
    const harness = await openScheduleHarness();
    const { nextAt } = await add(harness, hourly);
    assert.equal(await pass(harness, nextAt - harness.world.clock.now() + 5 * HOUR + 11 * MINUTE), 1);
    const newest = new Date(nextAt + 5 * HOUR).toISOString();
    assert.deepEqual(
      runsOf(harness.world).map(({ options }) => options),
      [{ schedule: { name: "hourly", due_at: newest, missed: 5 } }],
    );
    assert.equal(harness.said.length, 2);
    assert.match(harness.said[0] ?? "", new RegExp(`^warn .* was due at ${newest} and could not start then`));
    assert.match(harness.said[1] ?? "", /^warn .*: 5 earlier times passed without a run$/);
    assert.equal(await pass(harness, 1_000), 0);
    assert.equal((await find(harness, "hourly"))?.nextAt, nextAt + 6 * HOUR);
    await end(harness);
  });

  test("for at most ten minutes are not missed: each has its run", async () => {
    const harness = await openScheduleHarness();
    await add(harness, { ...hourly, when: { cron: "* * * * *", timeZone: "UTC" } });
    await harness.world.clock.advance(5 * MINUTE);
    let count = 0;
    for (let tick = 0; tick < 6; tick++) count += await pass(harness, 0);
    assert.equal(count, 5);
    assert.equal(new Set(runsOf(harness.world).map(({ options }) => JSON.stringify(options))).size, 5);
    await end(harness);
  });

  test("over years are counted up to a thousand, and do not hold the process", async () => {
    const harness = await openScheduleHarness();
    const long = harness.world.clock.now() - 3 * 365 * DAY;
    for (const when of [{ cron: "* * * * *", timeZone: "America/New_York" }, { everyMs: 1_000 }]) {
      const document = toScheduleDocument({ ...hourly, name: "cron" in when ? "hourly" : "often", when }, long);
      await harness.process.store.database.documents(ANN).put(SCHEDULES, document);
    }
    assert.equal(await pass(harness, 0), 2);
    for (const { options } of runsOf(harness.world)) assert.match(JSON.stringify(options), /"missed":1000/);
    for (const name of ["hourly", "often"])
      assert.ok(((await find(harness, name))?.nextAt ?? 0) > harness.world.clock.now(), name);
    await end(harness);
  });
});

describe("a schedule with a session", () => {
  const start = script({ a: [{ say: "What next?" }, { say: "[GO]" }], b: [{ say: "Bye." }] });
  const alarm: NewSchedule = { ...hourly, name: "alarm", crew: "waits", session: "s" };

  test("does not touch a run that waits there for a person, and starts when that has ended", async () => {
    const harness = await openScheduleHarness(new World(), [waits], { model: start });
    const { engine } = harness.process;
    const first = await harness.world.run(engine.start(waits, { input: "hello", session: "s", ...ANN, id: "first" }));
    assert.equal((await harness.world.run(first.result)).outcome, "paused");
    await add(harness, alarm);
    assert.equal(await pass(harness, HOUR), 0);
    assert.equal(await pass(harness, 1_000), 0);
    assert.equal(harness.world.record("first")?.status, "paused");
    assert.equal(of(await readAll(harness.process.store.database, "first"), "run.resumed").length, 0);
    const again = await harness.world.run(engine.resume("first", "go on"));
    assert.equal((await harness.world.run(again.result)).outcome, "done");
    assert.equal(await pass(harness, 1_000), 1);
    assert.equal(runsOf(harness.world).length, 2);
    await end(harness);
  });

  test("waits for a run that is running there, and does not take its turn when that pauses", async () => {
    const slow = defineTool({
      name: "Slow",
      description: "",
      effect: "read",
      input: z.object({}),
      run: (_, { scope }) => scope.sleep(20_000),
    });
    const crew = defineCrew({
      name: "waits",
      agents: [
        { id: "a", tools: ["Slow"] },
        { id: "b", isTerminal: true },
      ],
      tools: [slow],
      signals: { a: [{ signal: "[GO]", target: "b" }] },
      behaviors: { a: { waitForSignal: true } },
    });
    const replies = script({ a: [{ call: [{ tool: "Slow" }] }, { say: "What next?" }], b: [{ say: "Bye." }] });
    const harness = await openScheduleHarness(new World(), [crew], { model: replies });
    await add(harness, alarm);
    await harness.world.clock.advance(HOUR - 5_000);
    const first = await harness.world.run(
      harness.process.engine.start(crew, { input: "hi", session: "s", ...ANN, id: "first" }),
    );
    await harness.world.clock.advance(6_000);
    assert.equal(await harness.world.run(harness.scheduler.tick()), 0);
    assert.equal((await harness.world.run(first.result)).outcome, "paused");
    for (let tick = 0; tick < 3; tick++) assert.equal(await pass(harness, 1_000), 0);
    assert.equal(harness.world.record("first")?.status, "paused");
    assert.equal(runsOf(harness.world).length, 1);
    await end(harness);
  });

  test("after a wait of hours starts one run, for the newest of the times", async () => {
    const harness = await openScheduleHarness(new World(), [waits], { model: start });
    const { engine } = harness.process;
    const first = await harness.world.run(engine.start(waits, { input: "hello", session: "s", ...ANN, id: "first" }));
    await harness.world.run(first.result);
    await add(harness, alarm);
    for (let hours = 0; hours < 3; hours++) assert.equal(await pass(harness, 2 * HOUR), 0);
    await harness.world.run(engine.command("first", { type: "cancel" }));
    assert.equal(await pass(harness, 1_000), 1);
    assert.match(JSON.stringify(runsOf(harness.world).at(-1)?.options), /"missed":5/);
    assert.equal(await pass(harness, 1_000), 0);
    await end(harness);
  });

  test("goes with its session, when that is deleted", async () => {
    const harness = await openScheduleHarness();
    await add(harness, { ...hourly, session: "s" });
    await harness.process.store.database.sessions.delete(ANN, "s");
    assert.equal(await pass(harness, HOUR), 0);
    await end(harness);
  });
});

describe("a schedule that cannot be read", () => {
  test("is passed over with one warning, and hides no other", async () => {
    const harness = await openScheduleHarness();
    const now = harness.world.clock.now();
    const documents = harness.process.store.database.documents(ANN);
    await add(harness, hourly);
    await documents.put(SCHEDULES, { id: "odd", data: { when: "soon" }, index: { dueAt: now } });
    const bad = { ...hourly, name: "bad", when: { cron: "never", timeZone: "UTC" }, nextAt: now };
    await documents.put(SCHEDULES, { id: "bad", data: bad, index: { dueAt: now } });
    for (let count = 0; count < 3; count++) assert.equal(await pass(harness, HOUR), 1);
    const warned = harness.said.filter((text) => text.startsWith("warn"));
    assert.equal(warned.length, 2, warned.join("\n"));
    assert.match(warned.join("\n"), /schedule odd of acme\/ann is passed over: .* is not a schedule/);
    assert.match(warned.join("\n"), /schedule bad of acme\/ann is passed over: the cron "never" is not valid/);
    await end(harness);
  });

  test("by its index alone is put in order, if its time is later", async () => {
    const harness = await openScheduleHarness();
    const { nextAt } = await add(harness, hourly);
    const documents = harness.process.store.database.documents(ANN);
    const document = await documents.get(SCHEDULES, "hourly");
    await documents.put(SCHEDULES, { id: "hourly", data: document?.data ?? null, index: { dueAt: 0 } });
    assert.equal(await pass(harness, 0), 0);
    assert.equal((await documents.get(SCHEDULES, "hourly"))?.index?.["dueAt"], nextAt);
    await end(harness);
  });
});

test("a schedule that is adopted, or whose owner is deleted, starts for its new owner alone, or not at all", async () => {
  const harness = await openScheduleHarness();
  const { database } = harness.process.store;
  await add(harness, hourly, LOCAL);
  await add(harness, { ...hourly, name: "gone" }, { tenant: "acme", user: "bob" });
  await database.owners.transfer(LOCAL, ANN);
  await database.owners.delete({ tenant: "acme", user: "bob" });
  assert.equal(await pass(harness, HOUR), 1);
  assert.deepEqual(
    runsOf(harness.world).map(({ user }) => user),
    ["ann"],
  );
  await end(harness);
});

test("the id of a run that a schedule starts is one of a run, and another for each owner, name and time", () => {
  const ids = [
    toFiredRunId(ANN, "a", 1),
    toFiredRunId(ANN, "a", 2),
    toFiredRunId(ANN, "b", 1),
    toFiredRunId(LOCAL, "a", 1),
    toFiredRunId({ tenant: "acme", user: 'ann","a' }, "", 1),
  ];
  assert.equal(new Set(ids).size, ids.length);
  for (const id of ids) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  const [early, late] = [Date.UTC(2025, 0, 1), Date.UTC(2026, 0, 1)].map((at) => toFiredRunId(ANN, "a", at));
  assert.ok((early ?? "") < (late ?? ""));
});
