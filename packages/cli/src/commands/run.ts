/**
 * `baton run`: one crew on one input, shown while it works; or a stored run that goes on.
 *
 * A pause is asked about on the terminal; where there is none, the command says what the run waits for, how to go on,
 * and ends.
 */
import { BatonError, type Crew } from "@baton/core";
import { nearest } from "@baton/core/ports";
import { findCrew } from "../crew/crew-path.ts";
import { openCrew } from "../crew/crew-loader.ts";
import { dataFolderOf, openAnyStore, watchStore } from "../runs/data-folder.ts";
import { openEngine } from "../runs/engine.ts";
import { readStdin, STDIN, toInputLimit, toMissingInput, toRequest } from "../runs/input.ts";
import { type Command, type Invocation, valueOf } from "../command-line.ts";
import { finish } from "../runs/run-completion.ts";
import { stageOf, toOpening } from "../runs/run-display.ts";
import { showStrayErrors } from "../uncaught-errors.ts";

/** Runs a crew; the exit code is its outcome. */
export const command: Command = async (invocation) => {
  const word = valueOf(invocation, "resume");
  if (word === undefined) return begin(invocation);
  const { resume } = await import("../runs/resume.ts");
  return resume(invocation, word);
};

async function begin(invocation: Invocation): Promise<number> {
  const { path, input: typed } = await toRequest(invocation.positionals);
  const found = await findCrew(path);
  if (typed === undefined) throw await toMissingInput(found);
  await using opened = await openCrew(found, invocation);
  const { crew } = opened;
  const task = valueOf(invocation, "task");
  if (task !== undefined) checkTask(crew, task);
  const input = typed === STDIN ? await readStdin(toInputLimit(crew.settings.maxInputBytes)) : typed;
  if (input.trim() === "") throw new BatonError("invalid", `the input is empty; write what ${crew.name} is to do`);
  const stage = stageOf(invocation, opened);
  await using store = await openAnyStore(dataFolderOf(invocation));
  await using engine = await openEngine(store, opened);
  using _watched = watchStore(store, () => stage.reporter.settle());
  showStrayErrors(() => stage.reporter.settle());
  const run = await engine.start(crew, { input, ...(task === undefined ? {} : { task }) });
  stage.screen.draw(toOpening(opened, stage.screen.width));
  const life = { run, result: await stage.conversation.follow(run) };
  return await finish({ engine, stage, store, path: opened.path, invocation }, life);
}

function checkTask({ tasks, name }: Crew, wanted: string): void {
  const names = tasks.map((task) => task.name);
  if (names.includes(wanted)) return;
  const near = nearest(wanted, names);
  const known = names.length === 0 ? "it has none" : `it has ${names.join(", ")}`;
  throw new BatonError(
    "invalid",
    `crew ${name} has no task "${wanted}"; ${near === undefined ? known : `did you mean ${near}?`}`,
  );
}
