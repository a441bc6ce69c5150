import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { defineCrew, defineTool, type Run, type RunEvent, type Script, scriptModel } from "@baton/core";
import { collect, of } from "@baton/core/testing";
import { z } from "zod";
import { LOCAL } from "@baton/store";
import { crewWith, script, solo, tool, waits } from "../testing/small-crews.ts";
import { watch } from "../testing/work-state.ts";
import { type Process, World } from "../testing/world.ts";

const pay = defineTool({
  name: "Pay",
  description: "Pays.",
  effect: "irreversible",
  input: z.object({}),
  run: () => "paid",
});
const shop = defineCrew({ name: "shop", agents: [{ id: "a", tools: ["Pay"], isTerminal: true }], tools: [pay] });
const SHOPPING: Script = new Map([["a", [{ call: [{ tool: "Pay" }] }, { say: "All done." }]]]);

const typesOf = (events: readonly RunEvent[]) => events.map(({ type }) => type);

describe("a session", () => {
  test("remembers, runs one at a time, and refuses the 34th request", async () => {
    const world = new World();
    const seen: number[] = [];
    const model = scriptModel({ a: [{ say: "ok", delayMs: 10 }] });
    const spy = {
      name: "spy",
      stream: (...[prompt, scope]: Parameters<typeof model.stream>) => {
        seen.push(prompt.messages.length);
        return model.stream(prompt, scope);
      },
    };
    const { engine, store } = await world.process({ crews: [solo], model: () => spy });
    const runs: Run[] = [];
    for (let count = 0; count < 33; count++) {
      runs.push(await world.run(engine.start(solo, { input: `${count}`, session: "s" })));
    }
    const late = engine.start(solo, { input: "one too many", session: "s" });
    await assert.rejects(world.run(late), { code: "busy" });
    const results = await world.run(Promise.all(runs.map(({ result }) => result)));
    assert.ok(results.every(({ outcome }) => outcome === "done"));
    assert.deepEqual(
      seen,
      Array.from({ length: 33 }, (_, index) => 1 + 2 * index),
    );
    assert.equal((await store.database.sessions.messages(LOCAL, "s")).length, 66);
    await world.run(engine.stop());
  });

  test("takes two starts of the same tick one after the other, with one model call each", async () => {
    for (const session of ["new", "known"]) {
      const world = new World();
      const seen: string[] = [];
      const answers = scriptModel({ a: [{ say: "ok", delayMs: 400 }] });
      const spy = {
        name: "spy",
        stream: (...[prompt, scope]: Parameters<typeof answers.stream>) => {
          seen.push(prompt.messages.map(({ content }) => content).join(" "));
          return answers.stream(prompt, scope);
        },
      };
      const { engine } = await world.process({ crews: [solo], model: () => spy });
      if (session === "known") {
        const before = await world.run(engine.start(solo, { input: "zero", session: "known" }));
        await world.run(before.result);
      }
      seen.length = 0;
      const starts = ["first", "second", "third"].map((input, at) =>
        engine.start(solo, { input, session, id: `r${at}` }),
      );
      const runs = await world.run(Promise.all(starts));
      const results = await world.run(Promise.all(runs.map(({ result }) => result)));
      const start = session === "known" ? "zero ok " : "";
      assert.deepEqual(seen, [`${start}first`, `${start}first ok second`, `${start}first ok second ok third`]);
      assert.deepEqual(
        results.map(({ outcome }) => outcome),
        ["done", "done", "done"],
      );
      await world.run(engine.stop());
    }
  });

  test("continues its paused run with the next input, and only with the same crew", async () => {
    const world = new World();
    const model = script({ a: [{ say: "What?" }, { say: "[GO]" }], b: [{ say: "Done." }] });
    const { engine } = await world.process({ crews: [waits, solo], model });
    const first = await world.run(engine.start(waits, { input: "one", session: "s" }));
    assert.equal((await world.run(first.result)).outcome, "paused");
    await assert.rejects(world.run(engine.start(solo, { input: "two", session: "s" })), { code: "conflict" });
    const second = await world.run(engine.start(waits, { input: "two", session: "s" }));
    assert.equal(second.id, first.id);
    assert.equal((await world.run(second.result)).outcome, "done");
    const third = await world.run(engine.start(waits, { input: "three", session: "s" }));
    assert.notEqual(third.id, first.id);
    const events = (await world.run(collect(third))).events;
    assert.equal(of(events, "run.started")[0]?.history.length, 5);
    await world.run(engine.stop());
  });

  test("a run that waits for its turn is a row, and is not held", async () => {
    const world = new World();
    const { engine } = await world.process({ crews: [solo], model: script({ a: [{ say: "one two", delayMs: 100 }] }) });
    for (const id of ["r1", "r2", "r3"]) await world.run(engine.start(solo, { input: "hi", id, session: "s" }));
    assert.equal(engine.open, 1);
    await world.run(engine.stop());
  });

  test("a run that waits for its turn can be cancelled, and outlives its process", async () => {
    const world = new World();
    const options = { crews: [solo], model: script({ a: [{ say: "ok", delayMs: 1_000 }] }) };
    const one = await world.process(options);
    await world.run(one.engine.start(solo, { input: "1", session: "s", id: "r1" }));
    const second = await world.run(one.engine.start(solo, { input: "2", session: "s", id: "r2" }));
    await world.run(one.engine.start(solo, { input: "3", session: "s", id: "r3" }));
    assert.equal((await one.store.database.runs.find("r3"))?.status, "queued");
    await world.run(second.command({ type: "cancel" }));
    assert.equal((await second.result).outcome, "cancelled");
    assert.deepEqual(typesOf((await world.run(collect(second))).events), ["run.started", "run.ended"]);
    one.isAlive = false;
    await world.clock.advance(5_000);
    const two = await world.process(options);
    await world.run(two.engine.recover());
    await world.clock.advance(20_000);
    for (const id of ["r1", "r3"]) assert.equal((await two.store.database.runs.find(id))?.outcome, "done", id);
    assert.equal((await two.store.database.sessions.messages(LOCAL, "s")).length, 4);
    await world.run(two.engine.stop());
  });

  test("a message sent before its run paused goes to the agent that waits, in a run of its own", async () => {
    const world = new World();
    const a = [
      { when: "two", say: "[GO]" },
      { say: "What?", delayMs: 5 },
    ];
    const { engine } = await world.process({ crews: [waits], model: script({ a, b: [{ say: "Done." }] }) });
    const first = await world.run(engine.start(waits, { input: "one", session: "s" }));
    const second = await world.run(engine.start(waits, { input: "two", session: "s" }));
    assert.equal((await world.run(first.result)).outcome, "paused");
    const { outcome, events } = await world.run(collect(second));
    assert.equal(outcome, "done");
    assert.deepEqual(
      of(events, "turn.started").map(({ agent }) => agent),
      ["a", "b"],
    );
    assert.equal((await (await engine.run(first.id))?.result)?.outcome, "cancelled");
    await world.run(engine.stop());
  });

  test("a request fails if the run before it waits for an answer", async () => {
    const world = new World();
    const { engine } = await world.process({ crews: [shop], model: script(SHOPPING) });
    const first = await world.run(engine.start(shop, { input: "one", session: "s" }));
    const second = await world.run(engine.start(shop, { input: "two", session: "s" }));
    assert.equal((await world.run(first.result)).outcome, "paused");
    assert.equal((await world.run(second.result)).error?.code, "question_open");
    await assert.rejects(world.run(engine.start(shop, { input: "three", session: "s" })), { code: "question_open" });
    await world.run(engine.stop());
  });
});

test("a run that begins only if its session is free is refused while another runs or waits there", async () => {
  const world = new World();
  const slow = crewWith(tool("Look", "read", 5_000));
  const replies = script({ a: [{ call: [{ tool: "Look" }] }, { say: "Done." }] });
  const running = await world.process({ crews: [slow], model: replies });
  const ask = (process: Process, id: string, crew = slow) =>
    world.run(process.engine.start(crew, { input: "go", session: "s", id, onlyIfFree: true }));
  const refused = { code: "busy", retryable: true, message: "session s has a run that is running or waits" };
  const first = await ask(running, "first");
  const other = await world.process({ crews: [slow], model: replies });
  for (const process of [running, other]) await assert.rejects(ask(process, "second"), refused);
  assert.equal((await world.run(first.result)).outcome, "done");
  assert.equal(world.record("second"), undefined);
  const later = await ask(other, "second");
  assert.equal((await world.run(later.result)).outcome, "done");

  const asks = await world.process({ crews: [waits], model: script({ a: [{ say: "What next?" }] }) });
  const paused = await world.run(asks.engine.start(waits, { input: "go", session: "t", id: "paused" }));
  assert.equal((await world.run(paused.result)).outcome, "paused");
  const start = asks.engine.start(waits, { input: "go", session: "t", id: "third", onlyIfFree: true });
  await assert.rejects(world.run(start), { ...refused, message: /session t/ });
  assert.equal(world.record("paused")?.status, "paused");
  assert.equal(world.record("third"), undefined);
  for (const { engine } of [running, other, asks]) await world.run(engine.stop());
});

test("a start that is held up does not hold up another user's session of the same name", async () => {
  const world = new World();
  const held = Promise.withResolvers<void>();
  let finds = 0;
  const one = await world.process({
    crews: [solo],
    model: script({ a: [{ say: "Done." }] }),
    meddle: (_, name) => (name === "sessions.find" && ++finds === 1 ? held.promise : undefined),
  });
  const start = (user: string) => watch(one.engine.start(solo, { input: "go", session: "s", tenant: "t", user }));
  const ann = start("ann");
  const bob = start("bob");
  const again = start("ann");
  await world.clock.advance(1_000);
  assert.deepEqual([ann.now, bob.now, again.now], ["open", "done", "open"]);
  held.resolve();
  await world.clock.advance(1_000);
  assert.deepEqual([ann.now, again.now], ["done", "done"]);
  await world.run(one.engine.stop());
});
