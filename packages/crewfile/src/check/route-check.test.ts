import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { type CrewDefinition, defineCrew, defineProgram, defineTool } from "@baton/core";
import { z } from "zod";
import { explore } from "./explore.ts";

const ping = defineTool({ name: "Ping", description: "", effect: "read", input: z.object({}), run: () => "pong" });
const programs = { go: defineProgram(() => ({ say: "x" })) };
const program = { model: { name: "code/go" } };
const output = (...kinds: string[]) => ({ output: { properties: { kind: { enum: kinds } } } });
const end = { id: "end", isTerminal: true };

const exploreCrew = (definition: Omit<CrewDefinition, "name">) =>
  explore(defineCrew({ name: "test", autoRoute: true, tools: [ping], programs, ...definition }));
const seen = (definition: Omit<CrewDefinition, "name">) =>
  exploreCrew(definition).findings.map(({ code, severity, path }) => `${severity} ${code} ${path.join(".")}`);

suite("routes by output", () => {
  test("lead to agents and to the end, and a conversation shows their conditions", () => {
    const { findings } = exploreCrew({
      agents: [
        { id: "a", ...output("b", "c") },
        { id: "b", handoffTargets: ["c"] },
        { id: "c", handoffTargets: ["b"] },
      ],
      signals: {
        a: [
          { when: { kind: ["b"] }, target: "b" },
          { when: { kind: "c" }, target: "" },
        ],
      },
      behaviors: { a: { autoRoute: false } },
    });
    assert.deepEqual(
      findings.map(({ code, conversation }) => [code, conversation?.join(" ")]),
      [["endless_cycle", "a kind: b b (handoff target) c (handoff target) b"]],
    );
  });

  test("that leave values of an enum out, with no fallback, are a warning at each value", () => {
    const crew = {
      agents: [{ id: "a", ...output("b", "c", "d") }, end],
      signals: { a: [{ when: { kind: ["b"] }, target: "end" }] },
    };
    const wanted = [1, 2].map((at) => `warning unrouted_value agents.0.output.properties.kind.enum.${at}`);
    const unrouted = (more: object) => seen({ ...crew, ...more }).filter((one) => one.includes("unrouted"));
    assert.deepEqual(unrouted({}), wanted);
    assert.deepEqual(unrouted({ behaviors: { a: { autoRoute: false } } }), wanted);
    assert.deepEqual(unrouted({ defaults: { a: "end" } }), []);
    assert.deepEqual(unrouted({ behaviors: { a: { waitForSignal: true } } }), []);
    assert.deepEqual(unrouted({ behaviors: { a: { isTerminal: true } } }), []);
  });

  test("that another condition may follow leave nothing out", () => {
    const both = {
      properties: {
        kind: { anyOf: [{ enum: ["b"] }, { $ref: "#/$defs/more" }] },
        isSure: { type: "boolean" },
      },
      $defs: { more: { enum: ["c"] } },
    };
    const agents = [{ id: "a", output: both }, end];
    const b = { when: { kind: "b" }, target: "end" };
    assert.deepEqual(seen({ agents, signals: { a: [b] } }).slice(1), [
      "warning unrouted_value agents.0.output.$defs.more.enum.0",
    ]);
    assert.deepEqual(seen({ agents, signals: { a: [b, { when: { isSure: true }, target: "end" }] } }).slice(1), []);
  });

  test("of a member of a group are told as ignored, with their conditions", () => {
    const { findings } = exploreCrew({
      agents: [{ id: "m", ...output("b") }, end],
      signals: { m: [{ when: { kind: "b" }, target: "end" }] },
      groups: { team: { agents: ["m"], nextAgent: "end" } },
      entry: "team",
    });
    assert.deepEqual(
      findings.map(({ code }) => code),
      ["ignored_signals"],
    );
    assert.ok(findings[0]?.message.includes("kind: b"));
  });
});

suite("programs", () => {
  test("may end a run by themselves, so a crew of them is not without an end", () => {
    const agents = [
      { id: "a", ...program, handoffTargets: ["b"] },
      { id: "b", handoffTargets: ["a"] },
    ];
    assert.deepEqual(seen({ agents }), ["note cycle agents.0"]);
    assert.ok(
      seen({ agents: agents.map(({ id, handoffTargets }) => ({ id, handoffTargets })) })[0]?.startsWith("error"),
    );
  });

  test("need not be told of their signals, nor be pardoned for others", () => {
    const signals = { a: [{ signal: "[GO]", target: "end" }] };
    const agents = (own: object) => [{ id: "a", systemPrompt: "Write [STOP].", ...own }, end];
    const defaults = { a: "end" };
    assert.deepEqual(seen({ agents: agents(program), signals, defaults }), []);
    assert.equal(seen({ agents: agents({}), signals, defaults }).length, 2);
  });

  test("that wait are not said to pause for ever", () => {
    assert.deepEqual(seen({ agents: [{ id: "a", ...program }], behaviors: { a: { waitForSignal: true } } }), []);
  });
});

suite("sub-crews", () => {
  const alpha = defineCrew({ name: "alpha", agents: [{ id: "x" }] });
  const waiting = defineCrew({
    name: "waiting",
    agents: [{ id: "x" }],
    signals: { x: [{ signal: "[END]", target: "" }] },
    behaviors: { x: { waitForSignal: true } },
  });
  const to = (target: string, returnTo?: string) => ({ signal: "[ALPHA]", target, ...(returnTo && { returnTo }) });

  test("lead back to the agent that sent the baton, or to return_to", () => {
    const agents = [{ id: "a" }, { id: "late" }, end];
    const defaults = { a: "end", late: "end" };
    const back = exploreCrew({
      agents: agents.toSpliced(1, 1),
      subCrews: { alpha },
      defaults: { a: "end" },
      signals: { a: [to("alpha")] },
    });
    assert.deepEqual(back.findings[0]?.conversation, ["a", "[ALPHA]", "alpha", "(then)", "a"]);
    assert.deepEqual([back.findings[0]?.code, back.findings.length], ["cycle", 1]);
    assert.ok(back.findings[0]?.message.includes("`alpha`"));
    assert.deepEqual(seen({ agents, subCrews: { alpha }, defaults, signals: { a: [to("alpha", "late")] } }), []);
    assert.deepEqual(seen({ agents, subCrews: { alpha }, defaults, signals: { a: [to("alpha", "end")] } }), [
      "warning unreachable_agent agents.1",
    ]);
  });

  test("that nothing leads to, or only beyond the limit, are a warning", () => {
    const agents = [{ id: "a" }, end];
    const defaults = { a: "end" };
    assert.deepEqual(seen({ agents, subCrews: { alpha }, defaults }), ["warning unreachable_crew subCrews.alpha"]);
    const signals = { a: [to("alpha", "end")] };
    assert.deepEqual(seen({ agents, subCrews: { alpha }, defaults, signals, settings: { maxHandoffs: 1 } }), [
      "warning beyond_limit subCrews.alpha",
      "warning beyond_limit agents.1",
    ]);
  });

  test("in which somebody waits are a pause", () => {
    const signals = { a: [to("alpha")] };
    const agents = [{ id: "a", handoffTargets: ["a"] }];
    assert.deepEqual(seen({ agents, subCrews: { alpha: waiting }, signals }), [
      "warning no_end agents.0",
      "note cycle agents.0",
    ]);
    assert.ok(seen({ agents, subCrews: { alpha }, signals })[0]?.startsWith("error no_end"));
  });

  test("are the only targets for which return_to means something", () => {
    const signals = { a: [{ signal: "[END]", target: "end", returnTo: "a" }] };
    assert.deepEqual(seen({ agents: [{ id: "a" }, end], defaults: { a: "end" }, signals }), [
      "warning no_effect signals.a.0.returnTo",
    ]);
  });
});

suite("the worst case", () => {
  const worst = (definition: Omit<CrewDefinition, "name">) => {
    const { modelCalls, toolRounds, handoffs, isExact } = exploreCrew(definition).worst;
    return [modelCalls, toolRounds, handoffs, isExact];
  };

  test("a program's steps are no model calls, but its calls of tools count", () => {
    assert.deepEqual(worst({ agents: [{ id: "a", ...program }] }), [0, 0, 0, true]);
    assert.deepEqual(worst({ agents: [{ id: "a", ...program, tools: ["Ping"], maxSteps: 4 }] }), [0, 3, 0, true]);
    assert.deepEqual(worst({ agents: [{ id: "a" }], model: { name: "code/go" } }), [0, 0, 0, true]);
  });

  test("an output may be corrected twice, within max_rounds", () => {
    assert.deepEqual(worst({ agents: [{ id: "a", ...output("b") }] }), [3, 0, 0, true]);
    assert.deepEqual(worst({ agents: [{ id: "a", ...output("b"), maxSteps: 2 }] }), [2, 0, 0, true]);
    assert.deepEqual(worst({ agents: [{ id: "a", ...output("b"), tools: ["Ping"], maxSteps: 5 }] }), [5, 4, 0, true]);
  });

  test("a sub-crew adds its own, under its own limits, and going in and back is one handoff", () => {
    const inner = defineCrew({
      name: "inner",
      tools: [ping],
      agents: [
        { id: "x", handoffTargets: ["y"] },
        { id: "y", handoffTargets: ["x"], tools: ["Ping"], maxSteps: 3 },
      ],
      tasks: [{ name: "t", description: "", agent: "y" }],
      settings: { maxHandoffs: 3 },
    });
    // Inside: x, y, x with 2 handoffs.
    const inside = [1 + 3 + 1, 2, 2];
    assert.deepEqual(Object.values(explore({ ...inner, tasks: [] }).worst).slice(0, 3), inside);
    const crew = {
      agents: [{ id: "a" }, end],
      subCrews: { inner },
      signals: { a: [{ signal: "[IN]", target: "inner", returnTo: "end" }] },
      defaults: { a: "end" },
    };
    assert.deepEqual(worst(crew), [1 + 5 + 1, 2, 2 + 1, true]);
    const outer = defineCrew({ name: "outer", ...crew });
    const around = { ...crew, subCrews: { inner: outer } };
    assert.deepEqual(worst(around), [1 + 7 + 1, 2, 3 + 1, true]);
    assert.equal(worst({ ...crew, settings: { maxHandoffs: 1 } })[0], 1);
  });

  test("crews that share crews cost no more time than each once", () => {
    let crew = defineCrew({ name: "c0", agents: [{ id: "a" }] });
    for (let depth = 1; depth <= 40; depth += 1) {
      crew = defineCrew({
        name: `c${depth}`,
        settings: { maxDepth: 50 },
        agents: [{ id: "a" }, { id: "b", isTerminal: true }],
        subCrews: { one: crew, two: crew },
        signals: {
          a: [
            { signal: "[ONE]", target: "one", returnTo: "b" },
            { signal: "[TWO]", target: "two", returnTo: "b" },
          ],
        },
        defaults: { a: "b" },
      });
    }
    assert.equal(explore(crew).worst.handoffs, 40);
  });
});
