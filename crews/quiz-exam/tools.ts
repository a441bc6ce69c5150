/**
 * The exam's tools: one record, kept in the run's state, that the teacher fills and the reporter reads.
 *
 * Tools that write are `sequential`: two of them in one reply must see each other's work. They are `idempotent`,
 * because an answer is known by its number and by the key of the call that recorded it.
 */
import { defineTool, ToolError, type CallContext } from "@baton/core";
import { z } from "zod";
import { parseExam, QUESTION_COUNT, record, result, status } from "./exam.ts";
import { toReport } from "./report.ts";

const EXAM = "exam";
const REPORT = "exam_report";

const readExam = (context: CallContext) => parseExam(context.state.get(EXAM));

const text = (maxChars: number) => z.string().trim().min(1).max(maxChars);

const setExamInfo = defineTool({
  name: "SetExamInfo",
  description: "Names the exam's topic and the student for the report. Call it once, before the first question.",
  effect: "idempotent",
  concurrency: "sequential",
  input: z.object({
    title: text(200).optional().describe("The exam's title or topic"),
    student: text(100).optional().describe("The student's name"),
  }),
  run: ({ title, student }, context) => {
    const before = readExam(context);
    const exam = { ...before, title: title ?? before.title, student: student ?? before.student };
    context.state.set(EXAM, exam);
    return { title: exam.title, student: exam.student, questions: QUESTION_COUNT };
  },
});

const recordAnswer = defineTool({
  name: "RecordAnswer",
  description: "Records the student's answer to one question and its grade. A repeated number replaces the grade.",
  effect: "idempotent",
  concurrency: "sequential",
  input: z.object({
    question: text(1_000).describe("The question as it was asked"),
    student_answer: text(2_000).describe("What the student answered"),
    is_correct: z.boolean().describe("Whether the answer is right"),
    question_number: z.int().min(1).max(QUESTION_COUNT).optional().describe("Default: the next open question"),
    teacher_comment: z.string().trim().max(500).default("").describe("One sentence about the answer"),
  }),
  run: (input, context) => {
    const exam = record(readExam(context), {
      number: input.question_number,
      question: input.question,
      answer: input.student_answer,
      isCorrect: input.is_correct,
      comment: input.teacher_comment,
      key: context.key,
    });
    if (exam === undefined) {
      throw new ToolError(
        "permanent",
        `all ${QUESTION_COUNT} questions are answered; name a question_number to correct one`,
      );
    }
    context.state.set(EXAM, exam);
    return { recorded: true, ...status(exam) };
  },
});

const getQuizStatus = defineTool({
  name: "GetQuizStatus",
  description: "How many questions were answered, how many were right, and which question comes next.",
  effect: "read",
  input: z.object({}),
  run: (_input, context) => status(readExam(context)),
});

const getFinalResult = defineTool({
  name: "GetFinalResult",
  description: "The score, whether all questions were answered, and whether the exam was passed.",
  effect: "read",
  input: z.object({}),
  run: (_input, context) => result(readExam(context)),
});

const writeExamReport = defineTool({
  name: "WriteExamReport",
  description: "Writes the exam report in Markdown from the recorded answers and returns its text.",
  effect: "idempotent",
  concurrency: "sequential",
  input: z.object({}),
  run: (_input, context) => {
    const exam = readExam(context);
    if (exam.answers.length === 0)
      throw new ToolError("permanent", "no answers are recorded, so there is nothing to report");
    const report = toReport(exam);
    context.state.set(REPORT, report);
    return report;
  },
});

export default [getQuizStatus, recordAnswer, getFinalResult, writeExamReport, setExamInfo];
