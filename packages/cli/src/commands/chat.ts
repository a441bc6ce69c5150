/**
 * `baton chat`: a conversation with a crew, on a terminal or line by line from a pipe.
 *
 * All inputs share one session: what was said is remembered, and an answer to a pause goes on with the paused run.
 * Reads: crew-path, crew-source, exit-code, stage. Read by: bin.
 */
import { createInterface } from "node:readline/promises";
import { BatonError, Engine, type RunResult } from "@baton/core";
import type { Asker, Said } from "../asker.ts";
import { findCrew } from "../crew-path.ts";
import { openCrew } from "../crew-source.ts";
import { EXIT_CODES } from "../exit-code.ts";
import type { Command } from "../invocation.ts";
import { BLANK, toLine, type Line } from "../line.ts";
import { toPrintable } from "../printable.ts";
import { toWaiting } from "../question-view.ts";
import { openStage, PROMPT, type Stage, toOpening } from "../stage.ts";

const SESSION = "chat";
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
  await using engine = new Engine({ model: opened.models.modelOf });
  screen.draw([...toOpening(opened, screen.width), ...(asker === undefined ? [] : HINT)]);
  for await (const text of inputs(stage)) {
    const result = await start(() => conversation.follow(engine.start(opened.crew, { input: text, session: SESSION })));
    if (result?.questions.length) {
      process.stderr.write(`baton: ${toWaiting(result)}.\nAnswer it on a terminal.\n`);
      return EXIT_CODES.paused;
    }
    screen.draw([BLANK]);
  }
  return EXIT_CODES.done;
};

/** An input that cannot be used is no reason to end the conversation. */
async function start(work: () => Promise<RunResult>): Promise<RunResult | undefined> {
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
