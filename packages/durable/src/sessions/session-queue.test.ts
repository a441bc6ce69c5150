/** A run that waits for its session is begun by one process, once, and known by all from its beginning on. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Crew, type Model, scriptModel } from "@baton/core";
import { collect } from "@baton/core/testing";
import { watch } from "../testing/work-state.ts";
import { solo, waits } from "../testing/small-crews.ts";
import { type Process, World } from "../testing/world.ts";

/** A model that notes which runs it is called for, and then does what the script says. */
function spy(calls: string[], then: (run: string) => void = () => undefined): () => Model {
  const model = scriptModel({ a: [{ say: "Done.", delayMs: 1_000 }] });
  return () => ({
    ...model,
    stream(prompt, scope) {
      calls.push(prompt.run);
      then(prompt.run);
      return model.stream(prompt, scope);
    },
  });
}

describe("a run that two processes are to begin under one id", () => {
  for (const [what, ms, status] of [
    ["running", 1_500, "running"],
    ["over", 5_000, "ended"],
  ] as const) {
    test(`is refused by the one that comes when it is ${what}, and stays as it is`, async () => {
      const world = new World();
      const calls: string[] = [];
      const slow = Promise.withResolvers<void>();
      const one = await world.process({ crews: [solo], model: spy(calls) });
      const two = await world.process({
        crews: [solo],
        model: spy(calls),
        meddle: (_, name) => (name === "definitions.save" ? slow.promise : undefined),
      });
      const start = ({ engine }: Process, id: string) => engine.start(solo, { input: "hi", id, session: "s" });
      await world.run(start(one, "before"));
      const late = watch(start(two, "r"));
      await world.clock.advance(10);
      await world.run(start(one, "r"));
      await world.clock.advance(ms);
      slow.resolve();
      await world.clock.advance(10);
      assert.deepEqual([late.now, world.record("r")?.status], ["conflict", status]);
      assert.equal(two.engine.open, 0);
      await world.run(two.engine.recover());
      await world.clock.advance(10_000);
      assert.deepEqual([calls, world.record("r")?.outcome], [["before", "r"], "done"]);
      const next = await world.run(start(two, "next"));
      assert.equal((await world.run(next.result)).outcome, "done");
      for (const { engine } of [one, two]) await world.run(engine.stop());
    });
  }
});

describe("a run whose turn another process had while this one was frozen", () => {
  /** Two runs in one session; the first process is frozen while the first is running, and thaws when all is done. */
  async function freeze(crew: Crew) {
    const world = new World();
    const calls: string[] = [];
    const one = await world.process({ crews: [crew], model: spy(calls) });
    await world.run(one.engine.start(crew, { input: "1", id: "r1", session: "s" }));
    const run = await world.run(one.engine.start(crew, { input: "2", id: "r2", session: "s" }));
    const told = collect(run);
    const thaw = Promise.withResolvers<void>();
    one.frozen = thaw.promise;
    await world.clock.advance(5_000);
    const two = await world.process({ crews: [crew], model: spy(calls) });
    await world.run(two.engine.recover());
    await world.clock.advance(10_000);
    one.frozen = undefined;
    thaw.resolve();
    await world.clock.advance(10_000);
    const { outcome, events } = await world.run(told);
    assert.equal(one.engine.open, 0);
    for (const { engine } of [one, two]) await world.run(engine.stop());
    return { calls, outcome, last: events.at(-1)?.type, record: world.record("r2") };
  }

  test("is not begun again, and its handle gives the outcome from there", async () => {
    const { calls, outcome, last } = await freeze(solo);
    assert.deepEqual(calls, ["r1", "r1", "r2"]);
    assert.deepEqual([outcome, last], ["done", "run.ended"]);
  });

  test("keeps waiting for a message if it waits for one", async () => {
    const { outcome, last, record } = await freeze(waits);
    assert.deepEqual([outcome, last, record?.status], ["paused", "run.paused", "paused"]);
  });
});

test("a queued run that crashes its process at its first step is given up", async () => {
  const world = new World();
  const calls: string[] = [];
  let process: Process | undefined;
  const model = spy(calls, (run) => {
    if (run === "fatal" && process !== undefined) process.isAlive = false;
  });
  const next = async () => (process = await world.process({ crews: [solo], model }));
  const { engine } = await next();
  for (const id of ["before", "fatal"]) await world.run(engine.start(solo, { input: "hi", id, session: "s" }));
  for (let count = 0; count < 10; count++) {
    await world.clock.advance(10_000);
    const { engine: again } = await next();
    watch(again.recover());
  }
  await world.clock.advance(10_000);
  const { status, error } = world.record("fatal") ?? assert.fail();
  assert.deepEqual([status, error?.code], ["ended", "crashed"]);
  assert.equal(calls.filter((run) => run === "fatal").length, 6);
});
