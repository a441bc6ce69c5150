/**
 * JSON: the only kind of value that crosses the log, and the bounded way from anything to it.
 *
 * Reads nothing. Read by events, tools, calls.
 */

export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [key: string]: Json };

/** A JSON value with its text, or why there is none. */
export type JsonText =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly why: string };

/** The JSON text of any value; a cycle, a BigInt or a hostile `toJSON` is a reason, not a throw. */
export function toJsonText(value: unknown): JsonText {
  try {
    const text = JSON.stringify(value);
    return { ok: true, text: text ?? "null" };
  } catch (error) {
    return { ok: false, why: error instanceof Error ? error.message : "not JSON" };
  }
}

/** Parses JSON text; undefined where it is none. */
export function parseJson(text: string): Json | undefined {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}
