/**
 * `baton replay`: replays a stored run against its log, plays it as it happened, or forks a new run from it.
 *
 * A replay calls no model and no tool.
 */
import { BatonError, type Crew, type RunEvent } from "@baton/core";
import type { Database, Store } from "@baton/store";
import type { Difference } from "@baton/durable/replay";
import { findCrew } from "../crew/crew-path.ts";
import { checkCrewOf, requireCrewOf, searchCrew } from "../crew/crew-search.ts";
import { openCrew, requireCrew } from "../crew/crew-loader.ts";
import { folderOf, requireDatabase, requireStore, watchStore } from "../runs/data-folder.ts";
import { toDifferenceLines } from "../view/difference-view.ts";
import { openEngine } from "../runs/engine.ts";
import { EXIT_CODES } from "../exit-code.ts";
import { type CliCommand, type CommandLine, valueOf } from "../command-line.ts";
import { styleLine } from "../terminal/styled-line.ts";
import { completeRun } from "../runs/run-completion.ts";
import { countNoun } from "../view/number-text.ts";
import { playEvents } from "../view/stored-run-view.ts";
import { toOneLine } from "../terminal/printable.ts";
import { shortIdOf } from "../runs/run-id.ts";
import { requireRun, type FoundRun } from "../runs/run-search.ts";
import { Screen } from "../terminal/screen.ts";
import { openJsonDisplay, openStoredDisplay, displayOf, toHeaderLines } from "../runs/run-display.ts";
import { openOutput } from "../terminal/output.ts";

/** A stored run with its log. */
interface StoredRun {
  readonly database: Database;
  readonly run: FoundRun;
  readonly events: readonly RunEvent[];
}

/** The command line, with the path of the crew. */
interface Asked {
  readonly commandLine: CommandLine;
  readonly path: string | undefined;
}

const DIFFERS = 1;

/** Replays a run; the exit code is 0 if nothing differs. */
export const command: CliCommand = async (commandLine) => {
  const [word, path] = commandLine.positionals;
  if (word === undefined) throw new BatonError("invalid", "name a run: baton replay RUN; `baton runs` lists the runs");
  const { flags } = commandLine;
  if (flags.has("speed") && (flags.has("fork") || flags.has("against"))) {
    throw new BatonError("invalid", "--speed cannot be used with --fork or --against; remove one of them");
  }
  if (path !== undefined && flags.has("against"))
    throw new BatonError("invalid", `--against already names the crew; remove "${toOneLine(path)}"`);
  const folder = folderOf(commandLine);
  if (flags.has("fork")) {
    await using store = await requireStore(folder);
    return await fork(store, await readStoredRun(store.database, word), { commandLine, path });
  }
  await using database = await requireDatabase(folder);
  const stored = await readStoredRun(database, word);
  return flags.has("speed") ? await show(stored, commandLine) : await check(stored, { commandLine, path });
};

async function readStoredRun(database: Database, word: string): Promise<StoredRun> {
  const { readAll } = await import("@baton/store");
  const run = await requireRun(database, word);
  const events = await readAll(database, run.id);
  if (events.length > 0) return { database, run, events };
  throw new BatonError("invalid", `run ${shortIdOf(run.id)} has not started yet, so there is nothing to replay`);
}

/** Replays the log with the run's own crew, or with another one. */
async function check(stored: StoredRun, asked: Asked): Promise<number> {
  const { replay } = await import("@baton/durable/replay");
  const { events } = stored;
  const { commandLine } = asked;
  const { crew, notes } = await toCrew(stored, asked);
  const { toGuard: guardOf } = await import("@baton/policy");
  const difference = await replay(crew, events, { guardOf });
  if (commandLine.flags.has("json")) {
    process.stdout.write(`${JSON.stringify(toJson(difference, events.length), undefined, 2)}\n`);
  } else {
    const screen = new Screen(openOutput(process.stdout));
    const same = styleLine(["✓ ", "good"], `identical: ${countNoun(events.length, "event")}`);
    screen.draw(difference === undefined ? [same] : toDifferenceLines(difference, screen.width));
  }
  if (difference !== undefined) for (const note of notes) process.stderr.write(`baton: ${toOneLine(note)}\n`);
  return difference === undefined ? EXIT_CODES.done : DIFFERS;
}

function toJson(difference: Difference | undefined, events: number): object {
  return difference === undefined ? { identical: true, events } : { identical: false, events, difference };
}

interface ReplayCrew {
  readonly crew: Crew;
  /** Possible reasons for a difference. */
  readonly notes: readonly string[];
}

async function toCrew({ database, run }: StoredRun, { commandLine, path }: Asked): Promise<ReplayCrew> {
  const { crewOf } = await import("@baton/durable");
  const other = valueOf(commandLine, "against");
  if (other !== undefined) return { crew: (await requireCrew(await findCrew(other))).crew, notes: [] };
  const found = path === undefined ? await searchCrew(run.crew) : await findCrew(path);
  if (found === undefined) {
    const note = `the crew ${run.crew} is not in this folder, so its tools are missing; name the folder of that crew`;
    return { crew: (await crewOf(database, run)).crew, notes: [note] };
  }
  const { crew: current } = await requireCrew(found);
  checkCrewOf(run, current);
  const { crew, changes } = await crewOf(database, run, current);
  return { crew, notes: changes };
}

/** Plays the run as it happened. */
async function show({ database, run, events }: StoredRun, commandLine: CommandLine): Promise<number> {
  const speed = Number(valueOf(commandLine, "speed"));
  if (!(speed > 0 && Number.isFinite(speed)))
    throw new BatonError("invalid", "--speed must be a number above 0, such as 4");
  const { crewOf } = await import("@baton/durable");
  const { crew } = await crewOf(database, run);
  const { reporter, screen } = commandLine.flags.has("json") ? openJsonDisplay() : openStoredDisplay(crew, "live");
  const isWhole = await playEvents(events, { reporter, width: screen.width }, speed);
  return isWhole ? EXIT_CODES.done : EXIT_CODES.cancelled;
}

/** Starts a new run with the log up to an event, and continues it live. */
async function fork(store: Store, { database, run, events }: StoredRun, { commandLine, path }: Asked): Promise<number> {
  const [{ crewOf }, { newRunId }] = await Promise.all([import("@baton/durable"), import("@baton/store")]);
  const { toFork, toForkCrew } = await import("@baton/durable/replay");
  const id = newRunId(store.clock.now());
  const seq = toSeq(valueOf(commandLine, "fork"));
  const prefix = toFork(events, seq, id);
  const other = valueOf(commandLine, "against");
  const at = other === undefined ? await requireCrewOf(run, path) : await findCrew(other);
  await using opened = await openCrew(at, commandLine, async (current) => {
    if (other !== undefined) return toForkCrew(current);
    checkCrewOf(run, current);
    return toForkCrew((await crewOf(database, run, current)).crew);
  });
  const { crew, models } = opened;
  const display = displayOf(commandLine, opened);
  const { screen, follower, reporter } = display;
  await using engine = await openEngine(store, { current: crew, models });
  using _watched = watchStore(store, () => reporter.flush());
  const note = `run ${shortIdOf(id)}, a fork of ${shortIdOf(run.id)} at event ${seq}`;
  screen.draw([...toHeaderLines(opened, screen.width), styleLine([note, "dim"])]);
  reporter.restore(prefix);
  follower.skip(id, prefix.length);
  const live = await engine.fork(crew, prefix, { from: { run: run.id, seq } });
  const followed = { run: live, result: await follower.follow(live) };
  return await completeRun({ engine, display, store, path: opened.path, commandLine }, followed);
}

function toSeq(word: string | undefined): number {
  if (word !== undefined && /^\d{1,9}$/.test(word)) return Number(word);
  throw new BatonError(
    "invalid",
    `--fork must be the number of an event, not "${word ?? ""}"; \`baton runs show RUN --json\` shows it as seq`,
  );
}
