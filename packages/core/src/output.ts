/**
 * Output: what a tool returned, bounded for the log and for the model that reads it.
 *
 * Nothing a tool returns can throw here, be changed afterwards by the tool, or cost more than linear time.
 * Characters are code points; a cut never falls inside one.
 * Reads: error, event, json, message. Read by: call, calls, fold.
 */
import { toMessage, type Failure } from "./error.ts";
import type { OutputChars } from "./event.ts";
import { MAX_DEPTH, parseJson, toJsonText, type Json } from "./json.ts";
import type { CallRequest, ToolMessage } from "./message.ts";

/** What became of one call. */
export interface CallResult {
  readonly request: CallRequest;
  readonly output?: Json;
  readonly error?: Failure;
}

const MAX_JSON_CHARS = 16 * 1_024 * 1_024;
const MAX_LOG_BYTES = 1_024 * 1_024;
const MAX_BYTES_PER_UNIT = 3;

/** The results of one reply's calls as the model reads them, in call order. */
export function toToolMessages(results: readonly CallResult[], chars: OutputChars): ToolMessage[] {
  let left = chars.total;
  return results.map(({ request, output, error }) => {
    const base = { role: "tool", call: request.id, tool: request.tool } as const;
    const failed = error === undefined ? {} : { failed: true };
    if (left <= 0) return { ...base, content: toStatus(error, chars.total), ...failed };
    const shown = toShown(toText(output ?? null, error), Math.min(chars.each, left));
    left -= shown.chars;
    return { ...base, content: shown.text, ...failed };
  });
}

/** What a tool returned as JSON for the log that nobody else can change, or why there is none; never throws. */
export function boundOutput(
  value: unknown,
): { readonly ok: true; readonly output: Json } | { readonly ok: false; readonly why: string } {
  switch (typeof value) {
    case "undefined":
      return { ok: true, output: null };
    case "boolean":
      return { ok: true, output: value };
    case "number":
      // What JSON makes of it: no NaN, no infinity, no negative zero.
      return { ok: true, output: Number.isFinite(value) ? value + 0 : null };
    case "string":
      return boundText(value) ?? { ok: true, output: value };
    case "object":
      return boundObject(value);
    default:
      return { ok: false, why: `a ${typeof value} is not JSON` };
  }
}

type Bounded = ReturnType<typeof boundOutput>;

function boundObject(value: object | null): Bounded {
  try {
    const text = JSON.stringify(value) ?? "null";
    const bounded = boundText(text);
    if (bounded !== undefined) return bounded;
    const output = parseJson(text);
    if (output !== undefined) return { ok: true, output };
    return { ok: false, why: `nested deeper than ${format(MAX_DEPTH)} levels` };
  } catch (error) {
    return { ok: false, why: toMessage(error) };
  }
}

/** A text too long for the log, cut or refused; undefined where it may stay whole. */
function boundText(text: string): Bounded | undefined {
  if (text.length * MAX_BYTES_PER_UNIT <= MAX_LOG_BYTES) return undefined;
  if (text.length > MAX_JSON_CHARS) {
    const why = `an output of ${format(text.length)} characters; at most ${format(MAX_JSON_CHARS)} are taken`;
    return { ok: false, why };
  }
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(MAX_LOG_BYTES));
  return read === text.length ? undefined : { ok: true, output: cutAt(text, read) };
}

function toText(output: Json, error: Failure | undefined): string {
  if (error !== undefined) return `Error (${error.kind ?? error.code}): ${error.message}`;
  if (typeof output === "string") return output;
  const json = toJsonText(output);
  return json.ok ? json.text : json.why;
}

function toStatus(error: Failure | undefined, total: number): string {
  const status = error === undefined ? "ok" : `failed (${error.kind ?? error.code})`;
  return `[${status}; output left out: ${format(total)} characters reached]`;
}

/** As much of a text as may be shown, and how many of its characters that are. */
function toShown(text: string, maxChars: number): { readonly text: string; readonly chars: number } {
  // Characters are at most as many as code units.
  if (text.length <= maxChars) return { text, chars: countChars(text, 0, text.length) };
  let end = 0;
  let chars = 0;
  while (chars < maxChars && end < text.length) {
    end = nextChar(text, end);
    chars += 1;
  }
  return { text: end === text.length ? text : cutAt(text, end), chars };
}

function cutAt(text: string, end: number): string {
  const kept = countChars(text, 0, end);
  const all = kept + countChars(text, end, text.length);
  return `${text.slice(0, end)}… [cut: ${format(kept)} of ${format(all)} characters]`;
}

function countChars(text: string, start: number, end: number): number {
  let chars = 0;
  for (let at = start; at < end; at = nextChar(text, at)) chars += 1;
  return chars;
}

function nextChar(text: string, at: number): number {
  return at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
}

/** `toLocaleString` would load the locale data, 30 ms at its first use. */
const format = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ",");
