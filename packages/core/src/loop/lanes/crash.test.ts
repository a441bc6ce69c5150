import assert from "node:assert/strict";
import { test } from "node:test";
import { defineCrew } from "../../definitions/crew.ts";
import { crashEverywhere, mark } from "../../testing/crash-everywhere.ts";
import { of } from "../../testing/crew-runs.ts";

test("agents and crews that are tools, and a map, survive a crash at every event", async () => {
  const alpha = defineCrew({
    name: "alpha-crew",
    agents: [{ id: "asker" }],
    behaviors: { asker: { waitForSignal: true } },
    signals: { asker: [{ signal: "[OVER]", target: "" }] },
  });
  const helper = { id: "helper", tools: ["Mark", { agent: "deeper" }] };
  const { result, events } = await crashEverywhere({
    crew: () =>
      defineCrew({
        name: "t",
        tools: [mark],
        subCrews: { alpha },
        agents: [
          { id: "boss", tools: [{ agent: "helper", as: "help" }, { crew: "alpha" }], output: { type: "object" } },
          helper,
          { id: "deeper" },
          { id: "check", tools: ["Mark"] },
          { id: "sum", isTerminal: true, systemPrompt: "{{state.each}}" },
        ],
        signals: { boss: [{ when: {}, target: "each" }] },
        groups: { each: { map: "check", over: "output.list", maxParallel: 1, nextAgent: "sum" } },
        settings: { maxParallelAgents: 1 },
      }),
    replies: {
      boss: [
        { call: ["help", "alpha", "help"].map((tool, at) => ({ tool, args: { input: `do ${at}` } })) },
        { say: '{"list":["a","b","nowhere"]}' },
      ],
      helper: [
        {
          call: [
            { tool: "Mark", args: { place: "h" } },
            { tool: "deeper", args: { input: "down" } },
          ],
        },
        { say: "Helped." },
      ],
      deeper: [{ say: "Deep." }],
      asker: [{ say: "Who?" }, { when: "me", say: "You. [OVER]" }],
      check: [
        { call: [{ tool: "Mark", args: { place: "here" } }] },
        { when: "nothing", say: "no" },
        { say: "Checked." },
      ],
      sum: [{ say: "Three." }],
    },
    inputs: ["me"],
  });
  assert.deepEqual([result.outcome, result.content], ["done", "Three."]);
  assert.equal(of(events, "group.ended")[0]?.results.length, 3);
});
