/** A whole exam by the script: who speaks when, what is recorded, and the report. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { of, play } from "@baton/core/testing";
import { readCrew } from "@baton/crewfile";

const { crew, script, findings } = await readCrew(import.meta.dirname, { providers: [] });
assert.ok(crew && script, JSON.stringify(findings));
const run = (input: string) => play(crew, script, { input });

test("an exam is ten questions, each answered and noted at the same time, and a report", async () => {
  const { events, outcome } = await run("Please hold an exam on the solar system.");
  const question = ["student", "reporter", "teacher"];
  assert.deepEqual(
    of(events, "turn.started").map(({ agent }) => agent),
    ["teacher", ...Array.from({ length: 10 }, () => question).flat(), "reporter"],
  );
  assert.deepEqual(
    of(events, "call.started").map(({ tool }) => tool),
    [
      "SetExamInfo",
      ...Array.from({ length: 10 }, () => "RecordAnswer"),
      "GetQuizStatus",
      "GetFinalResult",
      "WriteExamReport",
    ],
  );
  assert.ok(of(events, "call.ended").every(({ error }) => error === undefined));
  assert.equal(outcome, "done");
});

test("the exam can be asked for in other words", async () => {
  const { events, outcome } = await run("Examine me on the solar system");
  assert.equal(outcome, "done");
  assert.equal(of(events, "call.started").filter(({ tool }) => tool === "RecordAnswer").length, 10);
});

test("eight right answers pass, and the reporter hands out the report as it was written", async () => {
  const { events, raw } = await run("Please hold an exam on the solar system.");
  const outputs = new Map(of(events, "call.ended").map(({ tool, output }) => [tool, output]));
  assert.partialDeepStrictEqual(outputs.get("GetFinalResult"), { score: "8/10", complete: true, passed: true });
  const report = outputs.get("WriteExamReport");
  assert.ok(typeof report === "string" && report.startsWith("# Oral exam: the solar system"));
  assert.equal(raw.slice(0, report.length), report);
});

test("what the script grades is what the student said", async () => {
  const { events } = await run("Please hold an exam on the solar system.");
  const said = of(events, "turn.ended").filter(({ agent }) => agent === "student");
  const graded = of(events, "call.started").filter(({ tool }) => tool === "RecordAnswer");
  assert.equal(graded.length, said.length);
  for (const [index, { args }] of graded.entries()) {
    assert.partialDeepStrictEqual(args, { student_answer: said[index]?.text.replace(" [ANSWER]", "") });
  }
});

test("an exam that is called off ends with the teacher", async () => {
  const { events, outcome } = await run("Please call the exam off.");
  assert.deepEqual(
    of(events, "turn.started").map(({ agent }) => agent),
    ["teacher"],
  );
  assert.deepEqual(of(events, "call.started"), []);
  assert.equal(outcome, "done");
});
