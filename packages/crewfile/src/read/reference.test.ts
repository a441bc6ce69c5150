import assert from "node:assert/strict";
import { join } from "node:path";
import { suite, test } from "node:test";
import { Engine, type Model, type Script, scriptModel } from "@baton/core";
import { collect, of, play, type Played } from "@baton/core/testing";
import { readCrew } from "./read-crew.ts";

const PROVIDERS = ["openai", "anthropic", "google", "ollama"];

/** The reference's crews, and what is said of them beside fields without effect. */
const CREWS = new Map([
  ["hello", []],
  ["hello-tools", []],
  ["quiz", ["any_other_agent", "cycle", "ignored_signals"]],
  ["quiz-targets", ["unreachable_agent"]],
  ["multi-team/master-team", ["unrouted_signal"]],
  ["multi-team/team-alpha", ["any_other_agent", "cycle"]],
  ["multi-team/team-beta", ["any_other_agent", "cycle"]],
  ["help-desk", ["bare_model"]],
  ["help-desk-permissive", ["bare_model", "unmentioned_signal"]],
]);

suite("crews in the words of the reference engine", () => {
  for (const [name, codes] of CREWS) {
    test(`${name} has no errors, and warnings for what does nothing here`, async () => {
      assert.deepEqual([...(await read(name)).codes].toSorted(), [...codes, "no_effect"].toSorted());
    });
  }

  test("a desk that asks back loads as it is, and runs by its script through a pause to the end", async () => {
    const { crew, script, codes } = await read("it-support");
    assert.deepEqual(codes, new Set(["bare_model", "unmentioned_signal", "unreachable_agent", "unreachable_group"]));
    assert.equal(crew.entry.id, "orchestrator");
    assert.deepEqual(crew.agents.get("executor")?.model, { name: "openai/gpt-4o-mini" });
    const { engine, run, outcome } = await play(crew, script, { input: "Máy chậm lắm" });
    assert.equal(outcome, "paused");
    const resumed = await collect(engine.resume(run.id, "Máy này, từ sáng nay"));
    assert.deepEqual(agentsOf(resumed), ["orchestrator", "clarifier", "clarifier", "executor"]);
    assert.deepEqual(
      of(resumed.events, "call.ended").map(({ tool, output }) => ({ tool, output })),
      ["tool1", "tool2"].map((tool) => ({ tool, output: "CPU 97 %" })),
    );
    assert.equal(resumed.outcome, "done");
  });

  test("a strict crew of one agent runs to the end", async () => {
    const { crew, script } = await read("hello");
    assert.deepEqual(crew.agents.get("hello-agent")?.backup, {
      name: "ollama/gemma3:1b",
      url: "http://localhost:11434",
    });
    const { outcome, content } = await play(crew, script, { input: "Hi" });
    assert.deepEqual({ outcome, content }, { outcome: "done", content: "Hello!" });
  });

  for (const name of ["help-desk", "help-desk-permissive"]) {
    test(`${name} goes straight to the one who helps, or asks first`, async () => {
      const { crew, script } = await read(name);
      const clear = await play(crew, script, { input: "Máy 192.168.1.7 rất chậm" });
      assert.deepEqual([clear.outcome, clear.agent], ["done", "executor"]);
      const vague = await play(crew, script, { input: "Chậm quá" });
      assert.deepEqual([vague.outcome, vague.agent], ["paused", "clarifier"]);
      const resumed = await collect(vague.engine.resume(vague.run.id, "Máy kế toán"));
      assert.deepEqual([resumed.outcome, resumed.agent], ["done", "executor"]);
    });
  }

  for (const [name, agents, content] of [
    ["team-alpha", ["researcher", "analyst"], "Nên chọn loại nhẹ."],
    ["team-beta", ["writer", "reviewer"], "Loại nhẹ đáng mua nhất."],
    // The reference joins its teams in Go: here its signal leads nowhere, and the run ends with the reply.
    ["master-team", ["coordinator"], "Việc này cần tìm hiểu trước. [DELEGATE_ALPHA]"],
  ] as const) {
    test(`${name} runs to the end`, async () => {
      const { crew, script } = await read(`multi-team/${name}`);
      const played = await play(crew, script, { input: "Nên mua loại nào?" });
      assert.deepEqual(agentsOf(played), agents);
      assert.deepEqual([played.outcome, played.content], ["done", content]);
    });
  }
});

suite("the reference's quiz", () => {
  test("with groups that say wait_for_all: false, the reporter is heard by the agent that follows each group", async () => {
    const { crew, script } = await read("quiz");
    const { model, heard } = listening(script);
    const played = await collect(new Engine({ model: () => model }).start(crew, { input: "Bắt đầu thi" }));
    const turns = ["teacher", "student", "reporter", "student", "teacher", "reporter", "teacher", "reporter"];
    assert.deepEqual(agentsOf(played), turns);
    const results = of(played.events, "group.ended").map((group) => group.results);
    assert.deepEqual(
      results.map((members) => members.map(({ agent, error }) => [agent, error])),
      ["student", "teacher"].map((other) => [
        [other, undefined],
        ["reporter", undefined],
      ]),
    );
    assert.equal(heard("student").at(-1), "[student] Hà Nội. [ANSWER]\n\n[reporter] Đã ghi câu hỏi. [OK]");
    assert.equal(heard("teacher").at(-1), "[teacher] Đúng rồi. [OK]\n\n[reporter] Đã ghi câu trả lời. [OK]");
  });

  test("a tool of a group's member runs, and the reporter's own signal ends the exam", async () => {
    const { crew, script } = await read("quiz");
    const { events, outcome, agent } = await play(crew, script, { input: "Bắt đầu thi" });
    assert.deepEqual(
      of(events, "call.ended").map(({ tool }) => tool),
      ["WriteExamReport", "RecordAnswer", "WriteExamReport"],
    );
    const ended = of(events, "signal.matched").at(-1);
    assert.deepEqual([ended?.agent, ended?.signal, ended?.target], ["reporter", "[END_EXAM]", ""]);
    assert.deepEqual({ outcome, agent }, { outcome: "done", agent: "reporter" });
  });

  test("with parallel_targets, a signal leads where its target says, and the warning stands at the field", async () => {
    const { crew, script, findings } = await read("quiz-targets");
    const [warning] = findings.filter(({ path }) => path.endsWith("parallel_targets"));
    assert.deepEqual(
      [warning?.code, warning?.line, warning?.path],
      ["no_effect", 17, "routing.signals.teacher[0].parallel_targets"],
    );
    const asked = await play(crew, script, { input: "Bắt đầu thi" });
    assert.deepEqual(agentsOf(asked), ["teacher"]);
    assert.deepEqual([asked.outcome, asked.content], ["done", "Thủ đô của Việt Nam là gì?"]);
    const ended = await play(crew, script, { input: "Hết câu hỏi" });
    assert.deepEqual(agentsOf(ended), ["teacher", "reporter"]);
    assert.deepEqual([ended.outcome, ended.content], ["done", "Biên bản đã xong."]);
  });
});

async function read(name: string) {
  const folder = join(import.meta.dirname, "../../fixtures/reference", name);
  const { crew, script, findings } = await readCrew(folder, { providers: PROVIDERS });
  assert.ok(crew && script, JSON.stringify(findings));
  return { crew, script, findings, codes: new Set(findings.map(({ code }) => code)) };
}

const agentsOf = ({ events }: Pick<Played, "events">): readonly string[] =>
  of(events, "turn.started").map(({ agent }) => agent);

/** A scripted model that keeps the messages of each agent's last call. */
function listening(script: Script): { model: Model; heard: (agent: string) => readonly string[] } {
  const played = scriptModel(script);
  const last = new Map<string, readonly string[]>();
  const model: Model = {
    ...played,
    stream: (prompt, scope) => {
      last.set(
        prompt.agent,
        prompt.messages.map(({ content }) => content),
      );
      return played.stream(prompt, scope);
    },
  };
  return { model, heard: (agent) => last.get(agent) ?? [] };
}
