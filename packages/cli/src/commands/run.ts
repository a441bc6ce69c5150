/**
 * `baton run`: one crew on one input, shown while it works.
 *
 * A pause for a message is asked about on the terminal; where there is none, the command says what the run waits
 * for and ends. Reads: conversation, crew-path, crew-source, exit-code, input, stage. Read by: bin.
 */
import { BatonError, Engine, nearest, type Crew, type Run, type RunResult } from "@baton/core";
import { findCrew } from "../crew-path.ts";
import { openCrew } from "../crew-source.ts";
import { EXIT_CODES } from "../exit-code.ts";
import { readStdin, STDIN, toRequest } from "../input.ts";
import { type Command, valueOf } from "../invocation.ts";
import { toWaiting } from "../question-view.ts";
import { openJsonStage, openStage, PROMPT, type Stage, toOpening } from "../stage.ts";

/** Runs a crew; the exit code is its outcome. */
export const command: Command = async (invocation) => {
  const { path, input: typed } = await toRequest(invocation.positionals);
  const opened = await openCrew(await findCrew(path), invocation);
  const { crew, models } = opened;
  const task = valueOf(invocation, "task");
  if (task !== undefined) checkTask(crew, task);
  const input = typed === STDIN ? await readStdin(crew.settings.maxInputBytes) : typed;
  if (input.trim() === "") throw new BatonError("invalid", `the input is empty; write what ${crew.name} is to do`);
  const stage = invocation.flags.has("json") ? openJsonStage() : openStage(opened);
  await using engine = new Engine({ model: models.modelOf });
  const run = engine.start(crew, { input, ...(task === undefined ? {} : { task }) });
  stage.screen.draw(toOpening(opened, stage.screen.width));
  const result = await converse(engine, run, stage);
  if (result.outcome === "paused") {
    process.stderr.write(`baton: ${toWaiting(result)}.\nAnswer it on a terminal, or use \`baton chat\`.\n`);
  }
  return EXIT_CODES[result.outcome];
};

/** From the start to the end, or to a pause that nobody here ends. */
async function converse(engine: Engine, run: Run, { conversation, asker, reporter }: Stage): Promise<RunResult> {
  using _shown = reporter;
  let result = await conversation.follow(run);
  if (asker === undefined) return result;
  while (result.outcome === "paused" && result.questions.length === 0) {
    const said = await asker.message(PROMPT);
    if (said.kind === "end") return result;
    const isText = said.kind === "text";
    result = isText ? await conversation.follow(engine.resume(run.id, said.text)) : await conversation.cancel(run);
  }
  return result;
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
