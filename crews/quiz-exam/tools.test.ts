/** The record of the exam is the same for every agent that writes or reads it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { DEFAULT_SETTINGS } from "@baton/core/ports";
import { callTool, refusedPaths, toolContext, toolOf } from "@baton/core/testing";
import tools from "./tools.ts";

const answer = (is_correct: boolean, more = {}) => ({
  question: "Why?",
  student_answer: "Because.",
  is_correct,
  ...more,
});

function startExam() {
  const context = toolContext();
  let calls = 0;
  return (name: string, args = {}, call = `1.1.${++calls}`) => callTool(toolOf(tools, name), args, context(call));
}

/** An exam with ten answers, the first `right` of them right. */
async function wholeExam(right: number) {
  const call = startExam();
  for (let number = 1; number <= 10; number++) await call("RecordAnswer", answer(number <= right));
  return call;
}

test("answers without a number are recorded one after the other", async () => {
  const call = startExam();
  await call("RecordAnswer", answer(true));
  assert.deepEqual(await call("RecordAnswer", answer(false)), {
    recorded: true,
    answered: 2,
    correct: 1,
    wrong: 1,
    questions_left: 8,
    next_question: 3,
  });
});

test("six right answers pass and five do not", async () => {
  const [six, five] = [await wholeExam(6), await wholeExam(5)];
  assert.partialDeepStrictEqual(await six("GetFinalResult"), { score: "6/10", complete: true, passed: true });
  assert.partialDeepStrictEqual(await five("GetFinalResult"), { score: "5/10", complete: true, passed: false });
});

test("a second attempt of the same call does not record a second answer", async () => {
  const call = startExam();
  await call("RecordAnswer", answer(true), "2.1.1");
  await call("RecordAnswer", answer(true), "2.1.1");
  assert.partialDeepStrictEqual(await call("GetQuizStatus"), { answered: 1 });
});

test("a repeated number corrects the grade", async () => {
  const call = startExam();
  await call("RecordAnswer", answer(false, { question_number: 4 }));
  await call("RecordAnswer", answer(true, { question_number: 4 }));
  assert.partialDeepStrictEqual(await call("GetQuizStatus"), { answered: 1, correct: 1, next_question: 1 });
});

test("an eleventh answer is refused", async () => {
  const call = await wholeExam(8);
  await assert.rejects(call("RecordAnswer", answer(true)), { name: "ToolError", kind: "permanent" });
  assert.deepEqual(await refusedPaths(toolOf(tools, "RecordAnswer"), answer(true, { question_number: 11 })), [
    "question_number",
  ]);
});

test("the report has a row for each answer, the result, and what was wrong", async () => {
  const call = startExam();
  await call("SetExamInfo", { title: "Planets", student: "Robin" });
  await call("RecordAnswer", answer(true, { question: "A | B?\nC" }));
  await call("RecordAnswer", answer(false, { teacher_comment: "Not quite." }));
  assert.equal(
    await call("WriteExamReport"),
    [
      "# Planets",
      "",
      "Student: Robin",
      "Result: 1/10, not passed (2 of 10 answered)",
      "",
      "| no. | question | answer | grade |",
      "|---|---|---|---|",
      "| 1 | A / B? C | Because. | right |",
      "| 2 | Why? | Because. | wrong |",
      "",
      "To look at again:",
      "- 2: Not quite.",
    ].join("\n"),
  );
});

test("a report of the longest questions and answers still fits what a model reads of a tool's output", async () => {
  const call = startExam();
  const long = { question: "q".repeat(1_000), student_answer: "a".repeat(2_000), teacher_comment: "c".repeat(500) };
  for (let number = 1; number <= 10; number++) await call("RecordAnswer", { ...long, is_correct: false });
  const report = String(await call("WriteExamReport"));
  assert.ok(report.length <= DEFAULT_SETTINGS.maxOutputChars, `${report.length} characters`);
});

test("there is no report of an exam without answers", async () => {
  await assert.rejects(startExam()("WriteExamReport"), { name: "ToolError", kind: "permanent" });
});

test("tools that write the record never run at the same time", () => {
  for (const name of ["SetExamInfo", "RecordAnswer", "WriteExamReport"]) {
    assert.equal(toolOf(tools, name).concurrency, "sequential", name);
  }
});
