import assert from "node:assert/strict";
import { join } from "node:path";
import { suite, test } from "node:test";
import { collect, of, play } from "@baton/core/testing";
import { readCrew } from "./read.ts";

const PROVIDERS = ["openai", "anthropic", "google", "ollama"];

suite("crews in the words of the reference engine", () => {
  test("a desk that asks back loads as it is, and runs by its script through a pause to the end", async () => {
    const { crew, script, warnings } = await read("it-support");
    assert.deepEqual(warnings, new Set(["bare_model", "unmentioned_signal", "unreachable_agent", "unreachable_group"]));
    assert.equal(crew.entry.id, "orchestrator");
    assert.deepEqual(crew.agents.get("executor")?.model, { name: "openai/gpt-4o-mini" });
    const { engine, run, outcome } = await play(crew, script, { input: "Máy chậm lắm" });
    assert.equal(outcome, "paused");
    const resumed = await collect(engine.resume(run.id, "Máy này, từ sáng nay"));
    assert.deepEqual(
      of(resumed.events, "turn.started").map(({ agent }) => agent),
      ["orchestrator", "clarifier", "clarifier", "executor"],
    );
    assert.deepEqual(
      of(resumed.events, "call.ended").map(({ tool, output }) => ({ tool, output })),
      ["tool1", "tool2"].map((tool) => ({ tool, output: "CPU 97 %" })),
    );
    assert.equal(resumed.outcome, "done");
  });

  test("an exam with a group that counts the first answer loads as it is, and runs by its script to the end", async () => {
    const { crew, script, warnings } = await read("oral-exam");
    assert.deepEqual(warnings, new Set(["any_other_agent", "cycle", "ignored_signals", "no_effect"]));
    assert.equal(crew.signals.get("reporter")?.[0]?.target, "");
    assert.deepEqual(crew.agents.get("teacher")?.backup, { name: "openai/gpt-4o-mini" });
    const { events, outcome, agent } = await play(crew, script, { input: "Bắt đầu thi" });
    assert.deepEqual(
      of(events, "turn.started").map((turn) => turn.agent),
      ["teacher", "student", "reporter", "teacher", "student", "reporter", "teacher", "reporter"],
    );
    assert.deepEqual(
      of(events, "group.ended").map(({ winner }) => winner),
      ["student", "student"],
    );
    assert.deepEqual({ outcome, agent }, { outcome: "done", agent: "reporter" });
  });
});

async function read(name: string) {
  const folder = join(import.meta.dirname, "../fixtures/reference", name);
  const { crew, script, findings } = await readCrew(folder, { providers: PROVIDERS });
  assert.ok(crew && script, JSON.stringify(findings));
  return { crew, script: Object.fromEntries(script), warnings: new Set(findings.map(({ code }) => code)) };
}
