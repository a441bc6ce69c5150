/** An agent whose first model lacks its key or address works with its backup, and pays for that one alone. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type AgentDefinition, defineCrew, Engine, scriptModel } from "@baton/core";
import type { Settings } from "@baton/core/ports";
import { collect, of, SimulatedClock } from "@baton/core/testing";
import { MemoryLedger } from "@baton/store";
import { ModelRegistry, type ModelRegistryOptions } from "./model-registry.ts";

const OPENAI = { name: "openai/gpt-5-mini" };
const BACKUP = { name: "acme/spare" };
const own = new Map([["acme/spare", { ...scriptModel({ a: [{ say: "A" }], b: [{ say: "B" }] }), name: "acme/spare" }]]);

/** Runs two agents that have these models. */
async function run(
  agent: Partial<AgentDefinition>,
  settings: Partial<Settings> = {},
  options: ModelRegistryOptions = {},
) {
  const crew = defineCrew({
    name: "c",
    agents: [
      { id: "a", ...agent },
      { id: "b", isTerminal: true, ...agent },
    ],
    defaults: { a: "b" },
    settings,
  });
  const models = new ModelRegistry({ models: own, ...options });
  await using engine = new Engine({
    model: ({ model = OPENAI, backup, ...rest }, whole) =>
      models.forAgent({ model, backup, caller: { agent: { ...rest, model }, crew: whole } }),
  });
  const { outcome, content, events } = await collect(engine.start(crew, { input: "go" }));
  const steps = of(events, "step.ended").map(({ model, costUsd }) => [model, costUsd]);
  return { outcome, content, steps, warnings: of(events, "warning.raised").map(({ text }) => text) };
}

test("a model whose key or address is missing gives way to its backup, and a warning says why", async () => {
  for (const [model, why] of [
    [OPENAI, "openai/gpt-5-mini needs a key: set OPENAI_API_KEY"],
    [
      { name: "openai-compatible/m" },
      "openai-compatible/m needs an address: set provider_url or OPENAI_COMPATIBLE_BASE_URL",
    ],
  ] as const) {
    const { outcome, content, steps, warnings } = await run({ model, backup: BACKUP });
    assert.deepEqual([outcome, content], ["done", "B"]);
    assert.deepEqual(steps, [
      ["acme/spare", 0],
      ["acme/spare", 0],
    ]);
    assert.deepEqual(
      warnings,
      Array.from({ length: 2 }, () => `${why}; acme/spare takes over`),
    );
  }
});

test("with no backup, or one that lacks its key too, a missing key is an error that names the first model's", () => {
  const models = new ModelRegistry({ env: {} });
  const expected = { code: "invalid", message: "openai/gpt-5-mini needs a key: set OPENAI_API_KEY" };
  for (const backup of [undefined, { name: "anthropic/claude-haiku-5-5" }]) {
    assert.throws(() => models.forAgent({ model: OPENAI, backup }), expected);
  }
});

test("a name or an address that cannot be right is an error, whatever the backup", () => {
  const models = new ModelRegistry({ env: { OPENAI_API_KEY: "k" } });
  const backup = { name: "offline" };
  for (const model of [{ name: "acme/x" }, { name: "openai-compatible/m", url: "nonsense" }]) {
    assert.throws(() => models.forAgent({ model, backup }), { code: "invalid" }, model.name);
  }
  assert.throws(() => models.forAgent({ model: OPENAI, backup: { name: "acme/x" } }), { code: "invalid" });
});

test("a model that cannot be called costs nothing, is no call and no error, and its prices are not the backup's", async () => {
  const ledger = new MemoryLedger(new SimulatedClock(1));
  const costLimits = { inputTokenPricePerMillion: 1, outputTokenPricePerMillion: 1 };
  const settings = { maxCallsPerHour: 2, maxErrorsPerHour: 1, maxConsecutiveErrors: 1 };
  const { outcome, steps } = await run({ model: OPENAI, backup: BACKUP, costLimits }, settings, { ledger });
  assert.equal(outcome, "done");
  assert.deepEqual(
    steps.map(([, costUsd]) => costUsd),
    [0, 0],
  );
});
