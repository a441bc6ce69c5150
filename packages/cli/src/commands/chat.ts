/**
 * `baton chat`: a conversation with a crew, on a terminal or line by line from a pipe.
 *
 * All inputs share one session: what was said is remembered, and an answer to a pause goes on with the paused run.
 * Reads: continuation, crew-path, crew-source, data-folder, exit-code, stage. Read by: bin.
 */
import { createInterface } from "node:readline/promises";
import { BatonError } from "@baton/core";
import type { Asker, Said } from "../asker.ts";
import { toWaitingText } from "../continuation.ts";
import { findCrew } from "../crew-path.ts";
import { openCrew } from "../crew-source.ts";
import { dataFolderOf, openAnyStore, watchStore } from "../data-folder.ts";
import { EXIT_CODES } from "../exit-code.ts";
import { type Command, valueOf } from "../invocation.ts";
import { BLANK, toLine, type Line } from "../line.ts";
import { toPrintable } from "../printable.ts";
import type { Life } from "../live-run.ts";
import { openStage, PROMPT, type Stage, toOpening } from "../stage.ts";

const HELP: readonly Line[] = [
  toLine(["/help  shows this text", "dim"]),
  toLine(["/quit  ends, as does Ctrl-D", "dim"]),
  toLine(["Ctrl-C stops a reply", "dim"]),
];

const HINT: readonly Line[] = [toLine(["/help says what else you can type", "dim"]), BLANK];

/** Talks until the user has had enough. */
export const command: Command = async (invocation) => {
  const opened = await openCrew(await findCrew(invocation.positionals[0]), invocation);
  const stage = openStage(opened);
  const { asker, conversation, reporter, screen } = stage;
  using _shown = reporter;
  await using store = await openAnyStore(dataFolderOf(invocation));
  const { DurableEngine } = await import("@baton/store");
  const { crew, models } = opened;
  await using engine = new DurableEngine({ store, crews: [crew], model: models.modelOf });
  using _watched = watchStore(store, () => reporter.settle());
  const session = valueOf(invocation, "session") ?? `chat-${crypto.randomUUID().slice(0, 8)}`;
  screen.draw([...toOpening(opened, screen.width), ...(asker === undefined ? [] : HINT)]);
  for await (const text of inputs(stage)) {
    const life = await tryInput(async () => {
      const run = await engine.start(crew, { input: text, session });
      return { run, result: await conversation.follow(run) };
    });
    if (life !== undefined && life.result.questions.length > 0) {
      const { run, result } = life;
      const isKept = store.database.name !== "memory";
      process.stderr.write(`baton: ${toWaitingText({ id: run.id, path: opened.path, invocation, isKept }, result)}`);
      return EXIT_CODES.paused;
    }
    screen.draw([BLANK]);
  }
  return EXIT_CODES.done;
};

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

/** What the user says, up to the end. */
async function* inputs({ asker, screen }: Stage): AsyncGenerator<string, undefined> {
  for await (const line of asker === undefined ? linesOfStdin() : linesOf(asker, screen)) {
    const text = line.trim();
    if (text === "/quit") return;
    if (text === "/help") screen.draw(HELP);
    else if (text !== "") yield text;
  }
}

async function* linesOfStdin(): AsyncGenerator<string, undefined> {
  const lines = createInterface({ input: process.stdin, crlfDelay: Infinity });
  for await (const line of lines) yield line;
}

/** Ctrl-C at the prompt does nothing but say how to end; twice in a row it ends. */
async function* linesOf(asker: Asker, screen: Stage["screen"]): AsyncGenerator<string, undefined> {
  let before: Said["kind"] = "text";
  for (;;) {
    const said = await asker.message(PROMPT);
    if (said.kind === "end" || (said.kind === "interrupt" && before === "interrupt")) return;
    before = said.kind;
    if (said.kind === "text") yield said.text;
    else screen.draw([toLine(["Ctrl-C again, Ctrl-D or /quit ends", "dim"])]);
  }
}
