/** Programs, state, outputs, notes, sub-crews and what runs after: a process may die at any call of its database. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Crew, RunEvent } from "@baton/core";
import { of } from "@baton/core/testing";
import { z } from "zod";
import { readAll } from "@baton/store";
import { promptOf } from "../replay/prompt-of.ts";
import { replay } from "../replay/replay.ts";
import { seams, seamsModel as model, toFacts } from "../testing/seams.ts";
import { type Process, World } from "../testing/world.ts";

/** Plays the run to its end and what follows it, in processes that die at these calls of the database. */
async function play(places: readonly number[]): Promise<{ readonly world: World; readonly deaths: number }> {
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

async function readWorld(world: World, crew: Crew) {
  const { store, engine } = await world.process({ crews: [crew], model: () => model });
  const { database } = store;
  const events = await world.run(readAll(database, "r"));
  const runs = await database.runs.list({});
  const said = await database.sessions.messages({ tenant: "local", user: "local" }, "s");
  await world.run(engine.stop());
  return { events, runs: runs.map(({ id, outcome }) => `${id} ${outcome}`).toSorted(), said };
}

test("a run with a program, a sub-crew's question and a corrected output ends the same wherever its process dies", async () => {
  const whole = await readWorld((await play([])).world, seams);
  const facts = toFacts(whole.events);
  assert.deepEqual(facts.end, [["done", '{"answer": "green tea"}', { answer: "green tea" }]]);
  assert.deepEqual(facts.asked, [["2/inner/1/message", "message"]]);
  assert.equal(facts.notes.length, 8);
  assert.deepEqual(whole.runs, ["r done", "r-after done"]);
  const prompts = await promptsOf(whole.events);
  let places = 0;
  for (let place = 1; ; place++) {
    const { world, deaths } = await play([place]);
    if (deaths === 0) break;
    places = place;
    const { events, runs, said } = await readWorld(world, seams);
    assert.deepEqual(toFacts(events), facts, `place ${place}`);
    assert.deepEqual(runs, whole.runs, `place ${place}`);
    assert.deepEqual(said, whole.said, `place ${place}`);
    assert.equal(await replay(seams, events), undefined, `place ${place}`);
    assert.deepEqual(await promptsOf(events), prompts, `place ${place}`);
  }
  assert.ok(places > 40, `there were only ${places} places to die at`);
});

test("a run whose process dies again and again still has each note once", async () => {
  const facts = toFacts((await readWorld((await play([])).world, seams)).events);
  for (const distance of [13, 17, 23, 31]) {
    const { world, deaths } = await play(Array.from({ length: 40 }, () => distance));
    const { events, runs } = await readWorld(world, seams);
    assert.ok(deaths > 1, `distance ${distance}: it died ${deaths} times`);
    assert.deepEqual(toFacts(events), facts, `distance ${distance}`);
    assert.deepEqual(runs, ["r done", "r-after done"]);
  }
});

test("a session keeps what is for the user, and not what an agent wrote for its crew", async () => {
  const { said } = await readWorld((await play([])).world, seams);
  const texts = said.map((message) => z.object({ role: z.string(), content: z.string() }).parse(JSON.parse(message)));
  assert.deepEqual(
    texts.map(({ role, content }) => `${role}: ${content}`),
    ["user: What shall I drink?", "assistant: The colour is known.", 'assistant: {"answer": "green tea"}'],
  );
});

/** The prompt of every step. */
function promptsOf(events: readonly RunEvent[]) {
  return Promise.all(
    of(events, "step.started").map(async ({ step }) => {
      const { system, messages, tools, blocks } = await promptOf(seams, events, step);
      return { system, messages, tools, sources: blocks.map(({ source }) => source) };
    }),
  );
}
