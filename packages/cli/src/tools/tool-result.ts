/**
 * Client result: the result of a tool that the client carries out, as a person writes it: JSON that fits a schema.
 */
import type { Json } from "@baton/core";
import { checkJson, parseJson, toMessage } from "@baton/core/ports";
import type { Read } from "../terminal/user-prompt.ts";

/** A run keeps no more of a tool's result. */
export const MAX_RESULT_BYTES = 1_024 * 1_024;

/** The result, or what is wrong with the text. */
export function parseResult(text: string, schema: Json): Read {
  const value = parseJson(text);
  if (value === undefined) return { ok: false, why: `the result is not valid JSON: ${toJsonProblem(text)}` };
  const issues = checkJson(schema, value).map(({ path, message }) => (path === "" ? message : `${path} ${message}`));
  if (issues.length === 0) return { ok: true, value };
  return { ok: false, why: `the result does not fit: ${issues.join("; ")}` };
}

/** Where the first JSON value of a text ends: at white space that is in no string and in no brackets. */
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

/** The schema as a person reads it; undefined if it allows everything. */
export function toSchemaText({
  $schema: _dialect,
  ...schema
}: {
  readonly [keyword: string]: Json;
}): string | undefined {
  return Object.keys(schema).length === 0 ? undefined : JSON.stringify(schema);
}

/** Why a text is not JSON that can be used. */
export function toJsonProblem(text: string): string {
  try {
    JSON.parse(text);
    return "it is nested too deeply";
  } catch (error) {
    return toMessage(error);
  }
}
