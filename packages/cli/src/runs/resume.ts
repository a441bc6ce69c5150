/**
 * Resume: continues a stored run with the crew that it started with.
 *
 * All answers are checked before the first one is sent to the run.
 */
import { BatonError, type Crew, fold, type Run, type RunEvent } from "@baton/core";
import type { DurableEngine } from "@baton/durable";
import type { Store } from "@baton/store";
import { areNamedAnswers, parseReply, type UserReply } from "./answers.ts";
import { isCrew } from "../crew/crew-path.ts";
import { checkCrewOf, requireCrewOf } from "../crew/crew-search.ts";
import { openCrew, type OpenedCrew } from "../crew/crew-loader.ts";
import { folderOf, requireStore, watchStore } from "./data-folder.ts";
import { openEngine } from "./engine.ts";
import { openCommandTelemetry } from "./telemetry.ts";
import { readStdin, RESULT_LIMIT, STDIN, type StdinLimit, toInputLimit } from "./input.ts";
import type { CommandLine } from "../command-line.ts";
import { styleLine } from "../terminal/styled-line.ts";
import { completeRun, type FollowedRun } from "./run-completion.ts";
import { toOneLine } from "../terminal/printable.ts";
import { PROMPT_SIGN } from "../terminal/user-prompt.ts";
import type { Reporter } from "../view/reporter.ts";
import { shortIdOf } from "./run-id.ts";
import { requireRun, type FoundRun } from "./run-search.ts";
import { type RunDisplay, displayOf, toHeaderLines } from "./run-display.ts";

/** A stored run, and what is needed to resume it. */
interface Resumed {
  readonly record: FoundRun;
  readonly opened: OpenedCrew;
  /** Its log up to now. */
  readonly events: readonly RunEvent[];
  /** The message or the answers that were typed. */
  readonly words: readonly string[];
}

/** After this time the lease of a dead process has expired. */
const PATIENCE_MS = 4_000;
const POLL_MS = 100;

/** Resumes a run; the exit code says its outcome. */
export async function resume(commandLine: CommandLine, word: string): Promise<number> {
  if (commandLine.flags.has("task"))
    throw new BatonError("invalid", "--task works only for a new run; remove it, or remove --resume");
  await using store = await requireStore(folderOf(commandLine));
  const resumed = await openResumed(store, word, commandLine);
  const { record } = resumed;
  await using opened = resumed.opened;
  const display = displayOf(commandLine, opened);
  const { screen, reporter } = display;
  await using telemetry = await openCommandTelemetry(commandLine);
  await using engine = await openEngine(store, opened, telemetry);
  using _watched = watchStore(store, () => reporter.flush());
  screen.draw([...toHeaderLines(opened, screen.width), styleLine([`continuing run ${shortIdOf(record.id)}`, "dim"])]);
  const followed = await continueRun(engine, store, { resumed, display });
  return await completeRun({ engine, display, store, path: opened.path, commandLine }, followed);
}

/** Finds the run and its crew; throws if the run cannot be resumed. */
async function openResumed(store: Store, word: string, commandLine: CommandLine): Promise<Resumed> {
  const record = await waitUntilFree(store, await requireRun(store.database, word));
  const { path, words } = await toTyped(commandLine.positionals);
  const [{ crewOf }, { readAll }] = await Promise.all([import("@baton/durable"), import("@baton/store")]);
  const events = await readAll(store.database, record.id);
  const at = await requireCrewOf(record, path);
  const opened = await openCrew(at, commandLine, async (current) => {
    checkCrewOf(record, current);
    return (await crewOf(store.database, record, current)).crew;
  });
  const isFromStdin = words.length === 1 && words[0] === STDIN;
  const typed = isFromStdin ? [await readStdin(limitOf(events, opened.crew))] : words;
  checkWords(typed, record, events);
  return { record, opened, events, words: typed };
}

/** Recovers the run, sends it what was typed, and follows it to its end or to the next pause without an answer. */
async function continueRun(engine: DurableEngine, store: Store, { resumed, display }: Resuming): Promise<FollowedRun> {
  const { record, events, words } = resumed;
  const { follower, reporter } = display;
  reporter.restore(events);
  follower.skip(record.id, events.length);
  const run = await engine.recoverRun(record.id);
  if (record.state !== "paused") return { run, result: await follower.follow(run) };
  // Recovery may have opened another question.
  const hasGrown = (await store.database.logs.length(record.id)) > events.length;
  const result = hasGrown ? await follower.watch(run) : await run.result;
  const reply = parseReply(words, result);
  if (reply.kind === "nothing") return { run, result: await follower.askQuestions(run, result) };
  const next = await send({ engine, reporter }, record.id, reply);
  return { run: next, result: await follower.follow(next) };
}

interface Resuming {
  readonly resumed: Resumed;
  readonly display: RunDisplay;
}

async function send(
  { engine, reporter }: Sending,
  id: string,
  reply: Exclude<UserReply, { kind: "nothing" }>,
): Promise<Run> {
  if (reply.kind === "message") {
    reporter.print([styleLine([PROMPT_SIGN, "strong"], toOneLine(reply.text))]);
    return engine.resume(id, reply.text);
  }
  let run: Run | undefined;
  for (const answer of reply.answers) run = (await engine.command(id, { type: "answer", ...answer })).run;
  if (run === undefined) throw new BatonError("internal", `run ${id} got no answer`);
  return run;
}

interface Sending {
  readonly engine: DurableEngine;
  readonly reporter: Reporter;
}

/** Separates the crew, which may be missing, from the words after it. */
async function toTyped(
  positionals: readonly string[],
): Promise<{ readonly path?: string; readonly words: readonly string[] }> {
  const [first, ...rest] = positionals;
  if (first === undefined) return { words: [] };
  if (await isCrew(first)) return { path: first, words: rest };
  if (rest.length === 0 || areNamedAnswers(positionals)) return { words: positionals };
  throw new BatonError(
    "invalid",
    `there is no crew at ${first}; if it is part of your answer, put the whole answer in quotes`,
  );
}

/** Waits until no process runs it: the lease of a process that has just died must expire first. */
async function waitUntilFree(store: Store, found: FoundRun): Promise<FoundRun> {
  let record = found;
  for (let waitedMs = 0; ; waitedMs += POLL_MS) {
    if (record.status === "ended") throw ended(record);
    if (record.state === "paused" || record.state === "interrupted") return record;
    if (waitedMs >= PATIENCE_MS) throw running(record);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    record = await requireRun(store.database, record.id);
  }
}

/** Throws if what was typed does not answer the run. */
function checkWords(words: readonly string[], record: FoundRun, events: readonly RunEvent[]): void {
  if (words.length === 0) return;
  if (record.state !== "paused") throw notWaiting(record);
  parseReply(words, { questions: [...fold(events).questions.values()] });
}

/** A tool result may be longer than a message. */
function limitOf(events: readonly RunEvent[], { settings }: Crew): StdinLimit {
  const isResult = [...fold(events).questions.values()].some(({ kind }) => kind === "tool");
  return isResult ? RESULT_LIMIT : toInputLimit(settings.maxInputBytes);
}

function ended({ id, state }: FoundRun): BatonError {
  const short = shortIdOf(id);
  const hint = `\`baton runs show ${short}\` shows it, \`baton replay ${short} --fork SEQ\` starts a new run from it`;
  return new BatonError("run_ended", `run ${short} has ended (${state}); ${hint}`);
}

function running({ id }: FoundRun): BatonError {
  const short = shortIdOf(id);
  return new BatonError(
    "conflict",
    `run ${short} is running in another process; \`baton runs show ${short}\` shows its progress`,
  );
}

function notWaiting({ id }: FoundRun): BatonError {
  return new BatonError(
    "invalid",
    `run ${shortIdOf(id)} was interrupted and does not wait for an answer; resume it without one`,
  );
}
