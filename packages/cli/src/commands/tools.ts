/**
 * `baton tools`: lists the tools of a crew; `baton tools call` calls one by hand.
 */
import { BatonError, type RunEvent } from "@baton/core";
import { SystemClock } from "@baton/core/ports";
import { toMessage } from "@baton/core/util";
import type { CrewFile } from "@baton/crewfile";
import { findCrew, isCrew } from "../crew/crew-path.ts";
import { openMcp, openThreads, requireCrew } from "../crew/crew-loader.ts";
import { folderOf } from "../runs/data-folder.ts";
import { type CliCommand, type CommandLine, valueOf } from "../command-line.ts";
import { LazyDocuments } from "../tools/lazy-documents.ts";
import { cutLine, styleLine } from "../terminal/styled-line.ts";
import { toOneLine } from "../terminal/printable.ts";
import { Screen } from "../terminal/screen.ts";
import { showUncaughtErrors } from "../uncaught-errors.ts";
import { openOutput } from "../terminal/output.ts";
import { findTool, parseAnswers, readArguments, toCallWords } from "../tools/tool-call-request.ts";
import { type ToolCallResult, callTool, toFailed } from "../tools/tool-call.ts";
import { toToolFacts, toToolLines } from "../view/tool-view.ts";

const CALL = "call";
const SHUTDOWN_MS = 5_000;

/** Control characters but line feeds; JSON has them only inside of strings. */
const HOSTILE = /[[\p{Control}\p{Bidi_Control}]--[\n]]/gv;

/** Lists the tools of a crew, or calls one. */
export const command: CliCommand = async (commandLine) => {
  const { positionals } = commandLine;
  const [first, second, ...words] = positionals;
  if (first === CALL && (second !== undefined || !(await isCrew(CALL)))) return call(commandLine, positionals.slice(1));
  const tooMany = second ?? words[0];
  if (tooMany === undefined) return list(commandLine);
  const hint = "see `baton tools --help`";
  throw new BatonError("invalid", `"${toOneLine(tooMany)}" is one argument too many; ${hint}`);
};

async function list({ positionals, flags }: CommandLine): Promise<number> {
  const { crew } = await requireCrew(await findCrew(positionals[0]));
  const facts = [...crew.tools.values()].map((tool) => toToolFacts(crew, tool));
  if (flags.has("json")) {
    process.stdout.write(`${JSON.stringify({ tools: facts }, undefined, 2)}\n`);
    return 0;
  }
  const screen = new Screen(openOutput(process.stdout));
  if (facts.length === 0)
    screen.draw([styleLine(`${crew.name} has no tools; define them in tools.ts beside crew.yaml`)]);
  screen.draw(facts.flatMap((fact) => toToolLines(fact, screen.width)));
  return 0;
}

async function call(commandLine: CommandLine, words: readonly string[]): Promise<number> {
  const { flags } = commandLine;
  const { path, tool: name, args: typed } = await toCallWords(words);
  await using threads = openThreads();
  await using mcp = openMcp(commandLine);
  await using lazy = new LazyDocuments(folderOf(commandLine));
  const { crew, onShutdown } = await requireCrew(await findCrew(path), threads, {
    dataFolder: folderOf(commandLine),
    mcp: mcp.makeTools,
  });
  showUncaughtErrors(() => undefined);
  try {
    const tool = findTool(crew, name);
    if (tool.effect === "irreversible" && !flags.has("yes")) {
      throw new BatonError("invalid", `${name} cannot be undone; add --yes to call it`);
    }
    const read = await readArguments(typed);
    const answers = parseAnswers(valueOf(commandLine, "answer"));
    const onEvent = flags.has("json") ? () => undefined : printProgress(new Screen(openOutput(process.stderr)));
    const called = read.ok
      ? await callTool({ crew, tool, args: read.args, documents: lazy.documents, onEvent, answers })
      : toFailed({ kind: "validation", message: read.why });
    print(called, { isPretty: process.stdout.isTTY && !flags.has("json") });
    return called.exitCode;
  } finally {
    await shutDown(onShutdown);
  }
}

/** Prints the progress, notes and retries of a call, a line each. */
function printProgress(screen: Screen): (event: RunEvent) => void {
  const show = (label: string, text: string) =>
    screen.draw([cutLine(styleLine([label, "strong"], [` ${toOneLine(text)}`, "dim"]), screen.width)]);
  return (event) => {
    if (event.type === "note.made") show(`note ${toOneLine(event.kind)}`, JSON.stringify(event.data));
    else if (event.type === "call.progressed") show("progress", JSON.stringify(event.progress));
    else if (event.type === "call.retried") show(`attempt ${event.attempt}`, `after: ${event.error.message}`);
  };
}

/** Prints one line for programs; on a terminal indented JSON without control characters. */
function print({ document }: ToolCallResult, { isPretty }: { readonly isPretty: boolean }): void {
  const text = JSON.stringify(document, undefined, isPretty ? 2 : undefined) ?? "null";
  const shown = process.stdout.isTTY ? text.replaceAll(HOSTILE, toEscape) : text;
  process.stdout.write(`${shown}\n`);
}

function toEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Calls the crew's `onShutdown`, with a time limit. */
async function shutDown(onShutdown: CrewFile["onShutdown"]): Promise<void> {
  if (onShutdown === undefined) return;
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = new SystemClock().after(SHUTDOWN_MS, resolve);
  try {
    await Promise.race([onShutdown(), late]);
  } catch (error) {
    process.stderr.write(`baton: onShutdown of the crew failed: ${toOneLine(toMessage(error))}\n`);
  } finally {
    timer.cancel();
  }
}
