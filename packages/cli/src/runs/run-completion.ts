/**
 * Live run: what is done with a run that was followed to its first pause or end: messages are asked for as long as it
 * waits for one; if nobody is there to ask, the command says how to go on.
 */
import type { Run, RunResult } from "@baton/core";
import type { DurableEngine, Store } from "@baton/store";
import type { Asker } from "../terminal/user-prompt.ts";
import { toWaitingText } from "./resume-command.ts";
import { EXIT_CODES } from "../exit-code.ts";
import type { Invocation } from "../command-line.ts";
import { questionsOf } from "../view/question-view.ts";
import { PROMPT, type Stage } from "./run-display.ts";

/** A life of a run, and how it ended. */
export interface Life {
  readonly run: Run;
  readonly result: RunResult;
}

/** Everything around a run. */
export interface Surroundings {
  readonly engine: DurableEngine;
  readonly stage: Stage;
  readonly store: Store;
  /** Where its crew is. */
  readonly path: string;
  readonly invocation: Invocation;
}

/** Brings a run as far as it comes here; the exit code is its outcome. */
export async function finish({ engine, stage, store, path, invocation }: Surroundings, life: Life): Promise<number> {
  const { conversation, asker, reporter } = stage;
  using _shown = reporter;
  const { run } = life;
  await using _settled = { [Symbol.asyncDispose]: () => engine.idle() };
  const result = asker === undefined ? life.result : await converse({ engine, conversation, asker }, life);
  if (result.outcome === "paused") {
    const isKept = store.database.name !== "memory";
    process.stderr.write(`baton: ${toWaitingText({ id: run.id, path, invocation, isKept }, result)}`);
  }
  return EXIT_CODES[result.outcome];
}

interface Talk extends Pick<Surroundings, "engine">, Pick<Stage, "conversation"> {
  readonly asker: Asker;
}

async function converse({ engine, conversation, asker }: Talk, { run, result: first }: Life): Promise<RunResult> {
  let result = first;
  while (result.outcome === "paused" && questionsOf(result).length === 0) {
    const said = await asker.message(PROMPT);
    if (said.kind === "end") return result;
    const isText = said.kind === "text";
    result = isText
      ? await conversation.follow(await engine.resume(run.id, said.text))
      : await conversation.cancel(run);
  }
  return result;
}
