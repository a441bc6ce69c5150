/**
 * Output: what a tool returned, bounded for the log and for the model that reads it.
 *
 * Nothing a tool returns can throw here, be changed afterwards by the tool, or cost more than linear time. Characters
 * are code points; a cut never falls inside one.
 */
import { toMessage, type Failure } from "./error.ts";
import type { OutputChars } from "./event.ts";
import { MAX_DEPTH, parseJson, type Json } from "./json.ts";
import type { CallRequest, ToolMessage } from "./message.ts";

/** What became of one call. */
export type CallResult = Readonly<{ request: CallRequest; output?: Json; error?: Failure }>;

/** An output as the log takes it, or why it takes none. */
type Bounded = { readonly ok: true; readonly output: Json } | { readonly ok: false; readonly why: string };

const MAX_JSON_CHARS = 16 * 1_024 * 1_024;
const MAX_LOG_BYTES = 1_024 * 1_024;
const MAX_BYTES_PER_UNIT = 3;

/** The results of one reply's calls as the model reads them, in call order. */
export function toToolMessages(results: readonly CallResult[], chars: OutputChars): ToolMessage[] {
  let left = chars.total;
  return results.map(({ request: { id: call, tool }, output = null, error }) => {
    const failed = error === undefined ? {} : { failed: true };
    if (left <= 0) return { role: "tool", call, tool, content: toStatus(error, chars.total), ...failed };
    const text = toText(output, error);
    const shown = take(text, Math.min(chars.each, left));
    left -= shown.chars;
    return { role: "tool", call, tool, content: shown.end < text.length ? cutAt(text, shown.end) : text, ...failed };
  });
}

/** What a tool returned as JSON for the log that nobody else can change, or why there is none; never throws. */
export function boundOutput(value: unknown): Bounded {
  if (typeof value === "string") return boundText(value) ?? { ok: true, output: value };
  if (typeof value === "function" || typeof value === "symbol") {
    return { ok: false, why: `a ${typeof value} is not JSON` };
  }
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
  return typeof output === "string" ? output : JSON.stringify(output);
}

function toStatus(error: Failure | undefined, total: number): string {
  const status = error === undefined ? "ok" : `failed (${error.kind ?? error.code})`;
  return `[${status}; output left out: ${format(total)} characters reached]`;
}

function cutAt(text: string, end: number): string {
  const kept = text.slice(0, end);
  const chars = countChars(kept);
  return `${kept}… [cut: ${format(chars)} of ${format(chars + countChars(text.slice(end)))} characters]`;
}

/** How many characters a text has. */
export function countChars(text: string): number {
  return take(text, Infinity).chars;
}

/** Where so many characters end, or the text does, and how many they are. */
function take(text: string, maxChars: number): { readonly end: number; readonly chars: number } {
  let end = 0;
  let chars = 0;
  for (; chars < maxChars && end < text.length; chars += 1) end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  return { end, chars };
}

/** `toLocaleString` would load the locale data, 30 ms at its first use. */
const format = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ",");
