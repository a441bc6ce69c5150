/**
 * Change question: a run that began with other tools than there are now waits until somebody says that it may go on.
 *
 * It is asked before the engine takes the run up, so that nothing runs meanwhile.
 */
import type { RunEvent } from "@baton/core";
import type { FactOf } from "@baton/core/ports";
import { createHash } from "node:crypto";

/** What is asked about a run whose tools have changed. */
export type ChangeQuestion = FactOf<"question.opened">;
type Pause = FactOf<"run.paused">;

/** What to ask; the same changes have the same id, so that they are asked about once. */
export function toChangeQuestion(agent: string, changes: readonly string[]): ChangeQuestion {
  const text = `${changes.join("; ")}: may the run go on with the tools there are now?`;
  const id = createHash("sha256").update(text).digest("hex").slice(0, 12);
  return {
    type: "question.opened",
    question: `change/${id}`,
    kind: "change",
    agent,
    text,
    schema: { enum: ["continue", "cancel"] },
    who: "operator",
  };
}

/** Whether somebody has said that the run may go on. */
export function isAccepted(events: readonly RunEvent[], { question }: ChangeQuestion): boolean {
  return events.some(
    (event) => event.type === "question.answered" && event.question === question && event.value === "continue",
  );
}

/** Whether it is asked already and nobody has answered. */
export function isAsked(events: readonly RunEvent[], { question }: ChangeQuestion): boolean {
  const last = events.findLast((event) => "question" in event && event.question === question);
  return last?.type === "question.opened";
}

/** What the run waited for before it was asked; undefined if it was running. */
export function pauseBefore(events: readonly RunEvent[], { question }: ChangeQuestion): Pause | undefined {
  const opened = events.findLastIndex((event) => event.type === "question.opened" && event.question === question);
  const last = events
    .slice(0, opened === -1 ? events.length : opened)
    .findLast(({ type }) => type === "run.paused" || type === "run.resumed" || type === "question.answered");
  if (last?.type !== "run.paused") return undefined;
  const { by, agent, questions } = last;
  return { type: "run.paused", by, agent, questions };
}
