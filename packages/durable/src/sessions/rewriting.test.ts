/** A history that a run is given in a session is what the session remembers from then on, whatever happens meanwhile. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { defineCrew, type Message } from "@baton/core";
import { collect, of } from "@baton/core/testing";
import { z } from "zod";
import { LOCAL } from "@baton/store";
import { script, solo, waits } from "../testing/small-crews.ts";
import { type Process, type ProcessOptions, World } from "../testing/world.ts";

const GIVEN: readonly Message[] = [
  { role: "user", content: "I am Bob" },
  { role: "assistant", content: "Hello Bob" },
];
const WHOLE = ["I am Bob", "Hello Bob", "again", "ok"];
/** Its second agent waits for the user. */
const asksLater = defineCrew({
  name: "asks-later",
  agents: [{ id: "first" }, { id: "a" }, { id: "b", isTerminal: true }],
  signals: { first: [{ signal: "[A]", target: "a" }], a: [{ signal: "[GO]", target: "b" }] },
  behaviors: { a: { waitForSignal: true } },
});
const options = { crews: [solo], model: script({ a: [{ say: "ok", delayMs: 100 }] }) };
const rewriting = { input: "again", session: "s", id: "rewriting", history: GIVEN };

const CONTENT = z.object({ content: z.string() });

async function said({ store }: Process): Promise<readonly string[]> {
  const messages = await store.database.sessions.messages(LOCAL, "s");
  return messages.map((text) => CONTENT.parse(JSON.parse(text)).content);
}

/** Plays runs of one session one after the other. */
async function play(world: World, { engine }: Process, inputs: readonly string[]): Promise<void> {
  for (const input of inputs) await world.run((await world.run(engine.start(solo, { input, session: "s" }))).result);
}

describe("a run that is given a history in a session", () => {
  test("is followed by others that know that history and nothing from before it", async () => {
    const world = new World();
    const process = await world.process(options);
    await play(world, process, ["one", "two"]);
    const run = await world.run(process.engine.start(solo, rewriting));
    assert.deepEqual(await said(process), ["I am Bob", "Hello Bob"], "from the moment it begins");
    await world.run(run.result);
    assert.deepEqual(await said(process), WHOLE);
    const next = await world.run(process.engine.start(solo, { input: "next", session: "s" }));
    const { events } = await world.run(collect(next));
    assert.deepEqual(
      of(events, "run.started")[0]?.history.map(({ content }) => content),
      WHOLE,
    );
    assert.deepEqual(await said(process), [...WHOLE, "next", "ok"]);
    await world.run(process.engine.stop());
  });

  test("may be given an empty history: then all is forgotten", async () => {
    const world = new World();
    const process = await world.process(options);
    await play(world, process, ["one"]);
    const run = await world.run(process.engine.start(solo, { ...rewriting, history: [] }));
    await world.run(run.result);
    assert.deepEqual(await said(process), ["again", "ok"]);
    await world.run(process.engine.stop());
  });

  test("changes nothing before its turn, and nothing at all if it never gets one", async () => {
    const world = new World();
    const process = await world.process(options);
    const { engine } = process;
    const first = await world.run(engine.start(solo, { input: "one", session: "s" }));
    const never = await world.run(engine.start(solo, { ...rewriting, id: "never" }));
    await world.run(never.command({ type: "cancel" }));
    await world.run(first.result);
    assert.deepEqual(await said(process), ["one", "ok"]);
    await world.run(engine.start(solo, { input: "two", session: "s" }));
    const run = await world.run(engine.start(solo, rewriting));
    assert.deepEqual(await said(process), ["one", "ok"]);
    await world.run(run.result);
    assert.deepEqual(await said(process), WHOLE);
    await world.run(engine.stop());
  });

  test("takes the place of a run that waits for a message, and begins at the entry", async () => {
    for (const isQueued of [false, true]) {
      const world = new World();
      const model = script({ first: [{ say: "[A]" }], a: [{ say: "What?", delayMs: 5 }] });
      const process = await world.process({ crews: [asksLater], model });
      const { engine } = process;
      const first = await world.run(engine.start(asksLater, { input: "one", session: "s" }));
      if (!isQueued) await world.run(first.result);
      const run = await world.run(engine.start(asksLater, rewriting));
      const { events, outcome } = await world.run(collect(run));
      assert.deepEqual([run.id, outcome], ["rewriting", "paused"]);
      assert.equal(of(events, "run.started")[0]?.entry.id, "first");
      assert.equal((await process.store.database.runs.find(first.id))?.outcome, "cancelled");
      assert.deepEqual(await said(process), ["I am Bob", "Hello Bob", "again", "[A]", "What?"]);
      await world.run(engine.stop());
    }
  });

  test("is remembered whole by a process that continues it after a pause", async () => {
    const world = new World();
    const model = script({ a: [{ when: "on", say: "[GO]" }, { say: "What?" }], b: [{ say: "Done." }] });
    const one = await world.process({ crews: [waits], model });
    await world.run((await world.run(one.engine.start(waits, rewriting))).result);
    assert.deepEqual(await said(one), ["I am Bob", "Hello Bob", "again", "What?"]);
    one.isAlive = false;
    await world.clock.advance(5_000);
    const two = await world.process({ crews: [waits], model });
    const run = await world.run(two.engine.start(waits, { input: "on", session: "s" }));
    await world.run(run.result);
    assert.deepEqual(await said(two), ["I am Bob", "Hello Bob", "again", "What?", "on", "[GO]", "Done."]);
    await world.run(two.engine.stop());
  });
});

describe("a process that dies around a run with a history of its own", () => {
  /** Dies at the k-th call of the database after the session has a past; gives whether it lived to the end. */
  async function live(world: World, places: number, isQueued: boolean): Promise<boolean> {
    let left = Infinity;
    const meddle: ProcessOptions["meddle"] = (process) => {
      if (--left === 0) process.isAlive = false;
    };
    const one = await world.process({ ...options, meddle });
    await play(world, one, ["one"]);
    if (isQueued) await world.run(one.engine.start(solo, { input: "two", session: "s" }));
    left = places;
    const going = (async () => {
      await (
        await one.engine.start(solo, rewriting)
      ).result;
      await one.engine.stop();
      return true;
    })();
    const died = (async () => {
      while (one.isAlive) await new Promise<void>((resolve) => world.clock.after(10, resolve));
      return false;
    })();
    const isDone = await world.run(Promise.race([going, died]));
    one.isAlive = false;
    return isDone;
  }

  for (const isQueued of [false, true]) {
    test(`at any call of the database${isQueued ? ", while it waits or later" : ""}: all is as before, or as the run says`, async () => {
      let place = 1;
      for (; ; place++) {
        const world = new World();
        const isDone = await live(world, place, isQueued);
        await world.clock.advance(5_000);
        const two = await world.process(options);
        const isBegun = (await two.store.database.runs.find("rewriting")) !== undefined;
        await world.run(two.engine.recover());
        await world.clock.advance(5_000);
        const before = isQueued ? ["one", "ok", "two", "ok"] : ["one", "ok"];
        assert.deepEqual(await said(two), isBegun ? WHOLE : before, `place ${place}`);
        await world.run(two.engine.stop());
        if (isDone) break;
      }
      assert.ok(place > 10, `there were only ${place} places to die at`);
    });
  }
});
