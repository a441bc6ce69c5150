import assert from "node:assert/strict";
import { test } from "node:test";
import { costUsd, type Price, priceOf, toUsd } from "./prices.ts";

const MILLION = 1_000_000;
const LONG: Price = {
  input: 1,
  cachedInput: 0.5,
  output: 10,
  long: { aboveTokens: 200_000, input: 2, cachedInput: 0.25, output: 20 },
};
const overrides = new Map<string, Price>([
  ["acme/long", LONG],
  ["acme/plain", { input: 3, output: 4 }],
]);

test("a long call costs the rates of long calls, for cached input too", () => {
  const usage = { inputTokens: 2 * MILLION, cachedTokens: MILLION, outputTokens: MILLION };
  assert.equal(costUsd("acme/long", usage, overrides), 2 + 0.25 + 20);
  const edge = { inputTokens: 200_000, cachedTokens: 200_000, outputTokens: 0 };
  assert.equal(costUsd("acme/long", edge, overrides), 0.1);
  assert.equal(costUsd("acme/long", { ...edge, inputTokens: 200_001, cachedTokens: 200_000 }, overrides), 0.050002);
});

test("cached input costs what other input costs if the price does not say, and never more tokens than were read", () => {
  const usage = { inputTokens: MILLION, cachedTokens: 5 * MILLION, outputTokens: 0 };
  assert.equal(costUsd("acme/plain", usage, overrides), 3);
  assert.equal(costUsd("acme/long", { ...usage, inputTokens: 100_000 }, overrides), 0.05);
});

test("input that is written into the cache has its own price, and another if it is kept for long", () => {
  const price: Price = { input: 4, cachedInput: 1, cacheWrite: 5, cacheWriteLong: 8, output: 0 };
  const usage = { inputTokens: 3 * MILLION, cachedTokens: MILLION, cacheWriteTokens: MILLION, outputTokens: 0 };
  assert.deepEqual([toUsd(price, usage), toUsd(price, usage, "long"), toUsd(LONG, usage)], [10, 13, 4.25]);
  const wrong = { inputTokens: MILLION, cachedTokens: MILLION, cacheWriteTokens: MILLION, outputTokens: 0 };
  assert.equal(toUsd(price, wrong), 1, "no more tokens than were read");
});

test("every price of Anthropic says what writing into the cache costs", () => {
  for (const model of ["anthropic/claude-sonnet-4-5", "anthropic/claude-opus-5-5", "anthropic/claude-haiku-5-5"]) {
    const { input, cacheWrite, cacheWriteLong } = priceOf(model) ?? assert.fail(model);
    assert.deepEqual([cacheWrite, cacheWriteLong], [input * 1.25, input * 2], model);
  }
});

test("a model that the table does not know has no price, and one on this machine costs nothing", () => {
  const usage = { inputTokens: MILLION, outputTokens: MILLION };
  assert.equal(costUsd("acme/unknown", usage), undefined);
  assert.deepEqual(
    ["ollama/x", "code/offline", "script", "offline"].map((model) => costUsd(model, usage)),
    [0, 0, 0, 0],
  );
});
