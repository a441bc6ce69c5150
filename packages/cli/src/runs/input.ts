/**
 * Input: the input of a run, from the command line or from standard input.
 *
 * Standard input must be UTF-8 and no larger than the crew allows. A byte order mark, carriage returns and the last
 * line feed are removed.
 */
import { BatonError } from "@baton/core";
import { MAX_RESULT_BYTES } from "../tools/tool-result.ts";
import { batonCommand } from "./resume-command.ts";
import { isCrew } from "../crew/crew-path.ts";
import { requireCrew } from "../crew/crew-loader.ts";
import { toOneLine } from "../terminal/printable.ts";
import { toShellWord } from "../shell-word.ts";

/** The crew and the input on the command line. */
export interface TypedInput {
  readonly path: string | undefined;
  /** Missing if there is only a crew. */
  readonly input?: string;
}

const BOM_AND_LINE_END_BYTES = 5;

/** The argument that means standard input. */
export const STDIN = "-";

/** Finds out which argument is the crew and which the input. One argument alone is the input of the crew in this folder. */
export async function parseInput(positionals: readonly string[]): Promise<TypedInput> {
  const [first, ...words] = positionals;
  if (first === undefined) {
    if (await isCrew(".")) return { path: undefined };
    throw new BatonError("invalid", 'name a crew and an input: baton run CREW "INPUT"');
  }
  const isPath = await isCrew(first);
  const [input = "", ...more] = words;
  if (more.length > 0 && isPath) throw toUnquoted(words, first);
  if (words.length > 0 && !isPath && (await isCrew("."))) throw toUnclear(positionals);
  if (words.length > 0) return { path: first, input };
  if (!isPath && (await isCrew("."))) return { path: undefined, input: first };
  if (isPath) return { path: first };
  const problem = `"${toOneLine(first)}" is not a crew, and there is no crew.yaml in this folder`;
  throw new BatonError(
    "invalid",
    `${problem}; write ${batonCommand()} run CREW "INPUT", or create a crew with \`baton init\``,
  );
}

/** The error for an input of several arguments; it shows the command with quotes. */
function toUnquoted(words: readonly string[], path: string): BatonError {
  return new BatonError("invalid", `the input has ${words.length} arguments; ${toQuoted(words, [toShellWord(path)])}`);
}

/** The error for several arguments in the folder of a crew: the first may be a mistyped crew or part of the input. */
function toUnclear(words: readonly string[]): BatonError {
  const first = toOneLine(words[0] ?? "");
  return new BatonError("invalid", `there is no crew at ${first}; if it is part of the input, ${toQuoted(words, [])}`);
}

function toQuoted(words: readonly string[], before: readonly string[]): string {
  const command = [batonCommand(), "run", ...before, toShellWord(toOneLine(words.join(" ")))];
  return `quote the message: ${command.join(" ")}`;
}

/** The error for a crew without an input; it shows the crew's examples as commands to copy. */
export async function toMissingInput(path: string): Promise<BatonError> {
  const { examples } = (await requireCrew(path)).crew;
  const isHere = path === ".";
  const command = [batonCommand(), "run", ...(isHere ? [] : [toShellWord(path)])].join(" ");
  const tries = examples.length === 0 ? ['"…"'] : examples.map((example) => toShellWord(toOneLine(example)));
  const lines = tries.map((input) => `  ${command} ${input}`);
  const text = `${isHere ? "the crew in this folder" : toOneLine(path)} needs an input, or - to read it from standard input, for example:`;
  return new BatonError("invalid", [text, ...lines].join("\n"));
}

/** The most that is read from standard input, and the error if there is more. */
export interface StdinLimit {
  readonly maxBytes: number;
  readonly problem: string;
}

/** The limit of a tool's result. */
export const RESULT_LIMIT: StdinLimit = {
  maxBytes: MAX_RESULT_BYTES,
  problem: "the result is larger than 1 MB, the largest that a run can store; make it smaller",
};

/** The limit of a message. */
export function toInputLimit(maxBytes: number): StdinLimit {
  return { maxBytes, problem: `the input is too large; max_input_size_kb is ${maxBytes / 1_024}` };
}

/** Reads standard input to its end. */
export async function readStdin({ maxBytes, problem }: StdinLimit): Promise<string> {
  const chunks: Uint8Array[] = [];
  let left = maxBytes + BOM_AND_LINE_END_BYTES;
  for await (const chunk of toBytes(process.stdin)) {
    left -= chunk.length;
    chunks.push(chunk);
    if (left < 0) throw new BatonError("invalid", problem);
  }
  return toInput(Buffer.concat(chunks));
}

async function* toBytes(stream: AsyncIterable<unknown>): AsyncGenerator<Uint8Array, undefined> {
  for await (const chunk of stream) if (chunk instanceof Uint8Array) yield chunk;
}

function toInput(bytes: Uint8Array): string {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.replaceAll("\r\n", "\n").replace(/\n$/, "");
  } catch {
    throw new BatonError("invalid", "standard input is not UTF-8; convert it to UTF-8 first");
  }
}
