/** The agent that answers each input; no tool can change the machine. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { of, play } from "@baton/core/testing";
import { readCrew } from "@baton/crewfile";

const { crew, script, findings } = await readCrew(import.meta.dirname, { providers: [] });
assert.ok(crew && script, JSON.stringify(findings));

const SISTER = join(import.meta.dirname, "..", "it-support");

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

test("whatever the tools judge, there is an answer to it", async () => {
  const sources = await Promise.all(["disk.ts", "memory.ts"].map((name) => readFile(join(SISTER, name), "utf8")));
  const advice = sources.flatMap((text) =>
    Array.from(text.matchAll(/(?:ok|warning|critical): "(.*)"/g), ([, one]) => one),
  );
  assert.equal(advice.length, 6);
  const whens = (script.get("resolver") ?? []).flatMap(({ when, say }) => (say === undefined ? [] : (when ?? [])));
  for (const text of advice)
    assert.ok(
      whens.some((when) => text?.toLowerCase().includes(when)),
      text,
    );
});

test("the resolver has all tools, and all of them only read", () => {
  assert.equal(crew.tools.size, 12);
  assert.deepEqual(crew.agents.get("resolver")?.tools.toSorted(), [...crew.tools.keys()].toSorted());
  assert.ok([...crew.tools.values()].every(({ effect }) => effect === "read"));
});
