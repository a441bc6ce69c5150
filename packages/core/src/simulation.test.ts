import assert from "node:assert/strict";
import { test } from "node:test";
import type { RunEvent } from "./event.ts";
import { fold } from "./fold.ts";
import { toResult } from "./run-result.ts";
import { of } from "./testing/crew-runs.ts";
import { simulate, type Simulated } from "./testing/simulation.ts";

const RUNS = 10_000;

const PAIRS = [
  ["turn.started", "turn.ended", "turn"],
  ["step.started", "step.ended", "step"],
  ["call.started", "call.ended", "call"],
  ["group.started", "group.ended", "turn"],
] as const;

/** What a simulation must have met often enough to say something about it. */
const RARE: { readonly [what: string]: (event: RunEvent) => boolean } = {
  "a lane cancelled alone": ({ type, ...rest }) =>
    type === "turn.ended" && "error" in rest && rest.error?.lane !== undefined,
  "a call cancelled alone": (event) => event.type === "call.ended" && event.error?.kind === "cancelled",
  "a tool of the client": (event) => event.type === "question.answered" && event.question.endsWith("/tool"),
  "a configured run": (event) => event.type === "command.received" && event.command.type === "configure",
  "an empty reply, twice": (event) => event.type === "turn.ended" && event.error?.code === "empty_reply",
  "a failure another agent took over": (event) => event.type === "handoff.made" && event.via === "failure",
  "a loop that was stopped": (event) => event.type === "warning.raised" && event.text.includes("max_repeated_calls"),
  "a cut output": (event) => event.type === "warning.raised" && event.text.includes("max_tool_output_chars"),
  "a window that was outgrown": (event) => event.type === "history.trimmed",
  "a model that ended the run": (event) => event.type === "step.ended" && event.end === true,
};

/** Positions of one type of event, each as often as it occurs. */
function positions(events: readonly RunEvent[], type: string, field: string): string[] {
  return events
    .filter((event) => event.type === type)
    .map((event) => String(new Map(Object.entries(event)).get(field)));
}

function checkInvariants(seed: number, { crew, events, leaked, livesMs, result }: Simulated): void {
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
  assert.deepEqual(toResult(fold(events)), result, `${at}: the fold differs from what was lived`);
  for (const { call } of of(events, "call.ended").filter(({ error }) => error?.kind === "cancelled")) {
    const isCommanded = of(events, "command.received").some(
      ({ command }) => "call" in command && command.call === call,
    );
    assert.ok(isCommanded, `${at}: ${call} was cancelled and nobody said so`);
  }
}

test(
  "10,000 random runs keep every promise, whatever fails and whenever it is cancelled",
  { timeout: 280_000 },
  async () => {
    const outcomes = new Map<string, number>();
    const seen = new Map(Object.keys(RARE).map((what) => [what, 0]));
    for (let seed = 1; seed <= RUNS; seed++) {
      const simulated = await simulate(seed);
      checkInvariants(seed, simulated);
      for (const [what, isThere] of Object.entries(RARE)) {
        if (simulated.events.some(isThere)) seen.set(what, (seen.get(what) ?? 0) + 1);
      }
      const [ended] = of(simulated.events, "run.ended");
      outcomes.set(ended?.outcome ?? "none", (outcomes.get(ended?.outcome ?? "none") ?? 0) + 1);
    }
    assert.deepEqual([...outcomes.keys()].toSorted(), ["cancelled", "done", "failed", "limit"]);
    for (const [what, count] of seen) assert.ok(count > 20, `${what} was seen ${count} times`);
  },
);

test("the same seed plays the same run, event for event", async () => {
  for (const seed of [3, 77, 4_242]) {
    assert.deepEqual((await simulate(seed)).events, (await simulate(seed)).events);
  }
});
