import assert from "node:assert/strict";
import { test } from "node:test";
import { type Agent, type Crew, defineCrew, defineProgram, Engine } from "@baton/core";
import { NO_RECORDED_CALLS } from "@baton/core/ports";
import { SimulatedClock } from "@baton/core/testing";
import { MemoryLedger } from "@baton/store";
import { type CrewModelsOptions, openCrewModels } from "./crew-models.ts";
import { hear, serve } from "../testing/harness.ts";

/** An address without a server. */
const ALONE = { OLLAMA_HOST: "http://127.0.0.1:9" };
const SMALL = "anthropic/claude-haiku-5-5";
const LARGE = "anthropic/claude-sonnet-5-5";
const offline = defineProgram(() => ({ say: "by the program" }));

const open = (crew: Crew, options: Partial<CrewModelsOptions> = {}) =>
  openCrewModels({ crews: [{ crew }], env: ALONE, ...options });

function agentOf(crew: Crew, id: string): Agent {
  const agent = crew.agents.get(id);
  assert.ok(agent !== undefined);
  return agent;
}

test("agents get what they name, tiers too, as models and as backups; programs get nothing and are not told of", async () => {
  const crew = defineCrew({
    name: "desk",
    agents: [
      { id: "cheap", model: { name: "auto/small" } },
      { id: "any", backup: { name: "auto/small" } },
      { id: "rules", model: { name: "code/offline" } },
    ],
    programs: { offline },
  });
  const models = await open(crew, { env: { ANTHROPIC_API_KEY: "k" } });
  assert.equal(models.modelOf(agentOf(crew, "cheap"), crew).name, SMALL);
  assert.equal(models.modelOf(agentOf(crew, "any"), crew).name, LARGE);
  assert.deepEqual(models.reasonsOf(crew), [
    `${SMALL}: the agent names auto/small, and ANTHROPIC_API_KEY is set (cheap)`,
    `${LARGE}: ANTHROPIC_API_KEY is set (any)`,
  ]);
  assert.deepEqual([...models.breakers().keys()].toSorted(), [SMALL, LARGE].toSorted());
});

test("without a provider the crew's program offline answers, as the program it is, and before its script", async () => {
  const crew = defineCrew({ name: "desk", agents: [{ id: "a", isTerminal: true }], programs: { offline } });
  const script = new Map([["a", [{ say: "by script" }]]]);
  const models = await openCrewModels({ crews: [{ crew, script }], env: ALONE });
  const model = models.modelOf(agentOf(crew, "a"), crew);
  assert.deepEqual([model.name, model.isProgram], ["code/offline", true]);
  await using engine = new Engine({ model: models.modelOf });
  assert.equal((await engine.start(crew, { input: "Hello" }).result).content, "by the program");
});

test("without a key an Ollama that answers is used; one that hangs costs 300 ms", async () => {
  let asked = 0;
  await using server = await serve((_, response) => {
    asked += 1;
    response.end(
      JSON.stringify({
        models: [
          { name: "tiny", size: 1 },
          { name: "huge", size: 9 },
        ],
      }),
    );
  });
  const crew = defineCrew({ name: "desk", agents: [{ id: "a", model: { name: "auto/small" } }, { id: "b" }] });
  const models = await open(crew, { env: { OLLAMA_HOST: server.url } });
  const names = [...crew.agents.values()].map((agent) => models.modelOf(agent, crew).name);
  assert.deepEqual(names, ["ollama/tiny", "ollama/huge"]);
  assert.equal(asked, 1);
  await open(crew, { env: { OLLAMA_HOST: server.url, OPENAI_API_KEY: "k" } });
  await open(crew, { env: { OLLAMA_HOST: server.url }, override: "offline" });
  assert.equal(asked, 1, "it is asked only if that matters");

  await using silent = await serve(() => undefined);
  const clock = new SimulatedClock(1);
  const late = await clock.run(open(crew, { env: { OLLAMA_HOST: silent.url }, clock }));
  assert.equal(clock.monotonic(), 300);
  assert.deepEqual(late.reasonsOf(crew), [
    "offline: the agent names auto/small, and no provider's key is set (a)",
    "offline: no provider's key is set (b)",
  ]);
});

const researcher = { id: "researcher", isTerminal: true } as const;
const alpha = defineCrew({ name: "alpha crew", agents: [researcher, { id: "a" }] });
const parent = defineCrew({
  name: "parent",
  agents: [{ id: "a" }],
  subCrews: { alpha },
  after: defineCrew({ name: "later", agents: [{ id: "a" }] }),
  signals: { a: [{ signal: "[GO]", target: "alpha" }] },
});

test("a sub-crew's agents play what the script has for them, else their own script, and have their own reasons", async () => {
  const crews = [
    {
      crew: parent,
      script: new Map([
        ["a", [{ say: "mine" }]],
        ["alpha/a", [{ say: "as the parent says" }]],
      ]),
      subCrews: new Map([
        [
          "alpha",
          {
            script: new Map([
              ["researcher", [{ say: "own" }]],
              ["a", [{ say: "lost" }]],
            ]),
          },
        ],
      ]),
    },
  ];
  const models = await openCrewModels({ crews, env: ALONE });
  const said = async (crew: Crew, agent: string): Promise<string> => {
    const { text } = await hear(models.modelOf(agentOf(crew, agent), crew), { ...PROMPT, agent });
    return text;
  };
  assert.equal(await said(parent, "a"), "mine");
  assert.equal(await said(alpha, "a"), "as the parent says");
  assert.equal(await said(alpha, "researcher"), "own");
  assert.deepEqual(models.reasonsOf(parent), ["script: no provider's key is set, and the crew brings a script"]);
  const before = defineCrew({ name: "alpha crew", description: "as it was", agents: [researcher] });
  assert.equal(await said(before, "researcher"), "own", "a stored run goes on with the script of today");
});

const PROMPT = {
  run: "r",
  system: "",
  messages: [],
  tools: [],
  attempt: 1,
  attempts: 1,
  values: new Map(),
  results: [],
  ...NO_RECORDED_CALLS,
} as const;

test("a sub-crew and what runs after it may choose otherwise; a script that is asked for calls no provider anywhere", async () => {
  const script = new Map([["a", [{ say: "mine" }]]]);
  const env = { ...ALONE, OPENAI_API_KEY: "k" };
  const models = await openCrewModels({ crews: [{ crew: parent, script }], override: "script", env });
  const { after } = parent;
  assert.ok(after !== undefined);
  assert.equal(models.modelOf(agentOf(alpha, "a"), alpha).name, "script");
  assert.equal(models.modelOf(agentOf(after, "a"), after).name, "offline");
  const chosen = await openCrewModels({ crews: [{ crew: parent, script }], env: ALONE });
  assert.deepEqual(chosen.reasonsOf(parent), [
    "script: no provider's key is set, and the crew brings a script (a)",
    "offline: no provider's key is set (alpha/researcher, alpha/a)",
  ]);
});

test("a model that a command or the caller of a run names goes through the same choice", async () => {
  const crew = defineCrew({ name: "desk", agents: [{ id: "a", isTerminal: true }], programs: { offline } });
  const toOther = async (name: string, env: CrewModelsOptions["env"]) => {
    const { modelOf } = await open(crew, { env: { ...ALONE, ...env }, override: "offline", load: "now" });
    return modelOf({ ...agentOf(crew, "a"), model: { name } }, crew).name;
  };
  assert.equal(await toOther("auto/small", { ANTHROPIC_API_KEY: "k" }), SMALL);
  assert.equal(await toOther("auto/small", {}), "code/offline");
  await assert.rejects(toOther("auto/tiny", {}), { code: "invalid", message: /auto\/small or auto\/large/ });
  const models = await open(crew, { env: ALONE });
  await using engine = new Engine({ model: models.modelOf });
  const { content } = await engine.start(crew, { input: "Hello", model: "offline" }).result;
  assert.match(content, /written by rules/);
});

test("a script that is asked for and names a program's agent is played instead; any other leaves it alone", async () => {
  const crew = defineCrew({
    name: "desk",
    agents: [{ id: "rules", model: { name: "code/offline" }, isTerminal: true }],
    programs: { offline },
  });
  const script = new Map([["rules", [{ say: "as in the test" }]]]);
  for (const [override, expected] of [
    ["script", "as in the test"],
    ["offline", "by the program"],
    [undefined, "by the program"],
  ] as const) {
    const models = await openCrewModels({ crews: [{ crew, script }], env: ALONE, override });
    await using engine = new Engine({ model: models.modelOf, replaceProgram: models.replaceProgram });
    assert.equal((await engine.start(crew, { input: "Hello" }).result).content, expected);
  }
});

test("a program may be a backup, and costs nothing", async () => {
  const crew = defineCrew({
    name: "desk",
    agents: [{ id: "a", model: { name: "script" }, backup: { name: "code/offline" }, isTerminal: true }],
    programs: { offline },
    settings: { maxCallsPerDay: 0 },
  });
  const script = new Map([["a", [{ fail: "503 overloaded" }]]]);
  const ledger = new MemoryLedger(new SimulatedClock(1));
  const models = await openCrewModels({ crews: [{ crew, script }], env: ALONE, ledger });
  await using engine = new Engine({ model: models.modelOf });
  assert.equal((await engine.start(crew, { input: "Hello" }).result).content, "by the program");
});

test("models that a run may ask for are looked at when all is opened", async () => {
  const crew = defineCrew({ name: "desk", agents: [{ id: "a" }] });
  await open(crew, { allowed: ["script", "offline", "auto/small"] });
  await open(crew, { allowed: ["openai/gpt-5-mini"] });
  await assert.rejects(open(crew, { allowed: ["acme/one"] }), { code: "invalid", message: /is not a model/ });
  await assert.rejects(open(crew, { allowed: ["auto/tiny"] }), {
    code: "invalid",
    message: /auto\/small or auto\/large/,
  });
});
