/** Forks of a run with children: before, inside and after the work of an agent that is a tool, of a crew and of a map. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { defineCrew, type RunEvent, scriptModel } from "@baton/core";
import { of } from "@baton/core/testing";
import { toFork, toForkCrew } from "./fork.ts";
import { replay } from "./replay.ts";
import { continueRun, playRun } from "../testing/play-run.ts";
import { tool } from "../testing/shop.ts";

const mark = tool("mark", "read");
const alpha = defineCrew({
  name: "alpha-crew",
  agents: [{ id: "first" }, { id: "second", isTerminal: true }],
  defaults: { first: "second" },
});
const crew = defineCrew({
  name: "children",
  tools: [mark],
  subCrews: { alpha },
  agents: [
    { id: "boss", tools: [{ agent: "helper", as: "help" }, { crew: "alpha" }], output: { type: "object" } },
    { id: "helper", tools: ["mark"] },
    { id: "check", tools: ["mark"] },
    { id: "sum", isTerminal: true },
  ],
  signals: { boss: [{ when: {}, target: "each" }] },
  groups: { each: { map: "check", over: "output.list", nextAgent: "sum" } },
});
const marking = [{ call: [{ tool: "mark", args: {} }] }, { say: "Marked." }];
const model = scriptModel({
  boss: [
    { call: ["help", "alpha", "help"].map((name, at) => ({ tool: name, args: { input: `do ${at}` } })) },
    { say: '{"list":["a","b"]}' },
  ],
  helper: marking,
  first: [{ say: "First." }],
  second: [{ say: "Second." }],
  check: marking,
  sum: [{ say: "All is marked." }],
});

const laneOf = (events: readonly RunEvent[], start: string) => events.filter(({ lane }) => lane.startsWith(start));

test("a fork before, inside and after a child's work ends like the run did, and repeats no finished step", async () => {
  const first = await playRun(crew, model, { input: "go", id: "first" });
  assert.equal(first.content, "All is marked.");
  const lanes = new Set(first.events.map(({ lane }) => lane));
  for (const lane of ["1.1.1/helper", "1.1.2/alpha", "1.1.3/helper", "2/each/1"]) assert.ok(lanes.has(lane), lane);
  for (const { seq, type, lane } of first.events) {
    const at = `forked at ${seq}, ${lane} ${type}`;
    const prefix = toFork(first.events, seq, "fork");
    const fork = await continueRun(toForkCrew(crew), model, { events: prefix });
    assert.equal(fork.content, first.content, at);
    assert.equal(fork.modelCalls, first.modelCalls - of(prefix, "step.ended").length, at);
    assert.deepEqual(fork.events.slice(0, prefix.length), prefix, at);
    for (const kind of ["step.ended", "call.ended", "turn.ended", "group.ended"] as const)
      assert.equal(of(fork.events, kind).length, of(first.events, kind).length, `${at}: ${kind}`);
    assert.equal(await replay(toForkCrew(crew), fork.events), undefined, at);
  }
});

test("a fork inside a child keeps the steps of all children that had ended by then", async () => {
  const { events } = await playRun(crew, model, { input: "go", id: "first" });
  const inside = laneOf(events, "1.1.1/helper").find(({ type }) => type === "call.ended");
  const prefix = toFork(events, inside?.seq ?? 0, "fork");
  const finished = events.filter((event) => event.type === "step.ended" && event.seq <= (inside?.seq ?? 0));
  assert.equal(of(prefix, "step.ended").length, finished.length);
  assert.deepEqual(
    of(prefix, "call.ended").map(({ call }) => call),
    events.flatMap((event) => (event.type === "call.ended" && event.seq <= (inside?.seq ?? 0) ? [event.call] : [])),
  );
});
