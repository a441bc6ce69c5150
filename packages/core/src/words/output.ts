/**
 * Output: what a tool returned, bounded for the log.
 *
 * Nothing a tool returns can throw here, be changed afterwards by the tool, or cost more than linear time. Characters
 * are code points; a cut never falls inside one.
 */
import { toMessage } from "./error.ts";
import { freezeDeep, type Json, MAX_DEPTH, parseJson } from "./json.ts";
import { countChars, cutAt, toFigure } from "./text.ts";

/** An output as the log keeps it, or why it cannot; `wholeChars` if only its beginning is kept, as text. */
type Bounded =
  | { readonly ok: true; readonly output: Json; readonly wholeChars?: number }
  | { readonly ok: false; readonly why: string };

const MAX_JSON_CHARS = 16 * 1_024 * 1_024;
const MAX_LOG_BYTES = 1_024 * 1_024;
const MAX_BYTES_PER_UNIT = 3;

/** A private copy of what a tool returned, as JSON for the log, or why it cannot be kept; never throws. */
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
    if (output !== undefined) return { ok: true, output: freezeDeep(output) };
    return { ok: false, why: `nested deeper than ${toFigure(MAX_DEPTH)} levels` };
  } catch (error) {
    return { ok: false, why: toMessage(error) };
  }
}

/** A text too long for the log, cut or refused; undefined if it may stay whole. */
function boundText(text: string): Bounded | undefined {
  if (text.length * MAX_BYTES_PER_UNIT <= MAX_LOG_BYTES) return undefined;
  if (text.length > MAX_JSON_CHARS) {
    const why = `an output of ${toFigure(text.length)} characters; at most ${toFigure(MAX_JSON_CHARS)} are taken`;
    return { ok: false, why };
  }
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(MAX_LOG_BYTES));
  if (read === text.length) return undefined;
  const wholeChars = countChars(text);
  return { ok: true, output: cutAt(text, read, wholeChars), wholeChars };
}

/** What a run's state takes: JSON of at most 1 MiB. */
export function toStateValue(key: string, value: unknown): Json {
  const bounded = boundOutput(value);
  if (!bounded.ok) throw new TypeError(`state "${key}": ${bounded.why}`);
  if (bounded.wholeChars === undefined) return bounded.output;
  throw new TypeError(`state "${key}" has ${toFigure(bounded.wholeChars)} characters; at most 1 MiB is kept`);
}
