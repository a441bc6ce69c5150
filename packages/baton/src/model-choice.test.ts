import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Agent,
  BatonError,
  type Chunk,
  type Crew,
  defineCrew,
  defineTool,
  Engine,
  type Model,
  type Prompt,
  type Script,
} from "@baton/core";
import { NO_RECORDED_CALLS, Scope, SystemClock } from "@baton/core/ports";
import { ModelChoice, type ModelChoiceOptions } from "./model-choice.ts";

const crew = defineCrew({
  name: "pair",
  model: { name: "offline" },
  agents: [{ id: "a", model: { name: "script" } }, { id: "b" }, { id: "c" }],
});
const script = new Map([["a", [{ say: "hi" }]]]);
const hint = "to run without a provider, use --model offline or --script FILE";

interface Asked extends Pick<ModelChoiceOptions, "env" | "override"> {
  readonly crew: Crew;
  readonly script: Script | undefined;
}

/** The models of one crew. */
const choose = ({ crew: only, script: own, ...options }: Asked) =>
  ModelChoice.open([{ crew: only, script: own }], { ...options, hint });

test("each agent gets its model, and the reasons say which and why", async () => {
  const models = await choose({ crew, script, override: undefined, env: {} });
  assert.deepEqual(
    [...crew.agents.values()].map((agent) => models.modelOf(agent, crew).name),
    ["script", "offline", "offline"],
  );
  assert.deepEqual(models.reasonsOf(crew), ["script: the agent names it (a)", "offline: the crew names it (b, c)"]);
});

test("what is asked for on the spot goes before all, and is one reason", async () => {
  const models = await choose({ crew, script, override: "offline", env: { OPENAI_API_KEY: "k" } });
  const reasons = models.reasonsOf(crew);
  assert.equal(reasons.length, 1);
  assert.match(reasons[0] ?? "", /^offline: /);
});

test("an agent that needs a script the crew does not have is refused with what to do", async () => {
  await assert.rejects(choose({ crew, script: undefined, override: undefined, env: {} }), {
    code: "invalid",
    message:
      /agent a answers from a script .*; write script\.yaml beside crew\.yaml; .*--model offline or --script FILE/,
  });
});

test("a key that is missing is said with what works without one", async () => {
  const paid = defineCrew({ name: "paid", model: { name: "openai/gpt-5-mini" }, agents: [{ id: "a" }] });
  await assert.rejects(choose({ crew: paid, script, override: undefined, env: {} }), {
    code: "invalid",
    message:
      "openai/gpt-5-mini needs a key: set OPENAI_API_KEY; to run without a provider, use --model offline or --script FILE",
  });
});

const look = defineTool({
  name: "Look",
  description: "Looks.",
  effect: "read",
  input: { jsonSchema: { type: "object" }, validate: (value) => ({ ok: true, value }) },
  run: () => "seen",
});

async function hear(model: Model, prompt: Partial<Prompt> = {}): Promise<readonly Chunk[]> {
  const scope = Scope.root({ clock: new SystemClock() });
  const asked = {
    run: "r",
    agent: "a",
    system: "",
    messages: [],
    tools: [],
    attempt: 1,
    attempts: 1,
    values: new Map(),
    results: [],
    ...NO_RECORDED_CALLS,
    ...prompt,
  };
  return (await Array.fromAsync(model.stream(asked, scope))).flat();
}

test("what a script says is read for calls, as the agent's tool_calls says", async () => {
  const played = async (toolCalls: "auto" | "text" | "native"): Promise<readonly string[]> => {
    const desk = defineCrew({ name: "desk", tools: [look], agents: [{ id: "a", tools: ["Look"], toolCalls }] });
    const replies = new Map([["a", [{ say: "Look()" }]]]);
    const { modelOf } = await choose({ crew: desk, script: replies, override: undefined, env: {} });
    const tools = [{ name: "Look", description: "", inputSchema: {} }];
    const chunks = await hear(modelOf(agentOf(desk, "a"), desk), { tools, isUncalled: true });
    return chunks.map(({ type }) => type);
  };
  assert.deepEqual(await played("auto"), ["call", "end"]);
  assert.deepEqual(await played("text"), ["call", "end"]);
  assert.deepEqual(await played("native"), ["text", "end"]);
});

test("a script's backup takes over where the script fails", async () => {
  const desk = defineCrew({
    name: "desk",
    agents: [{ id: "a", model: { name: "script" }, backup: { name: "offline" } }],
  });
  const replies = new Map([["a", [{ fail: "503 overloaded" }]]]);
  const { modelOf } = await choose({ crew: desk, script: replies, override: undefined, env: {} });
  const chunks = await hear(modelOf(agentOf(desk, "a"), desk));
  assert.match(JSON.stringify(chunks), /503 overloaded; offline takes over/);
});

function agentOf(of: Crew, id: string): Agent {
  const agent = of.agents.get(id);
  assert.ok(agent !== undefined);
  return agent;
}

for (const override of ["script", "offline", undefined]) {
  test(`an agent that a command gave another model gets it, with ${override ?? "the models of the crew"}`, async () => {
    const { modelOf, breakers } = await choose({ crew, script, override, env: { OPENAI_API_KEY: "k" } });
    const agent = agentOf(crew, "a");
    const own = modelOf(agent, crew);
    assert.equal(modelOf({ ...agent, temperature: 0 }, crew), own);
    const configured = { ...agent, model: { name: "openai/gpt-5-mini" } };
    const other = modelOf(configured, crew);
    assert.equal(other.name, "openai/gpt-5-mini");
    assert.equal(modelOf(agent, crew), own);
    modelOf({ ...configured }, crew);
    assert.equal(
      [...breakers()].length,
      override === "script" ? 0 : 1,
      "the client is made once, and not before its time",
    );
    // The model that the crew itself names is one too.
    const back = modelOf({ ...agent, model: { name: "script" } }, crew);
    assert.match(JSON.stringify(await hear(back)), /hi/);
  });
}

test("a model that a command asks for and that cannot be had is said when it is used", async () => {
  for (const override of ["script", "offline"]) {
    const { modelOf } = await choose({ crew, script, override, env: {} });
    const use = async (name: string): Promise<unknown> =>
      hear(modelOf({ ...agentOf(crew, "a"), model: { name } }, crew));
    await assert.rejects(use("openai/gpt-5-mini"), { code: "invalid", message: /needs a key: set OPENAI_API_KEY$/ });
    await assert.rejects(
      use("acme/x"),
      (error) => error instanceof BatonError && /"acme\/x" is not a model/.test(error.message),
    );
  }
});

test("a model that a command asks for costs what the table says, not what the agent's own costs", async () => {
  const costLimits = { inputTokenPricePerMillion: 1_000_000, outputTokenPricePerMillion: 1_000_000 };
  const dear = defineCrew({ name: "dear", model: { name: "offline" }, agents: [{ id: "a", costLimits }] });
  // Nothing listens there.
  const env = { OPENAI_API_KEY: "k", OPENAI_BASE_URL: "http://127.0.0.1:9/v1" };
  const { modelOf } = await choose({ crew: dear, script: undefined, override: undefined, env });
  const configured = { ...agentOf(dear, "a"), model: { name: "openai/gpt-5-nano" } };
  const reply = hear(modelOf(configured, dear), { limits: { maxUsd: 0.01 } });
  await assert.rejects(reply, { code: "model" });
});

test("a run that is configured goes on with that model, also where it plays a script", async () => {
  const desk = defineCrew({
    name: "desk",
    agents: [{ id: "a" }],
    behaviors: { a: { waitForSignal: true } },
  });
  const replies = new Map([["a", [{ say: "by script" }]]]);
  const { modelOf } = await choose({ crew: desk, script: replies, override: "script", env: {} });
  await using engine = new Engine({ model: modelOf });
  const first = engine.start(desk, { input: "Hello" });
  assert.equal((await first.result).content, "by script");
  await engine.command(first.id, { type: "configure", model: "offline" });
  const { run } = await engine.command(first.id, { type: "say", text: "Hello again" });
  assert.match((await run.result).content, /written by rules/);
});
