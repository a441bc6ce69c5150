import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { AgentDefinition } from "../definitions/agent.ts";
import { defineCrew } from "../definitions/crew.ts";
import type { SignalRoute } from "../definitions/definition.ts";
import { type Json, parseJson } from "../words/json.ts";
import { toPlan } from "./plan.ts";
import { matchRoutes } from "./route.ts";
import { of, play } from "../testing/crew-runs.ts";

const OUTPUT = {
  type: "object",
  properties: {
    kind: { type: "string", enum: ["direct", "tool", "plan"] },
    plan: {
      type: "object",
      properties: { needed: { type: "boolean" }, steps: { type: "array", items: { type: "integer" } } },
    },
  },
} as const;

const crewOf = (routes: readonly SignalRoute[], more: Partial<AgentDefinition> = {}) =>
  defineCrew({
    name: "t",
    agents: [
      { id: "intent", output: OUTPUT, ...more },
      { id: "one", isTerminal: true },
      { id: "two", isTerminal: true },
    ],
    signals: { intent: routes },
    defaults: { intent: "two" },
  });

/** Returns the agent that got the baton for this output, and the kind of route. */
async function route(routes: readonly SignalRoute[], output: Json) {
  const say = JSON.stringify(output);
  const { events, agent } = await play(crewOf(routes), { intent: [{ say }], one: [{ say: "1" }], two: [{ say: "2" }] });
  const matches = of(events, "signal.matched").map(({ signal, match, target, followed }) => [
    signal,
    match,
    target,
    followed,
  ]);
  return { agent, matches, via: of(events, "handoff.made")[0]?.via };
}

test("a route by output is followed like a signal, and told as one", async () => {
  const routes = [{ when: { kind: "plan" }, target: "one" }];
  assert.deepEqual(await route(routes, { kind: "plan" }), {
    agent: "one",
    matches: [["when", "output", "one", true]],
    via: "output",
  });
  assert.deepEqual(await route(routes, { kind: "tool" }), { agent: "two", matches: [], via: "default" });
});

test("the first route that holds is followed, an empty target before all others", async () => {
  const routes = [
    { when: { kind: ["direct", "plan"] }, target: "one" },
    { when: { kind: "plan" }, target: "two" },
    { when: { "plan.needed": true }, target: "" },
  ];
  const first = await route(routes, { kind: "plan", plan: { needed: false } });
  assert.deepEqual([first.agent, first.matches.map(([, , , followed]) => followed)], ["one", [true, false]]);
  const last = await route(routes, { kind: "plan", plan: { needed: true } });
  assert.deepEqual([last.agent, last.matches.map(([, , , followed]) => followed)], ["intent", [false, false, true]]);
});

test("signals and outputs are one list: the first in its order wins, whatever way it matched", async () => {
  const bySignal = { signal: "[1]", target: "two" };
  const byOutput = { when: { "plan.needed": true }, target: "one" };
  const output = { plan: { needed: true, steps: [1] } };
  const second = await route([byOutput, bySignal], output);
  assert.deepEqual([second.agent, second.matches.map(([, match]) => match)], ["one", ["output", "exact"]]);
  const first = await route([bySignal, byOutput], output);
  assert.deepEqual(
    [first.agent, first.via, first.matches.map(([, match]) => match)],
    ["two", "signal", ["exact", "output"]],
  );
});

test("in a group a route by output is recorded and not followed", async () => {
  const crew = defineCrew({
    name: "t",
    agents: [{ id: "intent", output: OUTPUT }, { id: "one" }, { id: "two", isTerminal: true }],
    signals: { intent: [{ when: { kind: "plan" }, target: "" }] },
    entry: "team",
    groups: { team: { agents: ["intent", "one"], nextAgent: "two" } },
  });
  const { events, agent, outcome } = await play(crew, {
    intent: [{ say: '{"kind":"plan"}' }],
    one: [{ say: "1" }],
    two: [{ say: "2" }],
  });
  assert.deepEqual([outcome, agent], ["done", "two"]);
  const [matched] = of(events, "signal.matched");
  assert.deepEqual([matched?.match, matched?.followed, matched?.lane], ["output", false, "1/team/intent"]);
  assert.deepEqual(of(events, "turn.ended").find((ended) => ended.agent === "intent")?.output, { kind: "plan" });
});

test("a reply that is not JSON fits no route", async () => {
  const crew = crewOf([{ when: { kind: "plan" }, target: "one" }], { maxSteps: 1 });
  const { outcome, events } = await play(crew, { intent: [{ say: "plan" }] });
  assert.deepEqual([outcome, of(events, "signal.matched").length], ["failed", 0]);
});

test("a condition holds if each path leads to its value or to one of its list, whatever the output", () => {
  const path = fc.constantFrom("a", "b", "a.b", "a.b.c", "a.0", "b.length", "__proto__", "a.constructor");
  const small = fc.oneof(
    fc.constantFrom<Json>(1, "x", true, null),
    fc.json({ maxDepth: 1 }).map((text) => parseJson(text) ?? null),
  );
  const value: fc.Arbitrary<Json> = fc.oneof(small, fc.dictionary(fc.constantFrom("a", "b", "c"), small));
  const output = fc.dictionary(
    fc.constantFrom("a", "b"),
    fc.oneof(value, fc.dictionary(fc.constantFrom("b", "c"), value)),
  );
  const whens = fc.dictionary(path, fc.oneof(small, fc.array(small)), { minKeys: 1, maxKeys: 3 });
  const open = crewOf([]);
  fc.assert(
    fc.property(output, whens, (given, when) => {
      // Checks of the crew would refuse paths that the schema lacks, so the plan is that of a crew with an open one.
      const crew = { ...open, signals: new Map([["intent", [{ when, target: "one" }]]]) };
      const plan = toPlan(crew);
      const role = plan.roles.get("intent");
      assert.ok(role !== undefined);
      const holds = Object.entries(when).every(([name, wanted]) => {
        const found = reach(given, name.split("."));
        const list = Array.isArray(wanted) ? wanted : [wanted];
        return found !== undefined && list.some((one) => sorted(one) === sorted(found));
      });
      assert.equal(matchRoutes(plan, role, { text: "", output: given }).length, holds ? 1 : 0);
    }),
    { numRuns: 500 },
  );
});

/** Follows a path through the own properties of a value. */
function reach(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return value;
  if (typeof value !== "object" || value === null) return undefined;
  const own = Object.getOwnPropertyDescriptor(value, name);
  return own === undefined || own.enumerable !== true ? undefined : reach(own.value, rest);
}

/** JSON with its keys in order, so that equal values have equal texts. */
function sorted(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sorted).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${sorted(item)}`).join()}}`;
}
