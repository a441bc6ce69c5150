import assert from "node:assert/strict";
import { test } from "node:test";
import {
  BatonError,
  type Crew,
  type CrewDefinition,
  defineCrew,
  defineProgram,
  defineTool,
  Engine,
  limited,
  scriptModel,
  type Tool,
  ToolError,
  type Model,
} from "@baton/core";
import { callTool } from "@baton/core/testing";
import { z } from "zod";
import { restoreCrew, toCrewRecord } from "./crew-record.ts";

const schema = { type: "object", properties: { to: { type: "string" } } };

function tool(name: string, fields: Partial<Tool> = {}, jsonSchema: Tool["inputSchema"] = schema): Tool {
  const input = { jsonSchema, validate: (value: unknown) => ({ ok: true, value }) as const };
  return defineTool({ name, description: `Does ${name}.`, effect: "read", ...fields, input, run: () => name });
}

/** A tool that the client carries out. */
function clientTool(name: string): Tool {
  const input = { jsonSchema: schema, validate: (value: unknown) => ({ ok: true, value }) as const };
  const output = { jsonSchema: { type: "string" }, validate: input.validate };
  return defineTool({ name, description: `Does ${name}.`, effect: "read", input, output });
}

const RICH: CrewDefinition = {
  name: "rich",
  description: "Everything a crew can say, with \ud800 and “quotes”.",
  entry: "team",
  model: { name: "openai/gpt-5-mini", url: "https://example.com" },
  agents: [
    { id: "__proto__", name: "Proto", role: "r", backstory: "b", systemPrompt: "You are {{name}}.", tools: ["Look"] },
    {
      id: "constructor",
      tools: ["Pay", "Ask", "Look", "Pick"],
      temperature: 0,
      topP: 0.5,
      maxTokens: 7,
      toolCalls: "text",
      handoffTargets: ["__proto__"],
      costLimits: { maxCostPerDayUsd: 1, blockOnCostExceed: true },
      errorLimits: { maxConsecutive: 2 },
      backup: { name: "offline" },
    },
    { id: "b", isTerminal: true },
  ],
  tools: [
    tool("Pay", { effect: "irreversible", timeoutMs: 10 }),
    tool("Look", { concurrency: limited(2) }),
    tool("Ask", { effect: "idempotent", permission: () => ({ decision: "allow" }) }),
    clientTool("Pick"),
  ],
  tasks: [{ name: "t", description: "d", agent: "b" }],
  permissions: new Map([
    ["*", "ask"],
    ["Look", "allow"],
  ]),
  settings: { maxHandoffs: 3, language: "de" },
  signals: new Map([
    ["constructor", [{ signal: "[B]", target: "b", description: "to b" }]],
    ["__proto__", [{ signal: "[NOWHERE]", target: "nowhere" }]],
  ]),
  defaults: new Map([["__proto__", "b"]]),
  behaviors: new Map([["__proto__", { waitForSignal: true, autoRoute: false }]]),
  groups: { team: { agents: ["__proto__", "b"], mode: "first", timeoutMs: 5, nextAgent: "constructor" } },
};

const OTHERS = RICH.agents.map((agent) => ({ ...agent, tools: [] }));

const OFFLINE = defineProgram(() => ({ say: "?" }));
const INNER = defineCrew({ name: "inner", agents: [{ id: "i" }] });

const NESTED: CrewDefinition = {
  name: "nested",
  examples: ["Try this."],
  agents: [
    {
      id: "sorter",
      model: { name: "code/sort" },
      output: { type: "object", properties: { kind: { enum: ["a", "b"] } }, required: ["kind"] },
      audience: "crew",
      history: 3,
    },
    { id: "writer", tools: ["Look", { name: "Pay", if: "options.pay" }], pinnedTools: ["Look"], toolSearch: true },
    { id: "plain", toolSearch: { if: "options.search" }, isTerminal: true },
  ],
  tools: [tool("Look"), tool("Pay", { effect: "irreversible" })],
  programs: { sort: defineProgram(() => ({ output: { kind: "a" } })), offline: OFFLINE },
  signals: {
    sorter: [
      { when: { kind: ["a"] }, target: "rich", returnTo: "writer" },
      { when: { kind: "b" }, target: "plain" },
    ],
  },
  subCrews: { rich: defineCrew(RICH), inner: INNER },
  after: defineCrew({ name: "notes", agents: [{ id: "n", tools: ["Ask"] }], tools: [tool("Ask")] }),
};

test("a crew comes back as it was stored, with the current tools", () => {
  for (const definition of [RICH, NESTED, { name: "small", agents: [{ id: "a" }] }]) {
    const crew = defineCrew(definition);
    const stored = toCrewRecord(crew);
    const restored = restoreCrew(stored.body, crew);
    assert.deepEqual(restored.crew, crew);
    assert.deepEqual(restored.changes, []);
    assert.deepEqual(toCrewRecord(restored.crew), stored);
    for (const [name, one] of crew.tools) assert.equal(restored.crew.tools.get(name), one);
  }
});

test("an output is parsed by today's code, and as far as core can if that is gone", async () => {
  const output = z.object({ code: z.string().regex(/^a/), at: z.coerce.date() });
  const crew = defineCrew({ name: "zod", agents: [{ id: "a", output, input: output, isTerminal: true }] });
  const stored = toCrewRecord(crew);
  const parserOf = (current?: Crew) => {
    const { crew: restored } = restoreCrew(stored.body, current);
    assert.equal(toCrewRecord(restored).hash, stored.hash);
    return restored.agents.get("a")?.parseOutput ?? assert.fail();
  };
  const isOk = async (parsed: unknown) => z.object({ ok: z.boolean() }).parse(await parsed).ok;
  const value = { code: "b", at: "2026-01-02" };
  assert.equal(parserOf(crew), crew.agents.get("a")?.parseOutput);
  assert.equal(await isOk(parserOf(crew)(value)), false);
  assert.equal(await isOk(parserOf()({ code: "b", at: "2026-01-02T00:00:00Z" })), true);
  assert.equal(await isOk(parserOf()({ at: 5 })), false);
});

test("sub-crews, programs and the crew that runs after are part of the definition", () => {
  const crew = defineCrew(NESTED);
  const hash = (change: Partial<CrewDefinition>) => toCrewRecord(defineCrew({ ...NESTED, ...change })).hash;
  const quieter = defineCrew({ ...RICH, description: "" });
  const changes: Partial<CrewDefinition>[] = [
    {},
    { after: quieter },
    { subCrews: { rich: quieter, inner: INNER } },
    { examples: [] },
    { agents: NESTED.agents.map((agent) => ({ ...agent, audience: "user" })) },
    { agents: NESTED.agents.map((agent) => ({ ...agent, pinnedTools: [] })) },
  ];
  assert.equal(new Set(changes.map(hash)).size, changes.length);
  const { crew: restored } = restoreCrew(toCrewRecord(crew).body, crew);
  assert.equal(restored.programs.get("sort"), crew.programs.get("sort"));
  assert.equal(restored.subCrews.get("rich")?.tools.get("Pay"), crew.subCrews.get("rich")?.tools.get("Pay"));
  assert.equal(restored.after?.tools.get("Ask"), crew.after?.tools.get("Ask"));
  const again = defineProgram(() => ({ output: { kind: "b" } }));
  const changed = defineCrew({ ...NESTED, programs: { sort: again, offline: OFFLINE } });
  assert.equal(restoreCrew(toCrewRecord(crew).body, changed).crew.programs.get("sort"), again, "today's code");
  const wrapModel = (model: Model) => model;
  const wrapped = defineCrew({ ...NESTED, wrapModel });
  assert.equal(toCrewRecord(wrapped).hash, toCrewRecord(crew).hash, "code is not part of the definition");
  assert.equal(restoreCrew(toCrewRecord(crew).body, wrapped).crew.wrapModel, wrapModel);
});

test("a tool of a sub-crew that has changed is named with it; one of the crew that runs after is not", () => {
  const { body } = toCrewRecord(defineCrew(NESTED));
  const rich = defineCrew({ ...RICH, tools: RICH.tools?.filter(({ name }) => name !== "Ask") ?? [], agents: OTHERS });
  const now = defineCrew({
    ...NESTED,
    subCrews: { rich, inner: INNER },
    after: defineCrew({ name: "notes", agents: [{ id: "n" }] }),
  });
  assert.deepEqual(restoreCrew(body, now).changes, ["sub-crew rich: tool Ask is gone"]);
});

test("a program that is gone fails its turn with `model`, and a run of a crew that is gone has none of its code", async () => {
  const { body } = toCrewRecord(defineCrew(NESTED));
  const other: CrewDefinition = { ...NESTED, agents: [{ id: "z" }], signals: {}, programs: {} };
  for (const current of [defineCrew(other), undefined]) {
    const { crew } = restoreCrew(body, current);
    await using engine = new Engine({ model: () => scriptModel({}) });
    const { outcome, error } = await engine.start(crew, { input: "go" }).result;
    assert.deepEqual([outcome, error?.code], ["failed", "model"]);
    assert.match(error?.message ?? "", /there is no program "sort" any more/);
  }
});

test("what older versions stored has no programs, no sub-crews and nothing that runs after", () => {
  const crew = defineCrew(RICH);
  const {
    programs: _1,
    subCrews: _2,
    examples: _3,
    ...old
  } = z.record(z.string(), z.json()).parse(JSON.parse(toCrewRecord(crew).body));
  assert.deepEqual(restoreCrew(JSON.stringify(old), crew).crew, crew);
});

test("equal crews have equal hashes, and any difference another one", () => {
  const hash = (definition: CrewDefinition) => toCrewRecord(defineCrew(definition)).hash;
  const turned = (value: object) => Object.fromEntries(Object.entries(value).toReversed());
  assert.equal(hash({ ...RICH, agents: RICH.agents.map((one) => ({ ...one, ...turned(one) })) }), hash(RICH));
  const [first, ...others] = RICH.agents;
  const hashes = [
    hash(RICH),
    hash({ ...RICH, agents: [...others, first ?? { id: "x" }] }),
    hash({ ...RICH, settings: { maxHandoffs: 4, language: "de" } }),
    hash({ ...RICH, signals: {} }),
    hash({ ...RICH, entry: "b" }),
    hash({ ...RICH, permissions: new Map([["*", "deny"]]) }),
    hash({ ...RICH, tools: [tool("Pay"), tool("Look"), tool("Ask"), clientTool("Pick")] }),
    hash({ ...RICH, tools: RICH.tools?.map((one) => (one.name === "Pick" ? tool("Pick") : one)) ?? [] }),
  ];
  assert.equal(new Set(hashes).size, hashes.length);
  assert.match(hash(RICH), /^[0-9a-f]{64}$/);
});

test("another order of a schema's fields is not a change, and the definition is the stored one", () => {
  const { body } = toCrewRecord(defineCrew(RICH));
  const reordered = { properties: { to: { type: "string" } }, type: "object" };
  const tools = [
    tool("Pay", { effect: "irreversible" }, reordered),
    tool("Look"),
    tool("Ask", { effect: "idempotent" }),
    clientTool("Pick"),
  ];
  const current = defineCrew({ name: "other", agents: [{ id: "z" }], tools });
  const { crew, changes } = restoreCrew(body, current);
  assert.deepEqual(changes, []);
  assert.deepEqual([...crew.agents.keys()], ["__proto__", "constructor", "b"]);
  assert.equal(crew.tools.get("Pay"), tools[0]);
});

test("each tool that is gone, takes other input or has another effect is named", async () => {
  const { body } = toCrewRecord(defineCrew(RICH));
  const current = defineCrew({
    name: "rich",
    agents: [{ id: "a" }],
    tools: [
      tool("Pay", { effect: "read" }, { type: "object" }),
      tool("Ask", { effect: "irreversible" }),
      tool("New"),
      clientTool("Pick"),
    ],
  });
  const { crew, changes } = restoreCrew(body, current);
  assert.deepEqual(changes, [
    "tool Pay takes other input now",
    "tool Pay is read now and was irreversible",
    "tool Look is gone",
    "tool Ask is irreversible now and was idempotent",
  ]);
  const [pay, look, ask] = ["Pay", "Look", "Ask"].map((name) => crew.tools.get(name) ?? assert.fail(name));
  assert.deepEqual([pay?.effect, ask?.effect], ["irreversible", "irreversible"]);
  assert.deepEqual([look?.effect, look?.concurrency, look?.inputSchema], ["read", limited(2), schema]);
  assert.equal(crew.tools.has("New"), false);
  await assert.rejects(callTool(look ?? assert.fail(), {}), (error) => {
    return error instanceof ToolError && error.kind === "permanent" && error.message.includes("Look");
  });
});

test("a tool of the client that is gone is still the client's, with the schema of its result", () => {
  const { crew, changes } = restoreCrew(
    toCrewRecord(defineCrew(RICH)).body,
    defineCrew({ name: "x", agents: [{ id: "z" }] }),
  );
  assert.ok(changes.includes("tool Pick is gone"));
  const [pick, look] = ["Pick", "Look"].map((name) => crew.tools.get(name) ?? assert.fail(name));
  assert.deepEqual([pick?.isClient, pick?.outputSchema], [true, { type: "string" }]);
  assert.deepEqual([look?.isClient, look?.outputSchema], [false, undefined]);
});

test("a tool that gains or loses its run is named; what was the client's stays the client's", () => {
  const crewOf = (one: Tool) => defineCrew({ name: "c", agents: [{ id: "a", tools: ["Pick"] }], tools: [one] });
  const [own, atClient] = [tool("Pick"), clientTool("Pick")];
  const gained = restoreCrew(toCrewRecord(crewOf(atClient)).body, crewOf(own));
  assert.deepEqual(gained.changes, ["tool Pick is run here now and was carried out by the client"]);
  const restored = gained.crew.tools.get("Pick");
  assert.deepEqual([restored?.isClient, restored?.outputSchema], [true, { type: "string" }]);
  const lost = restoreCrew(toCrewRecord(crewOf(own)).body, crewOf(atClient));
  assert.deepEqual(lost.changes, ["tool Pick is carried out by the client now and was run here"]);
  assert.equal(lost.crew.tools.get("Pick"), atClient);
});

test("a text that is not a crew is damaged", () => {
  const crew = defineCrew(RICH);
  const { body } = toCrewRecord(crew);
  const wrong = [
    "",
    "{",
    "null",
    "[]",
    "{}",
    body.slice(0, -1),
    body.replace('"agents":[', '"agents":[5,'),
    body.replace('"agents":', '"people":'),
    body.replace('"id":"b"', '"id":"no id"'),
    body.replace('"signals":[[', '"signals":[5,['),
    body.replace('"tools":[{', '"tools":[{},{'),
  ];
  for (const text of wrong) {
    assert.notEqual(text, body);
    assert.throws(
      () => restoreCrew(text, crew),
      (error) => error instanceof BatonError && error.code === "damaged",
      text,
    );
  }
});
