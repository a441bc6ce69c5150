import assert from "node:assert/strict";
import { test } from "node:test";
import { defineCrew } from "../definitions/crew.ts";
import type { CrewDefinition } from "../definitions/definition.ts";
import { defineTool } from "../definitions/tool.ts";
import { Engine } from "./engine.ts";
import { fold } from "../words/fold.ts";
import { defineProgram } from "../ports/program.ts";
import { scriptModel } from "../ports/script.ts";
import { collect, of, play } from "../testing/crew-runs.ts";

const ended = defineCrew({
  name: "t",
  agents: [{ id: "a", isTerminal: true, systemPrompt: "{{state.options.deep.a}}" }],
});
const REPLY = { a: [{ say: "ok" }] };

test("options are the run's first state, and in its first event", async () => {
  const seen: string[] = [];
  const script = scriptModel(REPLY);
  const engine = new Engine({
    model: () => ({
      name: "seen",
      stream: (prompt, scope) => {
        seen.push(prompt.system);
        return script.stream(prompt, scope);
      },
    }),
  });
  const options = { deep: { a: "yes" } };
  const { events } = await collect(engine.start(ended, { input: "x", options }));
  assert.deepEqual(seen, ["yes"]);
  assert.deepEqual(of(events, "run.started")[0]?.options, options);
  assert.deepEqual([...fold(events.slice(0, 1)).values], [["options", options]]);
});

test("options have at most 16 KB of JSON, whatever the characters", () => {
  const start = (options: string) =>
    new Engine({ model: () => scriptModel(REPLY) }).start(ended, { input: "x", options });
  start("x".repeat(16_382));
  const tooLong = { code: "invalid", message: "options has 17 KB; at most 16 KB are taken" };
  assert.throws(() => start("x".repeat(16_383)), tooLong);
  assert.throws(() => start("é".repeat(8_192)), tooLong);
});

test("options that are not JSON are refused, and no run begins", async () => {
  await using engine = new Engine({ model: () => scriptModel(REPLY) });
  const cycle: { self?: object } = {};
  cycle.self = cycle;
  for (const options of [cycle, () => 1, 1n]) {
    assert.throws(() => Reflect.apply(engine.start.bind(engine), engine, [ended, { input: "x", id: "r", options }]), {
      code: "invalid",
      message: /^options: /,
    });
    assert.equal(engine.run("r"), undefined);
  }
});

test("what the caller changes in its options after the start changes nothing", async () => {
  const list = [1];
  const engine = new Engine({ model: () => scriptModel(REPLY) });
  const run = engine.start(ended, { input: "x", options: list });
  list.push(2);
  assert.deepEqual(of((await collect(run)).events, "run.started")[0]?.options, [1]);
});

test("a program may set options anew, and that is what later steps see", async () => {
  const crew = defineCrew({
    name: "t",
    programs: {
      p: defineProgram(({ values }) => ({ say: JSON.stringify(values.get("options")), set: { options: 2 } })),
    },
    agents: [
      { id: "a", model: { name: "code/p" } },
      { id: "b", model: { name: "code/p" }, isTerminal: true },
    ],
    defaults: { a: "b" },
  });
  const { events } = await play(crew, {}, { options: 1 });
  assert.deepEqual(
    of(events, "turn.ended").map(({ text }) => text),
    ["1", "2"],
  );
});

/** Returns the model that each agent had. */
async function modelsOf(model: string, more: Partial<CrewDefinition> = {}) {
  const crew = defineCrew({
    name: "t",
    programs: { p: defineProgram(() => ({ say: "code" })) },
    agents: [
      { id: "user", model: { name: "x/own" }, backup: { name: "x/backup" } },
      { id: "crew", model: { name: "x/own" }, audience: "crew" },
      { id: "large", model: { name: "auto/large" }, audience: "crew" },
      { id: "small", model: { name: "auto/small" }, audience: "crew" },
      { id: "unnamed", audience: "crew" },
      { id: "code", model: { name: "code/p" } },
      { id: "last", isTerminal: true, model: { name: "auto/small" } },
    ],
    defaults: { user: "crew", crew: "large", large: "small", small: "unnamed", unnamed: "code", code: "last" },
    settings: { maxHandoffs: 20 },
    ...more,
  });
  const models: [string, string | undefined][] = [];
  const engine = new Engine({
    model: (agent) => {
      models.push([agent.id, agent.model?.name]);
      assert.ok(agent.id !== "user" || agent.backup === undefined, "no backup takes the place of what was asked for");
      return { ...scriptModel({ [agent.id]: [{ say: "ok" }] }), name: agent.model?.name ?? "none" };
    },
  });
  const { events } = await collect(engine.start(crew, { input: "x", model }));
  assert.equal(of(events, "run.started")[0]?.model, model);
  return models;
}

test("the caller's model is that of agents for the user and of those with the large default, and of no others", async () => {
  const models = await modelsOf("x/asked");
  const last = ["last", "x/asked"];
  const asked = (unnamed: string | undefined) => [
    ["user", "x/asked"],
    ["crew", "x/own"],
    ["large", "x/asked"],
    ["small", "auto/small"],
    ["unnamed", unnamed],
    last,
  ];
  assert.deepEqual(models, asked("x/asked"));
  assert.deepEqual(await modelsOf("x/asked", { model: { name: "auto/large" } }), asked("x/asked"));
  assert.deepEqual(await modelsOf("x/asked", { model: { name: "auto/small" } }), asked(undefined));
});

test("the caller's model holds after a pause, until `configure` says another", async () => {
  const crew = defineCrew({
    name: "t",
    agents: [{ id: "a", model: { name: "x/own" } }],
    behaviors: { a: { waitForSignal: true } },
  });
  const engine = new Engine({ model: ({ model }) => ({ ...scriptModel(REPLY), name: model?.name ?? "" }) });
  const first = engine.start(crew, { input: "x", model: "x/asked" });
  await first.result;
  await engine.resume(first.id, "on").result;
  await engine.command(first.id, { type: "configure", model: "x/other" });
  const { events } = await collect(engine.resume(first.id, "on"));
  assert.deepEqual(
    of(events, "step.started").map(({ model }) => model),
    ["x/asked", "x/asked", "x/other"],
  );
});

test("a tool is told whom the run is for, and which request started it", async () => {
  let told: object = {};
  const look = defineTool({
    name: "Look",
    description: "",
    effect: "read",
    input: { jsonSchema: {}, validate: (value) => ({ ok: true, value }) },
    run: (_, { user, session, tenant, request }) => {
      told = { user, session, tenant, request };
      return "seen";
    },
  });
  const crew = defineCrew({ name: "t", agents: [{ id: "a", tools: ["Look"], isTerminal: true }], tools: [look] });
  const who = { user: "ann", session: "s", tenant: "acme", request: "req-1" };
  await play(crew, { a: [{ call: [{ tool: "Look", args: {} }] }, { say: "ok" }] }, who);
  assert.deepEqual(told, who);
});
