/**
 * Resume command: the command line that resumes a run, for users to copy, and what the run waits for.
 */
import type { RunResult } from "@baton/core";
import { type CommandLine, valueOf } from "../command-line.ts";
import { toOneLine } from "../terminal/printable.ts";
import { answersOf, questionFormOf, questionsOf, toAllowed, toWaiting } from "../view/question-view.ts";
import { shortIdOf } from "./run-id.ts";
import { toQuotedWord, toShellWord } from "../shell-word.ts";

/** The run to resume. */
export interface ResumeTarget {
  readonly id: string;
  /** The path of its crew; if it is undefined, the command has the placeholder `CREW`. */
  readonly path: string | undefined;
  /** The current command line; options such as `--data` are repeated. */
  readonly commandLine: CommandLine;
  /** Whether it is stored, so that another process can resume it. */
  readonly isKept: boolean;
}

/** Options that the next command needs too. */
const REPEATED = ["script", "model", "data"] as const;

/** The command as the user types it: `npx baton` if npx started it. */
export function batonCommand(): string {
  return process.env["npm_command"] === "exec" ? "npx baton" : "baton";
}

/** The options of this command line that the next command needs too. */
export function toRepeatedOptions(commandLine: CommandLine): readonly string[] {
  return REPEATED.flatMap((name) => {
    const value = valueOf(commandLine, name);
    return value === undefined ? [] : [`--${name}`, toShellWord(value)];
  });
}

/** The command, with the first possible answer to each open question. */
export function toResumeCommand(
  { id, path, commandLine }: Omit<ResumeTarget, "isKept">,
  result?: Pick<RunResult, "questions">,
): string {
  const flags = toRepeatedOptions(commandLine);
  const answers = result === undefined ? [] : toAnswers(result);
  const crew = path === undefined ? "CREW" : toShellWord(path);
  return [batonCommand(), "run", crew, "--resume", toShellWord(shortIdOf(id)), ...answers, ...flags].join(" ");
}

/** Tells what a run waits for, the possible answers, and the command; no command if the run is not stored. */
export function toPausedText(target: ResumeTarget, result: Pick<RunResult, "agent" | "questions">): string {
  if (!target.isKept) return `${toWaiting(result)}.\nTo answer it, run the command on a terminal.\n`;
  const open = questionsOf(result);
  const words = open.map((one) =>
    open.length === 1 ? toAllowed(one) : `${toOneLine(one.question)}: ${toAllowed(one)}`,
  );
  const how = words.length === 0 ? "" : ` (${words.join("; ")})`;
  return `${toWaiting(result)}.\nContinue it with${how}:\n${toResumeCommand(target, result)}\n`;
}

function toAnswers(result: Pick<RunResult, "questions">): readonly string[] {
  const open = questionsOf(result);
  if (open.length === 0) return ['"your answer"'];
  return open.map((question) => {
    const [word = ""] = answersOf(question);
    const answer = open.length === 1 ? word : `${question.question}=${word}`;
    return questionFormOf(question)?.by === "json" ? toQuotedWord(answer) : toShellWord(answer);
  });
}
