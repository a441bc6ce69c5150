import assert from "node:assert/strict";
import { test } from "node:test";
import { chooseModel, type ChooseModelOptions, needsLocalModels } from "./choose-model.ts";
import { priceOf } from "../money/prices.ts";
import { contextTokensOf } from "./context-window.ts";

const NONE: ChooseModelOptions = { env: {}, hasScript: false };
const LOCAL = { url: "http://127.0.0.1:11434", small: "qwen3:1.7b", large: "qwen3:32b" };
const choose = (options: Partial<ChooseModelOptions>) => chooseModel({ ...NONE, ...options });
const [a, b, c] = [{ name: "ollama/a" }, { name: "ollama/b" }, { name: "ollama/c" }];
const [small, large] = [{ name: "auto/small" }, { name: "auto/large" }];

test("the model is the agent's, else the crew's, else the environment's, and the reason is told", () => {
  assert.deepEqual(choose({ override: a, agent: b, crew: c }).ref, a);
  assert.deepEqual(choose({ agent: b, crew: c }).ref, b);
  const unused = { BATON_MODEL: "x/y" };
  assert.deepEqual(choose({ crew: c, env: unused }), {
    ref: c,
    why: "the crew names it, which goes before BATON_MODEL (x/y)",
  });
  assert.equal(choose({ agent: b, env: unused }).why, "the agent names it, which goes before BATON_MODEL (x/y)");
  assert.equal(choose({ agent: b, env: { BATON_MODEL: b.name } }).why, "the agent names it");
  const keys = { GEMINI_API_KEY: "g", ANTHROPIC_API_KEY: "a" };
  assert.deepEqual(choose({ env: { ...keys, BATON_MODEL: "x/y" }, hasScript: true }), {
    ref: { name: "x/y" },
    why: "BATON_MODEL is set",
  });
  assert.match(choose({ env: { ...keys, OPENAI_API_KEY: "o" }, hasScript: true }).ref.name, /^openai\//);
  assert.deepEqual(choose({ env: keys, hasScript: true }), {
    ref: { name: "anthropic/claude-sonnet-5-5" },
    why: "ANTHROPIC_API_KEY is set",
  });
  assert.match(choose({ env: { GOOGLE_API_KEY: "g" }, hasScript: true }).ref.name, /^google\//);
});

test("without a key an Ollama that answers is used, then the crew's program, its script, and rules", () => {
  const all = { env: { OPENAI_API_KEY: "" }, local: LOCAL, hasProgram: true, hasScript: true };
  assert.deepEqual(choose(all), {
    ref: { name: "ollama/qwen3:32b" },
    why: "no provider's key is set, and Ollama answers at http://127.0.0.1:11434",
  });
  assert.deepEqual(choose({ ...all, local: undefined }), {
    ref: { name: "code/offline" },
    why: "no provider's key is set, and the crew brings a program for that",
  });
  assert.equal(choose({ ...all, local: undefined, hasProgram: false }).ref.name, "script");
  assert.deepEqual(choose({}), { ref: { name: "offline" }, why: "no provider's key is set" });
  assert.match(choose({ ...all, env: { GEMINI_API_KEY: "k" } }).ref.name, /^google\//);
});

test("auto/small and auto/large are the defaults of the provider whose key is set, whoever names them", () => {
  const env = { ANTHROPIC_API_KEY: "k" };
  assert.deepEqual(choose({ agent: small, env }), {
    ref: { name: "anthropic/claude-haiku-5-5" },
    why: "the agent names auto/small, and ANTHROPIC_API_KEY is set",
  });
  assert.equal(choose({ crew: small, env }).why, "the crew names auto/small, and ANTHROPIC_API_KEY is set");
  assert.equal(
    choose({ override: large, agent: a, env }).why,
    "auto/large was asked for when the run was started, and ANTHROPIC_API_KEY is set",
  );
  assert.deepEqual(choose({ agent: large, env }).ref, choose({ env }).ref, "an agent that names none has auto/large");
  assert.deepEqual(choose({ env: { ...env, BATON_MODEL: "auto/small" } }), {
    ref: { name: "anthropic/claude-haiku-5-5" },
    why: "BATON_MODEL is auto/small, and ANTHROPIC_API_KEY is set",
  });
  assert.equal(choose({ agent: small, local: LOCAL }).ref.name, "ollama/qwen3:1.7b");
  assert.equal(choose({ agent: small, hasScript: true }).ref.name, "script");
});

test("BATON_MODEL is auto/large, and decides whose small model auto/small is", () => {
  const env = { BATON_MODEL: "anthropic/claude-opus-5", OPENAI_API_KEY: "k" };
  assert.equal(choose({ agent: large, env }).ref.name, "anthropic/claude-opus-5");
  assert.equal(choose({ agent: small, env }).ref.name, "anthropic/claude-haiku-5-5");
  const own = { BATON_MODEL: "openai-compatible/any", OPENAI_API_KEY: "k" };
  assert.equal(choose({ agent: small, env: own }).ref.name, "openai-compatible/any");
});

test("another word after auto/ is an error that names the two there are", () => {
  for (const options of [{ agent: { name: "auto/huge" } }, { env: { BATON_MODEL: "auto/huge" } }]) {
    assert.throws(() => choose(options), {
      code: "invalid",
      message: '"auto/huge" is not a model; write auto/small or auto/large',
    });
  }
});

test("a local Ollama matters only if no name, variable or key decides", () => {
  const needs = (options: Partial<ChooseModelOptions>) => needsLocalModels({ ...NONE, ...options });
  assert.ok(needs({}));
  assert.ok(needs({ agent: small, hasScript: true }));
  assert.ok(needs({ override: large, agent: a }));
  assert.ok(!needs({ agent: a }));
  assert.ok(!needs({ agent: small, env: { OPENAI_API_KEY: "k" } }));
  assert.ok(!needs({ env: { BATON_MODEL: "offline" } }));
});

test("every model that is taken by default has a price and a window, and the small one is cheaper", () => {
  for (const env of [{ OPENAI_API_KEY: "k" }, { ANTHROPIC_API_KEY: "k" }, { GEMINI_API_KEY: "k" }]) {
    const [cheap, dear] = [small, large].map((agent) => {
      const { name } = choose({ agent, env }).ref;
      assert.ok(contextTokensOf(name) !== undefined, name);
      return priceOf(name);
    });
    assert.ok(cheap !== undefined && dear !== undefined);
    assert.ok(cheap.input < dear.input && cheap.output < dear.output);
  }
});
