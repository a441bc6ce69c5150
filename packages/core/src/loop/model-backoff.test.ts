/** The wait before another try of a model is cut to the time that is left, so that a backup is still asked. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { defineCrew } from "../definitions/crew.ts";
import { Engine } from "../engine/engine.ts";
import { BatonError, type ErrorDetails } from "../words/error.ts";
import type { Chunk, Model } from "../ports/model.ts";
import { collect, of } from "../testing/crew-runs.ts";
import { SimulatedClock } from "../testing/simulated-clock.ts";

/** Fails until the step's last try, as a model does that has a backup then. */
function failing(details: ErrorDetails = {}): Model {
  return {
    name: "flaky",
    async *stream({ attempt, attempts }): AsyncGenerator<readonly Chunk[]> {
      if (attempt < attempts) throw new BatonError("model", "503 overloaded", { retryable: true, ...details });
      yield [{ type: "text", text: "By the backup." }];
      yield [{ type: "end", finish: "stop", usage: { inputTokens: 1, outputTokens: 1 } }];
    },
  };
}

/** Runs one agent for a second at most, with waits that are longer than that. */
async function run(model: Model) {
  const crew = defineCrew({
    name: "c",
    agents: [{ id: "a", isTerminal: true }],
    settings: { timeoutMs: 1_000, modelRetryMinMs: 5_000, modelAttempts: 4 },
  });
  const clock = new SimulatedClock(1);
  clock.random = () => 0.999_999;
  await using engine = new Engine({ clock, model: () => model });
  const { outcome, content, error, events } = await clock.run(collect(engine.start(crew, { input: "go" })));
  const delays = of(events, "step.retried").map(({ delayMs }) => delayMs);
  return { outcome, content, code: error?.code, ms: clock.monotonic(), delays };
}

test("a wait takes no more than half of the time that is left, and the last try is made", async () => {
  const { outcome, content, ms, delays } = await run(failing());
  assert.deepEqual([outcome, content], ["done", "By the backup."]);
  assert.deepEqual([ms, delays], [875, [500, 250, 125]]);
});

test("what the provider asks for is not cut: if that is not left, the step fails at once", async () => {
  const late = await run(failing({ retryAfterMs: 1_000 }));
  assert.deepEqual([late.outcome, late.code, late.ms, late.delays], ["failed", "model", 0, []]);
  // After 900 ms there are not 900 ms left.
  const once = await run(failing({ retryAfterMs: 900 }));
  assert.deepEqual([once.outcome, once.code, once.ms, once.delays], ["failed", "model", 900, [900]]);
});
