/**
 * Command: a message into a run, checked against what the run is doing.
 *
 * A cancel acts at once; an answer goes to its question; the rest is taken between two steps, or wakes a paused run
 * where that is what it waits for.
 */
import { BatonError } from "./error.ts";
import type { AnswerSchema, Command } from "./event.ts";
import { fold, type OpenQuestion } from "./fold.ts";
import { checkJson } from "./json-schema.ts";
import type { Json } from "./json.ts";
import { readAll } from "./log.ts";
import { checkInput, type LiveRun, type Waiting } from "./live-run.ts";
import type { Commanded, Run } from "./run-result.ts";

type Answering = Extract<Command, { type: "answer" }>;

/** Sends a command; rejects where it makes no sense now. */
export async function sendCommand(run: LiveRun, command: Command): Promise<Commanded> {
  if (run.hasEnded) throw new BatonError("run_ended", `run ${run.id} has ended`);
  switch (command.type) {
    case "cancel": {
      const receipt = await run.cancel(command.reason ?? "cancelled by command");
      return { run: run.current, receipt };
    }
    case "answer":
      return { run: await answer(run, command) };
    case "configure":
      throw new BatonError("internal", "configure is not here yet");
    case "pause":
    case "resume":
    case "say":
      if (run.waiting !== undefined) return { run: wake(run, run.waiting, command) };
      if (command.type === "say") checkInput(run.crew, command.text);
      if (command.type === "resume") throw new BatonError("conflict", `run ${run.id} is not paused`);
      await run.mailbox.send(command, run.scope);
      return { run: run.current };
  }
}

/** A command to a paused run: only what it waits for makes it go on. */
function wake(
  run: LiveRun,
  { questions }: Waiting,
  command: Extract<Command, { type: "pause" | "resume" | "say" }>,
): Run {
  const pause = [...questions.values()].find(({ kind }) => kind === "pause");
  if (command.type === "resume" && pause !== undefined) return run.answer(pause, command.input ?? null);
  const text = command.type === "say" ? command.text : command.type === "resume" ? command.input : undefined;
  if (text !== undefined) return run.resume(text);
  const ids = [...questions.keys()].join(", ");
  if (ids !== "") throw new BatonError("question_open", `run ${run.id} waits for answers: ${ids}`);
  throw new BatonError("conflict", `run ${run.id} is paused; resume it with a message`);
}

async function answer(run: LiveRun, { question, value, as = "operator" }: Answering): Promise<Run> {
  const open = await findQuestion(run, question);
  if (open.who === "operator" && as !== "operator") {
    throw new BatonError("forbidden", `question ${question} is for whoever runs the crew`);
  }
  if (!isAnswer(open.schema, value)) {
    throw new BatonError("invalid", `the answer to ${question} does not fit ${JSON.stringify(open.schema)}`);
  }
  if (run.local?.answer(question, value) === true) return run.current;
  // Somebody else may have been faster.
  await findQuestion(run, question);
  // Nobody listens any more and the pause is not written down yet: it will be in a moment.
  if (run.waiting === undefined) await run.current.outcome;
  const still = run.waiting?.questions.get(question);
  if (still === undefined) throw new BatonError("not_found", `question ${question} was closed meanwhile`);
  return run.answer(still, value);
}

/** Whether a question may be answered so. */
export function isAnswer(schema: AnswerSchema, value: Json): boolean {
  return checkJson(schema, value).length === 0;
}

async function findQuestion(run: LiveRun, question: string): Promise<OpenQuestion> {
  // An answer that was given a moment ago counts.
  if (run.waiting === undefined) await run.log.committed();
  const questions = run.waiting?.questions ?? fold(await readAll(run.log)).questions;
  const open = questions.get(question);
  if (open === undefined) throw new BatonError("not_found", `run ${run.id} has no open question ${question}`);
  return open;
}
