/** Schedules with a check: a tool of the crew says whether a run starts, and with what. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type CallContext, type Crew, defineCrew, defineTool, type Effect, ToolError } from "@baton/core";
import { z } from "zod";
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
import { script } from "../testing/small-crews.ts";
import { World } from "../testing/world.ts";
import type { NewSchedule } from "./schedule.ts";

type Check = (args: { readonly seen: number }, context: CallContext) => unknown;

function crewWith(check: Check, effect: Effect = "read"): Crew {
  const tool = defineTool({
    name: "look",
    description: "",
    effect,
    timeoutMs: 5_000,
    input: z.object({ seen: z.number() }),
    run: check,
  });
  return defineCrew({ name: "watch", agents: [{ id: "a", isTerminal: true }], tools: [tool] });
}

const alert: NewSchedule = {
  ...hourly,
  name: "alert",
  crew: "watch",
  input: "Look",
  options: { kind: "alert" },
  when: { everyMs: 60_000 },
  check: { tool: "look", args: { seen: 0 } },
};

const open = (check: Check, effect?: Effect): Promise<ScheduleHarness> =>
  openScheduleHarness(new World(), [crewWith(check, effect)]);

describe("a check", () => {
  test("that fires starts a run with its input and options, and is given its own arguments from then on", async () => {
    const asked: number[] = [];
    const harness = await open(({ seen }) => {
      asked.push(seen);
      if (seen === 1) return { fires: true, input: "It rose", options: { price: 151 }, args: { seen: 2 } };
      return { fires: false, args: { seen: seen + 1 } };
    });
    await add(harness, alert);
    assert.deepEqual(
      [await pass(harness, 60_000), await pass(harness, 60_000), await pass(harness, 60_000)],
      [0, 1, 0],
    );
    assert.deepEqual(asked, [0, 1, 2]);
    const [run] = runsOf(harness.world);
    assert.equal(run?.input, "It rose");
    assert.partialDeepStrictEqual(run?.options, { kind: "alert", price: 151, schedule: { name: "alert" } });
    assert.deepEqual((await find(harness, "alert"))?.check?.args, { seen: 3 });
    await end(harness);
  });

  test("has who it is for, their documents and the schedule's options, and nobody else's documents", async () => {
    let context: CallContext | undefined;
    const harness = await open(async (_, given) => {
      context = given;
      const [mine] = (await given.documents.list("holdings")).documents;
      return { fires: true, input: `of ${JSON.stringify(mine?.data)}` };
    });
    const { database } = harness.process.store;
    await database.documents(ANN).put("holdings", { id: "a", data: "ann" });
    await database.documents({ ...ANN, user: "bob" }).put("holdings", { id: "a", data: "bob" });
    await add(harness, { ...alert, session: "s" });
    await pass(harness, 60_000);
    const { tenant, user, session, attempt, call, messages } = context ?? assert.fail("it was not asked");
    assert.deepEqual(
      { tenant, user, session, attempt, call, messages },
      { ...ANN, session: "s", attempt: 1, call: "check", messages: [] },
    );
    assert.deepEqual(context?.state.get("options"), { kind: "alert" });
    assert.equal(runsOf(harness.world)[0]?.input, `of "ann"`);
    await end(harness);
  });

  test("that says it is done removes the schedule, with a run if it fires and without one if not", async () => {
    const harness = await open(({ seen }) => ({ fires: seen > 0, done: true }));
    await add(harness, alert);
    await add(harness, { ...alert, name: "last", check: { tool: "look", args: { seen: 1 } } });
    assert.equal(await pass(harness, 60_000), 1);
    assert.deepEqual([await find(harness, "alert"), await find(harness, "last")], [undefined, undefined]);
    await end(harness);
  });

  test("that fails is reported once for each row of failures, and is asked again at the next time", async () => {
    const fates = ["bad", "bad", "good", "bad", "bad"];
    const harness = await open(() => {
      if (fates.shift() === "bad") throw new ToolError("network", "the source is down");
      return { fires: false };
    });
    await add(harness, alert);
    const problems: unknown[] = [];
    for (let minute = 0; minute < 5; minute++) {
      assert.equal(await pass(harness, 60_000), 0);
      problems.push((await find(harness, "alert"))?.problem !== undefined);
    }
    assert.deepEqual(problems, [true, true, false, true, true]);
    assert.equal(harness.said.length, 2, harness.said.join("\n"));
    for (const text of harness.said)
      assert.match(
        text,
        /^warn schedule alert of acme\/ann: its check failed: .*the source is down; it is tried again at 2025/,
      );
    await end(harness);
  });

  test("that cannot be asked, hangs, or says nothing clear is one that failed", async () => {
    const cases: readonly [RegExp, Check, Partial<NewSchedule>, Effect?][] = [
      [/no tool other/, () => ({ fires: true }), { check: { tool: "other", args: {} } }],
      [/arguments do not fit: seen/, () => ({ fires: true }), { check: { tool: "look", args: {} } }],
      [/only a tool that reads/, () => ({ fires: true }), {}, "idempotent"],
      [/output is not one of a check: fires is missing/, () => ({}), {}],
      [/output is not one of a check/, () => undefined, {}],
      [/output is not one of a check: input/, () => ({ fires: true, input: 5 }), {}],
      [/its check failed/, (_, { scope }) => scope.sleep(10 * HOUR), {}],
      [/its check failed/, () => new Promise(() => {}), {}],
    ];
    for (const [message, check, more, effect] of cases) {
      const harness = await open(check, effect);
      await add(harness, { ...alert, ...more });
      assert.equal(await pass(harness, 60_000), 0);
      assert.equal(harness.said.length, 1, String(message));
      assert.match(harness.said[0] ?? "", message);
      assert.equal(runsOf(harness.world).length, 0);
      await end(harness);
    }
  });

  test("is asked once after a stop of hours, and times at which it was not asked are not reported", async () => {
    let asked = 0;
    const harness = await open(() => ({ fires: ++asked > 1 }));
    await add(harness, alert);
    assert.equal(await pass(harness, 2 * HOUR), 0);
    assert.equal(await pass(harness, 1_000), 0);
    assert.equal(asked, 1);
    await pass(harness, HOUR);
    assert.deepEqual(
      harness.said.map((text) => text.slice(0, 4)),
      ["info"],
    );
    await end(harness);
  });

  test("that fired while its session waited is not asked again: its run starts when the session is free", async () => {
    let asked = 0;
    const crew = crewWith(() => ({ fires: ++asked === 1, input: "It rose", done: true }));
    const waiting = defineCrew({ ...toDefinition(crew), behaviors: { a: { waitForSignal: true } } });
    const model = script({ a: [{ say: "What next?" }] });
    const harness = await openScheduleHarness(new World(), [waiting], { model });
    const { engine } = harness.process;
    await add(harness, { ...alert, session: "s" });
    await harness.world.clock.advance(60_000);
    // The session is taken by a run that starts just before the schedule's.
    const meanwhile = engine.start(waiting, { input: "hi", session: "s", ...ANN, id: "first" });
    const ticking = harness.scheduler.tick();
    await harness.world.run(Promise.all([meanwhile, ticking]));
    await harness.world.run(engine.idle());
    assert.equal(runsOf(harness.world).length, 1);
    assert.equal(asked, 1);
    assert.equal((await find(harness, "alert"))?.pending?.input, "It rose");
    for (let tick = 0; tick < 3; tick++) assert.equal(await pass(harness, 60_000), 0);
    await harness.world.run(engine.command("first", { type: "cancel" }));
    assert.equal(await pass(harness, 1_000), 1);
    assert.deepEqual([asked, runsOf(harness.world).at(-1)?.input], [1, "It rose"]);
    assert.equal(await find(harness, "alert"), undefined);
    await end(harness);
  });

  test("is asked by one server at a time, and not while a run waits in its session", async () => {
    let asked = 0;
    const world = new World();
    const crews = [
      crewWith(async (_, { scope }) => {
        asked++;
        await scope.sleep(3_000);
        return { fires: false };
      }),
    ];
    const servers = [
      await openScheduleHarness(world, crews),
      await openScheduleHarness(world, crews),
      await openScheduleHarness(world, crews),
    ];
    const [first = assert.fail()] = servers;
    await add(first, { ...alert, session: "s" });
    await world.clock.advance(60_000);
    await world.run(Promise.all(servers.map(({ scheduler }) => scheduler.tick())));
    assert.equal(asked, 1);
    const session = { id: "s", ...ANN, paused: "a-run", createdAt: 1, updatedAt: 1 };
    const claim = { key: "session:acme:ann:s", owner: first.process.store.lease.owner, number: 99 };
    await world.run(first.process.store.database.claims.take(claim));
    await world.run(first.process.store.database.commit([{ claim, session, ends: true }]));
    for (let minute = 0; minute < 3; minute++) await pass(first, 60_000);
    assert.equal(asked, 1);
    for (const harness of servers) await end(harness);
  });

  test("does not undo what its owner changes meanwhile", async () => {
    const harness = await open(async (_, { scope }) => {
      await scope.sleep(3_000);
      return { fires: true, args: { seen: 9 } };
    });
    await add(harness, alert);
    await add(harness, { ...alert, name: "gone" });
    await harness.world.clock.advance(60_000);
    const ticking = harness.scheduler.tick();
    await harness.world.clock.advance(1_000);
    const { nextAt } = await add(harness, { ...alert, input: "Changed", check: { tool: "look", args: { seen: 5 } } });
    await harness.process.store.database.documents(ANN).delete("schedules", "gone");
    assert.equal(await harness.world.run(ticking), 0);
    assert.partialDeepStrictEqual(await find(harness, "alert"), {
      input: "Changed",
      nextAt,
      check: { args: { seen: 5 } },
    });
    assert.equal(await find(harness, "gone"), undefined);
    assert.equal(runsOf(harness.world).length, 0);
    await end(harness);
  });

  test("under way when the scheduler stops is stopped, and its schedule stays due", async () => {
    const harness = await open((_, { scope }) => scope.sleep(4_000));
    const { nextAt } = await add(harness, alert);
    await harness.world.run(harness.scheduler.begin());
    await harness.world.clock.advance(61_000);
    await harness.world.run(harness.scheduler.stop());
    assert.equal((await find(harness, "alert"))?.nextAt, nextAt);
    assert.deepEqual(harness.said, []);
    await end(harness);
  });
});

function toDefinition({ name, agents, tools }: Crew) {
  return {
    name,
    agents: [{ id: "a" }, { id: "b", isTerminal: true }].slice(0, agents.size + 1),
    tools: [...tools.values()],
    signals: { a: [{ signal: "[GO]", target: "b" }] },
  };
}
