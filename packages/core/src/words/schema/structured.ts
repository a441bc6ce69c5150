/**
 * Structured: the JSON value in a reply that must follow a schema.
 */
import type { EventBodyOf } from "../event.ts";
import { checkJson } from "./json-schema.ts";
import { type Json, parseJson } from "../json.ts";
import type { JsonSchema } from "./schema.ts";

/** The value, or every way in which the reply does not fit. */
export type ReadOutput =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly problems: string };

const FENCE = "```";

/** Reads the value that a reply gives: a program's own, or the text as JSON, also inside a code fence. */
export function readOutput(schema: JsonSchema, { output, text }: EventBodyOf<"step.ended">): ReadOutput {
  const value = output === undefined ? readText(text) : output;
  if (value === undefined) return { ok: false, problems: "it is not JSON" };
  const issues = checkJson(schema, value);
  if (issues.length === 0) return { ok: true, value };
  return { ok: false, problems: issues.map(({ path, message }) => `${path} ${message}`.trim()).join("; ") };
}

function readText(text: string): Json | undefined {
  const whole = parseJson(text.trim());
  return whole === undefined ? parseJson(insideFence(text)) : whole;
}

/** The content of the first code fence of a text, without the language's name. */
function insideFence(text: string): string {
  const open = text.indexOf(FENCE);
  const start = open === -1 ? -1 : text.indexOf("\n", open);
  const end = start === -1 ? -1 : text.indexOf(FENCE, start);
  return end === -1 ? "" : text.slice(start, end).trim();
}
