/**
 * Run completion: takes a run from its first pause to its end, and gives the exit code.
 *
 * On a terminal the user is asked for messages as long as the run waits for one. Without a terminal the command prints
 * how to resume the run.
 */
import type { Run, RunResult } from "@baton/core";
import type { DurableEngine } from "@baton/durable";
import type { Store } from "@baton/store";
import { PROMPT_SIGN, type UserPrompt } from "../terminal/user-prompt.ts";
import { toPausedText } from "./resume-command.ts";
import { EXIT_CODES } from "../exit-code.ts";
import type { CommandLine } from "../command-line.ts";
import { questionsOf } from "../view/question-view.ts";
import type { RunDisplay } from "./run-display.ts";

/** A run that was followed to its next pause or end, with the result there. */
export interface FollowedRun {
  readonly run: Run;
  readonly result: RunResult;
}

/** The parts that complete a run. */
export interface RunContext {
  readonly engine: DurableEngine;
  readonly display: RunDisplay;
  readonly store: Store;
  /** The path of its crew. */
  readonly path: string;
  readonly commandLine: CommandLine;
}

/** Completes a run as far as possible here; the exit code says its outcome. */
export async function completeRun(
  { engine, display, store, path, commandLine }: RunContext,
  followed: FollowedRun,
): Promise<number> {
  const { follower, prompt, reporter } = display;
  using _shown = reporter;
  const { run } = followed;
  await using _settled = { [Symbol.asyncDispose]: () => engine.idle() };
  const result = prompt === undefined ? followed.result : await askForMessages({ engine, follower, prompt }, followed);
  if (result.outcome === "paused") {
    const isKept = store.database.name !== "memory";
    process.stderr.write(`baton: ${toPausedText({ id: run.id, path, commandLine, isKept }, result)}`);
  }
  return EXIT_CODES[result.outcome];
}

interface Messaging extends Pick<RunContext, "engine">, Pick<RunDisplay, "follower"> {
  readonly prompt: UserPrompt;
}

async function askForMessages(
  { engine, follower, prompt }: Messaging,
  { run, result: first }: FollowedRun,
): Promise<RunResult> {
  let result = first;
  while (result.outcome === "paused" && questionsOf(result).length === 0) {
    const answer = await prompt.message(PROMPT_SIGN, "show");
    if (answer.kind === "end") return result;
    result =
      answer.kind === "text"
        ? await follower.follow(await engine.resume(run.id, answer.text))
        : await follower.cancel(run);
  }
  return result;
}
