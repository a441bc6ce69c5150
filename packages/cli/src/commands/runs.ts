/**
 * `baton runs`: lists, shows, exports, imports and deletes stored runs.
 */
import { hasDatabase } from "@baton/baton/store";
import { BatonError, fold, type RunView } from "@baton/core";
import { nearest } from "@baton/core/util";
import { TerminalPrompt } from "../terminal/user-prompt.ts";
import { batonCommand, toResumeCommand, toPausedText } from "../runs/resume-command.ts";
import { searchCrew } from "../crew/crew-search.ts";
import { folderOf, requireDatabase } from "../runs/data-folder.ts";
import { EXIT_CODES } from "../exit-code.ts";
import { type CliCommand, type CommandLine, valueOf } from "../command-line.ts";
import { BLANK, cutLine, styleLine } from "../terminal/styled-line.ts";
import { formatAge, countNoun } from "../view/number-text.ts";
import { toOneLine } from "../terminal/printable.ts";
import { shortIdOf } from "../runs/run-id.ts";
import { requireRun, listRuns, type FoundRun, type StoredRunState, STATES } from "../runs/run-search.ts";
import { exportOne, importAll, writeCase } from "../runs/run-transfer.ts";
import { showEvent } from "../view/stored-run-view.ts";
import { STATE_TONES, toRunLines } from "../view/runs-table.ts";
import { Screen } from "../terminal/screen.ts";
import { openJsonDisplay, openStoredDisplay } from "../runs/run-display.ts";
import { isInteractive, openOutput } from "../terminal/output.ts";

type Action = (commandLine: CommandLine, words: readonly string[]) => Promise<number>;

const ACTIONS: ReadonlyMap<string, Action> = new Map([
  ["show", show],
  ["export", exportOne],
  ["import", importAll],
  ["to-case", writeCase],
  ["delete", remove],
  ["prune", prune],
]);

const LIMIT = 20;
const DAY_MS = 86_400_000;

/** Does the action; without one, lists the runs. */
export const command: CliCommand = async (commandLine) => {
  const [word, ...words] = commandLine.positionals;
  if (word === undefined) return list(commandLine);
  const action = ACTIONS.get(word);
  if (action !== undefined) return action(commandLine, words);
  const near = nearest(word, [...ACTIONS.keys()]);
  const hint =
    near === undefined
      ? `write show, export, import, to-case, delete or prune, such as \`baton runs show ${toOneLine(word)}\``
      : `did you mean ${near}?`;
  throw new BatonError("invalid", `\`baton runs\` has no action "${toOneLine(word)}"; ${hint}`);
};

async function list(commandLine: CommandLine): Promise<number> {
  const folder = folderOf(commandLine);
  const status = toStatus(valueOf(commandLine, "status"));
  const limit = toWhole(commandLine, "limit", 1) ?? LIMIT;
  const [crew, session] = [valueOf(commandLine, "crew"), valueOf(commandLine, "session")];
  const [text, feedback] = [valueOf(commandLine, "search"), toRating(valueOf(commandLine, "feedback"))];
  const query = { crew, session, status, text, feedback, limit };
  const runs = hasDatabase({ data: folder }) ? await readRuns(folder, query) : [];
  if (commandLine.flags.has("json")) {
    process.stdout.write(`${JSON.stringify({ runs }, undefined, 2)}\n`);
    return EXIT_CODES.done;
  }
  const screen = new Screen(openOutput(process.stdout));
  const isFiltered = [crew, session, status, text, feedback].some((filter) => filter !== undefined);
  const none = isFiltered ? "no runs match" : "no runs yet";
  if (runs.length === 0) process.stderr.write(`${none} in ${folder}\n`);
  else screen.draw(toRunLines(runs, { now: Date.now(), width: screen.width }));
  return EXIT_CODES.done;
}

const RATINGS = ["up", "down", "any", "none"] as const;

function toRating(word: string | undefined): (typeof RATINGS)[number] | undefined {
  const rating = RATINGS.find((one) => one === word);
  if (word === undefined || rating !== undefined) return rating;
  throw new BatonError("invalid", `--feedback is ${toOneLine(word)}; write up, down, any or none`);
}

async function readRuns(folder: string, wanted: Parameters<typeof listRuns>[1]): Promise<readonly FoundRun[]> {
  await using database = await requireDatabase(folder);
  return await listRuns(database, wanted);
}

async function show(commandLine: CommandLine, [word, ...more]: readonly string[]): Promise<number> {
  if (word === undefined || more.length > 0) throw new BatonError("invalid", "name one run: baton runs show RUN");
  await using database = await requireDatabase(folderOf(commandLine));
  const run = await requireRun(database, word);
  const [{ crewOf }, { readAll }] = await Promise.all([import("@baton/durable"), import("@baton/store")]);
  const events = await readAll(database, run.id);
  if (commandLine.flags.has("json")) {
    using reporter = openJsonDisplay().reporter;
    for (const event of events) reporter.event(event);
    return EXIT_CODES.done;
  }
  if (run.definition === "") {
    const what = `the record of run ${run.id} is damaged, so its crew is unknown`;
    const next = `show its log with \`${batonCommand()} runs show ${shortIdOf(run.id)} --json\`, or delete it`;
    throw new BatonError("damaged", `${what}; ${next}`);
  }
  const { crew } = await crewOf(database, run);
  const { reporter, screen } = openStoredDisplay(crew, "static");
  const { state, createdAt, id, session } = run;
  const place = session === undefined ? "" : `  ${toOneLine(session)}`;
  const about = [`  ${formatAge(Date.now() - createdAt)} ago  `, "dim"] as const;
  const head = styleLine(
    [toOneLine(crew.name), "strong"],
    about,
    [state, STATE_TONES[state]],
    [`${place}  ${id}`, "dim"],
  );
  screen.draw([cutLine(head, screen.width)]);
  for (const event of events) showEvent({ reporter, width: screen.width }, event);
  reporter.flush();
  const next = await toNext(run, commandLine, fold(events));
  if (next !== "") screen.draw([BLANK]);
  process.stdout.write(next);
  return EXIT_CODES.done;
}

/** Says what the run waits for, and how to resume it. */
async function toNext(run: FoundRun, commandLine: CommandLine, view: RunView): Promise<string> {
  const { id, crew, state } = run;
  if (state !== "paused" && state !== "interrupted") return "";
  const path = await searchCrew(crew);
  const placeholder = path === undefined ? `CREW is the folder of ${toOneLine(crew)}.\n` : "";
  const target = { id, path, commandLine, isKept: true };
  if (state === "interrupted")
    return `the run was interrupted. Continue it with:\n${toResumeCommand(target)}\n${placeholder}`;
  const { agent, questions } = view;
  return `${toPausedText(target, { agent, questions: [...questions.values()] })}${placeholder}`;
}

async function remove(commandLine: CommandLine, words: readonly string[]): Promise<number> {
  if (words.length === 0) throw new BatonError("invalid", "name the runs to delete: baton runs delete RUN…");
  await using database = await requireDatabase(folderOf(commandLine));
  const runs = new Map<string, FoundRun>();
  for (const word of words) {
    const run = await requireRun(database, word);
    runs.set(run.id, run);
  }
  const busy = [...runs.values()].find(({ state }) => state === "running" || state === "queued");
  if (busy !== undefined) {
    throw new BatonError(
      "conflict",
      `run ${shortIdOf(busy.id)} is still running, so nothing was deleted; stop it first`,
    );
  }
  if (!(await isConfirmed(commandLine, [...runs.values()]))) return EXIT_CODES.cancelled;
  for (const id of runs.keys()) await database.runs.delete(id);
  process.stdout.write(`deleted ${countNoun(runs.size, "run")}\n`);
  return EXIT_CODES.done;
}

async function isConfirmed({ flags }: CommandLine, runs: readonly FoundRun[]): Promise<boolean> {
  if (flags.has("yes")) return true;
  if (!isInteractive()) throw new BatonError("invalid", "without a terminal nobody can confirm; add --yes to delete");
  const screen = new Screen(openOutput(process.stdout));
  screen.draw(toRunLines(runs, { now: Date.now(), width: screen.width }));
  const said = await new TerminalPrompt().decision(`Delete ${countNoun(runs.length, "run")} permanently? (y/n) `, [
    "yes",
    "no",
  ]);
  return said.kind === "text" && said.text === "yes";
}

async function prune(commandLine: CommandLine, words: readonly string[]): Promise<number> {
  const keep = toWhole(commandLine, "keep", 0);
  const days = toWhole(commandLine, "older-than", 0);
  if (words.length > 0 || (keep === undefined) === (days === undefined)) {
    throw new BatonError("invalid", `add --keep N or --older-than DAYS: ${batonCommand()} runs prune --older-than 30`);
  }
  await using database = await requireDatabase(folderOf(commandLine));
  const count = await database.runs.prune({
    ...(keep === undefined ? {} : { maxRuns: keep }),
    ...(days === undefined ? {} : { endedBefore: Date.now() - days * DAY_MS }),
  });
  process.stdout.write(`deleted ${countNoun(count, "run")}; paused and interrupted runs are kept\n`);
  return EXIT_CODES.done;
}

function toStatus(word: string | undefined): StoredRunState | "ended" | undefined {
  const status = STATES.find((state) => state === word);
  if (word === undefined || status !== undefined) return status;
  throw new BatonError("invalid", `--status must be one of ${STATES.join(", ")}, not "${word}"`);
}

function toWhole(commandLine: CommandLine, flag: string, least: number): number | undefined {
  const word = valueOf(commandLine, flag);
  if (word === undefined) return undefined;
  if (/^\d{1,9}$/.test(word) && Number(word) >= least) return Number(word);
  throw new BatonError("invalid", `--${flag} must be a whole number of at least ${least}, not "${word}"`);
}
