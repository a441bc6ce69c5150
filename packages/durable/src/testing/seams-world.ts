/**
 * Seams world: a run of the crew `seams` in simulated processes that die at calls of their database.
 */
import assert from "node:assert/strict";
import type { RunEvent } from "@baton/core";
import { of } from "@baton/core/testing";
import { readAll } from "@baton/store";
import { promptOf } from "../replay/prompt-of.ts";
import { replay } from "../replay/replay.ts";
import { seams, seamsModel as model, toFacts } from "./seams.ts";
import { type Process, World } from "./world.ts";

/** Plays the run to its end and what follows it, in processes that die at these calls of the database. */
export async function playSeams(
  places: readonly number[],
): Promise<{ readonly world: World; readonly deaths: number }> {
  const world = new World();
  let deaths = 0;
  for (const place of [...places, Infinity]) {
    if (await live(world, place)) break;
    deaths++;
    await world.clock.advance(5_000);
  }
  return { world, deaths };
}

/** One life of a process; gives whether it lived to the end. */
async function live(world: World, place: number): Promise<boolean> {
  let left = place;
  const meddle = (process: Process): void => {
    left--;
    if (left === 0) process.isAlive = false;
  };
  const process = await world.process({ crews: [seams], model: () => model, meddle });
  const { engine } = process;
  const going = (async () => {
    const known = await engine.run("r");
    if (known === undefined) await engine.start(seams, { input: "What shall I drink?", id: "r", session: "s" });
    await engine.recover();
    for (;;) {
      const run = (await engine.run("r")) ?? assert.fail("the run is gone");
      if ((await run.result).outcome !== "paused") break;
      await (
        await engine.resume("r", "green")
      ).result;
    }
    await engine.idle();
    return true;
  })();
  const died = (async () => {
    while (process.isAlive) await new Promise<void>((resolve) => world.clock.after(10, resolve));
    return false;
  })();
  const isDone = await world.run(Promise.race([going, died]));
  if (isDone) await world.run(engine.stop());
  process.isAlive = false;
  return isDone;
}

export async function readSeams(world: World) {
  const { store, engine } = await world.process({ crews: [seams], model: () => model });
  const { database } = store;
  const events = await world.run(readAll(database, "r"));
  const runs = await database.runs.list({});
  const said = await database.sessions.messages({ tenant: "local", user: "local" }, "s");
  await world.run(engine.stop());
  return { events, runs: runs.map(({ id, outcome }) => `${id} ${outcome}`).toSorted(), said };
}

/** Checks that the run ends the same if its process dies at each of these places, up to the last one there is. */
export async function checkDeaths(chosen: readonly number[]): Promise<void> {
  const whole = await readSeams((await playSeams([])).world);
  const facts = toFacts(whole.events);
  assert.deepEqual(facts.end, [["done", '{"answer": "green tea"}', { answer: "green tea" }]]);
  assert.deepEqual(facts.asked, [["2/inner/1/message", "message"]]);
  assert.equal(facts.notes.length, 8);
  assert.deepEqual(whole.runs, ["r done", "r-after done"]);
  const prompts = await promptsOf(whole.events);
  let places = 0;
  for (const place of chosen) {
    const { world, deaths } = await playSeams([place]);
    if (deaths === 0) break;
    places = place;
    const { events, runs, said } = await readSeams(world);
    assert.deepEqual(toFacts(events), facts, `place ${place}`);
    assert.deepEqual(runs, whole.runs, `place ${place}`);
    assert.deepEqual(said, whole.said, `place ${place}`);
    assert.equal(await replay(seams, events), undefined, `place ${place}`);
    assert.deepEqual(await promptsOf(events), prompts, `place ${place}`);
  }
  assert.ok(places > 40, `there were only ${places} places to die at`);
}

/** The prompt of every step. */
function promptsOf(events: readonly RunEvent[]) {
  return Promise.all(
    of(events, "step.started").map(async ({ step }) => {
      const { system, messages, tools, blocks } = await promptOf(seams, events, step);
      return { system, messages, tools, sources: blocks.map(({ source }) => source) };
    }),
  );
}
