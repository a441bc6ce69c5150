/** Who answers what, and that nothing here can change the machine. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { of, play } from "@baton/core/testing";
import { readCrew } from "@baton/crewfile";

const { crew, script, findings } = await readCrew(import.meta.dirname, { providers: [] });
assert.ok(crew && script, JSON.stringify(findings));

for (const [input, tools, answer] of [
  ["How full is the disk of this machine?", ["GetDiskSpace", "CheckDiskStatus"], /disk/],
  ["Does this machine have enough memory?", ["GetMemoryUsage", "CheckMemoryStatus"], /memory/],
] as const) {
  test(`"${input}": the resolver measures, and answers by what it found`, async () => {
    const { events, outcome, agent, content } = await play(crew, script, { input });
    assert.deepEqual(
      of(events, "turn.started").map((turn) => turn.agent),
      ["responder", "resolver"],
    );
    assert.deepEqual(
      of(events, "call.started").map(({ tool }) => tool),
      tools,
    );
    assert.ok(of(events, "call.ended").every(({ error }) => error === undefined));
    assert.deepEqual({ outcome, agent }, { outcome: "done", agent: "resolver" });
    assert.match(content, answer);
  });
}

test("a vague request is asked back by the responder, and the run ends with the question", async () => {
  const { events, outcome, content } = await play(crew, script, { input: "My computer is slow" });
  assert.deepEqual(
    of(events, "turn.started").map(({ agent }) => agent),
    ["responder"],
  );
  assert.equal(outcome, "done");
  assert.match(content, /^Which computer is slow/);
});

test("the resolver has all tools, and all of them only read", () => {
  assert.equal(crew.tools.size, 12);
  assert.deepEqual(crew.agents.get("resolver")?.tools.toSorted(), [...crew.tools.keys()].toSorted());
  assert.ok([...crew.tools.values()].every(({ effect }) => effect === "read"));
});
