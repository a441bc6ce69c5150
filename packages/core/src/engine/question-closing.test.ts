import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { defineCrew } from "../definitions/crew.ts";
import type { Crew, GroupMode } from "../definitions/definition.ts";
import { Engine } from "./engine.ts";
import type { RunEvent } from "../words/event.ts";
import { fold } from "../words/fold.ts";
import { type ScriptEntry, scriptModel } from "../ports/script.ts";
import { of, type Replies } from "../testing/crew-runs.ts";
import { SimulatedClock } from "../testing/simulated-clock.ts";
import { defineTool } from "../definitions/tool.ts";

const slow = defineTool({
  name: "Slow",
  description: "Takes ten seconds.",
  effect: "read",
  input: z.object({}),
  run: (_, { scope }) => scope.sleep(10_000).then(() => "slept"),
});
const pay = defineTool({
  name: "Pay",
  description: "Pays.",
  effect: "irreversible",
  input: z.object({}),
  run: () => "paid",
});
const pick = defineTool({ name: "Pick", description: "Lets the user pick.", effect: "read", input: z.object({}) });
const tools = [slow, pay, pick];
const names = tools.map(({ name }) => name);

const solo = defineCrew({ name: "s", agents: [{ id: "a", tools: names, isTerminal: true }], tools });
const team = (mode: GroupMode) =>
  defineCrew({
    name: "t",
    entry: "team",
    agents: ["a", "b"].map((id) => ({ id, tools: names })),
    tools,
    groups: { team: { agents: ["a", "b"], mode } },
  });
const calling = (...called: readonly string[]): ScriptEntry => ({ call: called.map((tool) => ({ tool })) });

/** A run in simulated time, all that it has said so far, and which of its questions are open. */
function start(crew: Crew, replies: Replies, clock = new SimulatedClock(1)) {
  const events: RunEvent[] = [];
  const observe = (event: RunEvent) => {
    events.push(event);
  };
  const engine = new Engine({ clock, model: () => scriptModel(replies), observe });
  const run = engine.start(crew, { input: "go" });
  return { clock, run, events, open: () => [...fold(events).questions.keys()] };
}

test("a cancel of a live call closes its question, and no other", async () => {
  for (const [tool, suffix] of [
    ["Pay", ""],
    ["Pick", "/tool"],
  ] as const) {
    const calls = [...Array.from({ length: 10 }, () => tool), "Slow"];
    const { clock, run, events, open } = start(solo, { a: [calling(...calls), { say: "ok" }] });
    await clock.advance(10);
    assert.equal(open().length, 10);
    await clock.run(run.command({ type: "cancel", call: "1.1.1" }));
    assert.deepEqual(
      of(events, "question.closed").map(({ question }) => question),
      [`1.1.1${suffix}`],
    );
    assert.equal(open().length, 9);
    const answer = run.command({ type: "answer", question: `1.1.1${suffix}`, value: "allow" });
    await assert.rejects(answer, { code: "not_found" });
  }
});

test("a call that is cancelled while it asks fails as cancelled, and the run does not wait for it", async () => {
  for (const tool of ["Pay", "Pick"]) {
    const { clock, run, events } = start(solo, { a: [calling("Slow", tool), { say: "ok" }] });
    await clock.advance(10);
    await clock.run(run.command({ type: "cancel", call: "1.1.2" }));
    const { outcome, content } = await clock.run(run.result);
    assert.deepEqual([outcome, content], ["done", "ok"], tool);
    const ended = of(events, "call.ended").find(({ call }) => call === "1.1.2");
    assert.equal(ended?.error?.kind, "cancelled", tool);
    assert.deepEqual(of(events, "run.paused"), []);
  }
});

test("a call that is cancelled before its hook decides to ask leaves no question open", async () => {
  const clock = new SimulatedClock(1);
  const hooked = defineTool({
    name: "Hooked",
    description: "Has a hook that takes a while.",
    effect: "read",
    input: z.object({}),
    permission: () => new Promise((resolve) => clock.after(1_000, () => resolve({ decision: "ask" }))),
    run: () => "ran",
  });
  const crew = defineCrew({ name: "h", agents: [{ id: "a", tools: ["Hooked"], isTerminal: true }], tools: [hooked] });
  const { run, events, open } = start(crew, { a: [calling("Hooked"), { say: "ok" }] }, clock);
  await clock.advance(10);
  await clock.run(run.command({ type: "cancel", call: "1.1.1" }));
  assert.equal((await clock.run(run.result)).outcome, "done");
  await clock.advance(2_000);
  assert.equal(of(events, "call.ended")[0]?.error?.kind, "cancelled");
  assert.deepEqual(open(), []);
});

test("a cancel of a live lane closes the questions of that lane, and no other", async () => {
  const asking = [calling("Pay", "Pick"), { say: "done" }];
  const { clock, run, events, open } = start(team("settled"), { a: asking, b: [calling("Slow", "Pay"), { say: "B" }] });
  await clock.advance(10);
  assert.equal(open().length, 3);
  await clock.run(run.command({ type: "cancel", lane: "1/team/a" }));
  assert.deepEqual(open(), ["1/team/b/1.1.2"]);
  assert.deepEqual(new Set(of(events, "question.closed").map(({ lane }) => lane)), new Set(["1/team/a"]));
});

test("the questions of the other members are closed as soon as a group is decided", async () => {
  for (const [mode, last, outcome] of [
    ["first", { say: "B" }, "done"],
    ["all", { fail: "broken" }, "failed"],
  ] as const) {
    const { clock, run, events } = start(team(mode), {
      a: [calling("Pay", "Pick"), { say: "A" }],
      b: [calling("Slow"), last],
    });
    const result = await clock.run(run.result);
    assert.deepEqual([result.outcome, result.questions], [outcome, []], mode);
    assert.deepEqual(of(events, "run.paused"), []);
    const types = events
      .filter(({ lane, type }) => lane === "1/team/a" || type === "group.ended")
      .map(({ type }) => type);
    const closed = types.flatMap((type, at) => (type === "question.closed" ? [at] : []));
    assert.equal(closed.length, 2, mode);
    assert.ok(
      closed.every((at) => at < types.indexOf("call.ended")),
      types.join(),
    );
    assert.equal(types.at(-1), "group.ended");
  }
});
