/**
 * `baton chat`: a conversation with a crew, on a terminal or with lines from a pipe.
 *
 * All inputs share one session, so the crew remembers them. An answer to a paused run resumes that run.
 */
import { BatonError, type ErrorCode } from "@baton/core";
import type { DurableEngine } from "@baton/durable";
import type { Store } from "@baton/store";
import {
  type UserPrompt,
  type TextAnswer,
  isQuit,
  PROMPT_SIGN,
  QUITS,
  TerminalPrompt,
} from "../terminal/user-prompt.ts";
import { batonCommand, toPausedText, toRepeatedOptions } from "../runs/resume-command.ts";
import { findCrew } from "../crew/crew-path.ts";
import { openCrew } from "../crew/crew-loader.ts";
import { folderOf, openStoreOrMemory, watchStore } from "../runs/data-folder.ts";
import { openEngine } from "../runs/engine.ts";
import { openCommandTelemetry } from "../runs/telemetry.ts";
import { EXIT_CODES } from "../exit-code.ts";
import { type CliCommand, type CommandLine, valueOf } from "../command-line.ts";
import { BLANK, styleLine, type Line } from "../terminal/styled-line.ts";
import { toPrintable } from "../terminal/printable.ts";
import type { FollowedRun } from "../runs/run-completion.ts";
import { PipePrompt } from "../terminal/pipe-prompt.ts";
import { questionsOf } from "../view/question-view.ts";
import { toShellWord } from "../shell-word.ts";
import { openDisplay, type RunDisplay, toHeaderLines } from "../runs/run-display.ts";
import { showUncaughtErrors } from "../uncaught-errors.ts";
import { isInteractive } from "../terminal/output.ts";

/** The owner of the conversations of this command. */
const OWNER = { tenant: "local", user: "local" };
const HELP: readonly Line[] = [
  "/help   show this text",
  "/quit   end the chat (or /exit, Ctrl-D)",
  "Ctrl-C  stop a reply",
  "Enter   while a reply is written: send the line after it",
].map((text) => styleLine([text, "dim"]));
/** A command is one slash and a word; `/etc/hosts` is not one. */
const COMMAND = /^\/[a-z][a-z-]*(?=\s|$)/i;

const HINT: readonly Line[] = [styleLine(["/help lists the commands", "dim"]), BLANK];

/** Chats until the input ends. */
export const command: CliCommand = async (commandLine) => {
  await using opened = await openCrew(await findCrew(commandLine.positionals[0]), commandLine);
  const isTyped = isInteractive();
  const prompt = isTyped ? new TerminalPrompt() : new PipePrompt();
  const display = openDisplay(opened, prompt);
  const { follower, reporter, screen } = display;
  using _shown = reporter;
  await using store = await openStoreOrMemory(folderOf(commandLine));
  const { crew } = opened;
  await using telemetry = await openCommandTelemetry(commandLine);
  await using engine = await openEngine(store, opened, telemetry);
  showUncaughtErrors(() => reporter.flush());
  const session = valueOf(commandLine, "session") ?? `chat-${crypto.randomUUID().slice(0, 8)}`;
  screen.draw([...toHeaderLines(opened, screen.width), ...(isTyped ? HINT : [])]);
  let followed = await restorePaused({ engine, store, display }, session);
  const isPaused = () => followed?.result.outcome === "paused";
  for await (const text of inputs({ prompt, screen, isPaused }, () => hasQuestions(followed))) {
    followed = await tryInput(
      async () => {
        const run = await engine.start(crew, { input: text, session });
        using _watched = watchStore(store, () => reporter.flush());
        return { run, result: await follower.follow(run) };
      },
      isTyped ? ["invalid", "busy"] : ["invalid"],
    );
    if (!hasQuestions(followed)) screen.draw([BLANK]);
  }
  const isKept = store.database.name !== "memory";
  if (followed !== undefined && hasQuestions(followed)) {
    const { run, result } = followed;
    process.stderr.write(`baton: ${toPausedText({ id: run.id, path: opened.path, commandLine, isKept }, result)}`);
    return EXIT_CODES.paused;
  }
  if (followed !== undefined && isKept && isTyped) screen.draw([toAgain(opened.path, session, commandLine)]);
  return EXIT_CODES.done;
};

interface Chat {
  readonly engine: DurableEngine;
  readonly store: Store;
  readonly display: RunDisplay;
}

/** Shows the paused run of the session, if there is one, and asks its questions. */
async function restorePaused({ engine, store, display }: Chat, session: string): Promise<FollowedRun | undefined> {
  const { database } = store;
  const id = (await database.sessions.find(OWNER, session))?.paused;
  if (id === undefined || (await database.runs.find(id))?.status !== "paused") return undefined;
  const { readAll } = await import("@baton/store");
  const events = await readAll(database, id);
  display.reporter.restore(events);
  display.follower.skip(id, events.length);
  using _watched = watchStore(store, () => display.reporter.flush());
  const run = await engine.recoverRun(id);
  return { run, result: await display.follower.askQuestions(run, await run.result) };
}

function hasQuestions(followed: FollowedRun | undefined): boolean {
  return followed !== undefined && questionsOf(followed.result).length > 0;
}

function toAgain(path: string, session: string, commandLine: CommandLine): Line {
  const words = [batonCommand(), "chat", toShellWord(path), "--session", toShellWord(session)];
  return styleLine([`continue later with: ${[...words, ...toRepeatedOptions(commandLine)].join(" ")}`, "dim"]);
}

/** An invalid input does not end the conversation. Nor does a full disk, if the user can try again. */
async function tryInput(
  work: () => Promise<FollowedRun>,
  allowed: readonly ErrorCode[],
): Promise<FollowedRun | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof BatonError) || !allowed.includes(error.code)) throw error;
    process.stderr.write(`baton: ${toPrintable(error.message)}\n`);
    return undefined;
  }
}

/** The user's inputs, until the end or until a question stays open. */
async function* inputs(input: ChatInput, isStuck: () => boolean): AsyncGenerator<string, undefined> {
  if (isStuck()) return;
  for await (const line of linesOf(input)) {
    const text = line.trim();
    if (isQuit(text)) return;
    const unknown = text === "/help" ? undefined : COMMAND.exec(line)?.[0];
    if (text === "/help") input.screen.draw(HELP);
    else if (unknown !== undefined) process.stderr.write(`baton: ${toUnknown(unknown)}\n`);
    else if (text !== "") yield text;
    if (isStuck()) return;
  }
}

/** Says which commands there are, and how to send the text to the crew. */
function toUnknown(word: string): string {
  const known = ["/help", ...QUITS].join(", ");
  return toPrintable(`there is no command ${word}, only ${known}; to send it to the crew, write a space before it`);
}

interface ChatInput extends Pick<RunDisplay, "screen"> {
  readonly prompt: UserPrompt;
  /** Whether the next line is the answer to a paused run. */
  readonly isPaused: () => boolean;
}

/** The first Ctrl-C at the prompt says how to end; the second in a row ends. */
async function* linesOf({ prompt, screen, isPaused }: ChatInput): AsyncGenerator<string, undefined> {
  let before: TextAnswer["kind"] = "text";
  for (;;) {
    const said = await prompt.message(PROMPT_SIGN, isPaused() ? "show" : "send");
    if (said.kind === "end" || (said.kind === "interrupt" && before === "interrupt")) return;
    before = said.kind;
    if (said.kind === "text") yield said.text;
    else screen.draw([styleLine(["press Ctrl-C again, Ctrl-D or type /quit to end", "dim"])]);
  }
}
