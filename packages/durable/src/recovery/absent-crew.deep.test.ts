/** Cancels of a run whose crew is not here, at every moment of another cancel and of a stop. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { defineCrew } from "@baton/core";
import { inSlice, of } from "@baton/core/testing";
import { readAll } from "@baton/store";
import { crewWith, script, solo, tool } from "../testing/small-crews.ts";
import { letPass, watch } from "../testing/work-state.ts";
import { type Process, type ProcessOptions, World } from "../testing/world.ts";

/** The moments, as numbers of promises: more than anything here waits for before time must pass. */
const MOMENTS = Array.from({ length: 200 }, (_, index) => index);
const other = defineCrew({ name: "other", agents: [{ id: "a", isTerminal: true }] });
const shop = crewWith(tool("Pay", "irreversible", 1_000));
const slow = script({ a: [{ say: "one two three", delayMs: 1_000 }] });
const buys = script({ a: [{ call: [{ tool: "Pay" }] }, { say: "Done." }] });
const LOCAL = { crews: [other], model: script({ a: [{ say: "ok" }] }) };

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

test("a run of a crew that is not here is cancelled once, however many ask for it at the same time", async () => {
  for (const promises of inSlice(MOMENTS)) {
    const world = new World();
    const { engine, store } = await leave(world, { crews: [shop], model: buys }, "r");
    const fates = [watch(engine.command("r", { type: "cancel" }))];
    await letPass(promises);
    fates.push(watch(engine.command("r", { type: "cancel" })));
    await world.clock.advance(2_000);
    const [first, second] = fates.map(({ now }) => now);
    assert.equal(first, "done");
    assert.match(second ?? "", /^(done|run_ended)$/, `${promises} promises`);
    const events = await readAll(store.database, "r");
    assert.equal(of(events, "run.ended").length, 1);
    assert.deepEqual(of(events, "question.answered"), []);
    await world.run(engine.stop());
  }
});

test("an engine that stops while it cancels a run of a crew that is not here says whether it was cancelled", async () => {
  const fates = new Set<string>();
  for (const promises of inSlice(MOMENTS)) {
    const world = new World();
    const { engine } = await leave(world, { crews: [solo], model: slow }, "r");
    const fate = watch(engine.command("r", { type: "cancel" }));
    await letPass(promises);
    // By tens, so that each slice has both.
    if (Math.floor(promises / 10) % 8 === 7) await world.clock.advance(0);
    await world.run(engine.stop());
    await world.clock.advance(1_000);
    fates.add(fate.now);
    assert.equal(fate.now, world.record("r")?.status === "ended" ? "done" : "closed", `${promises} promises`);
  }
  assert.deepEqual([...fates].toSorted(), ["closed", "done"]);
});
