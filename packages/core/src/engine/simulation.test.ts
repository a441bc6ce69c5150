import assert from "node:assert/strict";
import { test } from "node:test";
import { of } from "../testing/crew-runs.ts";
import { checkInvariants } from "../testing/run-invariants.ts";
import { simulate } from "../testing/simulation.ts";

test("300 random runs keep every promise, whatever fails and whenever it is cancelled", async () => {
  const outcomes = new Set<string | undefined>();
  for (let seed = 1; seed <= 300; seed++) {
    const simulated = await simulate(seed);
    checkInvariants(seed, simulated);
    outcomes.add(of(simulated.events, "run.ended")[0]?.outcome);
  }
  assert.deepEqual(outcomes, new Set(["cancelled", "done", "failed", "limit"]));
});

test("the same seed plays the same run, event for event", async () => {
  for (const seed of [3, 77, 4_242]) {
    assert.deepEqual((await simulate(seed)).events, (await simulate(seed)).events);
  }
});
