/**
 * Source: code as an instance can read it: the body of an async function, without types, on its own lines and columns.
 *
 * Types are stripped only in a worker: brackets that are nested deeply enough break the stripper for its thread.
 */
import { stripTypeScriptTypes } from "node:module";

const HEAD = '(async (tools, console) => {"use strict";';
const TAIL = "\n})";

/** Number of columns that the first line of code is moved by. */
export const HEAD_COLUMNS = HEAD.length;

/** The function whose body is this code. */
export const wrap = (code: string): string => HEAD + code + TAIL;

/** Whether a script that parses could mean something else with types: a call with type arguments reads as comparisons. */
export const mayHaveTypeArguments = (code: string): boolean => code.includes(">(");

/** Source without its types, or why and in which line it is not TypeScript. */
type Stripped = Readonly<{ source: string } | { problem: string; line: number }>;

/** Strips types; another error than one about syntax is thrown: the stripper of this thread is then broken. */
export function stripTypes(source: string): Stripped {
  try {
    return { source: stripTypeScriptTypes(source) };
  } catch (thrown) {
    if (!isSyntax(thrown)) throw thrown;
    // The stack begins with the line: `:2`.
    const stack = thrown.stack ?? "";
    return { problem: thrown.message, line: Number(stack.slice(1, stack.indexOf("\n"))) || 1 };
  }
}

const SYNTAX: readonly unknown[] = ["ERR_INVALID_TYPESCRIPT_SYNTAX", "ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX"];

function isSyntax(thrown: unknown): thrown is Error {
  return thrown instanceof Error && "code" in thrown && SYNTAX.includes(thrown.code);
}
