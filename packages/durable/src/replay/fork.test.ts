import assert from "node:assert/strict";
import { test } from "node:test";
import { defineCrew, defineTool, Engine, fold, type RunEvent, scriptModel } from "@baton/core";
import { of, simulate } from "@baton/core/testing";
import { toFork, toForkCrew, rephraseFork } from "./fork.ts";
import { replay } from "./replay.ts";
import { playRun, continueRun } from "../testing/play-run.ts";
import { ANYTHING, shop as crew, shopModel as model, tool } from "../testing/shop.ts";

test("a fork at any event ends like the run did, and no step that came along is repeated", async () => {
  const first = await playRun(crew, model, { input: "pay", id: "first", session: "s" });
  assert.equal(first.content, "All is paid.");
  for (const { seq } of first.events) {
    const prefix = toFork(first.events, seq, "fork");
    assert.deepEqual(
      prefix.map((event) => [event.run, event.seq]),
      prefix.map((_, index) => ["fork", index + 1]),
    );
    assert.deepEqual(underWay(prefix), []);
    const fork = await continueRun(toForkCrew(crew), model, { events: prefix });
    assert.equal(fork.content, first.content, `forked at ${seq}`);
    assert.equal(fork.modelCalls, first.modelCalls - of(prefix, "step.ended").length, `forked at ${seq}`);
    assert.deepEqual(fork.events.slice(0, prefix.length), prefix);
    assert.equal(await replay(toForkCrew(crew), fork.events), undefined, `forked at ${seq}`);
    assert.equal(of(fork.events, "question.opened").filter(({ kind }) => kind === "doubt").length, 0);
    assert.equal(of(fork.events, "step.retried").length, 0);
  }
});

test("a fork keeps every finished step before the place, and leaves its session", async () => {
  const { events } = await playRun(crew, model, { input: "pay", id: "first", session: "s" });
  for (const { seq } of events) {
    const finished = events.filter((event) => event.seq <= seq && event.type === "step.ended");
    assert.equal(of(toFork(events, seq, "fork"), "step.ended").length, finished.length);
  }
  const [started] = of(toFork(events, events.length, "fork"), "run.started");
  assert.equal(started?.session, undefined);
});

test("a fork with other words ends with the last message before the place, and says these instead", async () => {
  const { events } = await playRun(crew, model, { input: "pay", id: "first", session: "s" });
  for (const { seq } of events) {
    const log = rephraseFork(events, seq, { id: "fork", input: "look only" });
    assert.ok(log.length <= toFork(events, seq, "fork").length);
    assert.ok(JSON.stringify(log.at(-1)).includes('"look only"'), `forked at ${seq}`);
    assert.equal(JSON.stringify(log).split('"look only"').length, 2);
  }
  const [started] = events;
  assert.ok(started?.type === "run.started");
  assert.equal(started.input, "pay");
  const base = { run: "first", lane: "", at: 1 };
  const told: readonly RunEvent[] = [
    started,
    { ...base, seq: 2, type: "run.paused", agent: "lead", by: "signal", questions: [] },
    { ...base, seq: 3, type: "run.resumed", agent: "lead", input: "second" },
    { ...base, seq: 4, type: "command.received", command: { type: "say", text: "third" } },
  ];
  const wordsOf = (seq: number) =>
    rephraseFork(told, seq, { id: "fork", input: "new" }).map((event) => {
      if (event.type === "command.received") return event.command.type === "say" ? event.command.text : "";
      return "input" in event ? event.input : "";
    });
  assert.deepEqual(wordsOf(2), ["new"]);
  assert.deepEqual(wordsOf(3), ["pay", "", "new"]);
  assert.deepEqual(wordsOf(4), ["pay", "", "second", "new"]);
});

test("an approval that the run had not used up is not the fork's", async () => {
  const { events } = await playRun(crew, model, { input: "pay", id: "first" });
  const intended = of(events, "effect.intended").find(({ effect }) => effect === "irreversible") ?? assert.fail();
  assert.ok(of(events, "question.answered").some(({ seq }) => seq < intended.seq));
  const prefix = toFork(events, intended.seq, "fork");
  assert.deepEqual(of(prefix, "question.answered"), []);
  assert.deepEqual(of(prefix, "question.opened"), []);
  assert.equal(
    of(prefix, "effect.intended").some(({ key }) => key === intended.key),
    false,
  );
});

test("what interrupted a run is not part of its fork", async () => {
  const failing = scriptModel({ lead: [{ call: [{ tool: "Look" }] }, { fail: "no such model" }] });
  const { events } = await playRun(crew, failing, { input: "pay", id: "first" });
  assert.equal(of(events, "run.ended")[0]?.outcome, "failed");
  const talking = scriptModel({ lead: [{ say: "x" }, { say: "ok" }], one: [{ say: "1" }] });
  const fork = await continueRun(crew, talking, { events: toFork(events, events.length, "fork") });
  assert.equal(of(fork.events, "step.ended").filter(({ error }) => error !== undefined).length, 0);
});

test("a call that was interrupted with its run is made again", async () => {
  const slow = defineTool({ ...tool("Look", "read"), input: ANYTHING, run: (_, { scope }) => scope.sleep(60_000) });
  const idle = defineCrew({ name: "idle", agents: [{ id: "a", tools: ["Look"], isTerminal: true }], tools: [slow] });
  const asking = scriptModel({ a: [{ call: [{ tool: "Look" }] }, { say: "seen" }] });
  await using engine = new Engine({ model: () => asking });
  const run = engine.start(idle, { input: "look" });
  for await (const { type } of run.events()) if (type === "call.started") break;
  await run.command({ type: "cancel" });
  const events = await Array.fromAsync(run.events());
  const quick = defineCrew({ name: "idle", agents: [...idle.agents.values()], tools: [tool("Look", "read")] });
  const fork = await continueRun(quick, asking, { events: toFork(events, events.length, "fork") });
  assert.equal(fork.content, "seen");
});

test("of random runs, each fork has all finished steps and words of people, and nothing of what was under way", async () => {
  for (let seed = 1; seed <= 100; seed++) {
    const { events } = await simulate(seed);
    for (const { seq } of events) {
      const past = events.slice(0, seq);
      const prefix = toFork(events, seq, "fork");
      assert.deepEqual(firm(prefix), firm(past), `seed ${seed} at ${seq}`);
      assert.deepEqual(underWay(prefix), [], `seed ${seed} at ${seq}`);
      assert.equal(fold(prefix).questions.size, 0, `seed ${seed} at ${seq}`);
    }
  }
});

/** Events of steps and calls that have not ended. */
function underWay(events: readonly RunEvent[]): readonly RunEvent[] {
  const calls = new Set(of(events, "call.ended").map(({ call }) => call));
  const steps = new Set(of(events, "step.ended").map(({ step }) => step));
  return events.filter(
    (event) =>
      (event.type === "effect.intended" && !calls.has(event.key)) ||
      (event.type === "permission.decided" && !calls.has(event.call)) ||
      (event.type === "call.progressed" && !calls.has(event.call)) ||
      ("step" in event && !steps.has(event.step)),
  );
}

/** Events that must not be lost, without their place. */
function firm(events: readonly RunEvent[]): readonly unknown[] {
  const steps = of(events, "step.ended").filter(({ error }) => error === undefined);
  const messages = of(events, "run.resumed").flatMap(({ input }) => input ?? []);
  const said = of(events, "command.received").filter(({ command }) => command.type === "say");
  const pauses = of(events, "question.answered").filter(({ question }) => question.includes("/pause"));
  return [steps.map(({ step }) => step), messages, said.length, pauses.map(({ question }) => question)];
}

test("a place that is not in the run is refused with the range", async () => {
  const { events } = await playRun(crew, model, { input: "pay", id: "first" });
  for (const seq of [0, -1, 1.5, events.length + 1, Number.NaN]) {
    assert.throws(() => toFork(events, seq, "fork"), { code: "invalid", message: new RegExp(`1 to ${events.length}`) });
  }
});

test("in the crew of a fork what cannot be undone asks, unless it is denied", () => {
  const tools = ["A", "B", "C"].map((name) => tool(name, name === "C" ? "read" : "irreversible"));
  const definition = { name: "c", agents: [{ id: "a" }], tools };
  const rulesOf = (permissions: { readonly [name: string]: "allow" | "ask" | "deny" }) =>
    Object.fromEntries(toForkCrew(defineCrew({ ...definition, permissions })).permissions);
  assert.deepEqual(rulesOf({ A: "allow", B: "deny", C: "allow" }), { A: "ask", B: "deny", C: "allow" });
  assert.deepEqual(rulesOf({ "*": "allow" }), { "*": "allow", A: "ask", B: "ask" });
  assert.deepEqual(rulesOf({ "*": "deny", B: "allow" }), { "*": "deny", B: "ask" });
});
