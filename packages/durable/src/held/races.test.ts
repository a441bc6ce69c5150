/** Whatever happens at the same time, each caller learns what became of it, and no run is harmed. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Command, defineCrew } from "@baton/core";
import { DurableEngine } from "../engine/durable-engine.ts";
import { watch } from "../testing/work-state.ts";
import { crewWith, script, solo, tool, waits } from "../testing/small-crews.ts";
import { type Process, World } from "../testing/world.ts";

const recordOf = ({ store }: Process, id: string) => store.database.runs.find(id);
const outcomeOf = async (process: Process, id: string) => (await recordOf(process, id))?.outcome;
const toAnswer = (question: string, value: string): Command => ({ type: "answer", question, value });

describe("commands at the same time", () => {
  const shop = crewWith(tool("Pay", "irreversible"), tool("Look", "read", 4_000));
  const paying = script({ a: [{ call: [{ tool: "Pay" }] }, { say: "Done." }] });

  test("an answer that an observer gives as soon as a run pauses is taken", async () => {
    const world = new World();
    const { store } = await world.process({ crews: [shop], model: paying });
    const answered: Promise<unknown>[] = [];
    const engine = new DurableEngine({
      store,
      crews: [shop],
      model: paying,
      observe: (event) => {
        if (event.type !== "run.paused") return;
        answered.push(...event.questions.map((question) => engine.command("r", toAnswer(question, "allow"))));
      },
    });
    await world.run(engine.start(shop, { input: "buy", id: "r" }));
    await world.clock.advance(1_000);
    assert.equal(answered.length, 1);
    await world.run(Promise.all(answered));
    assert.equal((await store.database.runs.find("r"))?.outcome, "done");
    await world.run(engine.stop());
  });

  test("a wrong command beside a right one does no harm", async () => {
    const world = new World();
    const one = await world.process({ crews: [shop], model: paying });
    const run = await world.run(one.engine.start(shop, { input: "buy", id: "r" }));
    await world.run(run.result);
    const fates = ["nonsense", "allow"].map((value) => watch(one.engine.command("r", toAnswer("1.1.1", value))));
    await world.clock.advance(1_000);
    assert.deepEqual(
      fates.map(({ now }) => now),
      ["invalid", "done"],
    );
    assert.equal(await outcomeOf(one, "r"), "done");
    assert.equal(one.engine.open, 0);
    await world.run(one.engine.stop());
  });

  test("the second of two equal answers is refused, and does not wait for the run", async () => {
    const world = new World();
    const calls = [{ tool: "Pay" }, { tool: "Look" }];
    const one = await world.process({ crews: [shop], model: script({ a: [{ call: calls }, { say: "Done." }] }) });
    await world.run(one.engine.start(shop, { input: "buy", id: "r" }));
    await world.clock.advance(100);
    const fates = [1, 2].map(() => watch(one.engine.command("r", toAnswer("1.1.1", "allow"))));
    await world.clock.advance(1_000);
    assert.deepEqual(
      fates.map(({ now }) => now),
      ["done", "not_found"],
    );
    await world.run(one.engine.stop());
  });
});

describe("a run that waits for its session", () => {
  const slow = script({ a: [{ say: "one two three four five", delayMs: 20 }] });

  test("a cancel holds, whenever it comes, or says that the run has ended", async () => {
    const fates = new Set<string>();
    for (let at = 1, isSent = true; isSent; at++) {
      const world = new World();
      let calls = -Infinity;
      let cancelling = { now: "not sent" };
      const one: Process = await world.process({
        crews: [solo],
        model: slow,
        meddle: ({ engine }) => {
          if (++calls === at) cancelling = watch(engine.command("r2", { type: "cancel" }));
        },
      });
      for (const id of ["r1", "r2"]) await world.run(one.engine.start(solo, { input: id, session: "s", id }));
      calls = 0;
      await world.clock.advance(10_000);
      isSent = cancelling.now !== "not sent";
      fates.add(`${cancelling.now}, ${await outcomeOf(one, "r2")}`);
      await world.run(one.engine.stop());
    }
    assert.deepEqual([...fates].toSorted(), ["done, cancelled", "not sent, done", "run_ended, done"]);
  });

  test("a message for it is refused and does it no harm", async () => {
    const world = new World();
    const one = await world.process({ crews: [solo], model: slow });
    for (const id of ["r1", "r2"]) await world.run(one.engine.start(solo, { input: id, session: "s", id }));
    await assert.rejects(world.run(one.engine.resume("r2", "hello")), { code: "conflict" });
    await world.clock.advance(10_000);
    assert.equal(await outcomeOf(one, "r2"), "done");
    await world.run(one.engine.stop());
  });

  test("it is acknowledged while the run before it writes without a break", async () => {
    const world = new World();
    const one = await world.process({
      crews: [solo],
      model: script({ a: [{ say: "word ".repeat(2_000), delayMs: 1 }] }),
      meddle: async (_, name) => {
        if (name !== "commit") return;
        await new Promise<void>((resolve) => {
          world.clock.after(3, resolve);
        });
      },
    });
    await world.run(one.engine.start(solo, { input: "1", session: "s", id: "r1" }));
    const starting = watch(one.engine.start(solo, { input: "2", session: "s", id: "r2" }));
    await world.clock.advance(500);
    assert.equal(starting.now, "done");
    assert.equal(await outcomeOf(one, "r1"), undefined);
    await world.run(one.engine.stop());
  });

  test("it fails with the reason if the run before it, of another crew, pauses", async () => {
    const world = new World();
    const replies = { a: [{ say: "What?", delayMs: 50 }], z: [{ say: "Done." }] };
    const other = defineCrew({ name: "other", agents: [{ id: "z", isTerminal: true }] });
    const { engine } = await world.process({ crews: [waits, other], model: script(replies) });
    await world.run(engine.start(waits, { input: "1", session: "s" }));
    const second = await world.run(engine.start(other, { input: "2", session: "s" }));
    const { outcome, error } = await world.run(second.result);
    assert.deepEqual([outcome, error?.code], ["failed", "conflict"]);
    assert.equal(engine.open, 0);
    await world.run(engine.stop());
  });
});

describe("starts at the same time", () => {
  const model = script({ a: [{ say: "ok", delayMs: 100 }] });

  test("of two with one id one is refused and the other runs", async () => {
    const world = new World();
    const one = await world.process({ crews: [solo], model });
    const fates = [1, 2].map((input) => watch(one.engine.start(solo, { input: `${input}`, id: "r" })));
    await world.clock.advance(1_000);
    assert.deepEqual(fates.map(({ now }) => now).toSorted(), ["conflict", "done"]);
    assert.equal(await outcomeOf(one, "r"), "done");
    await world.run(one.engine.stop());
  });

  test("a session takes no more of them than one after the other", async () => {
    const world = new World();
    const { engine } = await world.process({ crews: [solo], model });
    const inputs = Array.from({ length: 100 }, (_, index) => `${index}`);
    const fates = inputs.map((input) => watch(engine.start(solo, { input, session: "s" })));
    await world.clock.advance(50);
    assert.equal(fates.filter(({ now }) => now === "done").length, 33);
    assert.equal(fates.filter(({ now }) => now === "busy").length, 67);
    await world.run(engine.stop());
  });

  test("a command to a session's run in another process is carried out there", async () => {
    const world = new World();
    const options = { crews: [solo], model: script({ a: [{ say: "one two three", delayMs: 20_000 }] }) };
    const one = await world.process(options);
    const two = await world.process(options);
    await world.run(one.engine.start(solo, { input: "1", session: "s", id: "r" }));
    const cancelling = watch(two.engine.command("r", { type: "cancel" }));
    await world.clock.advance(1_000);
    assert.equal(cancelling.now, "done");
    assert.equal(await outcomeOf(one, "r"), "cancelled");
    for (const { engine } of [one, two]) await world.run(engine.stop());
  });
});
