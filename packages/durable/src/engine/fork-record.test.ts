import assert from "node:assert/strict";
import { test } from "node:test";
import { defineCrew, defineTool, scriptModel } from "@baton/core";
import { collect, of } from "@baton/core/testing";
import { z } from "zod";
import { toFork, toForkCrew } from "../replay/fork.ts";
import { crewOf } from "./crew-definitions.ts";
import { readAll } from "@baton/store";
import { watch } from "../testing/work-state.ts";
import { World } from "../testing/world.ts";

const pay = defineTool({
  name: "Pay",
  description: "Pays.",
  effect: "irreversible",
  input: z.object({}),
  run: () => "paid",
});
const crew = defineCrew({
  name: "shop",
  agents: [{ id: "a", tools: ["Pay"], isTerminal: true }],
  tools: [pay],
  permissions: { Pay: "allow" },
});
const model = () => scriptModel({ a: [{ call: [{ tool: "Pay" }] }, { say: "All done." }] });

test("a fork is a run of its own: it is stored, asks before what cannot be undone, and is recovered by another process", async () => {
  const world = new World();
  const one = await world.process({ crews: [crew], model });
  const first = await world.run(one.engine.start(crew, { input: "pay", id: "first" }));
  const { events } = await world.run(collect(first));
  const step = of(events, "step.ended")[0]?.seq ?? assert.fail();
  const from = { run: "first", seq: step };
  const forking = await world.process({ crews: [toForkCrew(crew)], model });
  const fork = await world.run(forking.engine.fork(toForkCrew(crew), toFork(events, step, "fork"), { from }));
  const paused = await world.run(fork.result);
  assert.deepEqual(
    paused.questions.map(({ kind, tool }) => [kind, tool]),
    [["approval", "Pay"]],
  );
  const record = (await one.store.database.runs.find("fork")) ?? assert.fail();
  assert.deepEqual([record.status, record.steps, record.input], ["paused", 1, "pay"]);
  assert.deepEqual(record.forkedFrom, from);
  const answer = { type: "answer", question: paused.questions[0]?.question ?? "", value: "deny" } as const;
  const { run } = await world.run(one.engine.command("fork", answer));
  assert.equal((await world.run(run.result)).content, "All done.");
  assert.deepEqual(await world.run(readAll(one.store.database, "first")), events);
  await assert.rejects(world.run(one.engine.fork(crew, toFork(events, step, "fork"))), { code: "conflict" });
  await assert.rejects(world.run(one.engine.fork(crew, [])), { code: "invalid" });
});

test("a fork under the id of a run that another process began meanwhile is refused, and changes nothing", async () => {
  const world = new World();
  const forked = toForkCrew(crew);
  const one = await world.process({ crews: [crew, forked], model });
  const first = await world.run(one.engine.start(crew, { input: "pay", id: "first" }));
  const { events } = await world.run(collect(first));
  const slow = Promise.withResolvers<void>();
  const two = await world.process({
    crews: [forked],
    model,
    meddle: (_, name) => (name === "definitions.save" ? slow.promise : undefined),
  });
  const late = watch(two.engine.fork(forked, toFork(events, 4, "fork")));
  await world.clock.advance(10);
  const other = await world.run(one.engine.start(crew, { input: "pay", id: "fork" }));
  await world.run(other.result);
  const record = await one.store.database.runs.find("fork");
  slow.resolve();
  await world.clock.advance(1_000);
  assert.equal(late.now, "conflict");
  assert.deepEqual(await one.store.database.runs.find("fork"), record);
});

test("the crew of a stored run is there without its code, and with it its tools are the current ones", async () => {
  const world = new World();
  const { engine, store } = await world.process({ crews: [crew], model });
  const run = await world.run(engine.start(crew, { input: "pay", id: "r" }));
  await world.run(run.result);
  const record = (await store.database.runs.find("r")) ?? assert.fail();
  const alone = await crewOf(store.database, record);
  assert.deepEqual(
    [alone.crew.name, [...alone.crew.agents.keys()], alone.changes],
    ["shop", ["a"], ["tool Pay is gone"]],
  );
  assert.equal((await crewOf(store.database, record, crew)).crew, crew);
  const lost = { ...record, definition: "none" };
  await assert.rejects(crewOf(store.database, lost), { code: "damaged" });
});
