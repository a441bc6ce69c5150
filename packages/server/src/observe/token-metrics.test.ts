import assert from "node:assert/strict";
import { test } from "node:test";
import { observeAll } from "./testing/observed-runs.ts";

test("tokens of a provider's cache are counted by their kind", async () => {
  const { observer } = observeAll([]);
  const usage = { inputTokens: 100, outputTokens: 5, cachedTokens: 60, cacheWriteTokens: 30 };
  const ended = { step: "1.1", agent: "a", text: "", calls: [], finish: "stop", usage } as const;
  observer.observe({ run: "r", seq: 1, at: 0, lane: "", type: "step.ended", ...ended });
  const { metrics } = await observer.metricsJson();
  const [tokens] = metrics.filter(({ name }) => name === "baton_model_tokens_total");
  const counts = tokens?.samples.map(({ labels, value }) => [labels["kind"], value]) ?? [];
  assert.deepEqual(Object.fromEntries(counts), { input: 100, output: 5, cached: 60, cache_write: 30 });
  observer.close();
});
