/** A conversation by the script, and the limit that ends one without an end. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { of, play } from "@baton/core/testing";
import { readCrew } from "@baton/crewfile";

const { crew, script, findings } = await readCrew(import.meta.dirname, { providers: [] });
assert.ok(crew && script, JSON.stringify(findings));

for (const [input, learned] of [
  ["Why is the sky blue?", /Air scatters blue light more than red/],
  ["How do bees find their way home?", /a compass, a clock and a map of landmarks/],
] as const) {
  test(`"${input}": the two take turns, and the enthusiast ends the conversation`, async () => {
    const { events, outcome, agent, content } = await play(crew, script, { input });
    assert.deepEqual(
      of(events, "turn.started").map((turn) => turn.agent),
      ["enthusiast", "expert", "enthusiast", "expert", "enthusiast"],
    );
    assert.ok(of(events, "handoff.made").every(({ via }) => via === "signal"));
    assert.deepEqual({ outcome, agent }, { outcome: "done", agent: "enthusiast" });
    assert.match(content, learned);
  });
}

test("a conversation that nobody ends stops at the limit: six handoffs are made", async () => {
  const talkative = { enthusiast: [{ say: "And then? [OVER]" }], expert: [{ say: "Then this. [OVER]" }] };
  const { events, outcome } = await play(crew, talkative, { input: "Tell me everything." });
  assert.equal(of(events, "handoff.made").length, 6);
  assert.equal(outcome, "limit");
});
