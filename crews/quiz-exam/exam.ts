/**
 * Exam: what is known of one oral exam, and what follows from it.
 *
 * An exam is a plain JSON value, so that it can live in a run's state; the functions return new values.
 */
import { z } from "zod";

/** Number of questions of an exam. */
export const QUESTION_COUNT = 10;

/** More right answers than this pass. */
const PASS_ABOVE = 5;

const Answer = z.object({
  number: z.int().min(1).max(QUESTION_COUNT),
  question: z.string(),
  answer: z.string(),
  isCorrect: z.boolean(),
  comment: z.string(),
  /** Of the call that recorded it: another attempt of the same call replaces the answer. */
  key: z.string(),
});

const Exam = z.object({ title: z.string(), student: z.string(), answers: z.array(Answer) });

type Answer = z.infer<typeof Answer>;
export type Exam = z.infer<typeof Exam>;

/** The teacher's judgement of one answer; without a number it is the next one. */
type Grade = Omit<Answer, "number"> & { readonly number: number | undefined };

/** An exam without any record. */
const NEW_EXAM: Exam = { title: "Oral exam", student: "the student", answers: [] };

/** Reads an exam from a run's state; a new one where there is none. */
export const parseExam = (stored: unknown): Exam => (stored === undefined ? NEW_EXAM : Exam.parse(stored));

/** The exam with one more answer, or with a corrected one; undefined when all questions are answered. */
export function record(exam: Exam, grade: Grade): Exam | undefined {
  const again = exam.answers.find(({ key }) => key === grade.key);
  const number = grade.number ?? again?.number ?? nextNumber(exam);
  if (number === undefined) return undefined;
  const others = exam.answers.filter((answer) => answer.number !== number);
  const answers = [...others, { ...grade, number }].toSorted((a, b) => a.number - b.number);
  return { ...exam, answers };
}

/** The first question without an answer. */
function nextNumber(exam: Exam): number | undefined {
  const answered = new Set(exam.answers.map(({ number }) => number));
  return Array.from({ length: QUESTION_COUNT }, (_, index) => index + 1).find((number) => !answered.has(number));
}

/** Where the exam stands. */
export function status(exam: Exam) {
  const correct = exam.answers.filter(({ isCorrect }) => isCorrect).length;
  return {
    answered: exam.answers.length,
    correct,
    wrong: exam.answers.length - correct,
    questions_left: QUESTION_COUNT - exam.answers.length,
    next_question: nextNumber(exam) ?? null,
  };
}

/** The result; `passed` is false for as long as too few answers are right. */
export function result(exam: Exam) {
  const { answered, correct } = status(exam);
  return {
    title: exam.title,
    student: exam.student,
    score: `${correct}/${QUESTION_COUNT}`,
    complete: answered === QUESTION_COUNT,
    passed: correct > PASS_ABOVE,
    needed: `more than ${PASS_ABOVE} right answers`,
  };
}
