/**
 * `baton replay`: a stored run once more: checked against its log, shown as it happened, or begun anew from a place.
 *
 * A check calls no model and no tool.
 */
import { BatonError, type Crew, type RunEvent } from "@baton/core";
import type { Database, Store } from "@baton/store";
import type { Difference } from "@baton/store/replay";
import { findCrew } from "../crew/crew-path.ts";
import { checkCrewOf, requireCrewOf, searchCrew } from "../crew/crew-search.ts";
import { openCrew, requireCrew } from "../crew/crew-loader.ts";
import { dataFolderOf, requireDatabase, requireStore, watchStore } from "../runs/data-folder.ts";
import { toDifferenceLines } from "../view/difference-view.ts";
import { openEngine } from "../runs/engine.ts";
import { EXIT_CODES } from "../exit-code.ts";
import { type Command, type Invocation, valueOf } from "../command-line.ts";
import { toLine } from "../terminal/styled-line.ts";
import { finish } from "../runs/run-completion.ts";
import { toCount } from "../view/number-text.ts";
import { play } from "../view/playback.ts";
import { toOneLine } from "../terminal/printable.ts";
import { toShortId } from "../runs/run-id.ts";
import { findRun, type FoundRun } from "../runs/run-search.ts";
import { Screen } from "../terminal/screen.ts";
import { openJsonStage, openPastStage, stageOf, toOpening } from "../runs/run-display.ts";
import { openOutput } from "../terminal/output.ts";

/** A stored run with its log. */
interface Past {
  readonly database: Database;
  readonly run: FoundRun;
  readonly events: readonly RunEvent[];
}

/** What was asked for; the path is that of the crew. */
interface Asked {
  readonly invocation: Invocation;
  readonly path: string | undefined;
}

const DIFFERS = 1;

/** Replays a run; 0 where nothing differs. */
export const command: Command = async (invocation) => {
  const [word, path] = invocation.positionals;
  if (word === undefined) throw new BatonError("invalid", "name a run: baton replay RUN; `baton runs` lists them");
  const { flags } = invocation;
  if (flags.has("speed") && (flags.has("fork") || flags.has("against"))) {
    throw new BatonError("invalid", "--speed shows what happened; leave out --fork and --against");
  }
  if (path !== undefined && flags.has("against"))
    throw new BatonError("invalid", "--against names the crew; name no other");
  const folder = dataFolderOf(invocation);
  if (flags.has("fork")) {
    await using store = await requireStore(folder);
    return await fork(store, await readPast(store.database, word), { invocation, path });
  }
  await using database = await requireDatabase(folder);
  const past = await readPast(database, word);
  return flags.has("speed") ? await show(past, invocation) : await check(past, { invocation, path });
};

async function readPast(database: Database, word: string): Promise<Past> {
  const { readAll } = await import("@baton/store");
  const run = await findRun(database, word);
  const events = await readAll(database, run.id);
  if (events.length > 0) return { database, run, events };
  throw new BatonError("invalid", `run ${toShortId(run.id)} has not begun, so there is nothing to replay`);
}

/** Runs it over its log, with the crew it began with or another one. */
async function check(past: Past, asked: Asked): Promise<number> {
  const { replay } = await import("@baton/store/replay");
  const { events } = past;
  const { invocation } = asked;
  const { crew, notes } = await toCrew(past, asked);
  const difference = await replay(crew, events);
  if (invocation.flags.has("json")) {
    process.stdout.write(`${JSON.stringify(toJson(difference, events.length), undefined, 2)}\n`);
  } else {
    const screen = new Screen(openOutput(process.stdout));
    const same = toLine(["✓ ", "good"], `identical: ${toCount(events.length, "event")}`);
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
  /** What may be the reason of a difference. */
  readonly notes: readonly string[];
}

async function toCrew({ database, run }: Past, { invocation, path }: Asked): Promise<ReplayCrew> {
  const { crewOf } = await import("@baton/store");
  const other = valueOf(invocation, "against");
  if (other !== undefined) return { crew: (await requireCrew(await findCrew(other))).crew, notes: [] };
  const found = path === undefined ? await searchCrew(run.crew) : await findCrew(path);
  if (found === undefined) {
    const note = `the code of ${run.crew}'s tools is not in this folder, which may be why; name the folder of that crew`;
    return { crew: (await crewOf(database, run)).crew, notes: [note] };
  }
  const { crew: current } = await requireCrew(found);
  checkCrewOf(run, current);
  const { crew, changes } = await crewOf(database, run, current);
  return { crew, notes: changes };
}

/** Shows it as it happened. */
async function show({ database, run, events }: Past, invocation: Invocation): Promise<number> {
  const speed = Number(valueOf(invocation, "speed"));
  if (!(speed > 0 && Number.isFinite(speed))) throw new BatonError("invalid", "--speed is a number above 0, such as 4");
  const { crewOf } = await import("@baton/store");
  const { crew } = await crewOf(database, run);
  const { reporter, screen } = invocation.flags.has("json") ? openJsonStage() : openPastStage(crew, "live");
  const isWhole = await play(events, { reporter, width: screen.width }, speed);
  return isWhole ? EXIT_CODES.done : EXIT_CODES.cancelled;
}

/** Begins a new run with the log up to a place, and goes on live. */
async function fork(store: Store, { database, run, events }: Past, { invocation, path }: Asked): Promise<number> {
  const { crewOf, newRunId } = await import("@baton/store");
  const { toFork, toForkCrew } = await import("@baton/store/replay");
  const id = newRunId(store.clock.now());
  const seq = toSeq(valueOf(invocation, "fork"));
  const prefix = toFork(events, seq, id);
  const other = valueOf(invocation, "against");
  const at = other === undefined ? await requireCrewOf(run, path) : await findCrew(other);
  await using opened = await openCrew(at, invocation, async (current) => {
    if (other !== undefined) return toForkCrew(current);
    checkCrewOf(run, current);
    return toForkCrew((await crewOf(database, run, current)).crew);
  });
  const { crew, models } = opened;
  const stage = stageOf(invocation, opened);
  const { screen, conversation, reporter } = stage;
  await using engine = await openEngine(store, { current: crew, models });
  using _watched = watchStore(store, () => reporter.settle());
  const note = `run ${toShortId(id)}, a fork of ${toShortId(run.id)} at event ${seq}`;
  screen.draw([...toOpening(opened, screen.width), toLine([note, "dim"])]);
  reporter.recall(prefix);
  conversation.skip(id, prefix.length);
  const live = await engine.fork(crew, prefix, { from: { run: run.id, seq } });
  const life = { run: live, result: await conversation.follow(live) };
  return await finish({ engine, stage, store, path: opened.path, invocation }, life);
}

function toSeq(word: string | undefined): number {
  if (word !== undefined && /^\d{1,9}$/.test(word)) return Number(word);
  throw new BatonError(
    "invalid",
    `--fork ${word ?? ""}: write the number of an event, see \`baton runs show RUN --json\``,
  );
}
