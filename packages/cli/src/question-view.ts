/**
 * Question view: what a paused run waits for, as lines and as a sentence.
 *
 * What is to be approved is shown exactly and whole. Reads: call-text, line, paragraph, printable. Read by:
 * conversation, run, chat.
 */
import type { FactOf, RunResult } from "@baton/core";
import { toExactText } from "./call-text.ts";
import { BLANK, cutLine, toLine, type Line } from "./line.ts";
import { wrap } from "./paragraph.ts";
import { toOneLine } from "./printable.ts";

/** An approval with the exact arguments it is about. */
export function toApprovalLines({ text, args = null }: FactOf<"question.opened">, width: number): readonly Line[] {
  const exact = wrap(toExactText(args), width - 4);
  return [
    BLANK,
    cutLine(toLine(["? ", "warn"], [toOneLine(text), "strong"], " with"), width),
    ...exact.map((line) => toLine(`    ${line}`)),
  ];
}

/** What a run waits for, for somebody who cannot be asked here. */
export function toWaiting({ agent, questions }: RunResult): string {
  const approvals = questions.map(
    ({ agent: who, tool = "", args = null }) => `${who} asks to use ${tool} with ${toExactText(args)}`,
  );
  const wants = approvals.length === 0 ? [`${agent} waits for an answer`] : approvals;
  return toOneLine(`the run is paused: ${wants.join("; ")}`);
}
