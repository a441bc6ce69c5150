import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { defineCrew, defineTool, type CrewDefinition } from "@baton/core";
import * as fc from "fast-check";
import { z } from "zod";
import { explore } from "./explore.ts";
import { toGraph, type GraphNode } from "./graph.ts";

const ping = defineTool({ name: "Ping", description: "", effect: "read", input: z.object({}), run: () => "pong" });

const worstOf = (definition: Omit<CrewDefinition, "name">) =>
  explore(defineCrew({ name: "test", tools: [ping], ...definition })).worst;

suite("the worst case", () => {
  test("an agent without tools makes one model call; one with tools all that max_rounds allows", () => {
    assert.deepEqual(worstOf({ agents: [{ id: "a" }] }), { modelCalls: 1, toolRounds: 0, handoffs: 0, isExact: true });
    const tooled = worstOf({ agents: [{ id: "a", tools: ["Ping"] }], settings: { maxSteps: 4 } });
    assert.deepEqual(tooled, { modelCalls: 4, toolRounds: 3, handoffs: 0, isExact: true });
  });

  test("an agent's own max_rounds goes before the crew's, and tools it may not use cost nothing", () => {
    const settings = { maxSteps: 4 };
    assert.equal(worstOf({ agents: [{ id: "a", tools: ["Ping"], maxSteps: 7 }], settings }).modelCalls, 7);
    assert.equal(worstOf({ agents: [{ id: "a", tools: ["Ping"], toolChoice: "none" }], settings }).modelCalls, 1);
  });

  test("the agent that takes over on failure counts, and the failure is a handoff", () => {
    const agents = [
      { id: "a", isTerminal: true },
      { id: "b", isTerminal: true, tools: ["Ping"] },
    ];
    const worst = worstOf({ agents, behaviors: { a: { onFailure: "b" } } });
    assert.deepEqual(worst, { modelCalls: 1 + 10, toolRounds: 9, handoffs: 1, isExact: true });
    const none = worstOf({ agents, behaviors: { a: { onFailure: "b" } }, settings: { maxHandoffs: 1 } });
    assert.equal(none.modelCalls, 1);
  });

  test("max_handoffs 5 allows four, so a cycle has five turns", () => {
    const agents = [
      { id: "a", handoffTargets: ["b"] },
      { id: "b", handoffTargets: ["a"] },
    ];
    assert.deepEqual(worstOf({ agents }), { modelCalls: 5, toolRounds: 0, handoffs: 4, isExact: true });
  });

  test("a group costs what its members cost, and counts as one handoff with what follows it", () => {
    const worst = worstOf({
      agents: [{ id: "a" }, { id: "b", isTerminal: true }, { id: "m", tools: ["Ping"] }, { id: "n" }],
      signals: { a: [{ signal: "[ALL]", target: "team" }] },
      groups: { team: { agents: ["m", "n"], nextAgent: "b" } },
      behaviors: { a: { autoRoute: false } },
    });
    assert.deepEqual(worst, { modelCalls: 1 + 10 + 1 + 1, toolRounds: 9, handoffs: 1, isExact: true });
  });

  test("the answer to a pause may cause more than the first input", () => {
    const worst = worstOf({
      agents: [{ id: "a", handoffTargets: ["b"] }, { id: "b" }, { id: "c", tools: ["Ping"], isTerminal: true }],
      signals: { b: [{ signal: "[GO]", target: "c" }] },
      behaviors: { b: { waitForSignal: true } },
      settings: { maxHandoffs: 2 },
    });
    assert.equal(worst.modelCalls, 1 + 10);
  });

  test("a limit too high to count up to gives a bound", () => {
    const worst = worstOf({ agents: [{ id: "a", handoffTargets: ["a"] }], settings: { maxHandoffs: 1e12 } });
    assert.deepEqual([worst.isExact, worst.handoffs, worst.modelCalls], [false, 1e12 - 1, 1e12]);
  });

  test("it is what trying every walk gives", () => {
    const crews = fc.record({
      targets: fc.array(fc.array(fc.nat(5), { maxLength: 3 }), { minLength: 1, maxLength: 5 }),
      waits: fc.array(fc.boolean(), { maxLength: 5 }),
      maxHandoffs: fc.integer({ min: 0, max: 5 }),
    });
    fc.assert(
      fc.property(crews, ({ targets, waits, maxHandoffs }) => {
        const agents = targets.map((_, index) => ({ id: `a${index}`, tools: index % 2 === 0 ? ["Ping"] : [] }));
        const places = [...agents.map(({ id }) => id), "team"];
        const crew = defineCrew({
          name: "test",
          tools: [ping],
          agents,
          signals: new Map(
            targets.map((own, index) => [
              `a${index}`,
              own.map((target, at) => ({ signal: `[S${at}]`, target: places[target % places.length] ?? "" })),
            ]),
          ),
          behaviors: new Map(targets.map((_, index) => [`a${index}`, { waitForSignal: waits[index] ?? false }])),
          groups: { team: { agents: agents.slice(0, 2).map(({ id }) => id) } },
          settings: { maxHandoffs, maxSteps: 3 },
        });
        const graph = toGraph(crew);
        const reached = new Set(graph.starts);
        for (const node of reached) for (const { to } of node.edges) reached.add(to);
        const starts = [...reached].filter(
          (node) => graph.starts.includes(node) || node.exits.some(({ kind }) => kind === "pause"),
        );
        const turn = ({ place }: GraphNode): number => {
          const ids = place.kind === "agent" ? [place.id] : (crew.groups.get(place.id)?.agents ?? []);
          return ids.reduce((sum, id) => sum + ((crew.agents.get(id)?.tools.length ?? 0) > 0 ? 3 : 1), 0);
        };
        const walk = (node: GraphNode, left: number): number => {
          const cost = node.place.kind === "agent" ? 1 : 0;
          const ways = node.edges.filter(() => left >= cost).map(({ to }) => walk(to, left - cost));
          return turn(node) + Math.max(0, ...ways);
        };
        const expected = Math.max(...starts.map((node) => walk(node, Math.max(0, maxHandoffs - 1))));
        assert.equal(explore(crew).worst.modelCalls, expected);
      }),
      { numRuns: 200 },
    );
  });
});
