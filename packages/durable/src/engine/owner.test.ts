/** Runs and sessions belong to a user of a tenant, for the engine as for the database. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type CallContext, defineCrew, defineTool } from "@baton/core";
import { omitUndefined } from "@baton/core/util";
import { of } from "@baton/core/testing";
import { ANYTHING } from "../testing/shop.ts";
import { LOCAL, type Owner, readAll } from "@baton/store";
import { script, solo, waits } from "../testing/small-crews.ts";
import { World } from "../testing/world.ts";

const ANN = { tenant: "acme", user: "ann" };
const BOB = { tenant: "acme", user: "bob" };
const TALK = script({ a: [{ say: "Which?" }, { say: "[GO]" }], b: [{ say: "Done." }] });

/** A crew that waits for a message and then uses a tool that says who it works for. */
function asking(seen: Partial<CallContext>[]) {
  const who = defineTool({
    name: "Who",
    description: "Says who.",
    effect: "read",
    input: ANYTHING,
    run: (_, { tenant, user, session }) => {
      seen.push(omitUndefined({ tenant, user, session }));
      return "ok";
    },
  });
  const crew = defineCrew({
    name: "asking",
    agents: [{ id: "a" }, { id: "b", tools: ["Who"], isTerminal: true }],
    tools: [who],
    signals: { a: [{ signal: "[GO]", target: "b" }] },
    behaviors: { a: { waitForSignal: true } },
  });
  const model = script({
    a: [{ say: "Which?" }, { say: "[GO]" }],
    b: [{ call: [{ tool: "Who" }] }, { say: "Done." }],
  });
  return { crew, model };
}

test("two users of a tenant have two conversations under one session id, at the same time", async () => {
  const world = new World();
  const { engine, store } = await world.process({ crews: [waits], model: TALK });
  for (const owner of [ANN, BOB, LOCAL]) {
    const run = await world.run(engine.start(waits, { input: `I am ${owner.user}`, session: "s", ...owner }));
    assert.equal((await world.run(run.result)).outcome, "paused");
    const [started] = of(await readAll(store.database, run.id), "run.started");
    assert.deepEqual([started?.tenant, started?.user, started?.session], [owner.tenant, owner.user, "s"]);
  }
  for (const owner of [ANN, BOB, LOCAL]) {
    const [first] = await store.database.sessions.messages(owner, "s");
    assert.match(first ?? "", new RegExp(`I am ${owner.user}`));
    const [record, ...others] = await store.database.runs.list({ ...owner, session: "s" });
    assert.deepEqual([record?.tenant, record?.user, others.length], [owner.tenant, owner.user, 0]);
  }
  assert.equal((await store.database.runs.list({ tenant: "acme" })).length, 2);
  await world.run(engine.stop());
});

test("a start without an owner is local's, and its request id is kept", async () => {
  const world = new World();
  const { engine, store } = await world.process({ crews: [solo], model: script({ a: [{ say: "ok" }] }) });
  const run = await world.run(engine.start(solo, { input: "hi", request: "req-7" }));
  await world.run(run.result);
  const [record] = await store.database.runs.list({ ...LOCAL, request: "req-7" });
  assert.deepEqual([record?.id, record?.requestId], [run.id, "req-7"]);
  await world.run(engine.stop());
});

test("a paused run that was transferred to another owner continues for that one, and its tools know", async () => {
  const world = new World();
  const seen: Partial<CallContext>[] = [];
  const { crew, model } = asking(seen);
  const { engine, store } = await world.process({ crews: [crew], model });
  const start = async (input: string, owner: Owner) => world.run(engine.start(crew, { input, session: "s", ...owner }));
  const run = await start("hi", LOCAL);
  await world.run(run.result);
  assert.deepEqual(await world.run(store.database.owners.transfer(LOCAL, ANN)), { runs: 1, sessions: 1, documents: 0 });
  const other = await start("hi again", LOCAL);
  assert.notEqual(other.id, run.id);
  const resumed = await start("go", ANN);
  assert.equal(resumed.id, run.id);
  assert.equal((await world.run(resumed.result)).outcome, "done");
  assert.deepEqual(seen, [{ ...ANN, session: "s" }]);
  assert.equal((await store.database.sessions.messages(ANN, "s")).length > 3, true);
  await world.run(engine.stop());
});

test("a queued run that was given to another owner begins for that one", async () => {
  const world = new World();
  const slow = script({ a: [{ say: "one two", delayMs: 60_000 }] });
  const one = await world.process({ crews: [solo], model: slow });
  await world.run(one.engine.start(solo, { input: "1", session: "s", id: "r1" }));
  await world.run(one.engine.start(solo, { input: "2", session: "s", id: "r2" }));
  one.isAlive = false;
  await world.clock.advance(10_000);
  const without = await world.process({ crews: [], model: slow });
  await world.run(without.engine.command("r1", { type: "cancel" }));
  await world.run(without.engine.stop());
  await world.run(without.store.database.owners.transfer(LOCAL, ANN));
  const two = await world.process({ crews: [solo], model: script({ a: [{ say: "ok" }] }) });
  await world.run(two.engine.recover());
  const run = (await two.engine.run("r2")) ?? assert.fail();
  assert.equal((await world.run(run.result)).outcome, "done");
  const [started] = of(await readAll(two.store.database, "r2"), "run.started");
  assert.deepEqual([started?.tenant, started?.user], ["acme", "ann"]);
  assert.equal((await two.store.database.sessions.find(ANN, "s"))?.user, "ann");
  assert.equal(await two.store.database.sessions.find(LOCAL, "s"), undefined);
  await world.run(two.engine.stop());
});

test("a run is found by its id, its short id and its short id with a prefix, among those of its owner", async () => {
  const world = new World();
  const { engine, store } = await world.process({ crews: [solo], model: script({ a: [{ say: "ok" }] }) });
  const ids = ["01900000-0000-7000-8000-0123456789ab", "01900000-0000-7000-9000-0123456789ab"] as const;
  for (const [index, id] of ids.entries()) {
    const run = await world.run(engine.start(solo, { input: "hi", id, ...(index === 0 ? ANN : BOB) }));
    await world.run(run.result);
    await world.clock.advance(1_000);
  }
  const find = async (name: string, whose = {}) => (await engine.find(name, whose))?.id;
  const [first, second] = ids;
  assert.equal(await find(first), first);
  assert.equal(await find(first, ANN), first);
  assert.equal(await find(first, BOB), undefined);
  assert.equal(await find("0123456789ab"), second);
  assert.equal(await find("req-0123456789ab", { tenant: "acme" }), second);
  assert.equal(await find("req-0123456789ab", ANN), first);
  assert.equal(await find("req-0123456789ab", LOCAL), undefined);
  assert.equal(await find("REQ-0123456789AB", ANN), first);
  assert.equal(await find("123456789ab"), undefined);
  assert.equal(await find("ffffffffffff"), undefined);
  assert.equal((await store.database.runs.list({})).length, 2);
  await world.run(engine.stop());
});

test("a fork belongs to the user who made it, and its log says so", async () => {
  const world = new World();
  const { engine, store } = await world.process({ crews: [waits], model: TALK });
  const run = await world.run(engine.start(waits, { input: "hi", ...ANN }));
  await world.run(run.result);
  const events = (await readAll(store.database, run.id)).map((event) => ({ ...event, run: "fork" }));
  const fork = await world.run(engine.fork(waits, events, BOB));
  await world.run(fork.result);
  const record = await store.database.runs.find("fork");
  const [started] = of(await readAll(store.database, "fork"), "run.started");
  assert.deepEqual([record?.user, started?.user], ["bob", "bob"]);
  await world.run(engine.stop());
});
