import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { z } from "zod";
import { defineCrew } from "../definitions/crew.ts";
import type { AgentDefinition } from "../definitions/agent.ts";
import type { CrewDefinition } from "../definitions/definition.ts";
import { defineTool } from "../definitions/tool.ts";
import { type ScriptEntry, scriptModel } from "../ports/script.ts";
import { crashEverywhere } from "../testing/crash-everywhere.ts";
import { collect, of } from "../testing/crew-runs.ts";
import type { RequestTool } from "../words/event.ts";
import type { Json } from "../words/json.ts";
import { Engine } from "./engine.ts";

const PLACE = { type: "object", properties: { place: { type: "string" } }, required: ["place"] } as const;
const tool = (name: string, inputSchema: RequestTool["inputSchema"] = PLACE): RequestTool => ({
  name,
  description: `Does ${name}.`,
  inputSchema,
});

const own = defineTool({ name: "Own", description: "Own.", effect: "read", input: z.any(), run: () => "own" });

const crewOf = (agent: Partial<AgentDefinition>, more: Partial<CrewDefinition> = {}) =>
  defineCrew({ name: "c", tools: [own], agents: [{ id: "a", isTerminal: true, ...agent }], ...more });

const CALL: ScriptEntry = { call: [{ tool: "Locate", args: { place: "here" } }] };

/** Starts a run of one agent, and gives the names of the tools that each step offered. */
async function begin(
  agent: Partial<AgentDefinition>,
  tools: readonly RequestTool[],
  more: { readonly crew?: Partial<CrewDefinition>; readonly replies?: readonly ScriptEntry[] } = {},
) {
  const offered: string[][] = [];
  const script = scriptModel({ a: more.replies ?? [CALL, { say: "Found." }] });
  const engine = new Engine({
    model: () => ({
      name: "seen",
      stream(prompt, scope) {
        offered.push(prompt.tools.map(({ name }) => name));
        return script.stream(prompt, scope);
      },
    }),
  });
  const run = engine.start(crewOf(agent, more.crew), { input: "go", tools });
  return { engine, run, offered, ...(await collect(run)) };
}

describe("a tool of a request", () => {
  test("is offered behind the agent's own, its call asks the client, and the answer is its result", async () => {
    const { run, questions, outcome, events, offered } = await begin({ clientTools: true, tools: ["Own"] }, [
      tool("Locate"),
    ]);
    assert.deepEqual([outcome, offered], ["paused", [["Own", "Locate"]]]);
    assert.deepEqual(
      questions.map(({ question, kind, tool: name, args }) => [question, kind, name, args]),
      [["1.1.1/tool", "tool", "Locate", { place: "here" }]],
    );
    assert.deepEqual(of(events, "run.started")[0]?.tools, [tool("Locate")]);
    const { run: next } = await run.command({ type: "answer", question: "1.1.1/tool", value: { at: 5 } });
    const rest = await collect(next);
    assert.deepEqual([rest.outcome, rest.content], ["done", "Found."]);
    assert.deepEqual(of(rest.events, "call.ended")[0]?.output, { at: 5 });
  });

  test("is offered only to agents whose client_tools takes it", async () => {
    const tools = [tool("Locate"), tool("Other")];
    const say = { replies: [{ say: "Hi." }] };
    assert.deepEqual((await begin({ clientTools: ["Other"] }, tools, say)).offered, [["Other"]]);
    const none = await begin({ clientTools: false }, tools, say);
    assert.deepEqual(none.offered, [[]]);
    assert.deepEqual(
      none.warnings.map(({ code, agent }) => [code, agent]),
      [["tools_unused", "a"]],
    );
    assert.deepEqual((await begin({ clientTools: ["Locate"] }, tools, say)).warnings, []);
  });

  test("is offered by agents that search their tools, and by those whose tools have conditions", async () => {
    const say = { replies: [{ say: "Hi." }] };
    const searching = await begin({ clientTools: true, tools: ["Own"], toolSearch: true }, [tool("Locate")], say);
    assert.deepEqual(searching.offered, [["tool_search", "Locate"]]);
    const conditional = { clientTools: true, tools: [{ name: "Own", if: "options.on" }] };
    const { questions } = await begin(conditional, [tool("Locate")]);
    assert.equal(questions.length, 1);
  });

  test("needs an approval if permissions say so, and is refused if they deny it", async () => {
    const asked = await begin({ clientTools: ["Locate"] }, [tool("Locate")], {
      crew: { permissions: { Locate: "ask" } },
    });
    assert.deepEqual(
      asked.questions.map(({ question, kind }) => [question, kind]),
      [["1.1.1", "approval"]],
    );
    const { run } = await asked.run.command({ type: "answer", question: "1.1.1", value: "allow" });
    assert.deepEqual(
      (await run.result).questions.map(({ kind }) => kind),
      ["tool"],
    );
    const denied = await begin({ clientTools: true }, [tool("Locate")], { crew: { permissions: { Locate: "deny" } } });
    assert.equal(denied.outcome, "done");
    assert.equal(of(denied.events, "call.ended")[0]?.error?.kind, "permission");
  });

  test("takes only arguments that fit its schema", async () => {
    const call = { call: [{ tool: "Locate", args: { place: 5 } }] };
    const { events, outcome } = await begin({ clientTools: true }, [tool("Locate")], {
      replies: [call, { say: "No." }],
    });
    assert.equal(outcome, "done");
    assert.match(of(events, "call.ended")[0]?.error?.message ?? "", /place: must be string/);
  });

  test("belongs to its run alone", async () => {
    const agent = { clientTools: true, tools: ["Own"] };
    const { engine, run } = await begin(agent, [tool("Locate")]);
    const other = await collect(engine.start(crewOf(agent), { input: "go" }));
    assert.match(of(other.events, "call.ended")[0]?.error?.message ?? "", /there is no tool "Locate"/);
    await run.command({ type: "cancel" });
  });
});

describe("tools that cannot be brought", () => {
  const alpha = defineCrew({
    name: "alpha",
    tools: [defineTool({ name: "Inner", description: "", effect: "read", input: z.any(), run: () => 1 })],
    agents: [{ id: "x", tools: ["Inner"] }],
  });
  const crew = crewOf(
    { clientTools: true, tools: ["Own", { crew: "alpha", as: "deeper" }] },
    { subCrews: { alpha }, agents: [{ id: "a", clientTools: true, tools: [{ crew: "alpha", as: "deeper" }] }] },
  );
  const refuse = (tools: readonly RequestTool[], message: RegExp) => {
    const engine = new Engine({ model: () => scriptModel({}) });
    assert.throws(() => engine.start(crew, { input: "go", tools }), { code: "invalid", message });
  };
  const deep = (levels: number): Json => (levels === 0 ? {} : { properties: { a: deep(levels - 1) } });
  const schema = (value: Json) => [{ ...tool("T"), inputSchema: { type: "object", properties: { a: value } } }];

  test("have a name of the crew's own, one that is not a name, or one that is there twice", () => {
    for (const name of ["Own", "deeper", "Inner", "tool_search"]) {
      refuse([tool("T"), tool(name)], new RegExp(`^tools\\.1\\.name \`${name}\` is a tool of the crew`));
    }
    refuse([tool("no name")], /^tools\.0\.name must have letters/);
    refuse([tool("T"), tool("T")], /^tools\.1\.name `T` is there twice$/);
  });

  test("are too many, or too large", () => {
    const many = (count: number) => Array.from({ length: count }, (_, at) => tool(`t${at}`));
    refuse(many(65), /^tools has 65 tools; at most 64 are taken$/);
    refuse([{ ...tool("T"), description: "é".repeat(33_000) }], /^tools has 65 KB; at most 64 KB are taken$/);
    const engine = new Engine({ model: () => scriptModel({ a: [{ say: "Hi." }] }) });
    assert.equal(engine.start(crew, { input: "go", tools: many(64) }).id.length, 36);
  });

  test("have a schema that is none", () => {
    refuse([tool("T", { type: "string" })], /inputSchema\.type must be object/);
    const wrong: readonly (readonly [Json, string])[] = [
      ["text", "a is not a JSON Schema"],
      [{ type: "text" }, "a.type must be one of"],
      [{ type: [] }, "a.type must be one of"],
      [{ properties: [] }, "a.properties must be an object"],
      [{ required: "a" }, "a.required must be a list of texts"],
      [{ enum: "a" }, "a.enum must be a list"],
      [{ anyOf: [] }, "a.anyOf must be a list of schemas"],
      [{ anyOf: [1] }, "a.anyOf.0 is not a JSON Schema"],
      [{ items: [{ type: 1 }] }, "a.items.0.type must be one of"],
      [{ not: null }, "a.not is not a JSON Schema"],
      [{ minLength: -1 }, "a.minLength must be a whole number"],
      [{ minimum: "1" }, "a.minimum must be a number"],
      [deep(64), "is nested deeper than 64 levels"],
    ];
    for (const [value, text] of wrong) refuse(schema(value), new RegExp(text.replaceAll(".", "\\.")));
  });

  test("but may use keywords that core does not check", async () => {
    const wide = schema({ type: "string", pattern: "^a", "x-mine": [1], $ref: "#/definitions/none" });
    const { outcome } = await begin({ clientTools: true }, wide, { replies: [{ say: "Hi." }] });
    assert.equal(outcome, "done");
  });
});

test("a run with tools of its request survives a crash at every event, used or not", async () => {
  const used = await crashEverywhere({
    crew: () => crewOf({ clientTools: true, tools: ["Own"] }),
    replies: { a: [{ call: [...(CALL.call ?? []), { tool: "Own" }] }, CALL, { say: "Found." }] },
    tools: [tool("Locate")],
    toResult: (args) => ({ args }),
  });
  assert.deepEqual([used.result.outcome, used.result.content], ["done", "Found."]);
  const unused = await crashEverywhere({
    crew: () => crewOf({}),
    replies: { a: [{ say: "Hi." }] },
    tools: [tool("Locate")],
  });
  assert.deepEqual(
    unused.result.warnings.map(({ code }) => code),
    ["tools_unused"],
  );
});
