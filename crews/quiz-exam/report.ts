/**
 * Report: an exam as a page of Markdown for people.
 *
 * Every number comes from the recorded answers; what the participants said is quoted on one line each.
 */
import { QUESTION_COUNT, result, status, type Exam } from "./exam.ts";

const MAX_CELL_CHARS = 300;

/** The report; short enough for a model to read whole. */
export function toReport(exam: Exam): string {
  const { score, passed, complete } = result(exam);
  const { answered, wrong } = status(exam);
  const rows = exam.answers.map(
    ({ number, question, answer, isCorrect }) =>
      `| ${number} | ${cell(question)} | ${cell(answer)} | ${isCorrect ? "right" : "wrong"} |`,
  );
  return [
    `# ${line(exam.title)}`,
    "",
    `Student: ${line(exam.student)}`,
    `Result: ${score}, ${passed ? "passed" : "not passed"}${complete ? "" : ` (${answered} of ${QUESTION_COUNT} answered)`}`,
    "",
    "| no. | question | answer | grade |",
    "|---|---|---|---|",
    ...rows,
    "",
    wrong === 0 ? "No answer was wrong." : "To look at again:",
    ...exam.answers.filter(({ isCorrect }) => !isCorrect).map(({ number, comment }) => `- ${number}: ${line(comment)}`),
  ].join("\n");
}

const line = (text: string): string => text.replaceAll("\r", " ").replaceAll("\n", " ").trim();

function cell(text: string): string {
  const characters = Array.from(line(text).replaceAll("|", "/"));
  if (characters.length <= MAX_CELL_CHARS) return characters.join("");
  return `${characters.slice(0, MAX_CELL_CHARS - 1).join("")}…`;
}
