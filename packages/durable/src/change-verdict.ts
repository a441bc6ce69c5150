/**
 * Change verdict: what somebody decides about a run whose tools have changed, and what that does to its log.
 *
 * Nothing of the run executes until then, so its log is written here.
 */
import { BatonError, type Command, type RunEvent } from "@baton/core";
import { type ChangeQuestion, isAsked, pauseBefore } from "./change-question.ts";
import { isWholeCancel } from "./command-kind.ts";
import type { StoredRunLog } from "./stored-run-log.ts";

/** Whether a run goes on with other tools. */
type Verdict = "continue" | "cancel";

/** Asks whether the run may go on with other tools; it pauses until somebody says so. */
export async function askAboutChange(
  log: StoredRunLog,
  change: ChangeQuestion,
  events: readonly RunEvent[],
): Promise<void> {
  if (isAsked(events, change)) return;
  log.append(change, "");
  const { agent, questions } = log.record;
  log.append({ type: "run.paused", by: "question", agent, questions }, "");
  await log.committed();
}

/** The error of whatever else is sent to a run that waits for a verdict. */
export function toChangeOpen(run: string, { text }: ChangeQuestion): BatonError {
  return new BatonError("question_open", `run ${run} waits for an answer first: ${text}`);
}

/** The verdict that a command gives; throws if it gives none, or if its sender may not decide. */
export function toVerdict(run: string, change: ChangeQuestion, command: Command): Verdict {
  if (isWholeCancel(command)) return "cancel";
  if (command.type !== "answer" || command.question !== change.question) throw toChangeOpen(run, change);
  if (command.as === "user")
    throw new BatonError("forbidden", `question ${change.question} is for the operator of the crew`);
  if (command.value === "continue" || command.value === "cancel") return command.value;
  throw new BatonError("invalid", `the answer to ${change.question} is "continue" or "cancel"`);
}

/** What the log says of a verdict. */
interface Decision {
  readonly change: ChangeQuestion;
  readonly verdict: Verdict;
  /** The question was answered; a cancel of the run closes it unanswered. */
  readonly isAnswer: boolean;
  /** The log up to here. */
  readonly events: readonly RunEvent[];
}

/** Writes the verdict down; what had waited before waits again. */
export async function writeVerdict(log: StoredRunLog, decision: Decision): Promise<void> {
  const { change, verdict, isAnswer, events } = decision;
  const { question } = change;
  log.append(
    isAnswer ? { type: "question.answered", question, value: verdict } : { type: "question.closed", question },
    "",
  );
  const before = pauseBefore(events, change);
  const { agent, questions } = log.record;
  // To be cancelled it must wait.
  if (verdict === "cancel") log.append(before ?? { type: "run.paused", by: "question", agent, questions }, "");
  else if (before !== undefined) log.append(before, "");
  await log.stored();
}
