/**
 * Question view: the questions of a paused run as lines and as a sentence, with their possible answers.
 *
 * The arguments of a call are shown exactly and completely.
 */
import type { RunResult } from "@baton/core";
import type { EventBodyOf } from "@baton/core/ports";
import type { DecisionWords } from "../terminal/user-prompt.ts";
import { APPROVAL_FORMS } from "./approval-text.ts";
import { toExactText } from "./call-text.ts";
import { toSchemaText } from "../tools/tool-result.ts";
import { BLANK, cutLine, styleLine, type Line } from "../terminal/styled-line.ts";
import { wrap } from "../terminal/paragraph.ts";
import { toOneLine } from "../terminal/printable.ts";

/** A question of a run. */
export type AskedQuestion = EventBodyOf<"question.opened">;

/** The form of a question: a decision about a call, a choice of two words, or JSON. */
export type QuestionForm =
  | { readonly by: "decision"; readonly label: string; readonly choice: DecisionWords }
  | { readonly by: "choice"; readonly label: string; readonly choice: DecisionWords }
  | { readonly by: "json"; readonly label: string };

const ASKINGS: Readonly<Record<AskedQuestion["kind"], QuestionForm | undefined>> = {
  approval: { by: "decision", label: "  Allow it? (y/n) ", choice: ["allow", "deny"] },
  doubt: { by: "choice", label: "  Run it again? (y/n) ", choice: ["again", "skip"] },
  pause: undefined,
  message: undefined,
  tool: { by: "json", label: "  result as JSON: " },
  input: { by: "json", label: "  answer as JSON: " },
  link: { by: "choice", label: "  Done? (y/n) ", choice: ["done", "cancel"] },
};

/** The form of a question; undefined if a message answers it. */
export function questionFormOf({ kind }: AskedQuestion): QuestionForm | undefined {
  return ASKINGS[kind];
}

/** The open questions that need more than a message. */
export function questionsOf({ questions }: Pick<RunResult, "questions">): readonly AskedQuestion[] {
  return questions.filter((question) => questionFormOf(question) !== undefined);
}

/** The possible answers: two words, or `JSON`. */
export function answersOf(question: AskedQuestion): readonly string[] {
  const asking = questionFormOf(question);
  return asking === undefined || asking.by === "json" ? ["JSON"] : asking.choice;
}

/** The possible answers as a phrase. */
export function toAllowed(question: AskedQuestion): string {
  const form = questionFormOf(question);
  if (form?.by === "decision") return APPROVAL_FORMS;
  if (form?.by === "choice") return answersOf(question).join(" or ");
  const schema = toSchemaText(question.schema);
  return `the result as JSON${schema === undefined ? "" : `, which must match ${toOneLine(schema)}`}`;
}

const HOW_TO_DECIDE = "n REASON tells the agent why not, e {JSON} calls it with other arguments";

/** The lines of a question, with the exact arguments if it is about a call. */
export function toQuestionLines(
  { kind, text, tool = "", args, schema }: AskedQuestion,
  width: number,
): readonly Line[] {
  const isTool = kind === "tool";
  const [first = "", ...rest] = wrap(toOneLine(isTool ? `Carry out ${tool}` : text), width - 2);
  const tail = isTool || kind === "approval" ? " with" : "";
  const head = cutLine(styleLine(["? ", "warn"], [first, "strong"], rest.length === 0 ? tail : ""), width);
  const more = rest.map((line, index) => styleLine([`  ${line}`, "strong"], index === rest.length - 1 ? tail : ""));
  const exact = args === undefined ? [] : wrap(toExactText(args), width - 4);
  const fitting = isTool ? toSchemaText(schema) : undefined;
  const shape =
    kind === "approval"
      ? wrap(HOW_TO_DECIDE, width - 2)
      : fitting === undefined
        ? []
        : wrap(toOneLine(`The result must match ${fitting}`), width - 2);
  return [
    BLANK,
    head,
    ...more,
    ...exact.map((line) => styleLine(`    ${line}`)),
    ...shape.map((line) => styleLine([`  ${line}`, "dim"])),
  ];
}

/** Describes in a sentence what a run waits for. */
export function toWaiting({ agent, questions }: Pick<RunResult, "agent" | "questions">): string {
  const wants = questionsOf({ questions }).map(toWant);
  return toOneLine(`the run is paused: ${wants.length === 0 ? `${agent} waits for your answer` : wants.join("; ")}`);
}

function toWant({ kind, agent, tool = "", text, args = null }: AskedQuestion): string {
  if (kind === "approval") return `${agent} asks to use ${tool} with ${toExactText(args)}`;
  if (kind === "tool") return `${agent} asks you to carry out ${tool} with ${toExactText(args)}`;
  return kind === "doubt" ? `${text}, with ${toExactText(args)}` : text;
}
