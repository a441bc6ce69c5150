/** A command reaches its run from any process, and each one that is acknowledged is in the log exactly once. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { BatonError, type RunEvent } from "@baton/core";
import { Scope } from "@baton/core/ports";
import { readAll, Store } from "@baton/store";
import { recordOf, save, SharedMemory, withMethods } from "@baton/store/testing";
import { of, SimulatedClock } from "@baton/core/testing";
import { postCommand } from "./command-inbox.ts";
import { watch } from "../testing/work-state.ts";
import { crewWith, script, solo, tool, waits } from "../testing/small-crews.ts";
import { World } from "../testing/world.ts";

const looks = crewWith(tool("Look", "read", 1_000));
const LOOKING = {
  a: [...Array.from({ length: 6 }, () => ({ call: [{ tool: "Look" }] })), { say: "Done." }],
};

const heard = (events: readonly RunEvent[]): readonly string[] =>
  of(events, "command.received").flatMap(({ command }) => (command.type === "say" ? command.text : []));
const countLate = (events: readonly RunEvent[]): number =>
  of(events, "warning.raised").filter(({ text }) => text.includes("too late")).length;

function wait({ clock }: World): Promise<void> {
  return new Promise((resolve) => {
    clock.after(500, resolve);
  });
}

describe("a command that another process sends", () => {
  const replies = { a: [{ say: "Which?" }, { say: "[GO]", delayMs: 500 }], b: [{ say: "Done.", delayMs: 500 }] };

  test("resumes a run that waits, and is refused in words if the run does not want it", async () => {
    const world = new World();
    const options = { crews: [waits], model: script(replies) };
    const [one, two] = [await world.process(options), await world.process(options)];
    const run = await world.run(one.engine.start(waits, { input: "go", id: "r", session: "s" }));
    await world.run(run.result);
    const resumed = await world.run(two.engine.command("r", { type: "resume", input: "that one" }));
    // Now the second process has it.
    await assert.rejects(world.run(one.engine.command("r", { type: "resume", input: "again" })), { code: "conflict" });
    await assert.rejects(world.run(one.engine.command("r", { type: "answer", question: "9.9", value: 1 })), {
      code: "not_found",
    });
    assert.equal((await world.run(resumed.run.result)).outcome, "done");
    assert.deepEqual(await two.store.database.inbox.list("r"), []);
    for (const { engine } of [one, two]) await world.run(engine.stop());
  });

  test("cancels one call, and its receipt says what became of it", async () => {
    const world = new World();
    const options = { crews: [looks], model: script(LOOKING) };
    const [one, two] = [await world.process(options), await world.process(options)];
    const run = await world.run(one.engine.start(looks, { input: "go", id: "r" }));
    await world.clock.advance(500);
    const { receipt } = await world.run(two.engine.command("r", { type: "cancel", call: "1.1.1" }));
    assert.deepEqual(receipt?.stopped, ["call:1.1.1"]);
    assert.equal((await world.run(run.result)).outcome, "done");
    assert.deepEqual(await two.store.database.inbox.list("r"), []);
    for (const { engine } of [one, two]) await world.run(engine.stop());
  });

  test("survives the crash of the process that has the run", async () => {
    const world = new World();
    const options = { crews: [looks], model: script(LOOKING) };
    const [one, two] = [await world.process(options), await world.process(options)];
    await world.run(one.engine.start(looks, { input: "go", id: "r" }));
    await world.clock.advance(500);
    one.isAlive = false;
    const pausing = watch(two.engine.command("r", { type: "pause" }));
    await world.clock.advance(20_000);
    assert.equal(pausing.now, "done");
    assert.equal((await two.store.database.runs.find("r"))?.status, "paused");
    await world.run(two.engine.stop());
  });
});

test("a command that its owner takes at the moment when the sender gives up is acknowledged", async () => {
  const clock = new SimulatedClock(1);
  const database = new SharedMemory({ now: () => clock.now() }).open();
  await save(database, [recordOf("r", { status: "running" })]);
  let takes = 0;
  const settle: typeof database.inbox.settle = async (posted, fate) => {
    if (fate !== "withdrawn") return database.inbox.settle(posted, fate);
    takes++;
    await database.inbox.settle(posted, "taken");
    return false;
  };
  const late = withMethods(database, { inbox: withMethods(database.inbox, { settle }) });
  await using store = await Store.open({ database: late, clock });
  await using scope = Scope.root({ clock, name: "test" });
  const context = { store, scope, newPostId: () => "01" };
  const message = { run: "r", command: { type: "say", text: "hello" } } as const;
  const sending = watch(postCommand(context, message, { wake: () => Promise.resolve() }));
  await clock.advance(20_000);
  assert.deepEqual([sending.now, takes], ["done", 1]);
});

test("a command that comes while the store refuses writes is heard when it accepts them again", async () => {
  const world = new World();
  const options = { crews: [looks], model: script(LOOKING) };
  let isRefusing = false;
  const one = await world.process({
    ...options,
    meddle: (_, name) => {
      if (isRefusing && name === "commit") throw new BatonError("busy", "disk full", { retryable: true });
    },
  });
  const two = await world.process(options);
  const run = await world.run(one.engine.start(looks, { input: "go", id: "r" }));
  await world.clock.advance(500);
  isRefusing = true;
  // The call ends, and its end cannot be written.
  await world.clock.advance(700);
  assert.equal(one.store.healthy, false);
  const saying = watch(two.engine.command("r", { type: "say", text: "hello" }));
  await world.clock.advance(1_000);
  assert.equal(saying.now, "open");
  isRefusing = false;
  await world.clock.advance(4_000);
  assert.equal(saying.now, "done");
  assert.equal((await world.run(run.result)).outcome, "done");
  assert.deepEqual(heard(await world.run(readAll(two.store.database, "r"))), ["hello"]);
  for (const { engine } of [one, two]) await world.run(engine.stop());
});

test("a command that comes while its run is opened slowly waits until it is open", async () => {
  const world = new World();
  const options = { crews: [solo], model: script({ a: [{ say: "one two three", delayMs: 60_000 }] }) };
  const one = await world.process(options);
  await world.run(one.engine.start(solo, { input: "go", id: "r" }));
  one.isAlive = false;
  await world.clock.advance(5_000);
  const two = await world.process({
    ...options,
    meddle: (_, name) => (name === "logs.batches" ? wait(world) : undefined),
  });
  const three = await world.process(options);
  watch(two.engine.recover());
  await world.clock.advance(50);
  const cancelling = watch(three.engine.command("r", { type: "cancel" }));
  await world.clock.advance(20_000);
  assert.deepEqual([cancelling.now, (await three.store.database.runs.find("r"))?.outcome], ["done", "cancelled"]);
  for (const { engine } of [two, three]) await world.run(engine.stop());
});

test("a command is acknowledged only if its run has it, though the run pauses or ends while its owner takes it", async () => {
  const replies = { a: [{ say: "Which one?", delayMs: 400 }, { say: "[GO]" }], b: [{ say: "Done.", delayMs: 400 }] };
  for (let ms = 0; ms < 1_200; ms += 50) {
    const world = new World();
    const options = { crews: [waits], model: script(replies) };
    const one = await world.process({
      ...options,
      meddle: (_, name) => (name === "inbox.settle" ? wait(world) : undefined),
    });
    const two = await world.process(options);
    await world.run(one.engine.start(waits, { input: "go", id: "r", session: "s" }));
    await world.clock.advance(ms);
    const pausing = watch(two.engine.command("r", { type: "pause" }));
    await world.clock.advance(15_000);
    const events = await world.run(readAll(two.store.database, "r"));
    // What a run that waits for its user has not heard yet is kept for it.
    const kept = (await two.store.database.inbox.list("r")).filter(({ fate }) => fate === "taken");
    const times = of(events, "command.received").length + countLate(events) + kept.length;
    assert.equal(times, pausing.now === "done" ? 1 : 0, `after ${ms} ms: ${pausing.now}`);
    for (const { engine } of [one, two]) await world.run(engine.stop());
  }
});

test("a process looks for commands while it has a run, and no longer; with the next run it looks again", async () => {
  const world = new World();
  let lookCount = 0;
  const one = await world.process({
    crews: [solo],
    model: script({ a: [{ say: "Done.", delayMs: 5_000 }] }),
    meddle: (_, name) => {
      if (name === "inbox.unread") lookCount++;
    },
  });
  const timers = world.clock.pending;
  for (const id of ["r1", "r2"]) {
    const run = await world.run(one.engine.start(solo, { input: "go", id }));
    await world.run(run.result);
    assert.ok(lookCount > 3, `${lookCount} looks while ${id} was running`);
    await world.clock.advance(5_000);
    lookCount = 0;
    await world.clock.advance(10_000);
    assert.deepEqual([lookCount, world.clock.pending], [0, timers]);
  }
  await world.run(one.engine.stop());
});
