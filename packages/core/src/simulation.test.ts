import assert from "node:assert/strict";
import { test } from "node:test";
import type { RunEvent } from "./event.ts";
import { fold } from "./fold.ts";
import { of } from "./testing/crew-runs.ts";
import { simulate, type Simulated } from "./testing/simulation.ts";

const RUNS = 10_000;

const PAIRS = [
  ["turn.started", "turn.ended", "turn"],
  ["step.started", "step.ended", "step"],
  ["call.started", "call.ended", "call"],
  ["group.started", "group.ended", "turn"],
] as const;

/** Positions of one type of event, each as often as it occurs. */
function positions(events: readonly RunEvent[], type: string, field: string): string[] {
  return events
    .filter((event) => event.type === type)
    .map((event) => String(new Map(Object.entries(event)).get(field)));
}

function checkInvariants(seed: number, { crew, events, leaked, livesMs, remembered }: Simulated): void {
  const at = `seed ${seed}`;
  assert.deepEqual(
    events.map(({ seq }) => seq),
    events.map((_, index) => index + 1),
    `${at}: seq has a gap`,
  );
  assert.equal(events.at(-1)?.type, "run.ended", `${at}: something after the end`);
  assert.equal(of(events, "run.ended").length, 1, at);
  for (const [started, ended, field] of PAIRS) {
    const begun = positions(events, started, field).toSorted();
    assert.deepEqual(positions(events, ended, field).toSorted(), begun, `${at}: ${started} without its ${ended}`);
    assert.equal(new Set(begun).size, begun.length, `${at}: ${started} twice`);
  }
  const { maxHandoffs, maxSteps, timeoutMs } = crew.settings;
  assert.ok(
    of(events, "handoff.made").every(({ count }) => count < maxHandoffs),
    `${at}: too many handoffs`,
  );
  assert.ok(
    of(events, "step.started").every(({ step }) => Number(step.split(".").at(-1)) <= maxSteps),
    `${at}: too many steps`,
  );
  assert.ok(
    livesMs.every((ms) => ms <= timeoutMs + 250),
    `${at}: ${livesMs.join()} ms is longer than the run may be`,
  );
  assert.equal(leaked, 0, `${at}: ${leaked} leaked`);
  assert.deepEqual(remembered, fold(events).history, `${at}: the fold differs from what was lived`);
}

test(
  "10,000 random runs keep every promise, whatever fails and whenever it is cancelled",
  { timeout: 280_000 },
  async () => {
    const outcomes = new Map<string, number>();
    for (let seed = 1; seed <= RUNS; seed++) {
      const simulated = await simulate(seed);
      checkInvariants(seed, simulated);
      const [ended] = of(simulated.events, "run.ended");
      outcomes.set(ended?.outcome ?? "none", (outcomes.get(ended?.outcome ?? "none") ?? 0) + 1);
    }
    assert.deepEqual([...outcomes.keys()].toSorted(), ["cancelled", "done", "failed", "limit"]);
  },
);

test("the same seed plays the same run, event for event", async () => {
  for (const seed of [3, 77, 4_242]) {
    assert.deepEqual((await simulate(seed)).events, (await simulate(seed)).events);
  }
});
