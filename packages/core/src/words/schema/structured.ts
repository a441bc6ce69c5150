/**
 * Structured: the JSON value in a reply that must follow a schema.
 */
import type { EventBodyOf } from "../event.ts";
import { checkJson } from "./json-schema.ts";
import { type Json, parseJson } from "../json.ts";
import { toMessage } from "../error.ts";
import type { Issue, JsonSchema, Parsed, PlainInput } from "./schema.ts";

/**
 * The value, or every way in which the reply does not fit. `value` is what the log keeps: parsed, or as the model wrote it if
 * what was parsed is not JSON.
 */
export type ReadOutput =
  | { readonly ok: true; readonly value: Json; readonly isUnparsed?: true }
  | { readonly ok: false; readonly problems: string };

const FENCE = "```";

/** Schema of an agent's output, and the given schema's own parser if it has one. */
export type OutputRule = Readonly<{ output?: JsonSchema; parseOutput?: PlainInput["validate"] }>;

/** Reads the value that a reply gives: a program's own, or the text as JSON, also inside a code fence. */
export function readOutput(
  { output: schema = {}, parseOutput }: OutputRule,
  { output, text }: EventBodyOf<"step.ended">,
): ReadOutput | Promise<ReadOutput> {
  const value = output === undefined ? readText(text) : output;
  if (value === undefined) return { ok: false, problems: "it is not JSON" };
  if (parseOutput !== undefined) return parseBy(parseOutput, value);
  const issues = checkJson(schema, value);
  return issues.length === 0 ? { ok: true, value } : toRefused(issues);
}

/** The schema that was given decides; what its own code throws is a problem like any other. */
function parseBy(parse: PlainInput["validate"], given: Json): ReadOutput | Promise<ReadOutput> {
  const toRead = (parsed: Parsed<unknown>): ReadOutput => {
    if (!parsed.ok) return toRefused(parsed.issues);
    return isJson(parsed.value) ? { ok: true, value: parsed.value } : { ok: true, value: given, isUnparsed: true };
  };
  const toThrown = (thrown: unknown): ReadOutput => ({ ok: false, problems: toMessage(thrown) });
  try {
    const parsed = parse(given);
    return parsed instanceof Promise ? parsed.then(toRead, toThrown) : toRead(parsed);
  } catch (thrown) {
    return toThrown(thrown);
  }
}

const toRefused = (issues: readonly Issue[]): ReadOutput => ({
  ok: false,
  problems: issues.map(({ path, message }) => `${path} ${message}`.trim()).join("; "),
});

const MAX_DEPTH = 100;

/** Whether a value is the same after it was written as JSON and read again. */
function isJson(value: unknown, depth = 0): value is Json {
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || depth > MAX_DEPTH) return false;
  if (Array.isArray(value)) return value.every((item) => isJson(item, depth + 1));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  return Object.values(value).every((item) => isJson(item, depth + 1));
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
