/**
 * `baton tools`: a crew's tools: what each does, takes and changes, who has it, and whether a person is asked; and
 * `baton tools call`, which calls one by hand.
 */
import { BatonError, type RunEvent } from "@baton/core";
import { SystemClock, toMessage } from "@baton/core/ports";
import type { CrewFile } from "@baton/crewfile";
import { findCrew, isCrew } from "../crew/crew-path.ts";
import { openThreads, requireCrew } from "../crew/crew-loader.ts";
import { dataFolderOf } from "../runs/data-folder.ts";
import type { Command, Invocation } from "../command-line.ts";
import { KeptDocuments } from "../tools/lazy-documents.ts";
import { cutLine, toLine } from "../terminal/styled-line.ts";
import { toOneLine } from "../terminal/printable.ts";
import { Screen } from "../terminal/screen.ts";
import { showStrayErrors } from "../uncaught-errors.ts";
import { openOutput } from "../terminal/output.ts";
import { findTool, readArguments, toCallWords } from "../tools/tool-call-request.ts";
import { type Called, callTool, toFailed } from "../tools/tool-call.ts";
import { toToolFacts, toToolLines } from "../view/tool-view.ts";

const CALL = "call";
const SHUTDOWN_MS = 5_000;

/** All that a terminal would obey, but line feeds; JSON has it only inside of strings. */
const HOSTILE = /[[\p{Control}\p{Bidi_Control}]--[\n]]/gv;

/** Lists the tools of a crew, or calls one. */
export const command: Command = async (invocation) => {
  const { positionals } = invocation;
  const [first, second, ...words] = positionals;
  if (first === CALL && (second !== undefined || !(await isCrew(CALL)))) return call(invocation, positionals.slice(1));
  const tooMany = second ?? words[0];
  if (tooMany === undefined) return list(invocation);
  const hint = "`baton tools --help` says what it takes";
  throw new BatonError("invalid", `"${toOneLine(tooMany)}" is one argument too many; ${hint}`);
};

async function list({ positionals, flags }: Invocation): Promise<number> {
  const { crew } = await requireCrew(await findCrew(positionals[0]));
  const facts = [...crew.tools.values()].map((tool) => toToolFacts(crew, tool));
  if (flags.has("json")) {
    process.stdout.write(`${JSON.stringify({ tools: facts }, undefined, 2)}\n`);
    return 0;
  }
  const screen = new Screen(openOutput(process.stdout));
  if (facts.length === 0) screen.draw([toLine(`${crew.name} has no tools; write some in tools.ts beside crew.yaml`)]);
  screen.draw(facts.flatMap((fact) => toToolLines(fact, screen.width)));
  return 0;
}

async function call(invocation: Invocation, words: readonly string[]): Promise<number> {
  const { flags } = invocation;
  const { path, tool: name, args: typed } = await toCallWords(words);
  await using threads = openThreads();
  await using kept = new KeptDocuments(dataFolderOf(invocation));
  const { crew, onShutdown } = await requireCrew(await findCrew(path), threads);
  showStrayErrors(() => undefined);
  try {
    const tool = findTool(crew, name);
    if (tool.effect === "irreversible" && !flags.has("yes")) {
      throw new BatonError("invalid", `${name} cannot be undone; add --yes to call it`);
    }
    const read = await readArguments(typed);
    const tell = flags.has("json") ? () => undefined : tellOn(new Screen(openOutput(process.stderr)));
    const called = read.ok
      ? await callTool({ crew, tool, args: read.args, documents: kept.documents, tell })
      : toFailed({ kind: "validation", message: read.why });
    print(called, { isPretty: process.stdout.isTTY && !flags.has("json") });
    return called.exitCode;
  } finally {
    await shutDown(onShutdown);
  }
}

/** What a tool says before it is done: progress and notes, a line each. */
function tellOn(screen: Screen): (event: RunEvent) => void {
  const show = (label: string, text: string) =>
    screen.draw([cutLine(toLine([label, "strong"], [` ${toOneLine(text)}`, "dim"]), screen.width)]);
  return (event) => {
    if (event.type === "note.made") show(`note ${toOneLine(event.kind)}`, JSON.stringify(event.data));
    else if (event.type === "call.progressed") show("progress", JSON.stringify(event.progress));
    else if (event.type === "call.retried") show(`attempt ${event.attempt}`, `after: ${event.error.message}`);
  };
}

/** One line for programs; on a terminal indented, with nothing that the terminal would obey. */
function print({ document }: Called, { isPretty }: { readonly isPretty: boolean }): void {
  const text = JSON.stringify(document, undefined, isPretty ? 2 : undefined) ?? "null";
  const shown = process.stdout.isTTY ? text.replaceAll(HOSTILE, toEscape) : text;
  process.stdout.write(`${shown}\n`);
}

function toEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Lets the crew's tools close what they opened; one that hangs is left. */
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
