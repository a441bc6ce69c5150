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

  test("a strict crew of one agent loads as it is, and runs to the end", async () => {
    const { crew, script, warnings } = await read("hello");
    assert.deepEqual(warnings, new Set(["no_effect"]));
    assert.deepEqual(crew.agents.get("hello-agent")?.backup, {
      name: "ollama/gemma3:1b",
      url: "http://localhost:11434",
    });
    const { outcome, content } = await play(crew, script, { input: "Hi" });
    assert.deepEqual({ outcome, content }, { outcome: "done", content: "Hello!" });
  });

  test("a quiz whose groups say wait_for_all: false hears the reporter too", async () => {
    const { crew, script, warnings } = await read("quiz");
    assert.deepEqual(warnings, new Set(["any_other_agent", "cycle", "ignored_signals", "no_effect"]));
    const { events, outcome, agent } = await play(crew, script, { input: "Bắt đầu thi" });
    assert.deepEqual(
      of(events, "turn.started").map((turn) => turn.agent),
      ["teacher", "student", "reporter", "student", "teacher", "reporter", "teacher"],
    );
    assert.deepEqual(
      of(events, "group.ended").map(({ results }) => results.map((one) => one.agent)),
      [
        ["student", "reporter"],
        ["teacher", "reporter"],
      ],
    );
    assert.ok(of(events, "group.ended").every(({ results }) => results.every(({ error }) => error === undefined)));
    assert.deepEqual(
      of(events, "call.ended").map(({ tool }) => tool),
      ["WriteExamReport", "RecordAnswer"],
    );
    assert.deepEqual({ outcome, agent }, { outcome: "done", agent: "teacher" });
  });

  test("a strict help desk goes straight to the one who helps, or asks first", async () => {
    const { crew, script, warnings } = await read("help-desk");
    assert.deepEqual(warnings, new Set(["bare_model", "no_effect"]));
    const clear = await play(crew, script, { input: "Máy 192.168.1.7 rất chậm" });
    assert.deepEqual([clear.outcome, clear.agent], ["done", "executor"]);
    const vague = await play(crew, script, { input: "Chậm quá" });
    assert.deepEqual([vague.outcome, vague.agent], ["paused", "clarifier"]);
    const resumed = await collect(vague.engine.resume(vague.run.id, "Máy kế toán"));
    assert.deepEqual([resumed.outcome, resumed.agent], ["done", "executor"]);
  });
});

async function read(name: string) {
  const folder = join(import.meta.dirname, "../fixtures/reference", name);
  const { crew, script, findings } = await readCrew(folder, { providers: PROVIDERS });
  assert.ok(crew && script, JSON.stringify(findings));
  return { crew, script: Object.fromEntries(script), warnings: new Set(findings.map(({ code }) => code)) };
}
