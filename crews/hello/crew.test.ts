/** The smallest crew, run by its script. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { of, play } from "@baton/core/testing";
import { readCrew } from "@baton/crewfile";

const { crew, script, findings } = await readCrew(import.meta.dirname, { providers: [] });
assert.ok(crew && script, JSON.stringify(findings));

for (const [input, reply] of [
  ["Hello!", /^Hello, and welcome!/],
  ["What is Baton?", /^Baton runs crews of agents\./],
] as const) {
  test(`the greeter answers "${input}" and the run is done`, async () => {
    const { events, outcome, content } = await play(crew, script, { input });
    assert.deepEqual(
      of(events, "turn.started").map(({ agent }) => agent),
      ["greeter"],
    );
    assert.equal(outcome, "done");
    assert.match(content, reply);
  });
}
