/**
 * Question view: what a paused run waits for, as lines, as a sentence, and as what may be answered.
 *
 * What is to be approved is shown exactly and whole.
 */
import type { FactOf, RunResult } from "@baton/core";
import type { Choice } from "./asker.ts";
import { toExactText } from "./call-text.ts";
import { BLANK, cutLine, toLine, type Line } from "./line.ts";
import { wrap } from "./paragraph.ts";
import { toOneLine } from "./printable.ts";

/** A question of a run. */
export type Question = FactOf<"question.opened">;

/** How a question is put to somebody who says yes or no. */
export interface Asking {
  readonly label: string;
  readonly choice: Choice;
}

const ASKINGS: Readonly<Record<Question["kind"], Asking | undefined>> = {
  approval: { label: "  Allow it? (y/n) ", choice: ["allow", "deny"] },
  doubt: { label: "  Do it again? (y/n) ", choice: ["again", "skip"] },
  change: { label: "  Go on? (y/n) ", choice: ["continue", "cancel"] },
  pause: undefined,
  tool: undefined,
};

/** How it is asked; undefined where a message is the answer. */
export function askingOf({ kind }: Question): Asking | undefined {
  return ASKINGS[kind];
}

/** The questions that are answered with yes or no. */
export function choicesOf({ questions }: Pick<RunResult, "questions">): readonly Question[] {
  return questions.filter((question) => askingOf(question) !== undefined);
}

/** A question, with the exact arguments where it is about a call. */
export function toQuestionLines({ kind, text, args }: Question, width: number): readonly Line[] {
  const [first = "", ...rest] = wrap(toOneLine(text), width - 2);
  const tail = kind === "approval" ? " with" : "";
  const head = cutLine(toLine(["? ", "warn"], [first, "strong"], rest.length === 0 ? tail : ""), width);
  const more = rest.map((line, index) => toLine([`  ${line}`, "strong"], index === rest.length - 1 ? tail : ""));
  const exact = args === undefined ? [] : wrap(toExactText(args), width - 4);
  return [BLANK, head, ...more, ...exact.map((line) => toLine(`    ${line}`))];
}

/** What a run waits for, for somebody who cannot be asked here. */
export function toWaiting({ agent, questions }: Pick<RunResult, "agent" | "questions">): string {
  const wants = choicesOf({ questions }).map(toWant);
  return toOneLine(`the run is paused: ${wants.length === 0 ? `${agent} waits for an answer` : wants.join("; ")}`);
}

function toWant({ kind, agent, tool = "", text, args = null }: Question): string {
  if (kind === "approval") return `${agent} asks to use ${tool} with ${toExactText(args)}`;
  return kind === "doubt" ? `${text}, with ${toExactText(args)}` : text;
}
