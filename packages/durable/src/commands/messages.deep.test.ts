/** A message at every moment of a stop, a resume or a cancel is heard once, or the sender or the log says why not. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Command, RunEvent } from "@baton/core";
import { inSlice, of } from "@baton/core/testing";
import { readAll } from "@baton/store";
import { crewWith, script, tool, waits } from "../testing/small-crews.ts";
import { letPass, watch } from "../testing/work-state.ts";
import { type Process, type ProcessOptions, World } from "../testing/world.ts";

/** The moments, as numbers of promises: more than anything here waits for before time must pass. */
const MOMENTS = Array.from({ length: 100 }, (_, index) => index);
const SAY: Command = { type: "say", text: "and hurry" };
const looks = crewWith(tool("Look", "read", 1_000));
const LOOKING = { a: [{ call: [{ tool: "Look" }] }, { call: [{ tool: "Look" }] }, { say: "Done." }] };

const eventsOf = (world: World, { store }: Process, id: string) => world.run(readAll(store.database, id));
const heard = (events: readonly RunEvent[]) =>
  of(events, "command.received").flatMap(({ command }) => (command.type === "say" ? command.text : []));
const late = (events: readonly RunEvent[]) => of(events, "warning.raised").filter(({ text }) => /too late/.test(text));

/** Ends a process where it is, and starts another when its lease is over. */
async function replace(world: World, before: Process, options: ProcessOptions): Promise<Process> {
  before.isAlive = false;
  await world.clock.advance(5_000);
  return world.process(options);
}

test("a message is acknowledged and heard later, or refused, if the engine stops at that moment", async () => {
  const fates = new Set<string>();
  for (const promises of inSlice(MOMENTS.slice(0, 60))) {
    const world = new World();
    const options = { crews: [looks], model: script(LOOKING) };
    const one = await world.process(options);
    await world.run(one.engine.start(looks, { input: "go", id: "r" }));
    await world.clock.advance(500);
    const stopping = promises < 30 ? undefined : watch(one.engine.stop());
    await letPass(promises % 30);
    const said = watch(one.engine.command("r", SAY));
    await letPass(promises % 30);
    if (stopping === undefined) watch(one.engine.stop());
    await world.clock.advance(1_000);
    const two = await replace(world, one, options);
    await world.run(two.engine.recover());
    await world.clock.advance(10_000);
    fates.add(`${said.now}, ${heard(await eventsOf(world, two, "r")).length}`);
    await world.run(two.engine.stop());
  }
  assert.deepEqual([...fates].toSorted(), ["closed, 0", "done, 1"]);
});

test("a message is heard or reported as too late if a paused run is resumed and cancelled at the same time", async () => {
  const replies = { a: [{ say: "Which?", delayMs: 500 }, { say: "[GO]" }], b: [{ say: "Done." }] };
  for (const promises of inSlice(MOMENTS)) {
    const world = new World();
    const one = await world.process({ crews: [waits], model: script(replies) });
    const run = await world.run(one.engine.start(waits, { input: "go", id: "r" }));
    await world.run(one.engine.command("r", SAY));
    await world.run(run.result);
    watch(one.engine.command("r", { type: "say", text: "that one" }));
    await letPass(promises);
    watch(one.engine.command("r", { type: "cancel" }));
    await world.clock.advance(1_000);
    const events = await eventsOf(world, one, "r");
    assert.equal(heard(events).length + late(events).length, 1, `after ${promises} promises`);
    await world.run(one.engine.stop());
  }
});

test("a message is heard before a message that is sent after the run continued", async () => {
  for (const promises of inSlice(MOMENTS)) {
    const world = new World();
    const one = await world.process({ crews: [looks], model: script(LOOKING) });
    const run = await world.run(one.engine.start(looks, { input: "go", id: "r" }));
    await world.run(one.engine.command("r", { type: "pause" }));
    await world.run(one.engine.command("r", { type: "say", text: "one" }));
    await world.run(run.result);
    watch(one.engine.command("r", { type: "resume" }));
    await letPass(promises);
    const second = watch(one.engine.command("r", { type: "say", text: "two" }));
    await world.clock.advance(10_000);
    const events = await eventsOf(world, one, "r");
    assert.equal(second.now, "done");
    // It answers the pause if it comes first.
    const isAnswer = of(events, "question.answered").some(({ value }) => value === "two");
    assert.deepEqual(heard(events), isAnswer ? ["one"] : ["one", "two"], `after ${promises} promises`);
    await world.run(one.engine.stop());
  }
});
