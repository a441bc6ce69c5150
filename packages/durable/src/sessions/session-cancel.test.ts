/** Cancelling a session ends all that is open in it, and keeps all that is stored. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { LOCAL, readAll } from "@baton/store";
import { crewWith, script, solo, tool, waits } from "../testing/small-crews.ts";
import { World } from "../testing/world.ts";

const NOTHING = { stopped: [], finished: [], abandoned: [] };
const ANN = { tenant: "acme", user: "ann" };

test("what is running and queued is cancelled, with receipts, and other sessions are not touched", async () => {
  const world = new World();
  const crew = crewWith(tool("Work", "read", 20_000));
  const model = script({ a: [{ call: [{ tool: "Work" }] }, { say: "Done." }] });
  const { engine, store } = await world.process({ crews: [crew], model });
  const start = (id: string, session: string, owner = LOCAL) =>
    world.run(engine.start(crew, { input: id, id, session, ...owner }));
  for (const id of ["r1", "r2", "r3"]) await start(id, "s");
  await start("other", "t");
  await start("foreign", "s", ANN);
  await world.clock.advance(1_000);
  const cancelled = await world.run(engine.cancelSession(LOCAL, "s"));
  assert.deepEqual(cancelled.map(({ run }) => run).toSorted(), ["r1", "r2", "r3"]);
  const receipts = new Map(cancelled.map(({ run, receipt }) => [run, receipt]));
  assert.equal(receipts.get("r1")?.stopped.includes("call:1.1.1"), true, JSON.stringify(receipts.get("r1")));
  assert.deepEqual([receipts.get("r2"), receipts.get("r3")], [NOTHING, NOTHING]);
  for (const id of ["r1", "r2", "r3"]) {
    const record = await store.database.runs.find(id);
    assert.deepEqual([record?.outcome, record?.error?.message], ["cancelled", "its session was cancelled"], id);
  }
  // Those that waited never began, not even for a moment.
  for (const id of ["r2", "r3"]) {
    const types = (await readAll(store.database, id)).map(({ type }) => type);
    assert.deepEqual(types, ["run.started", "run.ended"], id);
  }
  for (const id of ["other", "foreign"]) assert.equal((await store.database.runs.find(id))?.status, "running", id);
  assert.deepEqual(await world.run(engine.cancelSession(LOCAL, "s")), []);
  assert.deepEqual(await world.run(engine.cancelSession(LOCAL, "nobody's")), []);
  await world.run(engine.stop());
});

test("what waits for a message is cancelled, the conversation is kept, and the next message begins anew", async () => {
  const world = new World();
  const model = script({ a: [{ say: "Which?" }, { say: "[GO]" }], b: [{ say: "Done." }] });
  const { engine, store } = await world.process({ crews: [waits], model });
  const run = await world.run(engine.start(waits, { input: "hi", session: "s", id: "r1" }));
  await world.run(run.result);
  const before = await store.database.sessions.messages(LOCAL, "s");
  assert.deepEqual(await world.run(engine.cancelSession(LOCAL, "s", "enough")), [{ run: "r1", receipt: NOTHING }]);
  assert.equal((await store.database.runs.find("r1"))?.outcome, "cancelled");
  assert.deepEqual(await store.database.sessions.messages(LOCAL, "s"), before);
  assert.equal((await store.database.sessions.find(LOCAL, "s"))?.paused, undefined);
  const next = await world.run(engine.start(waits, { input: "again", session: "s", id: "r2" }));
  assert.equal(next.id, "r2");
  assert.equal((await world.run(next.result)).outcome, "paused");
  await world.run(engine.stop());
});

test("a run that another process has is cancelled too", async () => {
  const world = new World();
  const options = { crews: [solo], model: script({ a: [{ say: "one two", delayMs: 60_000 }] }) };
  const one = await world.process(options);
  await world.run(one.engine.start(solo, { input: "1", session: "s", id: "r1" }));
  const two = await world.process(options);
  await world.run(two.engine.start(solo, { input: "2", session: "s", id: "r2" }));
  const cancelled = await world.run(two.engine.cancelSession(LOCAL, "s"));
  assert.deepEqual(cancelled.map(({ run }) => run).toSorted(), ["r1", "r2"]);
  const outcomes = ["r1", "r2"].map(async (id) => (await two.store.database.runs.find(id))?.outcome);
  assert.deepEqual(await Promise.all(outcomes), ["cancelled", "cancelled"]);
  await world.run(one.engine.stop());
  await world.run(two.engine.stop());
});

test("a run that was interrupted in it is cancelled too", async () => {
  const world = new World();
  const options = { crews: [solo], model: script({ a: [{ say: "one two", delayMs: 60_000 }] }) };
  const one = await world.process(options);
  await world.run(one.engine.start(solo, { input: "1", session: "s", id: "r1" }));
  one.isAlive = false;
  await world.clock.advance(10_000);
  const two = await world.process(options);
  const cancelled = await world.run(two.engine.cancelSession(LOCAL, "s"));
  assert.deepEqual(
    cancelled.map(({ run }) => run),
    ["r1"],
  );
  assert.equal((await two.store.database.runs.find("r1"))?.outcome, "cancelled");
  await world.run(two.engine.stop());
});
