/**
 * `baton run`: runs a crew on one input and shows it, or resumes a stored run.
 *
 * At a pause it asks on the terminal. Without a terminal it prints what the run waits for and how to resume it, and ends.
 */
import { BatonError, type Crew } from "@baton/core";
import { nearest, omitUndefined } from "@baton/core/util";
import { findCrew } from "../crew/crew-path.ts";
import { openCrew } from "../crew/crew-loader.ts";
import { folderOf, openStoreOrMemory, watchStore } from "../runs/data-folder.ts";
import { openEngine } from "../runs/engine.ts";
import { openCommandTelemetry } from "../runs/telemetry.ts";
import { readStdin, STDIN, toInputLimit, toMissingInput, parseInput } from "../runs/input.ts";
import { type CliCommand, type CommandLine, valueOf } from "../command-line.ts";
import { writeReport } from "../runs/report-file.ts";
import { completeRun } from "../runs/run-completion.ts";
import { displayOf, toHeaderLines } from "../runs/run-display.ts";
import { showUncaughtErrors } from "../uncaught-errors.ts";

/** Runs a crew; the exit code says its outcome. */
export const command: CliCommand = async (commandLine) => {
  const word = valueOf(commandLine, "resume");
  if (word === undefined) return begin(commandLine);
  const foreign = ["mode", "out"].find((name) => commandLine.flags.has(name));
  if (foreign !== undefined) throw new BatonError("invalid", `--${foreign} is for a new run; remove it or --resume`);
  const { resume } = await import("../runs/resume.ts");
  return resume(commandLine, word);
};

async function begin(commandLine: CommandLine): Promise<number> {
  const { path, input: typed } = await parseInput(commandLine.positionals);
  const found = await findCrew(path);
  if (typed === undefined) throw await toMissingInput(found);
  await using opened = await openCrew(found, commandLine);
  const { crew } = opened;
  const task = valueOf(commandLine, "task");
  if (task !== undefined) checkTask(crew, task);
  const input = typed === STDIN ? await readStdin(toInputLimit(crew.settings.maxInputBytes)) : typed;
  if (input.trim() === "") throw new BatonError("invalid", `the input is empty; write an input for ${crew.name}`);
  const display = displayOf(commandLine, opened);
  await using store = await openStoreOrMemory(folderOf(commandLine));
  await using telemetry = await openCommandTelemetry(commandLine);
  await using engine = await openEngine(store, opened, telemetry);
  using _watched = watchStore(store, () => display.reporter.flush());
  showUncaughtErrors(() => display.reporter.flush());
  const mode = valueOf(commandLine, "mode");
  const run = await engine.start(crew, { input, ...omitUndefined({ task, options: mode && { mode } }) });
  display.screen.draw(toHeaderLines(opened, display.screen.width));
  const followed = { run, result: await display.follower.follow(run) };
  const code = await completeRun({ engine, display, store, path: opened.path, commandLine }, followed);
  const out = valueOf(commandLine, "out");
  if (out !== undefined) await writeReport(store.database, run.id, out);
  return code;
}

function checkTask({ tasks, name }: Crew, wanted: string): void {
  const names = tasks.map((task) => task.name);
  if (names.includes(wanted)) return;
  const near = nearest(wanted, names);
  const known = names.length === 0 ? "it has no tasks; remove --task" : `its tasks are ${names.join(", ")}`;
  throw new BatonError(
    "invalid",
    `crew ${name} has no task "${wanted}"; ${near === undefined ? known : `did you mean ${near}?`}`,
  );
}
