/** A run whose crew is not here any more can be cancelled, blocks no session for good, and continues in a process that has its crew. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { defineCrew, type Model } from "@baton/core";
import { LOCAL as LOCAL_USER } from "@baton/store";
import { crewWith, script, solo, tool, waits } from "../testing/small-crews.ts";
import { type Process, type ProcessOptions, World } from "../testing/world.ts";

const other = defineCrew({ name: "other", agents: [{ id: "a", isTerminal: true }] });
const shop = crewWith(tool("Pay", "irreversible", 1_000));
const slow = script({ a: [{ say: "one two three", delayMs: 1_000 }] });
const buys = script({ a: [{ call: [{ tool: "Pay" }] }, { say: "Done." }] });
const LOCAL = { crews: [other], model: script({ a: [{ say: "ok" }] }) };

/** A model that must not be called. */
function never(): Model {
  return assert.fail("a run that only ends needs no model");
}

/** The claims of a process. */
const claimsOf = ({ data }: World, { lease }: Process["store"]) =>
  data.connection.all("SELECT key FROM claims WHERE owner = ?", lease.owner);
const recordOf = ({ store }: Process, id: string) => store.database.runs.find(id);

/** Starts runs in one process, which dies, and another one that does not know their crew. */
async function leave(world: World, before: ProcessOptions, ...ids: readonly string[]): Promise<Process> {
  const one = await world.process(before);
  const [crew = solo] = before.crews;
  for (const id of ids) await world.run(one.engine.start(crew, { input: id, id, session: "s" }));
  await world.clock.advance(500);
  one.isAlive = false;
  await world.clock.advance(5_000);
  return world.process(LOCAL);
}

describe("a run of a crew that is not here is cancelled", () => {
  const cases: readonly [what: string, before: ProcessOptions, ids: readonly string[], status: string][] = [
    ["if it was interrupted", { crews: [solo], model: slow }, ["r"], "running"],
    ["if it waits for its session", { crews: [solo], model: slow }, ["first", "r"], "queued"],
    ["if it waits for a message", { crews: [waits], model: script({ a: [{ say: "What?" }] }) }, ["r"], "paused"],
    ["if it waits for an answer", { crews: [shop], model: buys }, ["r"], "paused"],
  ];
  for (const [what, before, ids, status] of cases) {
    test(`${what}, and needs neither models nor tools for it`, async () => {
      const world = new World();
      await leave(world, before, ...ids);
      const { engine, store } = await world.process({ crews: [other], model: never });
      assert.equal((await store.database.runs.find("r"))?.status, status);
      const { run, receipt } = await world.run(engine.command("r", { type: "cancel", reason: "not wanted" }));
      assert.deepEqual(receipt?.abandoned, []);
      assert.equal((await world.run(run.result)).outcome, "cancelled");
      const record = await store.database.runs.find("r");
      assert.deepEqual([record?.status, record?.outcome, record?.questions], ["ended", "cancelled", []]);
      assert.equal((await store.database.sessions.find(LOCAL_USER, "s"))?.paused, undefined);
      assert.deepEqual(claimsOf(world, store), []);
      await assert.rejects(world.run(engine.command("r", { type: "cancel" })), { code: "run_ended" });
      assert.equal(engine.open, 0);
      await world.run(engine.stop());
    });
  }

  test("while a call is running that may or may not have been done", async () => {
    const world = new World();
    const one = await world.process({ crews: [shop], model: buys });
    const first = await world.run(one.engine.start(shop, { input: "buy", id: "r" }));
    const [question] = (await world.run(first.result)).questions;
    await world.run(one.engine.command("r", { type: "answer", question: question?.question ?? "", value: "allow" }));
    await world.clock.advance(500);
    one.isAlive = false;
    await world.clock.advance(5_000);
    const two = await world.process({ crews: [other], model: never });
    assert.equal((await recordOf(two, "r"))?.status, "running");
    await world.run(two.engine.command("r", { type: "cancel" }));
    assert.equal((await recordOf(two, "r"))?.outcome, "cancelled");
    await world.run(two.engine.stop());
  });

  test("unless it cannot be read: then it has no owner", async () => {
    const world = new World();
    const { engine, store } = await leave(world, { crews: [solo], model: slow }, "r");
    world.data.connection.run("DELETE FROM definitions");
    await assert.rejects(world.run(engine.command("r", { type: "cancel" })), { code: "damaged" });
    assert.deepEqual(claimsOf(world, store), []);
    await world.run(engine.stop());
  });

  test("but accepts no other command, and does not change", async () => {
    const world = new World();
    const { engine, store } = await leave(world, { crews: [solo], model: slow }, "r");
    const before = await store.database.runs.find("r");
    await assert.rejects(world.run(engine.command("r", { type: "say", text: "hi" })), {
      code: "not_found",
      message: /can only be cancelled/,
    });
    assert.deepEqual(await store.database.runs.find("r"), before);
    await world.run(engine.stop());
  });

  test("also if it runs or waits in a process that is alive", async () => {
    for (const session of [undefined, "s"]) {
      const world = new World();
      const one = await world.process({ crews: [solo], model: slow });
      const start = { input: "go", ...(session === undefined ? {} : { session }) };
      const runs = [await world.run(one.engine.start(solo, { ...start, id: "r1" }))];
      if (session !== undefined) runs.push(await world.run(one.engine.start(solo, { ...start, id: "r2" })));
      const two = await world.process(LOCAL);
      for (const { id } of runs) {
        await world.run(two.engine.command(id, { type: "cancel" }));
      }
      for (const { result: outcome } of runs) assert.equal((await world.run(outcome)).outcome, "cancelled");
      for (const { engine } of [one, two]) await world.run(engine.stop());
    }
  });
});

test("a run that begins in its process while another process cancels it is cancelled once", async () => {
  const world = new World();
  const one = await world.process({ crews: [solo], model: slow });
  const start = (id: string) => world.run(one.engine.start(solo, { input: "go", id, session: "s" }));
  const first = await start("r1");
  const second = await start("r2");
  const beganAt = world.clock.now();
  await world.run(first.result);
  const tookMs = world.clock.now() - beganAt;
  await world.run(second.result);
  await start("r3");
  const fourth = await start("r4");
  await world.clock.advance(tookMs - 200);
  const two = await world.process(LOCAL);
  assert.equal((await recordOf(two, "r4"))?.status, "queued");
  await world.run(two.engine.command("r4", { type: "cancel" }));
  assert.equal((await world.run(fourth.result)).outcome, "cancelled");
  for (const { engine } of [one, two]) await world.run(engine.stop());
});

describe("a session in which a run of a crew that is not here was interrupted", () => {
  test("refuses another start with that reason, and is free once that run is cancelled", async () => {
    const world = new World();
    const { engine } = await leave(world, { crews: [solo], model: slow }, "r");
    const start = () => engine.start(other, { input: "hi", session: "s" });
    await assert.rejects(world.run(start()), {
      code: "conflict",
      message: /run r .* crew solo is not here: cancel it/,
    });
    await world.run(engine.command("r", { type: "cancel" }));
    const run = await world.run(start());
    assert.equal((await world.run(run.result)).outcome, "done");
    await world.run(engine.stop());
  });

  test("refuses also if that run waits", async () => {
    const world = new World();
    const { engine } = await leave(world, { crews: [waits], model: script({ a: [{ say: "What?" }] }) }, "r");
    const start = () => engine.start(other, { input: "hi", session: "s" });
    await assert.rejects(world.run(start()), { code: "conflict", message: /run r .* crew waits: cancel it/ });
    await world.run(engine.command("r", { type: "cancel" }));
    const run = await world.run(start());
    assert.equal((await world.run(run.result)).outcome, "done");
    await world.run(engine.stop());
  });

  /** A run that waits here for its session, behind one that another process had and left. */
  async function waitBehind(world: World): Promise<Process> {
    const one = await world.process({ crews: [solo], model: slow });
    await world.run(one.engine.start(solo, { input: "go", id: "r", session: "s" }));
    const two = await world.process(LOCAL);
    await world.run(two.engine.start(other, { input: "hi", id: "behind", session: "s" }));
    one.isAlive = false;
    await world.clock.advance(10_000);
    assert.equal((await recordOf(two, "r"))?.status, "running");
    assert.equal((await recordOf(two, "behind"))?.status, "queued");
    return two;
  }

  test("keeps queued runs waiting until the run is cancelled", async () => {
    const world = new World();
    const two = await waitBehind(world);
    await world.run(two.engine.command("r", { type: "cancel" }));
    await world.clock.advance(5_000);
    assert.equal((await recordOf(two, "behind"))?.outcome, "done");
    await world.run(two.engine.stop());
  });

  test("keeps queued runs waiting until a process that has the crew has continued the run", async () => {
    const world = new World();
    const two = await waitBehind(world);
    const three = await world.process({ crews: [solo], model: slow });
    await world.run(three.engine.recover());
    await world.clock.advance(20_000);
    assert.equal((await recordOf(three, "r"))?.outcome, "done");
    assert.equal((await recordOf(two, "behind"))?.outcome, "done");
    for (const { engine } of [two, three]) await world.run(engine.stop());
  });

  test("lets a queued run be cancelled", async () => {
    const world = new World();
    const two = await waitBehind(world);
    await world.run(two.engine.command("behind", { type: "cancel" }));
    assert.equal((await recordOf(two, "behind"))?.outcome, "cancelled");
    assert.equal(two.engine.open, 0);
    await world.run(two.engine.stop());
  });
});

describe("a start", () => {
  test("reports interrupted runs of crews that are not here once, when their process has died", async () => {
    const world = new World();
    const one = await world.process({ crews: [solo, waits], model: slow });
    for (const id of ["r1", "r2"]) await world.run(one.engine.start(solo, { input: id, id, session: "s" }));
    await world.run(one.engine.start(waits, { input: "hi", id: "r3" }));
    const warnings: string[] = [];
    const two = await world.process({ ...LOCAL, warn: (text) => warnings.push(text) });
    assert.equal(await world.run(two.engine.recover()), 0);
    await world.clock.advance(500);
    assert.deepEqual(warnings, [], "they are running elsewhere");
    one.isAlive = false;
    await world.clock.advance(20_000);
    assert.deepEqual(warnings, [
      "interrupted runs are of crews that are not here: 2 of crew solo, 1 of crew waits; serve their crews to continue them, or cancel them",
    ]);
    for (const id of ["r1", "r2", "r3"]) assert.notEqual((await recordOf(two, id))?.status, "ended");
    await world.run(two.engine.stop());
  });
});
