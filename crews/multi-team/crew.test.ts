/** One pass through both teams, by the script. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { of, play } from "@baton/core/testing";
import { readCrew } from "@baton/crewfile";

const { crew, script, findings } = await readCrew(import.meta.dirname, { providers: [] });
assert.ok(crew && script, JSON.stringify(findings));
const input = "Should our team of eight try a four-day week?";

test("the baton comes back to the coordinator after each team, and the report ends the run", async () => {
  const { events, outcome, agent, content } = await play(crew, script, { input });
  assert.deepEqual(
    of(events, "turn.started").map((turn) => `${turn.lane} ${turn.agent}`.trim()),
    [
      "coordinator",
      "alpha",
      "2/alpha researcher",
      "2/alpha analyst",
      "coordinator",
      "beta",
      "4/beta writer",
      "4/beta reviewer",
      "coordinator",
    ],
  );
  assert.deepEqual({ outcome, agent }, { outcome: "done", agent: "coordinator" });
  assert.match(content, /^# A four-day week, on trial/);
});

test("a team member who forgets the signal hands on all the same", async () => {
  const forgetful = { ...Object.fromEntries(script), "alpha/researcher": [{ say: "Seven points, and no signal." }] };
  const { events, outcome } = await play(crew, forgetful, { input });
  const [, second] = of(events, "handoff.made");
  assert.partialDeepStrictEqual(second, { from: "researcher", to: "analyst", via: "default", lane: "2/alpha" });
  assert.equal(outcome, "done");
});

test("a coordinator who is never content is stopped by the limit", async () => {
  const restless = { ...Object.fromEntries(script), coordinator: [{ say: "Once more. [DELEGATE_ALPHA]" }] };
  const { events, outcome } = await play(crew, restless, { input });
  assert.equal(of(events, "handoff.made").filter(({ to }) => to === "alpha").length, 5);
  assert.equal(outcome, "limit");
});
