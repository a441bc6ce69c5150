/**
 * Continuation: the command that goes on with a run, as it can be typed.
 */
import type { RunResult } from "@baton/core";
import { type Invocation, valueOf } from "../command-line.ts";
import { toOneLine } from "../terminal/printable.ts";
import { answersOf, askingOf, questionsOf, toAllowed, toWaiting } from "../view/question-view.ts";
import { toShortId } from "./run-id.ts";
import { toQuotedWord, toShellWord } from "../shell-word.ts";

/** What a run that goes on is known by. */
export interface Continued {
  readonly id: string;
  /** The path of its crew; undefined if it is not known, and the command has a placeholder. */
  readonly path: string | undefined;
  /** What was asked for before, and counts on. */
  readonly invocation: Invocation;
  /** Whether another process can go on with it. */
  readonly isKept: boolean;
}

/** Flags that the next command needs as much as this one. */
const KEPT = ["script", "model", "data"] as const;

/** `npx baton` if that is how it was called. */
export function toBaton(): string {
  return process.env["npm_command"] === "exec" ? "npx baton" : "baton";
}

/** The command, with the first answer that each open question may have. */
export function toContinuation(
  { id, path, invocation }: Omit<Continued, "isKept">,
  result?: Pick<RunResult, "questions">,
): string {
  const flags = KEPT.flatMap((name) => {
    const value = valueOf(invocation, name);
    return value === undefined ? [] : [`--${name}`, toShellWord(value)];
  });
  const answers = result === undefined ? [] : toAnswers(result);
  const crew = path === undefined ? "CREW" : toShellWord(path);
  return [toBaton(), "run", crew, "--resume", toShellWord(toShortId(id)), ...answers, ...flags].join(" ");
}

/** What a run waits for, what may be said, and the command; no command if the run is not kept. */
export function toWaitingText(continued: Continued, result: Pick<RunResult, "agent" | "questions">): string {
  if (!continued.isKept) return `${toWaiting(result)}.\nAnswer it on a terminal.\n`;
  const open = questionsOf(result);
  const words = open.map((one) =>
    open.length === 1 ? toAllowed(one) : `${toOneLine(one.question)}: ${toAllowed(one)}`,
  );
  const how = words.length === 0 ? "" : ` (${words.join("; ")})`;
  return `${toWaiting(result)}.\nGo on with it${how}:\n${toContinuation(continued, result)}\n`;
}

function toAnswers(result: Pick<RunResult, "questions">): readonly string[] {
  const open = questionsOf(result);
  if (open.length === 0) return ['"your answer"'];
  return open.map((question) => {
    const [word = ""] = answersOf(question);
    const answer = open.length === 1 ? word : `${question.question}=${word}`;
    return askingOf(question)?.by === "json" ? toQuotedWord(answer) : toShellWord(answer);
  });
}
