import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { defineCrew } from "./crew.ts";
import type { CrewDefinition } from "./definition.ts";
import { DEFAULT_SETTINGS } from "./limits.ts";
import { Engine } from "../engine/engine.ts";
import { scriptModel } from "../ports/script.ts";
import { defineTool } from "./tool.ts";

const look = defineTool({
  name: "Look",
  description: "Looks.",
  effect: "read",
  input: z.object({}),
  run: () => "seen",
});
const agents = [{ id: "a", tools: ["Look"] }, { id: "b" }] as const;

test("names that a crew does not have are compile errors", () => {
  const wrong: readonly (() => unknown)[] = [
    // @ts-expect-error no such tool
    () => defineCrew({ name: "x", agents: [{ id: "a", tools: ["Lok"] }], tools: [look] }),
    // @ts-expect-error no tools at all
    () => defineCrew({ name: "x", agents: [{ id: "a", tools: ["Look"] }] }),
    // @ts-expect-error no such target of a handoff
    () => defineCrew({ name: "x", agents: [{ id: "a", handoffTargets: ["c"] }, { id: "b" }] }),
    // @ts-expect-error no such target of a signal
    () => defineCrew({ name: "x", agents, tools: [look], signals: { a: [{ signal: "[C]", target: "c" }] } }),
    // @ts-expect-error no such owner of a signal
    () => defineCrew({ name: "x", agents, tools: [look], signals: { c: [{ signal: "[B]", target: "b" }] } }),
    // @ts-expect-error no such member of a group
    () => defineCrew({ name: "x", agents, tools: [look], groups: { team: { agents: ["a", "c"] } } }),
    // @ts-expect-error no such agent after a group
    () => defineCrew({ name: "x", agents, tools: [look], groups: { team: { agents: ["a"], nextAgent: "c" } } }),
    // @ts-expect-error no such entry
    () => defineCrew({ name: "x", agents, tools: [look], entry: "c" }),
    // @ts-expect-error no such default
    () => defineCrew({ name: "x", agents, tools: [look], defaults: { a: "c" } }),
    // @ts-expect-error no such agent with a behaviour
    () => defineCrew({ name: "x", agents, tools: [look], behaviors: { c: { isTerminal: true } } }),
    // @ts-expect-error no such tool with a permission
    () => defineCrew({ name: "x", agents, tools: [look], permissions: { Lok: "ask" } }),
    // @ts-expect-error no such agent as a tool
    () => defineCrew({ name: "x", agents: [{ id: "a", tools: [{ agent: "c" }] }, { id: "b" }] }),
    // @ts-expect-error no such crew as a tool
    () => defineCrew({ name: "x", agents: [{ id: "a", tools: [{ crew: "c" }] }] }),
    // @ts-expect-error no such member of a map
    () => defineCrew({ name: "x", agents, tools: [look], groups: { each: { map: "c", over: "state.list" } } }),
    // @ts-expect-error a map without a list
    () => defineCrew({ name: "x", agents, tools: [look], groups: { each: { map: "a" } } }),
    () =>
      defineCrew({
        name: "x",
        agents,
        tools: [look],
        // @ts-expect-error a group and a map
        groups: { each: { agents: ["a"], map: "b", over: "state.list" } },
      }),
    () =>
      defineCrew({
        name: "x",
        agents: [{ id: "a", tools: [{ agent: "b", as: "ask" }] }, { id: "b" }],
        // @ts-expect-error no tool of this name
        permissions: { ak: "ask" },
      }),
  ];
  assert.equal(wrong.length, 17);
});

test("fields that a definition does not have are compile errors at the field", () => {
  const signals = { a: [{ signal: "[B]", target: "b" }] } as const;
  const wrong: readonly (() => unknown)[] = [
    // @ts-expect-error no such field of a crew
    () => defineCrew({ name: "x", agents, tools: [look], descripton: "" }),
    () =>
      defineCrew({
        name: "x",
        agents: [
          { id: "b" },
          {
            id: "a",
            // @ts-expect-error no such field of an agent
            sysPrompt: "",
          },
        ],
        signals,
      }),
    // @ts-expect-error no such field of a route
    () => defineCrew({ name: "x", agents, tools: [look], signals: { a: [{ sginal: "[B]", target: "b" }] } }),
    // @ts-expect-error no such field of a group
    () => defineCrew({ name: "x", agents, tools: [look], groups: { team: { agents: ["a"], timeout: 1 } } }),
    // @ts-expect-error no such field of a behaviour
    () => defineCrew({ name: "x", agents, tools: [look], behaviors: { a: { isTerminl: true } } }),
    () =>
      defineCrew({
        name: "x",
        agents,
        tools: [look],
        // @ts-expect-error no such field of a task
        tasks: [{ name: "t", description: "", agent: "a", agnt: 1 }],
      }),
    () =>
      defineCrew({
        name: "x",
        agents,
        tools: [look],
        // @ts-expect-error no such field of a schedule
        schedules: [{ name: "s", cron: "0 8 * * *", timeZone: "UTC", input: "go", sesion: "x" }],
      }),
    // @ts-expect-error no such setting
    () => defineCrew({ name: "x", agents, tools: [look], settings: { maxHandofs: 1 } }),
    () =>
      defineTool({
        name: "Look",
        description: "Looks.",
        effect: "read",
        input: z.object({}),
        run: () => "seen",
        // @ts-expect-error no such field of a tool
        permision: () => ({ decision: "allow" }),
      }),
  ];
  for (const define of wrong) assert.throws(define, { code: "invalid", message: /has no field `\w+`; did you mean/ });
});

test("what is not a definition at all is invalid, not a crash", () => {
  const wrong: readonly unknown[] = [
    null,
    5,
    {},
    { name: "x", agents: "no" },
    { name: "x", agents: [null] },
    { agents: [] },
  ];
  for (const value of wrong)
    assert.throws(() => Reflect.apply(defineCrew, undefined, [value]), { code: "invalid", message: /takes an object/ });
});

test("a value of another type than its field takes is told, though `any` hides it from the compiler", () => {
  const agent = (more: object) => ({ agents: [{ id: "a", ...more }] });
  const wrong: readonly (readonly [object, string])[] = [
    [
      agent({ model: "openai/gpt-5" }),
      'agents.0.model: `openai/gpt-5` is not a model; write { name: "provider/model" }',
    ],
    [{ model: "x" }, 'model: `x` is not a model; write { name: "provider/model" }'],
    [agent({ systemPrompt: 5 }), "agents.0.systemPrompt: `5` is not a text; write a text"],
    [agent({ tools: "x" }), "agents.0.tools: `x` is not a list; write a list"],
    [agent({ isTerminal: "yes" }), "agents.0.isTerminal: `yes` is neither true nor false; use true or false"],
    [{ signals: { a: { signal: "[X]", target: "" } } }, "signals.a: an object is not a list; write a list"],
    [
      { signals: { a: [{ signal: "[X]" }] } },
      'signals.a.0: an object has no target; name one, or write "" for the end',
    ],
    [{ tools: [{ name: "x" }] }, "tools.0: an object is not a tool; make it with defineTool"],
    [{ programs: { p: () => 1 } }, "programs.p: a function is not a program; make it with defineProgram"],
    [{ subCrews: { x: {} } }, "subCrews.x: an object is not a crew; make it with defineCrew"],
    [{ settings: "x" }, "settings: `x` is not an object; write an object"],
    [{ behaviors: [] }, "behaviors: a list is not an object; write an object"],
    [{ signals: { a: ["x"] } }, 'signals.a.0: `x` has no target; name one, or write "" for the end'],
    [{ signals: { a: [null] } }, 'signals.a.0: `null` has no target; name one, or write "" for the end'],
    [{ agents: [{}] }, "agents.0: an object has no id; write one, a text"],
    [
      agent({ tools: [{}] }),
      "agents.0.tools.0: an object is not a tool; write its name, { name, if }, { agent } or { crew }",
    ],
    [agent({ toolSearch: 5 }), "agents.0.toolSearch: `5` is no condition; use true, false or { if: KEY }"],
    [agent({ clientTools: [5] }), "agents.0.clientTools: a list names no tools; use true, false or a list of names"],
    [agent({ skills: "x" }), "agents.0.skills: `x` is not a list of skills; write a list of { name, description }"],
    [agent({ output: 5 }), "agents.0.output: `5` is not a schema; write a Standard Schema or a JSON Schema"],
    [{ tasks: [{ name: "t" }] }, "tasks.0: an object is not a task; write { name, description, agent }"],
    [{ schedules: [5] }, "schedules.0: `5` is not a schedule; write { name, cron, timeZone, input }"],
    [
      { groups: { g: { agents: [{ agent: "a", if: 5 }] } } },
      "groups.g.agents.0: an object is not a member; write its id",
    ],
    [{ state: {} }, "state: an object is not a state; make it with defineState"],
    [{ wrapModel: 5 }, "wrapModel: `5` is not a function; write a function"],
  ];
  for (const [more, line] of wrong)
    assert.throws(() => Reflect.apply(defineCrew, undefined, [{ name: "x", agents: [{ id: "a" }], ...more }]), {
      code: "invalid",
      message: `the crew "x" cannot run:\n  ${line}`,
    });
});

test("every unknown field is told at run time with the nearest name, together with the other errors", () => {
  const more = { sysPrompt: "", temprature: 0.1, model: { name: "script", ulr: "" } };
  const route = { signal: "[B]", target: "b", to: "b" };
  const settings = { maxHandofs: 1, ...DEFAULT_SETTINGS };
  const two = [
    { id: "a", ...more },
    {
      id: "b",
      tools: ["Gone"],
      output: { properties: { p: { pattern: "^a" } } },
      input: z.object({ q: z.string().regex(/a/) }),
    },
  ];
  const definition: CrewDefinition = { name: "x", agents: two, signals: { a: [route] }, settings };
  assert.throws(() => defineCrew(definition), {
    code: "invalid",
    message: [
      'the crew "x" cannot run:',
      "  settings.maxHandofs: `settings` has no field `maxHandofs`; did you mean `maxHandoffs`?",
      "  signals.a.0.to: the route has no field `to`; remove it",
      "  agents.0.sysPrompt: agent `a` has no field `sysPrompt`; did you mean `systemPrompt`?",
      "  agents.0.temprature: agent `a` has no field `temprature`; did you mean `temperature`?",
      "  agents.0.model.ulr: the model has no field `ulr`; did you mean `url`?",
      "  agents.1.output.properties.p.pattern: the keyword `pattern` of JSON Schema is not supported; remove it, or say it in prose",
      "  agents.1.tools.0: there is no tool `Gone`; define it among the crew's tools, or remove it",
    ].join("\n"),
  });
});

test("targets may be agents, groups, sub-crews and the end; names of run time are strings", () => {
  const inner = defineCrew({ name: "inner", agents: [{ id: "i", isTerminal: true }] });
  const crew = defineCrew({
    name: "x",
    agents,
    tools: [look],
    subCrews: { inner },
    groups: { team: { agents: ["a", "b"] } },
    entry: "team",
    signals: {
      a: [
        { signal: "[B]", target: "b" },
        { signal: "[TEAM]", target: "team" },
        { signal: "[IN]", target: "inner", returnTo: "b" },
        { signal: "[END]", target: "" },
      ],
    },
  });
  assert.equal(crew.signals.get("a")?.length, 4);
  const children = defineCrew({
    name: "x",
    agents: [
      { id: "a", tools: ["Look", { agent: "b", as: "ask", maxCalls: 2, timeoutMs: 9 }, { crew: "inner" }] },
      { id: "b" },
    ],
    tools: [look],
    subCrews: { inner },
    groups: { each: { map: "inner", over: "state.list", maxParallel: 2, maxItems: 9, mode: "all", nextAgent: "b" } },
    permissions: { Look: "ask", ask: "deny", inner: "allow", "*": "allow" },
  });
  assert.deepEqual(children.agents.get("a")?.tools, ["Look", "ask", "inner"]);
  const definition: CrewDefinition = {
    name: "y",
    agents: ["p", "q"].map((id) => ({ id, tools: ["Look"] })),
    tools: [look],
  };
  assert.equal(defineCrew(definition).agents.size, 2);
});

test("the output of a run has the type of the agents' schemas", async () => {
  const crew = defineCrew({
    name: "x",
    agents: [
      { id: "a", output: z.object({ mood: z.enum(["good", "bad"]) }) },
      { id: "b", output: z.object({ count: z.number() }), isTerminal: true },
    ],
    signals: { a: [{ when: { mood: "bad" }, target: "" }] },
    defaults: { a: "b" },
  });
  await using engine = new Engine({
    model: () => scriptModel({ a: [{ say: '{"mood":"good"}' }], b: [{ say: '{"count":3}' }] }),
  });
  const { output } = await engine.start(crew, { input: "go" }).result;
  const typed: { mood: "good" | "bad" } | { count: number } | undefined = output;
  // @ts-expect-error it is not a text
  const text: string | undefined = output;
  assert.deepEqual([typed, text], [{ count: 3 }, { count: 3 }]);
});

test("in code an agent that no rule leads on from ends the run, unless the crew asks for any other agent", async () => {
  const play = async (more: Pick<CrewDefinition, "autoRoute" | "behaviors">) => {
    const definition: CrewDefinition = { name: "x", agents: [{ id: "a" }, { id: "b", isTerminal: true }], ...more };
    await using engine = new Engine({ model: () => scriptModel({ a: [{ say: "A" }], b: [{ say: "B" }] }) });
    return (await engine.start(defineCrew(definition), { input: "go" }).result).content;
  };
  assert.equal(await play({}), "A");
  assert.equal(await play({ autoRoute: true }), "B");
  assert.equal(await play({ behaviors: { a: { autoRoute: true } } }), "B");
  assert.equal(await play({ autoRoute: true, behaviors: { a: { autoRoute: false } } }), "A");
});
