/**
 * Input: what a crew is to work on, from the command line or from standard input.
 *
 * Standard input is read only as far as the crew allows, and must be UTF-8; a BOM, Windows line ends and the last
 * line feed are not part of it.
 */
import { BatonError } from "@baton/core";
import { isCrew } from "./crew-path.ts";
import { toShellWord } from "./shell-word.ts";

/** The crew and the input that were typed. */
export interface Request {
  readonly path: string | undefined;
  readonly input: string;
}

const BOM_AND_LINE_END_BYTES = 5;

/** Standard input instead of words. */
export const STDIN = "-";

/** Tells the crew from the input: with one argument it is the input, and the crew is in this folder. */
export async function toRequest(positionals: readonly string[]): Promise<Request> {
  const [first, ...words] = positionals;
  if (first === undefined) {
    throw new BatonError("invalid", 'there is nothing to run; write for example: baton run CREW "what it is to do"');
  }
  if (words.length > 0) return { path: first, input: words.join(" ") };
  const isPath = await isCrew(first);
  if (!isPath && (await isCrew("."))) return { path: undefined, input: first };
  if (!isPath) return { path: first, input: "" };
  throw new BatonError(
    "invalid",
    `${first} has no input; write what it is to do: baton run ${toShellWord(first)} "…", or - to read it`,
  );
}

/** Reads standard input to its end. */
export async function readStdin(maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let left = maxBytes + BOM_AND_LINE_END_BYTES;
  for await (const chunk of toBytes(process.stdin)) {
    left -= chunk.length;
    chunks.push(chunk);
    if (left < 0)
      throw new BatonError("invalid", `the input is larger than max_input_size_kb allows: ${maxBytes} bytes`);
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
