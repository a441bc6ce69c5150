import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Crew, defineCrew, defineTool, type Run, type RunEvent, type Script, scriptModel } from "@baton/core";
import { collect, of } from "@baton/core/testing";
import { z } from "zod";
import { readAll } from "@baton/store";
import { script, solo, waits } from "../testing/small-crews.ts";
import { type Process, World } from "../testing/world.ts";

const toolOf = (name: string, effect: "read" | "idempotent" | "irreversible", done: (key: string) => void) =>
  defineTool({
    name,
    description: name,
    effect,
    input: z.object({}),
    concurrency: "parallel",
    run: (_, { key }) => {
      done(key);
      return `${name} done`;
    },
  });

/** A crew that pays twice and looks once, each payment asked about. */
function shop(done: (key: string) => void): Crew {
  const tools = [toolOf("PayOne", "irreversible", done), toolOf("PayTwo", "irreversible", done)];
  return defineCrew({
    name: "shop",
    agents: [{ id: "a", tools: ["PayOne", "PayTwo", "Look"], isTerminal: true }],
    tools: [...tools, toolOf("Look", "read", done)],
  });
}

const SHOPPING: Script = new Map([
  ["a", [{ call: [{ tool: "PayOne" }, { tool: "PayTwo" }, { tool: "Look" }] }, { say: "All done." }]],
]);

const typesOf = (events: readonly RunEvent[]) => events.map(({ type }) => type);
const lastOf = async (world: World, { store }: Process, run: Run) =>
  (await world.run(readAll(store.database, run.id))).at(-1);

describe("a run is kept", () => {
  test("its events are on disk when its reader sees them, and another process reads the same", async () => {
    const world = new World();
    const options = { crews: [solo], model: script({ a: [{ say: "Hello there, friend." }] }) };
    const one = await world.process(options);
    const run = await world.run(one.engine.start(solo, { input: "hi" }));
    const seen: RunEvent[] = [];
    const watching = (async () => {
      for await (const event of run.events()) {
        const stored = await readAll(one.store.database, run.id);
        assert.deepEqual(stored[event.seq - 1], event);
        seen.push(event);
      }
    })();
    await world.run(watching);
    assert.equal((await world.run(run.result)).content, "Hello there, friend.");
    const two = await world.process(options);
    assert.deepEqual(await world.run(readAll(two.store.database, run.id)), seen);
    const record = await two.store.database.runs.find(run.id);
    assert.deepEqual(
      [record?.status, record?.outcome, record?.turns, record?.steps, record?.input],
      ["ended", "done", 1, 1, "hi"],
    );
    const again = await two.engine.run(run.id);
    assert.ok(again);
    assert.deepEqual((await world.run(collect(again))).events, seen);
    await assert.rejects(world.run(two.engine.command(run.id, { type: "cancel" })), { code: "run_ended" });
    await assert.rejects(world.run(two.engine.command("nobody", { type: "cancel" })), { code: "not_found" });
    await assert.rejects(world.run(two.engine.start(solo, { input: "x", id: run.id })), { code: "conflict" });
  });

  test("a paused run is not in memory, and another process continues it", async () => {
    const world = new World();
    const options = {
      crews: [waits],
      model: script({ a: [{ say: "Which?" }, { say: "[GO]" }], b: [{ say: "Done." }] }),
    };
    const one = await world.process(options);
    const run = await world.run(one.engine.start(waits, { input: "hi" }));
    assert.equal((await world.run(run.result)).outcome, "paused");
    await world.run(one.engine.stop());
    const two = await world.process(options);
    const resumed = await world.run(two.engine.resume(run.id, "that one"));
    assert.equal(resumed.id, run.id);
    const { outcome, events } = await world.run(collect(resumed));
    assert.equal(outcome, "done");
    assert.deepEqual(
      of(events, "turn.started").map(({ agent }) => agent),
      ["a", "a", "b"],
    );
  });

  test("open questions are answered in any order by another process, and nothing is done twice", async () => {
    const world = new World();
    const done: string[] = [];
    const crew = shop((key) => done.push(key));
    const options = { crews: [crew], model: script(SHOPPING) };
    const one = await world.process(options);
    const run = await world.run(one.engine.start(crew, { input: "buy", id: "r" }));
    const paused = await world.run(run.result);
    assert.deepEqual(
      paused.questions.map(({ question, tool }) => [question, tool]),
      [
        ["1.1.1", "PayOne"],
        ["1.1.2", "PayTwo"],
      ],
    );
    assert.deepEqual(done, ["r/1.1.3"]);
    await world.run(one.engine.stop());
    const two = await world.process(options);
    const wrong = { type: "answer", question: "1.1.2", value: "maybe" } as const;
    await assert.rejects(world.run(two.engine.command("r", wrong)), { code: "invalid" });
    await assert.rejects(world.run(two.engine.resume("r", "hello?")), { code: "question_open" });
    const half = await world.run(two.engine.command("r", { ...wrong, value: "deny" }));
    assert.equal((await world.run(half.run.result)).outcome, "paused");
    const three = await world.process(options);
    const whole = await world.run(three.engine.command("r", { type: "answer", question: "1.1.1", value: "allow" }));
    const { outcome, events } = await world.run(collect(whole.run));
    assert.equal(outcome, "done");
    assert.deepEqual(done, ["r/1.1.3", "r/1.1.1"]);
    assert.deepEqual(
      of(events, "call.ended").map(({ call, error }) => [call, error?.kind]),
      [
        ["1.1.3", undefined],
        ["1.1.2", "permission"],
        ["1.1.1", undefined],
      ],
    );
    const used = { type: "answer", question: "1.1.1", value: "allow" } as const;
    await assert.rejects(world.run(three.engine.command("r", used)), { code: "run_ended" });
  });

  test("what was stopped continues at the next start, at the step it had reached", async () => {
    const world = new World();
    let calls = 0;
    const model = scriptModel({ a: [{ call: [{ tool: "Look" }] }, { say: "a b c", delayMs: 1_000 }] });
    const crew = shop(() => calls++);
    const options = { crews: [crew], model: () => model };
    const one = await world.process(options);
    const run = await world.run(one.engine.start(crew, { input: "look", id: "r" }));
    await world.clock.advance(1_500);
    await world.run(one.engine.stop());
    const left = await world.run(run.result);
    assert.deepEqual([left.outcome, left.error?.code], ["cancelled", "closed"]);
    await world.run(one.store[Symbol.asyncDispose]());
    const two = await world.process(options);
    assert.equal(await world.run(two.engine.recover()), 1);
    const again = await two.engine.run("r");
    assert.ok(again);
    const { outcome, content, events } = await world.run(collect(again));
    assert.deepEqual([outcome, content, calls], ["done", "a b c", 1]);
    const retried = of(events, "step.retried");
    assert.deepEqual(
      retried.map(({ step }) => step),
      ["1.2"],
    );
    const since = events.filter(({ seq, type }) => type === "text.delta" && seq > (retried[0]?.seq ?? 0));
    assert.equal(since.map((event) => (event.type === "text.delta" ? event.text : "")).join(""), "a b c");
    await world.run(two.engine.stop());
  });
});

describe("one process writes", () => {
  test("an owner that was frozen beyond its lease and wakes up writes nothing more", async () => {
    const world = new World();
    const crew = shop(() => undefined);
    const options = {
      crews: [crew],
      model: script({ a: [{ call: [{ tool: "Look" }] }, { say: "ok", delayMs: 500 }] }),
    };
    const one = await world.process(options);
    const run = await world.run(one.engine.start(crew, { input: "look", id: "r" }));
    const thaw = Promise.withResolvers<void>();
    one.frozen = thaw.promise;
    await world.clock.advance(10_000);
    const two = await world.process(options);
    assert.equal(await world.run(two.engine.recover()), 1);
    const taken = await two.engine.run("r");
    assert.ok(taken);
    assert.equal((await world.run(taken.result)).outcome, "done");
    const before = await readAll(two.store.database, "r");
    thaw.resolve();
    const frozen = await world.run(run.result);
    assert.equal(frozen.outcome, "cancelled");
    assert.deepEqual(await world.run(readAll(two.store.database, "r")), before);
    assert.equal(typesOf(before).filter((type) => type === "run.ended").length, 1);
    await world.run(one.engine.stop());
    await world.run(two.engine.stop());
  });

  test("a run that is running in one process is not taken by another, and hears its commands", async () => {
    const world = new World();
    const options = { crews: [solo], model: script({ a: [{ say: "ok", delayMs: 60_000 }] }) };
    const one = await world.process(options);
    await world.run(one.engine.start(solo, { input: "x", id: "r" }));
    const two = await world.process(options);
    assert.equal(await world.run(two.engine.recover()), 0);
    const { receipt, run } = await world.run(two.engine.command("r", { type: "cancel" }));
    assert.deepEqual(receipt?.stopped, ["agent:a"]);
    assert.deepEqual([one.engine.open, two.engine.open], [0, 0]);
    assert.equal((await world.run(run.result)).outcome, "cancelled");
    await world.run(one.engine.stop());
    await world.run(two.engine.stop());
  });

  test("with a full disk nothing is acknowledged, the store says so, and all runs continue when there is room again", async () => {
    const world = new World();
    let isFull = false;
    const one = await world.process({
      crews: [solo],
      model: script({ a: [{ say: "one two three", delayMs: 100 }] }),
      meddle: (_, name) => {
        if (isFull && name === "commit") throw new Error("database or disk is full");
      },
    });
    const run = await world.run(one.engine.start(solo, { input: "x", id: "r" }));
    isFull = true;
    await world.clock.advance(2_000);
    assert.equal(one.store.healthy, false);
    assert.match(one.store.problem?.message ?? "", /full/);
    await assert.rejects(world.run(one.engine.start(solo, { input: "y" })), { code: "busy" });
    const stored = await readAll(one.store.database, "r");
    assert.equal(stored.at(-1)?.type === "run.ended", false);
    isFull = false;
    const { outcome, events } = await world.run(collect(run));
    assert.equal(outcome, "done");
    assert.deepEqual(events, await readAll(one.store.database, "r"));
    assert.equal(one.store.healthy, true);
    await world.run(one.engine.stop());
  });
});

describe("tools that have changed", () => {
  test("a run that began with other tools continues with those of today, and the engine says so", async () => {
    const world = new World();
    const slow = script({ a: [{ call: [{ tool: "Look" }] }, { say: "a b c", delayMs: 1_000 }] });
    const crew = shop(() => undefined);
    const one = await world.process({ crews: [crew], model: slow });
    await world.run(one.engine.start(crew, { input: "look", id: "r" }));
    await world.clock.advance(1_500);
    await world.run(one.engine.stop());
    await world.run(one.store[Symbol.asyncDispose]());
    const now = defineCrew({ name: "shop", agents: [{ id: "a", isTerminal: true }] });
    const warnings: string[] = [];
    const two = await world.process({ crews: [now], model: slow, warn: (text) => warnings.push(text) });
    await world.run(two.engine.recover());
    const run = (await world.run(two.engine.run("r"))) ?? assert.fail();
    assert.equal((await world.run(run.result)).content, "a b c");
    assert.match(warnings.join(), /^run r continues with other tools: .*Look is gone/);
    await world.run(two.engine.stop());
  });

  test("a run that waits for a message keeps waiting, and continues with it", async () => {
    const world = new World();
    const replies = script({ a: [{ say: "Which?" }, { say: "[GO]" }], b: [{ say: "Done." }] });
    const before = defineCrew({
      ...waits,
      entry: "a",
      agents: [...waits.agents.values()],
      tools: [toolOf("T", "read", () => 0)],
    });
    const one = await world.process({ crews: [before], model: replies });
    const run = await world.run(one.engine.start(before, { input: "hi", id: "r1" }));
    assert.equal((await world.run(run.result)).outcome, "paused");
    await world.run(one.engine.stop());
    const two = await world.process({ crews: [waits], model: replies });
    const resumed = await world.run(two.engine.resume("r1", "that"));
    assert.equal((await world.run(resumed.result)).content, "Done.");
    await world.run(two.engine.stop());
  });
});

test("a log that was changed fails its run with a clear code, and no other", async () => {
  const world = new World();
  const options = { crews: [waits], model: script({ a: [{ say: "Which?" }, { say: "[GO]" }], b: [{ say: "Done." }] }) };
  const { engine, store } = await world.process(options);
  for (const id of ["good", "bad"]) {
    const run = await world.run(engine.start(waits, { input: "x", id }));
    await world.run(run.result);
  }
  const bad = "run = (SELECT id FROM heads WHERE run = 'bad')";
  world.data.connection.run(`UPDATE batches SET body = replace(body, 'Which?', 'Whisk?') WHERE ${bad}`);
  await assert.rejects(world.run(engine.resume("bad", "go")), { code: "damaged" });
  const record = await store.database.runs.find("bad");
  assert.deepEqual([record?.status, record?.outcome, record?.error?.code], ["ended", "failed", "damaged"]);
  const good = await world.run(engine.resume("good", "go"));
  assert.equal((await world.run(good.result)).outcome, "done");
  await world.run(engine.stop());
});

test("nothing of a run stays in memory once it is paused or has ended", async () => {
  const world = new World();
  const one = await world.process({ crews: [waits], model: script({ a: [{ say: "Which?" }] }) });
  for (let count = 0; count < 50; count++) {
    const run = await world.run(one.engine.start(waits, { input: "x" }));
    await world.run(run.result);
    assert.equal((await lastOf(world, one, run))?.type, "run.paused");
  }
  assert.equal(one.engine.open, 0);
  await world.run(one.engine.stop());
});

test("a database that cannot be reached is noticed though nobody writes, and so is its return", async () => {
  const world = new World();
  let isGone = false;
  const one = await world.process({
    crews: [solo],
    model: script({ a: [{ say: "ok" }] }),
    meddle: (_, name) => {
      if (isGone && name === "claims.renew") throw new Error("connection refused");
    },
  });
  isGone = true;
  await world.clock.advance(2_000);
  assert.equal(one.store.healthy, false);
  await assert.rejects(world.run(one.engine.start(solo, { input: "y" })), { code: "busy" });
  isGone = false;
  await world.clock.advance(2_000);
  assert.equal(one.store.healthy, true);
  await world.run(one.engine.stop());
});
