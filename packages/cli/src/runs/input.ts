/**
 * Input: what a crew is to work on, from the command line or from standard input.
 *
 * Standard input is read only as far as the crew allows, and must be UTF-8; a BOM, Windows line ends and the last
 * line feed are not part of it.
 */
import { BatonError } from "@baton/core";
import { MAX_RESULT_BYTES } from "../tools/tool-result.ts";
import { toBaton } from "./resume-command.ts";
import { isCrew } from "../crew/crew-path.ts";
import { requireCrew } from "../crew/crew-loader.ts";
import { toOneLine } from "../terminal/printable.ts";
import { toShellWord } from "../shell-word.ts";

/** The crew and the input that were typed. */
export interface Request {
  readonly path: string | undefined;
  /** Missing if only a crew was named. */
  readonly input?: string;
}

const BOM_AND_LINE_END_BYTES = 5;

/** Standard input instead of words. */
export const STDIN = "-";

/** Tells the crew from the input: with one argument it is the input, and the crew is in this folder. */
export async function toRequest(positionals: readonly string[]): Promise<Request> {
  const [first, ...words] = positionals;
  if (first === undefined) {
    if (await isCrew(".")) return { path: undefined };
    throw new BatonError("invalid", 'there is nothing to run; write for example: baton run CREW "what it is to do"');
  }
  if (words.length > 0) return { path: first, input: words.join(" ") };
  const isPath = await isCrew(first);
  if (!isPath && (await isCrew("."))) return { path: undefined, input: first };
  return isPath ? { path: first } : { path: first, input: "" };
}

/** What to say to a command that names a crew and no input: the crew's examples, as commands to copy. */
export async function toMissingInput(path: string): Promise<BatonError> {
  const { examples } = (await requireCrew(path)).crew;
  const command = `${toBaton()} run ${toShellWord(path)}`;
  const tries = examples.length === 0 ? ['"…"'] : examples.map((example) => toShellWord(toOneLine(example)));
  const lines = tries.map((input) => `  ${command} ${input}`);
  const text = `${toOneLine(path)} needs an input; write what it is to do, or - to read it from standard input, for example:`;
  return new BatonError("invalid", [text, ...lines].join("\n"));
}

/** How much of standard input is read, and what is said if there is more. */
export interface StdinLimit {
  readonly maxBytes: number;
  readonly problem: string;
}

/** The limit of a tool's result. */
export const RESULT_LIMIT: StdinLimit = {
  maxBytes: MAX_RESULT_BYTES,
  problem: "the result is larger than 1 MB, the most that a run keeps; make it smaller",
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
    throw new BatonError("invalid", "standard input is not UTF-8 text; convert it first");
  }
}
