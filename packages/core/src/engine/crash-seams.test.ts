import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { defineCrew } from "../definitions/crew.ts";
import { Engine } from "./engine.ts";
import type { RunEvent } from "../words/event.ts";
import { MemoryLog } from "../ports/memory-log.ts";
import { defineProgram } from "../ports/program.ts";
import { scriptModel } from "../ports/script.ts";
import { crashEverywhere, mark } from "../testing/crash-everywhere.ts";
import { of } from "../testing/crew-runs.ts";
import { defineTool } from "../definitions/tool.ts";

test("a program between two steps, what it set, and its notes survive a crash at every event", async () => {
  const { result, events } = await crashEverywhere({
    crew: (see) =>
      defineCrew({
        name: "t",
        tools: [mark],
        programs: {
          plan: defineProgram((prompt) => {
            see(prompt);
            const round = Number(prompt.state ?? 0);
            const notes = [{ kind: "round", data: round }];
            const call = [
              ["a", "b"],
              ["c", "nowhere"],
            ][round]?.map((place) => ({ tool: "Mark", args: { place } }));
            if (call !== undefined) return { call, notes, state: round + 1, set: { round } };
            return {
              say: `${prompt.results.length} results`,
              output: { failed: prompt.results.filter(({ error }) => error).length },
              notes,
            };
          }),
        },
        agents: [
          {
            id: "plan",
            model: { name: "code/plan" },
            tools: ["Mark"],
            audience: "crew",
            output: { type: "object", properties: { failed: { type: "integer" } } },
          },
          { id: "writer", isTerminal: true, systemPrompt: "Round {{state.round}}: {{state.mark/*}}" },
          { id: "sorry", isTerminal: true },
        ],
        signals: {
          plan: [
            { when: { failed: 1 }, target: "writer" },
            { when: { failed: 0 }, target: "sorry" },
          ],
        },
      }),
    replies: { writer: [{ say: "Three of four." }] },
  });
  assert.deepEqual([result.outcome, result.content], ["done", "Three of four."]);
  assert.equal(of(events, "note.made").length, 6);
});

test("a bad output that is corrected survives a crash at every event", async () => {
  const { result } = await crashEverywhere({
    crew: () =>
      defineCrew({
        name: "t",
        agents: [
          { id: "judge", output: { type: "object", required: ["score"], properties: { score: { type: "integer" } } } },
          { id: "end", isTerminal: true },
        ],
        signals: { judge: [{ when: { score: [2, 3] }, target: "end" }] },
      }),
    replies: { judge: [{ say: "Three." }, { say: '{"score":"3"}' }, { say: '{"score":3}' }], end: [{ say: "Bye." }] },
  });
  assert.deepEqual(
    result.history.map(({ content }) => content),
    ["go", '{"score":3}', "Bye."],
  );
});

test("an output that never fits fails once, also after a crash at every event", async () => {
  const { result } = await crashEverywhere({
    crew: () =>
      defineCrew({
        name: "t",
        agents: [
          { id: "judge", output: { type: "integer" } },
          { id: "human", isTerminal: true },
        ],
        behaviors: { judge: { onFailure: "human" } },
      }),
    replies: { judge: [{ say: "Three." }], human: [{ say: "I take it." }] },
  });
  assert.deepEqual([result.outcome, result.content], ["done", "I take it."]);
});

test("tools that were found and tools with a condition are offered again after a crash at every event", async () => {
  const on = defineTool({
    name: "SwitchOn",
    description: "Allows.",
    effect: "read",
    input: z.any(),
    run: (_, { state }) => state.set("open", true),
  });
  const { result } = await crashEverywhere({
    crew: () =>
      defineCrew({
        name: "t",
        tools: [mark, on],
        agents: [
          {
            id: "a",
            toolSearch: true,
            tools: [{ name: "Mark", if: "open" }, "SwitchOn"],
            pinnedTools: ["SwitchOn"],
            isTerminal: true,
          },
        ],
      }),
    replies: {
      a: [
        { call: [{ tool: "Mark", args: { place: "early" } }] },
        { call: [{ tool: "tool_search", args: { query: "mark a place" } }] },
        { call: [{ tool: "SwitchOn" }] },
        { call: [{ tool: "Mark", args: { place: "late" } }] },
        { say: "Marked." },
      ],
    },
  });
  assert.equal(result.content, "Marked.");
});

test("crews of crews that pause, with a group and a crew inside, survive a crash at every event", async () => {
  const beta = defineCrew({
    name: "beta-crew",
    tools: [mark],
    agents: [{ id: "deep", tools: ["Mark"], isTerminal: true }],
  });
  const alpha = defineCrew({
    name: "alpha-crew",
    subCrews: { beta },
    agents: [{ id: "asker" }, { id: "left" }, { id: "right" }, { id: "sum", isTerminal: true }],
    groups: { both: { agents: ["left", "right"], nextAgent: "sum" } },
    behaviors: { asker: { waitForSignal: true } },
    signals: {
      asker: [
        { signal: "[BETA]", target: "beta" },
        { signal: "[BOTH]", target: "both" },
      ],
    },
  });
  const { result, events } = await crashEverywhere({
    crew: () =>
      defineCrew({
        name: "t",
        subCrews: { alpha },
        agents: [{ id: "desk" }, { id: "end" }],
        behaviors: { end: { waitForSignal: true } },
        signals: {
          desk: [{ signal: "[ALPHA]", target: "alpha", returnTo: "end" }],
          end: [{ signal: "[OVER]", target: "" }],
        },
      }),
    replies: {
      desk: [{ say: "Ask them. [ALPHA]" }],
      asker: [
        { say: "How deep?" },
        { when: "deep", say: "Deeper. [BETA]" },
        { say: "Really?" },
        { when: "yes", say: "Wider. [BOTH]" },
      ],
      deep: [{ call: [{ tool: "Mark", args: { place: "deep" } }] }, { say: "Deep." }],
      left: [{ say: "L" }],
      right: [{ say: "R" }],
      sum: [{ say: "L and R." }],
      end: [{ say: "Is that all?" }, { say: "Bye. [OVER]" }],
    },
    inputs: ["deep", "yes", "that is all"],
  });
  assert.deepEqual([result.outcome, result.content], ["done", "Bye."]);
  assert.equal(of(events, "run.paused").length, 3);
  assert.deepEqual(
    of(events, "handoff.made").map(({ lane, to, count }) => [lane, to, count]),
    [
      ["", "alpha", 1],
      ["2/alpha", "beta", 1],
      ["2/alpha", "asker", 1],
      ["2/alpha", "both", 1],
      ["2/alpha", "sum", 1],
      ["", "end", 0],
    ],
  );
});

test("a step sees the state that was recorded before it started, though another lane sets meanwhile and it crashes", async () => {
  const isSet = Promise.withResolvers<undefined>();
  const systems: [string, string][] = [];
  const set = defineTool({
    name: "Set",
    description: "Sets.",
    effect: "read",
    input: z.any(),
    run: (_, { state }) => state.set("k", "late"),
  });
  const crew = defineCrew({
    name: "t",
    tools: [set],
    agents: [
      { id: "slow", systemPrompt: "<{{state.k}}>" },
      { id: "quick", tools: ["Set"], systemPrompt: "<{{state.k}}>" },
      { id: "sum", isTerminal: true, systemPrompt: "<{{state.k}}>" },
    ],
    entry: "both",
    groups: { both: { agents: ["slow", "quick"], nextAgent: "sum" } },
  });
  const script = scriptModel({
    slow: [{ say: "S" }],
    quick: [{ call: [{ tool: "Set" }] }, { say: "Q" }],
    sum: [{ say: "Sum." }],
  });
  const engineOf = (left: readonly RunEvent[]) =>
    new Engine({
      model: () => ({
        name: "script",
        async *stream(prompt, scope) {
          const [state = ""] = prompt.system.split("\n");
          systems.push([prompt.agent, state]);
          if (prompt.agent === "slow") await isSet.promise;
          assert.equal(prompt.values.get("k"), state === "<>" ? undefined : "late");
          yield* script.stream(prompt, scope);
        },
      }),
      observe: (event) => {
        if (event.type === "call.ended") isSet.resolve(undefined);
      },
      log: (clock, observer) => {
        const log = new MemoryLog(clock, observer);
        for (const event of left) log.open("r").append(event, event.lane);
        return log;
      },
    });
  const first = engineOf([]).start(crew, { input: "x", id: "r" });
  await first.result;
  const sights = [
    ["slow", "<>"],
    ["quick", "<>"],
    ["quick", "<late>"],
    ["sum", "<late>"],
  ];
  assert.deepEqual(systems, sights);
  const events = await Array.fromAsync(first.events());
  const called = events.findIndex(({ type }) => type === "call.ended");
  for (let seq = called; seq < events.length; seq++) {
    systems.length = 0;
    const left = events.slice(0, seq);
    const { outcome } = await engineOf(left).adopt(crew, { id: "r", events: left }).result;
    assert.equal(outcome, "done");
    for (const sight of systems)
      assert.ok(
        sights.some(([agent, system]) => agent === sight[0] && system === sight[1]),
        `after ${seq}: ${sight.join()}`,
      );
    if (systems.some(([agent]) => agent === "slow")) assert.deepEqual(systems[0], ["slow", "<>"]);
  }
});
