import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { defineCrew } from "../definitions/crew.ts";
import { Engine } from "./engine.ts";
import { scriptModel } from "../ports/script.ts";
import { collect, of, play } from "../testing/crew-runs.ts";
import { SimulatedClock } from "../testing/simulated-clock.ts";
import { defineTool } from "../definitions/tool.ts";

const solo = defineCrew({ name: "solo", agents: [{ id: "a", isTerminal: true }] });
const waits = defineCrew({
  name: "waits",
  agents: [{ id: "a" }, { id: "b", isTerminal: true }],
  signals: { a: [{ signal: "[GO]", target: "b" }] },
  behaviors: { a: { waitForSignal: true } },
});

test("a cancel while a tool ignores its abort settles within the grace period, and its late result appears nowhere", async () => {
  const clock = new SimulatedClock(1);
  const deaf = defineTool({
    name: "Deaf",
    description: "Sleeps and does not listen.",
    effect: "read",
    input: z.object({}),
    run: (_, { state, progress }) =>
      new Promise((resolve) => {
        clock.after(2_000, () => {
          state.set("late", true);
          progress("late");
          resolve("late");
        });
      }),
  });
  const crew = defineCrew({ name: "x", agents: [{ id: "a", tools: ["Deaf"], isTerminal: true }], tools: [deaf] });
  const engine = new Engine({ clock, model: () => scriptModel({ a: [{ call: [{ tool: "Deaf" }] }, { say: "no" }] }) });
  const run = engine.start(crew, { input: "go" });
  await clock.advance(100);
  const { receipt } = await clock.run(run.command({ type: "cancel" }));
  assert.equal(clock.monotonic(), 200);
  assert.deepEqual(receipt?.abandoned, ["call:1.1.1"]);
  assert.equal((await run.result).outcome, "cancelled");
  await clock.advance(5_000);
  const { events } = await collect(run);
  assert.ok(!JSON.stringify(events).includes("late"));
  assert.deepEqual(of(events, "run.ended")[0]?.receipt, receipt);
  assert.deepEqual([engine.open, clock.pending], [0, 0]);
});

test("the same with the system's clock: a cancel settles though the tool never does", async () => {
  const { promise: entered, resolve: enter } = Promise.withResolvers<void>();
  const deaf = defineTool({
    name: "Deaf",
    description: "Deaf.",
    effect: "read",
    input: z.object({}),
    run: () => {
      enter();
      return new Promise<string>(() => {});
    },
  });
  const crew = defineCrew({ name: "x", agents: [{ id: "a", tools: ["Deaf"], isTerminal: true }], tools: [deaf] });
  const engine = new Engine({ model: () => scriptModel({ a: [{ call: [{ tool: "Deaf" }] }, { say: "no" }] }) });
  const run = engine.start(crew, { input: "go" });
  await entered;
  const { receipt } = await run.command({ type: "cancel" });
  assert.deepEqual(receipt?.abandoned, ["call:1.1.1"]);
});

test("reading may begin anywhere and ends with the run, also after it", async () => {
  const { run, events } = await play(solo, { a: [{ say: "one two three" }] });
  assert.deepEqual(await Array.fromAsync(run.events({ after: 3 })), events.slice(3));
  assert.deepEqual(
    (await Array.fromAsync(run.events({ after: events.length - 1 }))).map(({ type }) => type),
    ["run.ended"],
  );
});

test("a reader that comes while the run is under way misses nothing", async () => {
  const clock = new SimulatedClock(3);
  const engine = new Engine({ clock, model: () => scriptModel({ a: [{ say: "one two three four", delayMs: 10 }] }) });
  const run = engine.start(solo, { input: "go" });
  await clock.advance(15);
  const [late, whole] = await clock.run(Promise.all([Array.fromAsync(run.events()), Array.fromAsync(run.events())]));
  assert.deepEqual(late, whole);
  assert.equal(of(whole, "text.delta").length, 4);
});

test("wrong use is refused before anything runs", () => {
  const engine = new Engine({ model: () => scriptModel({}) });
  assert.throws(() => engine.start(solo, { input: "  " }), { code: "invalid" });
  assert.throws(() => engine.start(solo, { input: "é".repeat(21_000) }), {
    code: "invalid",
    message: "the input is 42 KB; max_input_size_kb is 40",
  });
  assert.throws(() => engine.start(solo, { input: "x", agent: "nobody" }), { code: "not_found" });
  assert.throws(() => engine.start(solo, { input: "x", task: "nothing" }), { code: "not_found" });
  assert.throws(() => engine.start(solo, { input: "x", id: "../x" }), { code: "invalid" });
  assert.throws(() => engine.resume("none", "x"), { code: "not_found" });
});

test("a model that is not available fails the run with its message", async () => {
  await using engine = new Engine({
    model: () => {
      throw new Error("set OPENAI_API_KEY");
    },
  });
  const { outcome, error } = await engine.start(solo, { input: "x" }).result;
  assert.deepEqual([outcome, error?.message], ["failed", "set OPENAI_API_KEY"]);
});

test("ended runs are forgotten beyond max_stored_requests, paused ones are not", async () => {
  const crew = defineCrew({ name: "c", agents: [{ id: "a", isTerminal: true }], settings: { maxStoredRuns: 2 } });
  const engine = new Engine({ model: () => scriptModel({ a: [{ say: "x" }] }) });
  const paused = engine.start(waits, { input: "x", id: "paused" });
  await paused.result;
  for (const id of ["r1", "r2", "r3"]) await engine.start(crew, { input: "x", id }).result;
  assert.deepEqual(
    ["paused", "r1", "r2", "r3"].map((id) => engine.run(id) !== undefined),
    [true, false, true, true],
  );
});

test("disposing of the engine ends every run", async () => {
  const engine = new Engine({ model: () => scriptModel({ a: [{ say: "a long story", delayMs: 60_000 }] }) });
  const run = engine.start(solo, { input: "x" });
  await engine[Symbol.asyncDispose]();
  assert.equal((await run.result).outcome, "cancelled");
  assert.equal(engine.open, 0);
});

test("an observer sees every event", async () => {
  const observed: string[] = [];
  const engine = new Engine({
    model: () => scriptModel({ a: [{ say: "one two" }] }),
    observe: ({ type }) => observed.push(type),
  });
  const { events } = await collect(engine.start(solo, { input: "x" }));
  assert.deepEqual(
    observed,
    events.map(({ type }) => type),
  );
});

test("a history from outside is given to the agent as it is", async () => {
  const { events } = await play(
    solo,
    { a: [{ when: "second", say: "yes" }, { say: "no" }] },
    {
      history: [
        { role: "user", content: "first" },
        { role: "assistant", content: "hm" },
      ],
      input: "second",
    },
  );
  assert.equal(of(events, "turn.ended")[0]?.text, "yes");
});

test("a task starts at its agent with its description before the input", async () => {
  const crew = defineCrew({
    name: "t",
    agents: [{ id: "a" }, { id: "b", isTerminal: true }],
    tasks: [{ name: "sum", description: "Sum it up.", agent: "b" }],
  });
  const { agent, events } = await play(crew, { b: [{ say: "ok" }] }, { task: "sum", input: "all of it" });
  assert.equal(agent, "b");
  assert.equal(of(events, "run.started")[0]?.input, "Sum it up.\n\nall of it");
});
