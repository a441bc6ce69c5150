/**
 * Call text: tool calls, arguments and results as text.
 *
 * A call is one line, truncated. The arguments that a person approves are never truncated.
 */
import type { Json } from "@baton/core";
import { toOneLine, toPrintable } from "../terminal/printable.ts";
import { countNoun } from "./number-text.ts";

/** Enough for one line. */
const MAX_CHARS = 400;

/** `GetDiskSpace(path: "/")` */
export function toCallText(tool: string, args: Json): string {
  const isNamed = typeof args === "object" && args !== null && !Array.isArray(args);
  const parts = isNamed ? Object.entries(args).map(([name, value]) => `${name}: ${toShort(value)}`) : [toShort(args)];
  return toOneLine(`${tool}(${parts.join(", ")})`);
}

/** The code of a call of `run_code`: what it is for, or how long it is, and its lines. */
export function toCodeText(args: Json): { readonly purpose: string; readonly lines: readonly string[] } {
  const fields = new Map(typeof args === "object" && args !== null ? Object.entries(args) : []);
  const [code, purpose] = [fields.get("code"), fields.get("purpose")];
  const lines = typeof code === "string" ? code.trimEnd().split("\n") : [];
  return { purpose: typeof purpose === "string" ? toOneLine(purpose) : countNoun(lines.length, "line"), lines };
}

/** The output of a tool on one line. */
export function toOutputText(output: Json): string {
  return toOneLine(typeof output === "string" ? output.slice(0, MAX_CHARS) : toShort(output));
}

/** The whole arguments as indented JSON; invisible characters are escaped. */
export function toExactText(args: Json): string {
  const json = JSON.stringify(args, undefined, 2);
  return toPrintable(json.replaceAll(/\p{Default_Ignorable_Code_Point}/gu, toEscape));
}

function toEscape(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}

function toShort(value: Json): string {
  return JSON.stringify(value).slice(0, MAX_CHARS);
}
