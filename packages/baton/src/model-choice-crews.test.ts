import assert from "node:assert/strict";
import { test } from "node:test";
import { type Crew, type CrewDefinition, defineCrew } from "@baton/core";
import { ModelChoice } from "./model-choice.ts";

const toFound = (crew: Crew) => ({ id: crew.name, source: { crew, script: new Map([["a", [{ say: "hi" }]]]) } });
const choose = (
  crews: readonly ReturnType<typeof toFound>[],
  env: Readonly<Record<string, string>>,
  allowed: readonly string[] = [],
) =>
  ModelChoice.open(
    crews.map(({ source }) => source),
    { env, allowed, override: undefined, load: "now" },
  );
/** The model of its first agent. */
const first = (models: ModelChoice, crew: Crew) => {
  const [agent] = crew.agents.values();
  assert.ok(agent !== undefined);
  return models.modelOf(agent, crew);
};
const toCrew = (definition: Partial<CrewDefinition>) =>
  defineCrew({ name: "one", agents: [{ id: "a" }], ...definition });

const today = toCrew({});
const other = defineCrew({ name: "other", model: { name: "offline" }, agents: [{ id: "a" }, { id: "b" }] });

test("each crew has its models, and what was chosen is said once for all crews it is about", async () => {
  const crews = [toFound(today), toFound(other), toFound(toCrew({ name: "two" }))];
  const models = await choose(crews, {});
  assert.equal(first(models, today).name, "script");
  assert.equal(first(models, other).name, "offline");
  assert.deepEqual(models.describe(crews), [
    "model script: no provider's key is set, and the crew brings a script (one, two)",
    "model offline: the crew names it (other)",
  ]);
});

test("an older version of a crew gets its own models, chosen once; a missing key is an error when they are used", async () => {
  const models = await choose([toFound(today)], {});
  const before = toCrew({ description: "as it was", model: { name: "offline" } });
  const model = first(models, before);
  assert.equal(model.name, "offline");
  assert.equal(first(models, before), model);
  const lost = toCrew({ model: { name: "openai/gpt-5-mini" } });
  assert.throws(() => first(models, lost), { code: "invalid", message: /OPENAI_API_KEY/ });
});

test("the breakers of all crews are listed, each model once", async () => {
  const crews = ["one", "two"].map((name) => toFound(toCrew({ name, model: { name: "openai/gpt-5-mini" } })));
  const models = await choose([...crews, toFound(other)], { OPENAI_API_KEY: "k" });
  assert.deepEqual([...models.breakers()], [["openai/gpt-5-mini", false]]);
});

test("models are listed for a person who chooses one, with those of the crews as the default", async () => {
  const models = await choose([toFound(toCrew({ model: { name: "openai/gpt-5-mini" } }))], { OPENAI_API_KEY: "k" });
  const listed = await models.list(["openai/gpt-5-mini", "anthropic/claude-opus-5"]);
  assert.deepEqual(
    listed.map((model) => [model.id, model.default, model.available]),
    [
      ["openai/gpt-5-mini", true, true],
      ["anthropic/claude-opus-5", false, false],
    ],
  );
});

test("an agent that a command gave another model gets it in a served crew too, even if all others use a script", async () => {
  const models = await choose([toFound(today)], { OPENAI_API_KEY: "k" });
  for (const crew of [today, toCrew({ description: "as it was" })]) {
    const [agent] = crew.agents.values();
    assert.ok(agent !== undefined);
    const toOther = (name: string) => models.modelOf({ ...agent, model: { name } }, crew);
    assert.equal(toOther("offline").name, "offline");
    assert.equal(toOther("openai/gpt-5").name, "openai/gpt-5");
    assert.throws(() => toOther("anthropic/claude-opus-5"), { code: "invalid", message: /set ANTHROPIC_API_KEY$/ });
    assert.throws(() => toOther("nonsense"), { code: "invalid", message: /"nonsense" is not a model Baton knows/ });
  }
});

test("a model that requests may name, but whose key is missing, is listed with the reason and refused when it is named", async () => {
  const models = await choose([toFound(today)], {}, ["offline", "openai/gpt-5-mini"]);
  const [, listed] = await models.list(["offline", "openai/gpt-5-mini"]);
  assert.deepEqual([listed?.available, listed?.reason], [false, "the server has no key for openai"]);
  const [agent] = today.agents.values();
  assert.ok(agent !== undefined);
  const use = () => models.modelOf({ ...agent, model: { name: "openai/gpt-5-mini" } }, today);
  assert.throws(use, { code: "invalid", message: /OPENAI_API_KEY/ });
});

test("a reloaded crew gets models of its own, and one that stays keeps its models", async () => {
  const [changing, staying] = [toFound(toCrew({ name: "changing" })), toFound(today)];
  const models = await choose([changing, staying], {});
  const before = first(models, today);
  const reloaded = toFound(toCrew({ name: "changing", model: { name: "offline" } }));
  await models.add([reloaded.source, staying.source]);
  assert.equal(first(models, reloaded.source.crew).name, "offline");
  assert.equal(first(models, today), before);
  const unusable = toFound(toCrew({ name: "changing", model: { name: "openai/gpt-5-mini" } }));
  await assert.rejects(models.add([unusable.source, staying.source]), { code: "invalid" });
  assert.equal(first(models, toCrew({ name: "changing", model: { name: "offline" } })).name, "offline");
});

test("a crew that is no longer known gets models when a stored run of it continues", async () => {
  const models = await choose([toFound(today)], {});
  assert.equal(first(models, toCrew({ name: "gone", model: { name: "offline" } })).name, "offline");
});
