/** At every moment of a stop, each caller learns what became of its command, and no run is harmed. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Command } from "@baton/core";
import { inSlice } from "@baton/core/testing";
import { letPass, watch } from "../testing/work-state.ts";
import { crewWith, script, solo, tool, waits } from "../testing/small-crews.ts";
import { type Process, World } from "../testing/world.ts";

/** The moments, as numbers of promises: more than anything here waits for before time must pass. */
const MOMENTS = Array.from({ length: 100 }, (_, index) => index);

const recordOf = ({ store }: Process, id: string) => store.database.runs.find(id);
const outcomeOf = async (process: Process, id: string) => (await recordOf(process, id))?.outcome;
const toAnswer = (question: string, value: string): Command => ({ type: "answer", question, value });

/** Stops an engine, and gives how long that took; undefined if it does not end. */
async function stopIn(world: World, { engine }: Process): Promise<number | undefined> {
  const from = world.clock.now();
  let tookMs: number | undefined;
  const stopping = engine.stop().then(() => {
    tookMs = world.clock.now() - from;
  });
  watch(stopping);
  await world.clock.advance(10_000);
  return tookMs;
}

describe("an engine that stops", () => {
  test("a command at that moment is carried out or refused, and the run continues later", async () => {
    const replies = { a: [{ say: "Which?" }, { say: "[GO]", delayMs: 50 }], b: [{ say: "Done.", delayMs: 50 }] };
    const options = { crews: [waits], model: script(replies) };
    for (const promises of inSlice(MOMENTS)) {
      const world = new World();
      const one = await world.process(options);
      const run = await world.run(one.engine.start(waits, { input: "hi", id: "r" }));
      await world.run(run.result);
      const said = watch(one.engine.command("r", { type: "say", text: "that one" }));
      await letPass(promises);
      assert.equal(await stopIn(world, one), 0, `after ${promises} promises`);
      assert.match(said.now, /^(done|closed)$/, `after ${promises} promises`);
      const two = await world.process(options);
      await world.run(two.engine.recover());
      if ((await recordOf(two, "r"))?.status === "paused") await world.run(two.engine.resume("r", "that one"));
      await world.clock.advance(1_000);
      assert.equal(await outcomeOf(two, "r"), "done", `after ${promises} promises`);
      await world.run(two.engine.stop());
    }
  });

  test("an answer at that moment is refused, or accepted and the run continues with it later", async () => {
    const crew = crewWith(tool("Pay", "irreversible", 1_000));
    const options = { crews: [crew], model: script({ a: [{ call: [{ tool: "Pay" }] }, { say: "Done." }] }) };
    const seen = new Set<string>();
    for (const promises of inSlice(MOMENTS)) {
      const world = new World();
      const one = await world.process(options);
      const run = await world.run(one.engine.start(crew, { input: "buy", id: "r", session: "s" }));
      await world.run(run.result);
      const answering = watch(one.engine.command("r", toAnswer("1.1.1", "allow")));
      await letPass(promises);
      assert.equal(await stopIn(world, one), 0, `after ${promises} promises`);
      const two = await world.process(options);
      await world.run(two.engine.recover());
      await world.clock.advance(10_000);
      seen.add(`${answering.now}: ${await outcomeOf(two, "r")}`);
      await world.run(two.engine.stop());
    }
    assert.deepEqual([...seen].toSorted(), ["closed: paused", "done: done"]);
  });

  test("a run that is being recovered at that moment stays as it is", async () => {
    const crew = crewWith(tool("Slow", "read", 4_000));
    const options = { crews: [crew], model: script({ a: [{ call: [{ tool: "Slow" }] }, { say: "Done." }] }) };
    for (const promises of inSlice(MOMENTS)) {
      const world = new World();
      const one = await world.process(options);
      await world.run(one.engine.start(crew, { input: "hi", id: "r" }));
      one.isAlive = false;
      await world.clock.advance(5_000);
      const two = await world.process(options);
      const recovering = watch(two.engine.recover());
      await letPass(promises);
      assert.equal(await stopIn(world, two), 0, `after ${promises} promises`);
      assert.equal(recovering.now, "done");
      assert.equal((await recordOf(two, "r"))?.status, "running", `after ${promises} promises`);
    }
  });

  for (const [where, id, left] of [
    ["", "r1", "running"],
    [" in a session", "r1", "running"],
    [" that has to wait", "r2", "queued"],
  ] as const) {
    test(`a start${where} at that moment is refused and stores nothing, or is acknowledged and continues later`, async () => {
      const options = { crews: [solo], model: script({ a: [{ say: "one two three", delayMs: 1_000 }] }) };
      const session = where === "" ? {} : { session: "s" };
      const seen = new Set<string>();
      for (const promises of inSlice(MOMENTS)) {
        const world = new World();
        const one = await world.process(options);
        if (id === "r2") await world.run(one.engine.start(solo, { input: "hi", id: "r1", ...session }));
        const starting = watch(one.engine.start(solo, { input: "hi", id, ...session }));
        await letPass(promises);
        assert.equal(await stopIn(world, one), 0, `after ${promises} promises`);
        await world.run(one.store[Symbol.asyncDispose]());
        const two = await world.process(options);
        const found = (await recordOf(two, id))?.status;
        await world.run(two.engine.recover());
        await world.clock.advance(20_000);
        seen.add(`${starting.now}: ${found}, then ${await outcomeOf(two, id)}`);
        await world.run(two.engine.stop());
      }
      assert.deepEqual([...seen].toSorted(), ["closed: undefined, then undefined", `done: ${left}, then done`]);
    });
  }

  for (const [what, id, fates] of [
    // A step that was cancelled before the run was left ends it later all the same.
    ["of a running run", "r1", ["closed: cancelled", "closed: done", "done: cancelled"]],
    ["of a run that waits for its session", "r2", ["done: cancelled"]],
  ] as const) {
    test(`a cancel ${what} at that moment holds if it is acknowledged`, async () => {
      const options = { crews: [solo], model: script({ a: [{ say: "one two three", delayMs: 1_000 }] }) };
      const seen = new Set<string>();
      for (const promises of inSlice(MOMENTS)) {
        const world = new World();
        const one = await world.process(options);
        for (const run of ["r1", "r2"]) await world.run(one.engine.start(solo, { input: "hi", id: run, session: "s" }));
        const cancelling = watch(one.engine.command(id, { type: "cancel" }));
        await letPass(promises);
        assert.equal(await stopIn(world, one), 0, `after ${promises} promises`);
        await world.run(one.store[Symbol.asyncDispose]());
        const two = await world.process(options);
        await world.run(two.engine.recover());
        await world.clock.advance(20_000);
        seen.add(`${cancelling.now}: ${await outcomeOf(two, id)}`);
        await world.run(two.engine.stop());
      }
      assert.deepEqual([...seen].toSorted(), fates);
    });
  }

  test("a cancel of a queued run that was handed over is refused", async () => {
    const options = { crews: [solo], model: script({ a: [{ say: "one two three", delayMs: 1_000 }] }) };
    const seen = new Set<string>();
    for (const promises of inSlice(MOMENTS)) {
      const world = new World();
      const one = await world.process(options);
      for (const id of ["r1", "r2"]) await world.run(one.engine.start(solo, { input: "hi", id, session: "s" }));
      watch(one.engine.stop());
      await letPass(promises);
      const cancelling = watch(one.engine.command("r2", { type: "cancel" }));
      await world.clock.advance(1_000);
      const two = await world.process(options);
      await world.run(two.engine.recover());
      await world.clock.advance(20_000);
      seen.add(`${cancelling.now}: ${await outcomeOf(two, "r2")}`);
      await world.run(two.engine.stop());
    }
    assert.deepEqual([...seen].toSorted(), ["closed: done"]);
  });
});
