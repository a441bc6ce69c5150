import assert from "node:assert/strict";
import { test } from "node:test";
import { type Crew, type CrewDefinition, defineCrew } from "@baton/core";
import { ServedModels } from "./served-models.ts";

const toFound = (crew: Crew) => ({
  id: crew.name,
  path: crew.name,
  file: { crew, findings: [], texts: new Map(), script: new Map([["a", [{ say: "hi" }]]]) },
});
/** The model of its first agent. */
const first = (models: ServedModels, crew: Crew) => {
  const [agent] = crew.agents.values();
  assert.ok(agent !== undefined);
  return models.modelOf(agent, crew);
};
const toCrew = (definition: Partial<CrewDefinition>) =>
  defineCrew({ name: "one", agents: [{ id: "a" }], ...definition });

const today = toCrew({});
const other = defineCrew({ name: "other", model: { name: "offline" }, agents: [{ id: "a" }, { id: "b" }] });

test("each crew has its models, and what was chosen is said once for all crews it is about", async () => {
  const models = await ServedModels.choose([toFound(today), toFound(other), toFound(toCrew({ name: "two" }))], {}, {});
  assert.equal(first(models, today).name, "script");
  assert.equal(first(models, other).name, "offline");
  assert.deepEqual(models.reasons, [
    "model script: no provider's key is set, and the crew brings a script (one, two)",
    "model offline: the crew names it (other)",
  ]);
});

test("an older version of a crew gets its own models, chosen once; a missing key is an error when they are used", async () => {
  const models = await ServedModels.choose([toFound(today)], {}, {});
  const before = toCrew({ description: "as it was", model: { name: "offline" } });
  const model = first(models, before);
  assert.equal(model.name, "offline");
  assert.equal(first(models, before), model);
  const lost = toCrew({ model: { name: "openai/gpt-5-mini" } });
  assert.throws(() => first(models, lost), { code: "invalid", message: /OPENAI_API_KEY/ });
});

test("the breakers of all crews are listed, each model once", async () => {
  const crews = ["one", "two"].map((name) => toFound(toCrew({ name, model: { name: "openai/gpt-5-mini" } })));
  const models = await ServedModels.choose([...crews, toFound(other)], {}, { OPENAI_API_KEY: "k" });
  assert.deepEqual([...models.breakers()], [["openai/gpt-5-mini", false]]);
});

test("an agent that a command gave another model gets it in a served crew too, even if all others use a script", async () => {
  const models = await ServedModels.choose([toFound(today)], {}, { OPENAI_API_KEY: "k" });
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

test("a model that requests may name and that cannot be had is said at the start", async () => {
  const choose = (models: string[], env: Record<string, string>) =>
    ServedModels.choose([toFound(today)], { models }, env);
  await assert.rejects(choose(["offline", "openai/gpt-5-mini"], {}), { code: "invalid", message: /OPENAI_API_KEY/ });
  await choose(["script", "offline", "openai/gpt-5-mini"], { OPENAI_API_KEY: "k" });
});
