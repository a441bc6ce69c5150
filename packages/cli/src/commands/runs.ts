/**
 * `baton runs`: what was run before: lists, shows and deletes stored runs.
 */
import { BatonError, fold, type RunView } from "@baton/core";
import { nearest } from "@baton/core/ports";
import { TerminalAsker } from "../terminal/user-prompt.ts";
import { toBaton, toContinuation, toWaitingText } from "../runs/resume-command.ts";
import { searchCrew } from "../crew/crew-search.ts";
import { dataFolderOf, hasStore, requireDatabase } from "../runs/data-folder.ts";
import { EXIT_CODES } from "../exit-code.ts";
import { type Command, type Invocation, valueOf } from "../command-line.ts";
import { BLANK, cutLine, toLine } from "../terminal/styled-line.ts";
import { toAge, toCount } from "../view/number-text.ts";
import { toOneLine } from "../terminal/printable.ts";
import { toShortId } from "../runs/run-id.ts";
import { findRun, findRuns, type FoundRun, type RunState, STATES } from "../runs/run-search.ts";
import { tellEvent } from "../view/run-story.ts";
import { STATE_TONES, toRunLines } from "../view/runs-table.ts";
import { Screen } from "../terminal/screen.ts";
import { openJsonStage, openPastStage } from "../runs/run-display.ts";
import { isInteractive, openOutput } from "../terminal/output.ts";

type Action = (invocation: Invocation, words: readonly string[]) => Promise<number>;

const ACTIONS: ReadonlyMap<string, Action> = new Map([
  ["show", show],
  ["delete", remove],
  ["prune", prune],
]);

const LIMIT = 20;
const DAY_MS = 86_400_000;

/** Lists runs, or does what the first word says. */
export const command: Command = async (invocation) => {
  const [word, ...words] = invocation.positionals;
  if (word === undefined) return list(invocation);
  const action = ACTIONS.get(word);
  if (action !== undefined) return action(invocation, words);
  const near = nearest(word, [...ACTIONS.keys()]);
  const hint = near === undefined ? `\`baton runs show ${word}\` shows a run` : `did you mean ${near}?`;
  throw new BatonError("invalid", `\`baton runs\` knows show, delete and prune, not "${word}"; ${hint}`);
};

async function list(invocation: Invocation): Promise<number> {
  const folder = dataFolderOf(invocation);
  const status = toStatus(valueOf(invocation, "status"));
  const limit = toWhole(invocation, "limit", 1) ?? LIMIT;
  const [crew, session] = [valueOf(invocation, "crew"), valueOf(invocation, "session")];
  const runs = hasStore(folder) ? await readRuns(folder, { crew, session, status, limit }) : [];
  if (invocation.flags.has("json")) {
    process.stdout.write(`${JSON.stringify({ runs }, undefined, 2)}\n`);
    return EXIT_CODES.done;
  }
  const screen = new Screen(openOutput(process.stdout));
  const isFiltered = [crew, session, status].some((filter) => filter !== undefined);
  const none = isFiltered ? "no such runs" : "no runs yet";
  if (runs.length === 0) process.stderr.write(`${none} in ${folder}\n`);
  else screen.draw(toRunLines(runs, { now: Date.now(), width: screen.width }));
  return EXIT_CODES.done;
}

async function readRuns(folder: string, wanted: Parameters<typeof findRuns>[1]): Promise<readonly FoundRun[]> {
  await using database = await requireDatabase(folder);
  return await findRuns(database, wanted);
}

async function show(invocation: Invocation, [word, ...more]: readonly string[]): Promise<number> {
  if (word === undefined || more.length > 0) throw new BatonError("invalid", "name one run: baton runs show RUN");
  await using database = await requireDatabase(dataFolderOf(invocation));
  const run = await findRun(database, word);
  const { crewOf, readAll } = await import("@baton/store");
  const events = await readAll(database, run.id);
  if (invocation.flags.has("json")) {
    using reporter = openJsonStage().reporter;
    for (const event of events) reporter.event(event);
    return EXIT_CODES.done;
  }
  if (run.definition === "") {
    const what = `the record of run ${run.id} is damaged, so nobody knows its crew`;
    const next = `\`${toBaton()} runs show ${toShortId(run.id)} --json\` shows its log, \`delete\` removes it`;
    throw new BatonError("damaged", `${what}; ${next}`);
  }
  const { crew } = await crewOf(database, run);
  const { reporter, screen } = openPastStage(crew, "still");
  const { state, createdAt, id, session } = run;
  const place = session === undefined ? "" : `  ${toOneLine(session)}`;
  const about = [`  ${toAge(Date.now() - createdAt)} ago  `, "dim"] as const;
  const head = toLine([toOneLine(crew.name), "strong"], about, [state, STATE_TONES[state]], [`${place}  ${id}`, "dim"]);
  screen.draw([cutLine(head, screen.width)]);
  for (const event of events) tellEvent({ reporter, width: screen.width }, event);
  reporter.settle();
  const next = await toNext(run, invocation, fold(events));
  if (next !== "") screen.draw([BLANK]);
  process.stdout.write(next);
  return EXIT_CODES.done;
}

/** What the run waits for, and how to go on. */
async function toNext(run: FoundRun, invocation: Invocation, view: RunView): Promise<string> {
  const { id, crew, state } = run;
  if (state !== "paused" && state !== "interrupted") return "";
  const path = await searchCrew(crew);
  const placeholder = path === undefined ? `CREW is the folder of ${toOneLine(crew)}.\n` : "";
  const continued = { id, path, invocation, isKept: true };
  if (state === "interrupted")
    return `the run was interrupted. Go on with it:\n${toContinuation(continued)}\n${placeholder}`;
  const { agent, questions } = view;
  return `${toWaitingText(continued, { agent, questions: [...questions.values()] })}${placeholder}`;
}

async function remove(invocation: Invocation, words: readonly string[]): Promise<number> {
  if (words.length === 0) throw new BatonError("invalid", "name the runs to delete: baton runs delete RUN…");
  await using database = await requireDatabase(dataFolderOf(invocation));
  const runs = new Map<string, FoundRun>();
  for (const word of words) {
    const run = await findRun(database, word);
    runs.set(run.id, run);
  }
  const busy = [...runs.values()].find(({ state }) => state === "running" || state === "queued");
  if (busy !== undefined) {
    throw new BatonError("conflict", `run ${toShortId(busy.id)} is running, so nothing was deleted; end it first`);
  }
  if (!(await isConfirmed(invocation, [...runs.values()]))) return EXIT_CODES.cancelled;
  for (const id of runs.keys()) await database.deleteRun(id);
  process.stdout.write(`deleted ${toCount(runs.size, "run")}\n`);
  return EXIT_CODES.done;
}

async function isConfirmed({ flags }: Invocation, runs: readonly FoundRun[]): Promise<boolean> {
  if (flags.has("yes")) return true;
  if (!isInteractive()) throw new BatonError("invalid", "there is nobody to ask; add --yes to delete");
  const screen = new Screen(openOutput(process.stdout));
  screen.draw(toRunLines(runs, { now: Date.now(), width: screen.width }));
  const said = await new TerminalAsker().decision(`Delete ${toCount(runs.length, "run")} for good? (y/n) `, [
    "yes",
    "no",
  ]);
  return said.kind === "text" && said.text === "yes";
}

async function prune(invocation: Invocation, words: readonly string[]): Promise<number> {
  const keep = toWhole(invocation, "keep", 0);
  const days = toWhole(invocation, "older-than", 0);
  if (words.length > 0 || (keep === undefined) === (days === undefined)) {
    throw new BatonError("invalid", `say which: ${toBaton()} runs prune --keep N, or --older-than DAYS`);
  }
  await using database = await requireDatabase(dataFolderOf(invocation));
  const count = await database.prune({
    ...(keep === undefined ? {} : { maxRuns: keep }),
    ...(days === undefined ? {} : { endedBefore: Date.now() - days * DAY_MS }),
  });
  process.stdout.write(`deleted ${toCount(count, "run")}; runs that wait or were interrupted are kept\n`);
  return EXIT_CODES.done;
}

function toStatus(word: string | undefined): RunState | "ended" | undefined {
  const status = STATES.find((state) => state === word);
  if (word === undefined || status !== undefined) return status;
  throw new BatonError("invalid", `there is no status "${word}"; it is one of ${STATES.join(", ")}`);
}

function toWhole(invocation: Invocation, flag: string, least: number): number | undefined {
  const word = valueOf(invocation, flag);
  if (word === undefined) return undefined;
  if (/^\d{1,9}$/.test(word) && Number(word) >= least) return Number(word);
  throw new BatonError("invalid", `--${flag} ${word}: write a whole number, at least ${least}`);
}
