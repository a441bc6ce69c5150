/**
 * Resumption: goes on with a stored run, with the crew it began with and the models chosen for that.
 *
 * Nothing is sent to the run before all that was typed is known to fit what it waits for.
 */
import { BatonError, type Crew, fold, type Run, type RunEvent } from "@baton/core";
import type { DurableEngine, Store } from "@baton/store";
import { areNamed, toTold, type Told } from "./answers.ts";
import { isCrew } from "../crew/crew-path.ts";
import { checkCrewOf, requireCrewOf } from "../crew/crew-search.ts";
import { openCrew, type OpenedCrew } from "../crew/crew-loader.ts";
import { dataFolderOf, requireStore, watchStore } from "./data-folder.ts";
import { openEngine } from "./engine.ts";
import { readStdin, RESULT_LIMIT, STDIN, type StdinLimit, toInputLimit } from "./input.ts";
import type { Invocation } from "../command-line.ts";
import { toLine } from "../terminal/styled-line.ts";
import { finish, type Life } from "./run-completion.ts";
import { toOneLine } from "../terminal/printable.ts";
import type { Reporter } from "../view/reporter.ts";
import { toShortId } from "./run-id.ts";
import { findRun, type FoundRun } from "./run-search.ts";
import { PROMPT, type Stage, stageOf, toOpening } from "./run-display.ts";

/** A stored run, and the crew that goes on with it. */
interface Resumed {
  readonly record: FoundRun;
  readonly opened: OpenedCrew;
  /** Its log so far. */
  readonly events: readonly RunEvent[];
  /** What was typed for it. */
  readonly words: readonly string[];
}

/** A process that is gone is known to be after so long. */
const PATIENCE_MS = 4_000;
const POLL_MS = 100;

/** Goes on with a run; the exit code is its outcome. */
export async function resume(invocation: Invocation, word: string): Promise<number> {
  if (invocation.flags.has("task")) throw new BatonError("invalid", "--task is for a new run; leave it out");
  await using store = await requireStore(dataFolderOf(invocation));
  const resumed = await openResumed(store, word, invocation);
  const { record } = resumed;
  await using opened = resumed.opened;
  const stage = stageOf(invocation, opened);
  const { screen, reporter } = stage;
  await using engine = await openEngine(store, opened);
  using _watched = watchStore(store, () => reporter.settle());
  screen.draw([...toOpening(opened, screen.width), toLine([`run ${toShortId(record.id)} goes on`, "dim"])]);
  const life = await goOn(engine, store, { resumed, stage });
  return await finish({ engine, stage, store, path: opened.path, invocation }, life);
}

/** Finds the run that is meant and its crew; throws if it cannot go on. */
async function openResumed(store: Store, word: string, invocation: Invocation): Promise<Resumed> {
  const record = await awaitFree(store, await findRun(store.database, word));
  const { path, words } = await toTyped(invocation.positionals);
  const { crewOf, readAll } = await import("@baton/store");
  const events = await readAll(store.database, record.id);
  const at = await requireCrewOf(record, path);
  const opened = await openCrew(at, invocation, async (current) => {
    checkCrewOf(record, current);
    return (await crewOf(store.database, record, current)).crew;
  });
  const isFromStdin = words.length === 1 && words[0] === STDIN;
  const said = isFromStdin ? [await readStdin(limitOf(events, opened.crew))] : words;
  checkWords(said, record, events);
  return { record, opened, events, words: said };
}

/** Recovers the run, tells it what was typed, and follows it to its end or to the next pause nobody ends. */
async function goOn(engine: DurableEngine, store: Store, { resumed, stage }: Going): Promise<Life> {
  const { record, events, words } = resumed;
  const { conversation, reporter } = stage;
  reporter.recall(events);
  conversation.skip(record.id, events.length);
  const run = await engine.takeUp(record.id);
  if (record.state !== "paused") return { run, result: await conversation.follow(run) };
  // Recovering it may have led to one more question.
  const hasGrown = (await store.database.length(record.id)) > events.length;
  const result = hasGrown ? await conversation.watch(run) : await run.result;
  const told = toTold(words, result);
  if (told.kind === "nothing") return { run, result: await conversation.decide(run, result) };
  const next = await tell({ engine, reporter }, record.id, told);
  return { run: next, result: await conversation.follow(next) };
}

/** What is needed to go on. */
interface Going {
  readonly resumed: Resumed;
  readonly stage: Stage;
}

async function tell({ engine, reporter }: Teller, id: string, told: Exclude<Told, { kind: "nothing" }>): Promise<Run> {
  if (told.kind === "message") {
    reporter.note([toLine([PROMPT, "strong"], toOneLine(told.text))]);
    return engine.resume(id, told.text);
  }
  let run: Run | undefined;
  for (const answer of told.answers) run = (await engine.command(id, { type: "answer", ...answer })).run;
  if (run === undefined) throw new BatonError("internal", `run ${id} was told nothing`);
  return run;
}

interface Teller {
  readonly engine: DurableEngine;
  readonly reporter: Reporter;
}

/** Tells the crew from the answer: the crew comes first, and may be left out. */
async function toTyped(
  positionals: readonly string[],
): Promise<{ readonly path?: string; readonly words: readonly string[] }> {
  const [first, ...rest] = positionals;
  if (first === undefined) return { words: [] };
  if (await isCrew(first)) return { path: first, words: rest };
  if (rest.length === 0 || areNamed(positionals)) return { words: positionals };
  throw new BatonError(
    "invalid",
    `there is no crew at ${first}; if it is part of the answer, put the answer in quotes`,
  );
}

/** The run, once no process runs it; a process that died a moment ago is waited for. */
async function awaitFree(store: Store, found: FoundRun): Promise<FoundRun> {
  let record = found;
  for (let waitedMs = 0; ; waitedMs += POLL_MS) {
    if (record.status === "ended") throw ended(record);
    if (record.state === "paused" || record.state === "interrupted") return record;
    if (waitedMs >= PATIENCE_MS) throw running(record);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    record = await findRun(store.database, record.id);
  }
}

/** Throws before anything is done if what was typed is not an answer. */
function checkWords(words: readonly string[], record: FoundRun, events: readonly RunEvent[]): void {
  if (words.length === 0) return;
  if (record.state !== "paused") throw notWaiting(record);
  toTold(words, { questions: [...fold(events).questions.values()] });
}

/** A result may be longer than a message. */
function limitOf(events: readonly RunEvent[], { settings }: Crew): StdinLimit {
  const isResult = [...fold(events).questions.values()].some(({ kind }) => kind === "tool");
  return isResult ? RESULT_LIMIT : toInputLimit(settings.maxInputBytes);
}

function ended({ id, state }: FoundRun): BatonError {
  const short = toShortId(id);
  const hint = `\`baton runs show ${short}\` shows it, \`baton replay ${short} --fork SEQ\` begins a new one from it`;
  return new BatonError("run_ended", `run ${short} has ended (${state}); ${hint}`);
}

function running({ id }: FoundRun): BatonError {
  const short = toShortId(id);
  return new BatonError(
    "conflict",
    `run ${short} is running in another process; \`baton runs show ${short}\` shows how far it is`,
  );
}

function notWaiting({ id }: FoundRun): BatonError {
  return new BatonError(
    "invalid",
    `run ${toShortId(id)} was interrupted and waits for no answer; leave the answer out`,
  );
}
