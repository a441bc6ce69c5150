/** An acknowledged message reaches its run once, whatever happens then; or the log says that it came too late. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Command, type Model, type RunEvent, scriptModel } from "@baton/core";
import { of } from "@baton/core/testing";
import { readAll } from "@baton/store";
import { replay } from "../replay/replay.ts";
import { watch } from "../testing/work-state.ts";
import { crewWith, script, solo, tool, waits } from "../testing/small-crews.ts";
import { type Process, type ProcessOptions, World } from "../testing/world.ts";

const SAY: Command = { type: "say", text: "and hurry" };
const looks = crewWith(tool("Look", "read", 1_000));
const LOOKING = { a: [{ call: [{ tool: "Look" }] }, { call: [{ tool: "Look" }] }, { say: "Done." }] };

const recordOf = ({ store }: Process, id: string) => store.database.runs.find(id);
const eventsOf = (world: World, { store }: Process, id: string) => world.run(readAll(store.database, id));

/** The messages that the run has heard, in order. */
const heard = (events: readonly RunEvent[]) =>
  of(events, "command.received").flatMap(({ command }) => (command.type === "say" ? command.text : []));
const late = (events: readonly RunEvent[]) => of(events, "warning.raised").filter(({ text }) => /too late/.test(text));

/** Ends a process where it is, and starts another when its lease is over. */
async function replace(world: World, before: Process, options: ProcessOptions): Promise<Process> {
  before.isAlive = false;
  await world.clock.advance(5_000);
  return world.process(options);
}

describe("a message to a running run", () => {
  test("is heard once if it was acknowledged, wherever the process dies", async () => {
    const fates = new Map<string, number>();
    for (let place = 1, isOver = false; !isOver; place++) {
      const world = new World();
      let places = -Infinity;
      const one: Process = await world.process({
        crews: [looks],
        model: script(LOOKING),
        meddle: (process) => {
          if (++places === place) process.isAlive = false;
        },
      });
      await world.run(one.engine.start(looks, { input: "go", id: "r" }));
      await world.clock.advance(500);
      places = 0;
      const said = watch(one.engine.command("r", SAY));
      await world.clock.advance(10_000);
      isOver = one.isAlive;
      const two = await replace(world, one, { crews: [looks], model: script(LOOKING) });
      await world.run(two.engine.recover());
      await world.clock.advance(10_000);
      const events = await eventsOf(world, two, "r");
      assert.equal((await recordOf(two, "r"))?.outcome, "done");
      assert.deepEqual(await two.store.database.inbox.list("r"), []);
      assert.deepEqual(heard(events).slice(1), [], `place ${place}`);
      assert.equal(await replay(looks, events), undefined, `place ${place}`);
      const fate = `${said.now}, ${heard(events).length === 1 ? "heard" : "not heard"}`;
      fates.set(fate, (fates.get(fate) ?? 0) + 1);
      await world.run(two.engine.stop());
    }
    assert.deepEqual([...fates.keys()].toSorted(), ["done, heard", "open, heard", "open, not heard"]);
    assert.ok((fates.get("done, heard") ?? 0) > 5);
  });

  test("is heard by the model, in order, although the run is interrupted again and again", async () => {
    const world = new World();
    const lengths: string[] = [];
    const model = scriptModel(LOOKING);
    const spy: Model = {
      ...model,
      stream(prompt, scope) {
        lengths.push(prompt.messages.flatMap(({ role, content }) => (role === "user" ? content : [])).join(" "));
        return model.stream(prompt, scope);
      },
    };
    const options = { crews: [looks], model: () => spy };
    let process = await world.process(options);
    await world.run(process.engine.start(looks, { input: "go", id: "r" }));
    for (const text of ["one", "two", "two", "three"]) {
      await world.clock.advance(100);
      await world.run(process.engine.command("r", { type: "say", text }));
      process = await replace(world, process, options);
      await world.run(process.engine.recover());
    }
    await world.clock.advance(10_000);
    assert.deepEqual(heard(await eventsOf(world, process, "r")), ["one", "two", "two", "three"]);
    assert.equal(lengths.at(-1), "go one two two three");
    await world.run(process.engine.stop());
  });

  test("is heard again if the same text was sent and heard before", async () => {
    const world = new World();
    const options = { crews: [looks], model: script(LOOKING) };
    const one = await world.process(options);
    await world.run(one.engine.start(looks, { input: "go", id: "r" }));
    await world.run(one.engine.command("r", SAY));
    await world.clock.advance(1_500);
    assert.equal(heard(await eventsOf(world, one, "r")).length, 1);
    await world.run(one.engine.command("r", SAY));
    const two = await replace(world, one, options);
    await world.run(two.engine.recover());
    await world.clock.advance(10_000);
    assert.deepEqual(heard(await eventsOf(world, two, "r")), ["and hurry", "and hurry"]);
    await world.run(two.engine.stop());
  });

  test("is acknowledged though there is no room for it in memory when the engine stops", async () => {
    const world = new World();
    const options = { crews: [looks], model: script(LOOKING) };
    const one = await world.process(options);
    await world.run(one.engine.start(looks, { input: "go", id: "r" }));
    await world.run(one.engine.command("r", { type: "pause" }));
    const fates = Array.from({ length: 32 }, () => watch(one.engine.command("r", SAY)));
    await world.clock.advance(100);
    assert.equal(fates.filter(({ now }) => now === "open").length, 1);
    await world.run(one.engine.stop());
    assert.ok(fates.every(({ now }) => now === "done"));
    const two = await replace(world, one, options);
    await world.run(two.engine.recover());
    await world.clock.advance(10_000);
    // The pause was acknowledged before.
    assert.equal((await recordOf(two, "r"))?.status, "paused");
    await world.run(two.engine.command("r", { type: "resume" }));
    await world.clock.advance(10_000);
    assert.equal(heard(await eventsOf(world, two, "r")).length, 32);
    await world.run(two.engine.stop());
  });

  test("is heard in the next segment if the run pauses first, here or in another process", async () => {
    const replies = { a: [{ say: "Which?", delayMs: 500 }, { say: "[GO]" }], b: [{ say: "Done." }] };
    for (const isElsewhere of [false, true]) {
      const world = new World();
      const options = { crews: [waits], model: script(replies) };
      const one = await world.process(options);
      const run = await world.run(one.engine.start(waits, { input: "go", id: "r" }));
      await world.run(one.engine.command("r", SAY));
      assert.equal((await world.run(run.result)).outcome, "paused");
      assert.equal((await one.store.database.inbox.list("r")).length, 1);
      const two = isElsewhere ? await replace(world, one, options) : one;
      const resumed = await world.run(two.engine.resume("r", "that one"));
      assert.equal((await world.run(resumed.result)).outcome, "done");
      const events = await eventsOf(world, two, "r");
      assert.deepEqual([heard(events), late(events).length], [["and hurry"], 0]);
      assert.equal(await replay(waits, events), undefined);
      await world.run(two.engine.stop());
    }
  });

  test("is reported as too late if the run ends first", async () => {
    const world = new World();
    const one = await world.process({ crews: [solo], model: script({ a: [{ say: "Done.", delayMs: 500 }] }) });
    const run = await world.run(one.engine.start(solo, { input: "go", id: "r" }));
    await world.run(one.engine.command("r", SAY));
    await world.run(run.result);
    const events = await eventsOf(world, one, "r");
    assert.deepEqual([heard(events).length, late(events).length], [0, 1]);
    assert.equal(await replay(solo, events), undefined);
    await assert.rejects(world.run(one.engine.command("r", SAY)), { code: "run_ended" });
    await world.run(one.engine.stop());
  });

  test("is reported as too late if a paused run is cancelled", async () => {
    const world = new World();
    const options = { crews: [waits], model: script({ a: [{ say: "Which?", delayMs: 500 }] }) };
    const one = await world.process(options);
    const run = await world.run(one.engine.start(waits, { input: "go", id: "r" }));
    await world.run(one.engine.command("r", SAY));
    await world.run(run.result);
    const two = await replace(world, one, options);
    await world.run(two.engine.command("r", { type: "cancel" }));
    const events = await eventsOf(world, two, "r");
    assert.deepEqual([events.at(-1)?.type, late(events).length], ["run.ended", 1]);
    assert.deepEqual(await two.store.database.inbox.list("r"), []);
    assert.equal(await replay(waits, events), undefined);
    await world.run(two.engine.stop());
  });

  test("is reported as too late if the run is given up", async () => {
    const world = new World();
    const options = { crews: [looks], model: script(LOOKING) };
    let process = await world.process(options);
    await world.run(process.engine.start(looks, { input: "go", id: "r" }));
    await world.clock.advance(500);
    await world.run(process.engine.command("r", SAY));
    for (let deaths = 0; deaths < 6; deaths++) {
      process = await replace(world, process, options);
      await world.run(process.engine.recover());
      await world.clock.advance(500);
    }
    const events = await eventsOf(world, process, "r");
    assert.equal((await recordOf(process, "r"))?.error?.code, "crashed");
    assert.deepEqual([heard(events).length, late(events).length], [0, 1]);
    await world.run(process.engine.stop());
  });

  test("leaves nothing in the inbox if it is refused, which a full mailbox does after 10 seconds", async () => {
    const world = new World();
    const slow = { a: [{ call: [{ tool: "Look" }], delayMs: 20_000 }, { say: "Done." }] };
    const one = await world.process({ crews: [looks], model: script(slow) });
    await world.run(one.engine.start(looks, { input: "go", id: "r" }));
    await assert.rejects(world.run(one.engine.command("r", { type: "say", text: " " })), { code: "invalid" });
    for (let count = 0; count < 32; count++) await world.run(one.engine.command("r", SAY));
    const at = world.clock.now();
    await assert.rejects(world.run(one.engine.command("r", SAY)), { code: "busy" });
    assert.equal(world.clock.now() - at, 10_000);
    assert.equal((await one.store.database.inbox.list("r")).length, 32);
    await world.clock.advance(30_000);
    assert.equal(heard(await eventsOf(world, one, "r")).length, 32);
    await world.run(one.engine.stop());
  });

  test("waits for room in a full mailbox, and is then heard", async () => {
    const world = new World();
    const one = await world.process({ crews: [looks], model: script(LOOKING) });
    await world.run(one.engine.start(looks, { input: "go", id: "r" }));
    for (let count = 0; count < 32; count++) await world.run(one.engine.command("r", SAY));
    await world.run(Promise.all([one.engine.command("r", SAY), one.engine.command("r", SAY)]));
    await world.clock.advance(10_000);
    assert.equal(heard(await eventsOf(world, one, "r")).length, 34);
    await world.run(one.engine.stop());
  });
});
