/** A crew that runs after another: exactly one run of it for each run that ended `done`, whatever dies. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Crew, defineCrew, defineTool, ToolError } from "@baton/core";
import { of } from "@baton/core/testing";
import { z } from "zod";
import { followUpIdOf } from "./follow-up-run.ts";
import { crewOf } from "./crew-definitions.ts";
import { type RunRecord, readAll } from "@baton/store";
import { toFork } from "../replay/fork.ts";
import { replay } from "../replay/replay.ts";
import { crewWith, script, tool } from "../testing/small-crews.ts";
import { type Process, World } from "../testing/world.ts";

const notes = defineCrew({
  name: "notes",
  agents: [{ id: "scribe", isTerminal: true }],
  // What an after-run is given is not a user's input: this small limit does not count.
  settings: { maxInputBytes: 10 },
  after: defineCrew({ name: "never", agents: [{ id: "n", isTerminal: true }] }),
});
const main = defineCrew({
  name: "main",
  agents: [{ id: "a", isTerminal: true }],
  signals: { a: [{ signal: "[END]", target: "" }] },
  after: notes,
});
const REPLIES = { a: [{ say: "Forty-two. [END]" }], scribe: [{ say: "Noted." }], n: [{ say: "no" }] };
const model = script(REPLIES);
const TOLD = z.object({ tools: z.array(z.object({ tool: z.string(), ok: z.int(), failed: z.int() })) });
const OWNER = { tenant: "acme", user: "ann" };

describe("a run of a crew with `after` that ends `done`", () => {
  test("is followed by one run of that crew, in the background, for the same tenant and user", async () => {
    const world = new World();
    const process = await world.process({ crews: [main], model });
    const { engine, store } = process;
    const start = { input: "What?", id: "r", session: "s", options: { deep: true }, ...OWNER };
    const run = await world.run(engine.start(main, start));
    assert.equal((await world.run(run.result)).content, "Forty-two.");
    await world.run(engine.idle());
    const records = await store.database.runs.list({});
    assert.deepEqual(records.map(toOutline), [
      ["r-after", "notes", "ended", "done", "acme", "ann", undefined, "r", undefined],
      ["r", "main", "ended", "done", "acme", "ann", "s", undefined, { deep: true }],
    ]);
    const [started] = of(await readAll(store.database, "r-after"), "run.started");
    assert.deepEqual(
      [started?.afterOf, started?.tenant, started?.user, started?.session],
      ["r", "acme", "ann", undefined],
    );
    const given = { run: "r", session: "s", user: "ann", input: "What?", answer: "Forty-two.", tools: [] };
    assert.deepEqual(JSON.parse(started?.input ?? ""), given);
    const said = await store.database.sessions.messages(OWNER, "s");
    assert.equal(
      said.some((message) => message.includes("Noted")),
      false,
      "it is not part of the conversation",
    );
    await world.run(engine.stop());
  });

  test("gives the run that follows which tools were called, and how often each failed", async () => {
    const world = new World();
    const look = defineTool({ name: "look", description: "", effect: "read", input: z.object({}), run: () => "seen" });
    const break_ = defineTool({
      name: "break",
      description: "",
      effect: "read",
      input: z.object({}),
      run: () => {
        throw new ToolError("permanent", "broken");
      },
    });
    const busy = defineCrew({
      name: "busy",
      agents: [{ id: "a", isTerminal: true, tools: ["look", "break"] }],
      tools: [look, break_],
      after: notes,
    });
    const call = (name: string) => ({ call: [{ tool: name, args: {} }] });
    const replies = [call("look"), call("break"), call("look"), { say: "Done." }];
    const { engine, store } = await world.process({ crews: [busy], model: script({ ...REPLIES, a: replies }) });
    const run = await world.run(engine.start(busy, { input: "go", id: "r" }));
    await world.run(run.result);
    await world.run(engine.idle());
    const [started] = of(await readAll(store.database, "r-after"), "run.started");
    const { tools } = TOLD.parse(JSON.parse(started?.input ?? "{}"));
    assert.deepEqual(
      tools.map(({ tool: name, ok, failed }) => [name, ok, failed]),
      [
        ["look", 2, 0],
        ["break", 0, 1],
      ],
    );
    await world.run(engine.stop());
  });

  test("does not change its own outcome if what follows fails", async () => {
    const world = new World();
    const { engine, store } = await world.process({ crews: [main], model: script({ a: [{ say: "Fine." }] }) });
    const run = await world.run(engine.start(main, { input: "go", id: "r" }));
    assert.equal((await world.run(run.result)).outcome, "done");
    await world.run(engine.idle());
    const outcomes = ["r", "r-after"].map(async (id) => (await store.database.runs.find(id))?.outcome);
    assert.deepEqual(await Promise.all(outcomes), ["done", "failed"]);
    await world.run(engine.stop());
  });

  test("is followed with the crew of its own, whatever a served crew of that name is", async () => {
    const world = new World();
    const served = defineCrew({ name: "notes", agents: [{ id: "other", isTerminal: true }] });
    const { engine, store } = await world.process({ crews: [served, main], model });
    const run = await world.run(engine.start(main, { input: "go", id: "r" }));
    await world.run(run.result);
    await world.run(engine.idle());
    assert.equal((await store.database.runs.find("r-after"))?.agent, "scribe");
    await world.run(engine.stop());
  });

  test("has an id for what follows that is one of a run, however long its own is", () => {
    const long = "x".repeat(128);
    assert.match(followUpIdOf(long), /^[a-zA-Z0-9_-]{1,128}$/);
    assert.notEqual(followUpIdOf(long), followUpIdOf("y".repeat(128)));
    assert.equal(followUpIdOf("r"), "r-after");
  });
});

describe("nothing follows", () => {
  test("a run that was cancelled, failed or reached a limit", async () => {
    const slow = defineCrew({ ...base(crewWith(tool("Look", "read", 60_000))), after: notes });
    const world = new World();
    const models = script({ a: [{ call: [{ tool: "Look" }] }, { say: "?" }] });
    const { engine, store } = await world.process({ crews: [slow], model: models });
    const run = await world.run(engine.start(slow, { input: "go", id: "cancelled" }));
    await world.clock.advance(100);
    await world.run(run.command({ type: "cancel" }));
    const limited = await world.run(engine.start(slow, { input: "go", id: "limit", limits: { timeoutMs: 50 } }));
    assert.equal((await world.run(limited.result)).outcome, "limit");
    await world.run(engine.idle());
    assert.deepEqual((await store.database.runs.list({})).map(({ id }) => id).toSorted(), ["cancelled", "limit"]);
    await world.run(engine.stop());
  });

  test("a sub-crew, a fork and a replay", async () => {
    const world = new World();
    const outer = defineCrew({
      name: "outer",
      agents: [{ id: "o" }, { id: "last", isTerminal: true }],
      signals: { o: [{ signal: "[IN]", target: "main", returnTo: "last" }] },
      subCrews: { main },
    });
    const replies = { ...REPLIES, o: [{ say: "[IN]" }], last: [{ say: "Bye." }] };
    const { engine, store } = await world.process({ crews: [outer, main], model: script(replies) });
    const run = await world.run(engine.start(outer, { input: "go", id: "r" }));
    assert.equal((await world.run(run.result)).outcome, "done");
    const plain = await world.run(engine.start(main, { input: "go", id: "m" }));
    await world.run(plain.result);
    await world.run(engine.idle());
    const events = await readAll(store.database, "m");
    const fork = await world.run(engine.fork(main, toFork(events, 1, "fork")));
    assert.equal((await world.run(fork.result)).outcome, "done");
    assert.equal(await replay(main, events), undefined);
    await world.run(engine.idle());
    assert.deepEqual((await store.database.runs.list({})).map(({ id }) => id).toSorted(), [
      "fork",
      "m",
      "m-after",
      "r",
    ]);
    await world.run(engine.stop());
  });
});

test("an engine that stops hands the run that follows over to the next one, which recovers it", async () => {
  const world = new World();
  const first = await world.process({ crews: [main], model, meddle: (process, name) => stopAt(process, name) });
  const stopAt = ({ engine }: Process, name: string): void => {
    if (name === "commit" && world.record("r")?.status === "ended") stopping ??= engine.stop();
  };
  let stopping: Promise<void> | undefined;
  const run = await world.run(first.engine.start(main, { input: "go", id: "r" }));
  await world.run(run.result);
  await world.run(stopping ?? assert.fail("it has not stopped"));
  assert.equal(world.record("r-after")?.status, "queued");
  const second = await world.process({ crews: [main], model });
  assert.equal(await world.run(second.engine.recover()), 1);
  await world.run(second.engine.idle());
  assert.equal(world.record("r-after")?.outcome, "done");
  await world.run(second.engine.stop());
});

test("a process that dies at any call of the database: there is one run that follows, and it is done", async () => {
  const fates = new Set<string>();
  let places = 0;
  for (let place = 1; ; place++) {
    const world = new World();
    let left = place;
    const meddle = (process: Process): void => {
      left--;
      if (left === 0) process.isAlive = false;
    };
    const first = await world.process({ crews: [main], model, meddle });
    const going = (async () => {
      const run = await first.engine.start(main, { input: "go", id: "r" });
      await run.result;
      await first.engine.idle();
    })();
    const died = (async () => {
      while (first.isAlive) await new Promise<void>((resolve) => world.clock.after(10, resolve));
    })();
    await world.run(Promise.race([going, died]));
    if (first.isAlive) break;
    places = place;
    fates.add(world.record("r-after")?.status ?? "none");
    await world.clock.advance(5_000);
    await liveOn(world);
  }
  assert.ok(places > 10, `there were only ${places} places to die at`);
  assert.deepEqual([...fates].toSorted(), ["ended", "none", "queued", "running"]);
});

/** Continues after a crash, and checks what came of it. */
async function liveOn(world: World): Promise<void> {
  const { engine, store } = await world.process({ crews: [main], model });
  if (world.record("r") === undefined) await world.run(engine.start(main, { input: "go", id: "r" }));
  await world.run(engine.recover());
  await world.run(engine.idle());
  const records = await store.database.runs.list({});
  assert.deepEqual(records.map(({ id, outcome }) => `${id} ${outcome}`).toSorted(), ["r done", "r-after done"]);
  for (const record of records) {
    const events = await readAll(store.database, record.id);
    assert.equal(of(events, "run.started").length, 1);
    const { crew } = await crewOf(store.database, record, record.id === "r" ? main : notes);
    assert.equal(await replay(crew, events), undefined);
  }
  await world.run(engine.stop());
}

function toOutline({ id, crew, status, outcome, tenant, user, session, afterOf, options }: RunRecord) {
  return [id, crew, status, outcome, tenant, user, session, afterOf, options];
}

/** A crew as a definition. */
function base({ name, agents, tools }: Crew) {
  return { name, agents: [...agents.values()], tools: [...tools.values()] };
}
