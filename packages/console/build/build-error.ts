/**
 * Build error: why the console could not be built, on one line without colours, for logs and terminals.
 */
import { stripVTControlCharacters } from "node:util";

const MAX_CHARS = 500;

/** The error of the bundler with a message of one line; the original error is its cause. */
export function toBuildError(error: unknown): Error {
  const text = stripVTControlCharacters(error instanceof Error ? error.message : String(error));
  const line = text.replaceAll(/\s+/g, " ").trim();
  return new Error(line.length > MAX_CHARS ? `${line.slice(0, MAX_CHARS).toWellFormed()}…` : line, { cause: error });
}
