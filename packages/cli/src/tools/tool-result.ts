/**
 * Tool result: the result of a client tool as a user types it: JSON that must match a schema.
 */
import type { Json } from "@baton/core";
import { checkJson, parseJson, toMessage } from "@baton/core/util";
import type { ParsedValue } from "../terminal/user-prompt.ts";

/** The largest tool result that a run stores. */
export const MAX_RESULT_BYTES = 1_024 * 1_024;

/** Parses a result; gives the reason if the text is not valid. */
export function parseResult(text: string, schema: Json): ParsedValue {
  const value = parseJson(text);
  if (value === undefined) return { ok: false, why: `the result is not valid JSON: ${toJsonProblem(text)}` };
  const issues = checkJson(schema, value).map(({ path, message }) => (path === "" ? message : `${path} ${message}`));
  if (issues.length === 0) return { ok: true, value };
  return { ok: false, why: `the result does not match the schema: ${issues.join("; ")}` };
}

/** The index at which the first JSON value of a text ends: white space outside of strings and brackets. */
export function endOfJson(text: string): number {
  let depth = 0;
  let isString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (isString) {
      if (character === "\\") at += 1;
      else if (character === '"') isString = false;
    } else if (character === '"') isString = true;
    else if ("{[".includes(character)) depth += 1;
    else if ("}]".includes(character)) depth -= 1;
    else if (depth <= 0 && character.trim() === "") return at;
  }
  return text.length;
}

/** The schema as text; undefined if it allows every value. */
export function toSchemaText({
  $schema: _dialect,
  ...schema
}: {
  readonly [keyword: string]: Json;
}): string | undefined {
  return Object.keys(schema).length === 0 ? undefined : JSON.stringify(schema);
}

/** Why a text is not valid JSON. */
export function toJsonProblem(text: string): string {
  try {
    JSON.parse(text);
    return "it is nested too deeply";
  } catch (error) {
    return toMessage(error);
  }
}
