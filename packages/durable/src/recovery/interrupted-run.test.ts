/** A store that fails for a while costs time and nothing else; what it has lost for good is said. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, test } from "node:test";
import { type Chunk, defineCrew, type Model } from "@baton/core";
import { omitUndefined } from "@baton/core/util";
import { SimulatedClock } from "@baton/core/testing";
import { DurableEngine } from "../engine/durable-engine.ts";
import { Store, readAll } from "@baton/store";
import { openSqlite } from "@baton/store/sqlite";
import { letPass, watch } from "../testing/work-state.ts";
import { script, solo, waits } from "../testing/small-crews.ts";
import { type Process, type ProcessOptions, World } from "../testing/world.ts";

const model = script({ a: [{ say: "one two", delayMs: 100 }] });
const outcomeOf = async ({ store }: Process, id: string) => (await store.database.runs.find(id))?.outcome;

/** A store of which one kind of call fails as often as is left. */
class Fault {
  left = 0;
  readonly meddle: NonNullable<ProcessOptions["meddle"]>;

  constructor(call: string) {
    this.meddle = (_, name) => {
      if (name !== call || this.left === 0) return;
      this.left--;
      throw new Error("disk I/O error");
    };
  }
}

describe("an error of the store that passes", () => {
  test("while runs are recovered: they are recovered a little later", async () => {
    const world = new World();
    const one = await world.process({ crews: [solo], model });
    await world.run(one.engine.start(solo, { input: "hi", id: "r" }));
    one.isAlive = false;
    await world.clock.advance(5_000);
    const fault = new Fault("logs.batches");
    const two = await world.process({ crews: [solo], model, meddle: fault.meddle });
    fault.left = 1;
    assert.equal(await world.run(two.engine.recover()), 0);
    assert.equal(fault.left, 0);
    await world.clock.advance(10_000);
    assert.equal(await outcomeOf(two, "r"), "done");
    await world.run(two.engine.stop());
  });

  for (const session of [undefined, "s"]) {
    test(`while a run begins ${session === undefined ? "" : "in a session "}: it is refused at once and can be begun again`, async () => {
      const world = new World();
      const fault = new Fault("commit");
      const one = await world.process({ crews: [solo], model, meddle: fault.meddle });
      const start = { input: "1", id: "r1", ...omitUndefined({ session }) };
      fault.left = 5;
      const refused = watch(one.engine.start(solo, start));
      await world.clock.advance(10);
      assert.equal(refused.now, "busy");
      assert.equal(one.store.healthy, false);
      await world.clock.advance(5_000);
      assert.deepEqual([fault.left, one.store.healthy, await one.store.database.runs.find("r1")], [0, true, undefined]);
      const run = await world.run(one.engine.start(solo, start));
      assert.equal((await world.run(run.result)).outcome, "done");
      await world.run(one.engine.stop());
    });
  }

  test("while a claim is given back: it is given back a little later", async () => {
    const world = new World();
    const fault = new Fault("claims.release");
    const replies = { a: [{ say: "Which?" }, { say: "[GO]" }], b: [{ say: "Done." }] };
    const one = await world.process({ crews: [waits], model: script(replies), meddle: fault.meddle });
    fault.left = 1;
    const first = await world.run(one.engine.start(waits, { input: "1", session: "s", id: "r1" }));
    await world.run(first.result);
    await world.clock.advance(0);
    assert.equal(fault.left, 0);
    const second = watch(one.engine.start(waits, { input: "that one", session: "s" }));
    await world.clock.advance(60_000);
    assert.deepEqual([second.now, await outcomeOf(one, "r1")], ["done", "done"]);
    await world.run(one.engine.stop());
  });

  test("while a run waits for its session: it keeps waiting", async () => {
    const world = new World();
    const fault = new Fault("claims.take");
    const one = await world.process({ crews: [solo], model, meddle: fault.meddle });
    for (const id of ["r1", "r2"]) await world.run(one.engine.start(solo, { input: id, session: "s", id }));
    fault.left = 1;
    await world.clock.advance(60_000);
    assert.equal(fault.left, 0);
    assert.equal(await outcomeOf(one, "r2"), "done");
    await world.run(one.engine.stop());
  });

  for (const call of ["runs.find", "runs.list", "sessions.find", "sessions.messages", "logs.batches"]) {
    test(`while a run takes its turn in its session (${call}): it takes it a little later`, async () => {
      const world = new World();
      const one = await world.process({ crews: [waits], model: script({ a: [{ say: "Which?", delayMs: 100 }] }) });
      for (const id of ["r1", "r2"]) await world.run(one.engine.start(waits, { input: id, session: "s", id }));
      one.isAlive = false;
      await world.clock.advance(5_000);
      const fault = new Fault(call);
      const two = await world.process({
        crews: [waits],
        model: script({ a: [{ say: "Which?", delayMs: 100 }] }),
        meddle: fault.meddle,
      });
      const recovering = watch(two.engine.recover());
      await world.clock.advance(1);
      assert.equal(recovering.now, "done");
      // A log is read once.
      fault.left = call === "logs.batches" ? 1 : 3;
      await world.clock.advance(60_000);
      assert.equal(fault.left, 0);
      assert.deepEqual([await outcomeOf(two, "r1"), await outcomeOf(two, "r2")], ["cancelled", "paused"]);
      await world.run(two.engine.stop());
    });
  }

  test("while a session is entered: it can be entered again", async () => {
    const world = new World();
    const fault = new Fault("sessions.find");
    const one = await world.process({ crews: [solo], model, meddle: fault.meddle });
    fault.left = 1;
    const start = () => one.engine.start(solo, { input: "hi", session: "s", id: "r" });
    await assert.rejects(world.run(start()), { message: "disk I/O error" });
    const second = watch(start());
    await world.clock.advance(60_000);
    assert.deepEqual([second.now, await outcomeOf(one, "r")], ["done", "done"]);
    await world.run(one.engine.stop());
  });
});

describe("an engine stops though its store is down", () => {
  for (const [what, id] of [
    ["a run has just ended", "r1"],
    ["a run that waits for its session was just cancelled", "r2"],
  ] as const) {
    test(`and ${what}; its next start continues that run`, async () => {
      const world = new World();
      const fault = new Fault("commit");
      const one = await world.process({ crews: [solo], model, meddle: fault.meddle });
      for (const run of ["r1", "r2"]) await world.run(one.engine.start(solo, { input: run, session: "s", id: run }));
      fault.left = Infinity;
      const cancelling = id === "r2" ? watch(one.engine.command("r2", { type: "cancel" })) : undefined;
      await world.clock.advance(id === "r2" ? 10 : 5_000);
      const stopping = watch(one.engine.stop());
      await world.clock.advance(60_000);
      assert.deepEqual([stopping.now, cancelling?.now ?? "closed"], ["done", "closed"]);
      await world.run(one.store[Symbol.asyncDispose]());
      const two = await world.process({ crews: [solo], model });
      await world.run(two.engine.recover());
      await world.clock.advance(10_000);
      assert.equal(await outcomeOf(two, id), "done");
      await world.run(two.engine.stop());
    });
  }
});

test("a store that is closed just when its disk fills up gives up what is being written", async () => {
  const world = new World();
  const fault = new Fault("commit");
  const { engine, store } = await world.process({ crews: [solo], model, meddle: fault.meddle });
  fault.left = Infinity;
  const starting = watch(engine.start(solo, { input: "hi", id: "r" }));
  await letPass(30);
  const closing = watch(store[Symbol.asyncDispose]());
  await world.clock.advance(60_000);
  assert.equal(closing.now, "done");
  assert.notEqual(starting.now, "done");
});

test("a run whose length was lost has failed, with a clear code", async (context) => {
  const folder = mkdtempSync(join(tmpdir(), "baton-trouble-"));
  context.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "baton.db");
  const clock = new SimulatedClock(1);
  const warnings: string[] = [];
  const open = async () => {
    const store = await Store.open({ database: await openSqlite({ path, now: () => clock.now() }), clock });
    const engine = new DurableEngine({ store, crews: [solo], model, warn: (text) => warnings.push(text) });
    return { store, engine };
  };
  const close = async ({ store, engine }: Awaited<ReturnType<typeof open>>) => {
    await clock.run(engine.stop());
    await clock.run(store[Symbol.asyncDispose]());
  };
  const one = await open();
  await clock.run(one.engine.start(solo, { input: "hi", id: "r" }));
  await close(one);
  const editor = new DatabaseSync(path);
  editor.exec("DELETE FROM heads");
  editor.close();
  const two = await open();
  await clock.run(two.engine.recover());
  const record = await two.store.database.runs.find("r");
  assert.deepEqual([record?.status, record?.outcome, record?.error?.code], ["ended", "failed", "damaged"]);
  assert.equal(warnings.length, 1);
  await close(two);
});

test("a log that is longer than the arguments of a call can be is read", async () => {
  const world = new World();
  const many = Array.from({ length: 130_000 }, (): Chunk => ({ type: "text", text: "x" }));
  const talker: Model = {
    name: "talker",
    async *stream() {
      yield many;
      yield [{ type: "end", finish: "stop", usage: { inputTokens: 0, outputTokens: 0 } }];
    },
  };
  const settings = { maxTokensPerCall: 20_000 };
  const crew = defineCrew({ name: "talks", agents: [{ id: "a", isTerminal: true }], settings });
  const one = await world.process({ crews: [crew], model: () => talker });
  const run = await world.run(one.engine.start(crew, { input: "hi", id: "r" }));
  const { outcome, error } = await world.run(run.result);
  assert.deepEqual([outcome, error], ["done", undefined]);
  assert.ok((await readAll(one.store.database, "r")).length > many.length);
  await world.run(one.engine.stop());
});
