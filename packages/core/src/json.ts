/**
 * JSON: the only kind of value that crosses the log, and the bounded way from anything to it.
 *
 * Reads: error. Read by events, tools, calls.
 */
import { toMessage } from "./error.ts";

/** A value that JSON can write. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** A JSON value with its text, or why there is none. */
export type JsonText = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly why: string };

/** The JSON text of any value; a cycle, a BigInt or a hostile `toJSON` is a reason, not a throw. */
export function toJsonText(value: unknown): JsonText {
  try {
    const text = JSON.stringify(value);
    return { ok: true, text: text ?? "null" };
  } catch (error) {
    return { ok: false, why: toMessage(error) };
  }
}

/** Far below the depth at which writing a value out again would overflow the stack. */
export const MAX_DEPTH = 1_000;

/** Parses JSON text; undefined where it is none, or too deep to be handled. */
export function parseJson(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    // Each level takes two brackets, so most values need no look.
    return isJson(value, text.length < 2 * MAX_DEPTH ? Infinity : MAX_DEPTH) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isJson(value: unknown, depth: number): value is Json {
  if (typeof value !== "object" || value === null || depth === Infinity) return true;
  return depth > 0 && Object.values(value).every((item) => isJson(item, depth - 1));
}
