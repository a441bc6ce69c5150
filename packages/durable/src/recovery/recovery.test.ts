/** Runs of a process that ended continue in the next one as if nothing had happened. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Model, scriptModel } from "@baton/core";
import { LeasePlacement } from "../placement/placement.ts";
import { watch } from "../testing/work-state.ts";
import { crewWith, script, solo, tool } from "../testing/small-crews.ts";
import { type Process, type ProcessOptions, World } from "../testing/world.ts";

const recordOf = ({ store }: Process, id: string) => store.database.runs.find(id);
const outcomeOf = async (process: Process, id: string) => (await recordOf(process, id))?.outcome;

/** Ends a process where it is, and starts another when its lease is over. */
async function replace(world: World, before: Process, options: ProcessOptions): Promise<Process> {
  before.isAlive = false;
  await world.clock.advance(5_000);
  return world.process(options);
}

test("a run that waited for its session knows the conversation when its turn comes", async () => {
  const world = new World();
  const model = scriptModel({ a: [{ say: "ok", delayMs: 1_000 }] });
  const lengths: number[] = [];
  const spy: Model = {
    ...model,
    stream(prompt, scope) {
      lengths.push(prompt.messages.length);
      return model.stream(prompt, scope);
    },
  };
  const options = { crews: [solo], model: () => spy };
  const one = await world.process(options);
  const first = await world.run(one.engine.start(solo, { input: "1", session: "s", id: "r1" }));
  await world.run(first.result);
  for (const id of ["r2", "r3"]) await world.run(one.engine.start(solo, { input: id, session: "s", id }));
  const two = await replace(world, one, options);
  lengths.length = 0;
  await world.run(two.engine.recover());
  await world.clock.advance(20_000);
  assert.equal(await outcomeOf(two, "r3"), "done");
  assert.deepEqual(lengths, [3, 5]);
  await world.run(two.engine.stop());
});

test("a recovery does not wait for the runs that it restarts", async () => {
  const world = new World();
  const options = { crews: [solo], model: script({ a: [{ say: "one two three four", delayMs: 10_000 }] }) };
  const one = await world.process(options);
  for (const id of ["r1", "r2"]) await world.run(one.engine.start(solo, { input: id, session: "s", id }));
  const two = await replace(world, one, options);
  const recovering = two.engine.recover();
  const fate = watch(recovering);
  await world.clock.advance(2_000);
  assert.equal(fate.now, "done");
  assert.equal(await recovering, 2);
  await world.run(two.engine.stop());
});

test("the record of a run counts what was done before it was interrupted, and its open questions", async () => {
  const world = new World();
  const crew = crewWith(tool("Pay", "irreversible"), tool("Look", "read", 2_000));
  const calls = [{ call: [{ tool: "Look" }] }, { call: [{ tool: "Pay" }, { tool: "Look" }] }];
  const options = { crews: [crew], model: script({ a: [...calls, { say: "Done." }] }) };
  const one = await world.process(options);
  await world.run(one.engine.start(crew, { input: "buy", id: "r" }));
  await world.clock.advance(3_000);
  const two = await replace(world, one, options);
  await world.run(two.engine.recover());
  await world.clock.advance(10_000);
  const record = await recordOf(two, "r");
  assert.deepEqual(
    [record?.status, record?.agent, record?.turns, record?.steps, record?.calls, record?.questions],
    ["paused", "a", 1, 2, 2, ["1.2.1"]],
  );
  await world.run(two.engine.stop());
});

for (const [request, afterMs] of [
  ["that finds the lease alive and waits", 2_000],
  ["that comes when the lease is over", 5_000],
] as const) {
  test(`an interrupted run whose tools have changed continues first, and a request ${request} follows it`, async () => {
    const world = new World();
    const model = script({ a: [{ call: [{ tool: "Save" }] }, { say: "Done." }] });
    const before = crewWith(tool("Save", "idempotent", 1_000));
    const one = await world.process({ crews: [before], model });
    await world.run(one.engine.start(before, { input: "1", session: "s", id: "r1" }));
    await world.clock.advance(100);
    one.isAlive = false;
    await world.clock.advance(afterMs);
    const crew = crewWith(tool("Save", "read"));
    const two = await world.process({ crews: [crew], model });
    const second = watch(two.engine.start(crew, { input: "2", session: "s", id: "r2" }).then(({ result }) => result));
    await world.clock.advance(20_000);
    assert.equal(second.now, "done");
    assert.deepEqual([await outcomeOf(two, "r1"), await outcomeOf(two, "r2")], ["done", "done"]);
    assert.equal(two.engine.open, 0);
    await world.run(two.engine.stop());
  });
}

/** Runs whose process has died four times: eight are tried, and the others wait for their trial. */
async function wear(world: World, runs: number, meddle: (name: string) => void): Promise<Process> {
  const model = script({ a: [{ say: "one two three", delayMs: 600_000 }] });
  const options: ProcessOptions = { crews: [solo], model, meddle: (_, name) => meddle(name) };
  let now = await world.process(options);
  for (let count = 0; count < runs; count++) {
    const id = `r${count}`;
    await world.run(now.engine.start(solo, { input: "go", id, session: id }));
  }
  for (let deaths = 0; deaths < 4; deaths++) {
    now = await replace(world, now, options);
    await world.run(now.engine.recover());
    await world.clock.advance(2_000);
  }
  assert.equal(now.engine.open, 8);
  return now;
}

test("runs that the crash-loop guard holds back are not read, and cost the same however many they are", async () => {
  const costs: number[] = [];
  for (const runs of [30, 60]) {
    const world = new World();
    const asked: string[] = [];
    const { engine } = await wear(world, runs, (name) => asked.push(name));
    asked.length = 0;
    await world.clock.advance(10_000);
    assert.ok(asked.includes("runs.interrupted") && !asked.includes("logs.batches"));
    costs.push(asked.length);
    await world.run(engine.stop());
  }
  assert.equal(costs[0], costs[1]);
});

test("a run that the crash-loop guard holds back is not read for the next message of its session", async () => {
  const world = new World();
  const asked = new Set<string>();
  const { engine } = await wear(world, 20, (name) => asked.add(name));
  const waiting = world.records.find(({ recoveries }) => recoveries === 3);
  asked.clear();
  const { id } = await world.run(engine.start(solo, { input: "on", session: waiting?.id ?? "" }));
  await world.clock.advance(10_000);
  assert.deepEqual([world.record(id)?.status, asked.has("logs.batches")], ["queued", false]);
  await world.run(engine.stop());
});

test("a run that has finished something since its recovery is not a suspect any more, in its record too", async () => {
  const world = new World();
  const crew = crewWith(tool("Look", "read", 2_000));
  const options = {
    crews: [crew],
    model: script({ a: [{ call: [{ tool: "Look" }] }, { say: "Done.", delayMs: 9_000 }] }),
  };
  const one = await world.process(options);
  await world.run(one.engine.start(crew, { input: "go", id: "r" }));
  await world.clock.advance(1_000);
  const two = await replace(world, one, options);
  await world.run(two.engine.recover());
  await world.clock.advance(1_000);
  assert.equal((await recordOf(two, "r"))?.recoveries, 1);
  await world.clock.advance(2_000);
  const { status, recoveries } = (await recordOf(two, "r")) ?? {};
  assert.deepEqual([status, recoveries], ["running", undefined]);
  await world.run(two.engine.stop());
});

test("the event loop serves others between two runs that are recovered", async () => {
  const world = new World();
  const options = { crews: [solo], model: script({ a: [{ say: "Done.", delayMs: 1_000 }] }) };
  const one = await world.process(options);
  for (const id of ["r1", "r2", "r3"]) await world.run(one.engine.start(solo, { input: "go", id }));
  const two = await replace(world, one, options);
  const here: number[] = [];
  world.clock.breathe = () => {
    here.push(two.engine.open);
    return undefined;
  };
  assert.equal(await world.run(two.engine.recover()), 3);
  assert.ok(here.length >= 6, "once to look at each, once to recover each");
  await world.run(two.engine.stop());
});

test("a worker looks soon after a write, and then each second again", async () => {
  const world = new World();
  const options = { crews: [solo], model: script({ a: [{ say: "Done." }] }) };
  let looks = 0;
  const worker = await world.process({
    ...options,
    placement: new LeasePlacement("worker"),
    meddle: (_, name) => {
      if (name === "runs.interrupted") looks++;
    },
  });
  const server = await world.process({ ...options, placement: new LeasePlacement("server") });
  const looksIn = async (ms: number): Promise<number> => {
    const before = looks;
    await world.clock.advance(ms);
    // Each call is seen before it and after it.
    return (looks - before) / 2;
  };
  await world.run(worker.engine.recover());
  assert.equal(await looksIn(10_000), 10);
  for (const id of ["r1", "r2"]) {
    await world.run(server.engine.start(solo, { input: "go", id }));
    assert.ok((await looksIn(100)) >= 1, "soon after the write");
    assert.equal((await server.store.database.runs.find(id))?.outcome, "done");
    const later = await looksIn(10_000);
    assert.ok(later >= 9 && later <= 11, `${later} looks in ten seconds`);
  }
  for (const { engine } of [worker, server]) await world.run(engine.stop());
});

test("a run that is followed while the lease of its dead process holds continues here", async () => {
  const world = new World();
  const options = { crews: [solo], model: script({ a: [{ say: "one two", delayMs: 1_000 }] }) };
  const one = await world.process(options);
  for (const id of ["r", "not-followed"]) await world.run(one.engine.start(solo, { input: "hi", id }));
  one.isAlive = false;
  const two = await world.process(options);
  const run = await world.run(two.engine.follow("r"));
  assert.equal((await world.run(run?.result ?? assert.fail())).outcome, "done");
  await world.clock.advance(20_000);
  assert.equal((await recordOf(two, "not-followed"))?.status, "running");
  await world.run(two.engine.stop());
});
