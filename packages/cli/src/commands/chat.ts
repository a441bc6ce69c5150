/**
 * `baton chat`: a conversation with a crew, on a terminal or line by line from a pipe.
 *
 * All inputs share one session: what was said is remembered, and an answer to a pause goes on with the paused run.
 */
import { BatonError } from "@baton/core";
import type { DurableEngine, Store } from "@baton/store";
import { type Asker, type Said, TerminalAsker } from "../terminal/user-prompt.ts";
import { toBaton, toWaitingText } from "../runs/resume-command.ts";
import { findCrew } from "../crew/crew-path.ts";
import { openCrew } from "../crew/crew-loader.ts";
import { dataFolderOf, openAnyStore, watchStore } from "../runs/data-folder.ts";
import { openEngine } from "../runs/engine.ts";
import { EXIT_CODES } from "../exit-code.ts";
import { type Command, valueOf } from "../command-line.ts";
import { BLANK, toLine, type Line } from "../terminal/styled-line.ts";
import { toPrintable } from "../terminal/printable.ts";
import type { Life } from "../runs/run-completion.ts";
import { PipeAsker, QUIT } from "../terminal/pipe-prompt.ts";
import { questionsOf } from "../view/question-view.ts";
import { toShellWord } from "../shell-word.ts";
import { openStage, PROMPT, type Stage, toOpening } from "../runs/run-display.ts";
import { showStrayErrors } from "../uncaught-errors.ts";
import { isInteractive } from "../terminal/output.ts";

/** Whose conversations they are where nobody else uses the store. */
const OWNER = { tenant: "local", user: "local" };
const HELP: readonly Line[] = [
  toLine(["/help  shows this text", "dim"]),
  toLine([`${QUIT}  ends, as does Ctrl-D`, "dim"]),
  toLine(["Ctrl-C stops a reply", "dim"]),
];

const HINT: readonly Line[] = [toLine(["/help says what else you can type", "dim"]), BLANK];

/** Talks until the user has had enough. */
export const command: Command = async (invocation) => {
  await using opened = await openCrew(await findCrew(invocation.positionals[0]), invocation);
  const isTyped = isInteractive();
  const asker = isTyped ? new TerminalAsker() : new PipeAsker();
  const stage = openStage(opened, asker);
  const { conversation, reporter, screen } = stage;
  using _shown = reporter;
  await using store = await openAnyStore(dataFolderOf(invocation));
  const { crew } = opened;
  await using engine = await openEngine(store, opened);
  using _watched = watchStore(store, () => reporter.settle());
  showStrayErrors(() => reporter.settle());
  const session = valueOf(invocation, "session") ?? `chat-${crypto.randomUUID().slice(0, 8)}`;
  screen.draw([...toOpening(opened, screen.width), ...(isTyped ? HINT : [])]);
  let life = await takeUp({ engine, store, stage }, session);
  for await (const text of inputs({ asker, screen }, () => hasQuestions(life))) {
    life = await tryInput(async () => {
      const run = await engine.start(crew, { input: text, session });
      return { run, result: await conversation.follow(run) };
    });
    if (!hasQuestions(life)) screen.draw([BLANK]);
  }
  const isKept = store.database.name !== "memory";
  if (life !== undefined && hasQuestions(life)) {
    const { run, result } = life;
    process.stderr.write(`baton: ${toWaitingText({ id: run.id, path: opened.path, invocation, isKept }, result)}`);
    return EXIT_CODES.paused;
  }
  if (life !== undefined && isKept && isTyped) screen.draw([toAgain(opened.path, session)]);
  return EXIT_CODES.done;
};

interface Talk {
  readonly engine: DurableEngine;
  readonly store: Store;
  readonly stage: Stage;
}

/** What the conversation waited for when it was left: shown again, and asked about where it is a question. */
async function takeUp({ engine, store, stage }: Talk, session: string): Promise<Life | undefined> {
  const { database } = store;
  const id = (await database.session(OWNER, session))?.paused;
  if (id === undefined || (await database.run(id))?.status !== "paused") return undefined;
  const { readAll } = await import("@baton/store");
  const events = await readAll(database, id);
  stage.reporter.recall(events);
  stage.conversation.skip(id, events.length);
  const run = await engine.takeUp(id);
  return { run, result: await stage.conversation.decide(run, await run.result) };
}

function hasQuestions(life: Life | undefined): boolean {
  return life !== undefined && questionsOf(life.result).length > 0;
}

function toAgain(path: string, session: string): Line {
  const words = [toBaton(), "chat", toShellWord(path), "--session", toShellWord(session)];
  return toLine([`go on later with: ${words.join(" ")}`, "dim"]);
}

/** An input that cannot be used is no reason to end the conversation. */
async function tryInput(work: () => Promise<Life>): Promise<Life | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof BatonError) || error.code !== "invalid") throw error;
    process.stderr.write(`baton: ${toPrintable(error.message)}\n`);
    return undefined;
  }
}

/** What the user says, up to the end, or until there is a question that was left open. */
async function* inputs({ asker, screen }: Room, isStuck: () => boolean): AsyncGenerator<string, undefined> {
  if (isStuck()) return;
  for await (const line of linesOf({ asker, screen })) {
    const text = line.trim();
    if (text === QUIT) return;
    if (text === "/help") screen.draw(HELP);
    else if (text !== "") yield text;
    if (isStuck()) return;
  }
}

interface Room extends Pick<Stage, "screen"> {
  readonly asker: Asker;
}

/** Ctrl-C at the prompt does nothing but say how to end; twice in a row it ends. */
async function* linesOf({ asker, screen }: Room): AsyncGenerator<string, undefined> {
  let before: Said["kind"] = "text";
  for (;;) {
    const said = await asker.message(PROMPT);
    if (said.kind === "end" || (said.kind === "interrupt" && before === "interrupt")) return;
    before = said.kind;
    if (said.kind === "text") yield said.text;
    else screen.draw([toLine(["Ctrl-C again, Ctrl-D or /quit ends", "dim"])]);
  }
}
