import assert from "node:assert/strict";
import { test } from "node:test";
import { listModels } from "./list-models.ts";

const env = {
  ANTHROPIC_API_KEY: "sk-secret",
  ANTHROPIC_BASE_URL: "https://secret.example",
  OPENAI_COMPATIBLE_BASE_URL: "https://secret.example",
};

test("a model is listed with its window, its lengths, its prices and what it can do", () => {
  const [claude] = listModels(["anthropic/claude-sonnet-4-5"], {
    env,
    inUse: new Set(["anthropic/claude-sonnet-4-5"]),
  });
  assert.deepEqual(claude, {
    id: "anthropic/claude-sonnet-4-5",
    provider: "anthropic",
    label: "claude-sonnet-4-5",
    default: true,
    available: true,
    window: 200_000,
    maxOutput: 64_000,
    price: { input: 3, output: 15, cached: 0.3, cacheWrite: 3.75 },
    reasoning: true,
    images: true,
  });
});

test("a model that cannot be used says why, and nothing of keys and addresses", () => {
  const names = ["openai/gpt-4o", "openai-compatible/m", "acme/x", "openai/", "google/gemini-2.5-pro"];
  const listed = listModels(names, { env });
  assert.deepEqual(
    listed.map(({ available, reason }) => [available, reason]),
    [
      [false, "the server has no key for openai"],
      [true, undefined],
      [false, "there is no such model"],
      [false, "there is no such model"],
      [false, "the server has no key for google"],
    ],
  );
  assert.deepEqual(
    listModels(["openai-compatible/m"], { env: {} })[0]?.reason,
    "the server has no address for openai-compatible",
  );
  const text = JSON.stringify(listModels([...names, "anthropic/claude-opus-5"], { env }));
  assert.ok(!text.includes("secret") && !text.includes("API_KEY") && !text.includes("BASE_URL"), text);
});

test("names by size stand for the model they mean, and models without a provider are always there", () => {
  const listed = listModels(["auto/large", "auto/small", "offline", "ollama/qwen3"], {
    env,
    inUse: new Set(["anthropic/claude-sonnet-5-5"]),
  });
  assert.deepEqual(
    listed.map((model) => [model.id, model.provider, model.label, model.default, model.available, model.price?.input]),
    [
      ["auto/large", "anthropic", "large (claude-sonnet-5-5)", true, true, 2],
      ["auto/small", "anthropic", "small (claude-haiku-5-5)", false, true, listed[1]?.price?.input],
      ["offline", "offline", "offline", false, true, 0],
      ["ollama/qwen3", "ollama", "qwen3", false, true, 0],
    ],
  );
});
