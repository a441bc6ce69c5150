/**
 * Output: what a tool returned, bounded for the log.
 *
 * Nothing a tool returns can throw here, be changed afterwards by the tool, or cost more than linear time. Characters
 * are code points; a cut never falls inside one.
 */
import { toMessage } from "./error.ts";
import { freezeDeep, type Json, MAX_DEPTH, parseJson } from "./json.ts";
import { countChars, cutAt, toFigure } from "./text.ts";

/**
 * An output as the log keeps it, or why it cannot; `wholeChars` if only its beginning is kept, as text. `changed` lists
 * values that JSON does not have, by their paths.
 */
type Bounded =
  | {
      readonly ok: true;
      readonly output: Json;
      readonly wholeChars?: number;
      readonly changed?: readonly string[];
    }
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
    if (value instanceof ChangedOutput) {
      const inner = boundOutput(value.output);
      return inner.ok ? { ...inner, changed: value.changed } : inner;
    }
    const plain = JSON.stringify(value) ?? "null";
    // Whatever JSON does not have is written as one of these, so that most outputs are written once.
    const isDoubtful = plain.includes("null") || plain.includes("{}");
    const { text, changed } = isDoubtful ? writeChanged(value) : { text: plain, changed: [] };
    const more = changed.length === 0 ? {} : { changed };
    const bounded = boundText(text);
    if (bounded !== undefined) return bounded.ok ? { ...bounded, ...more } : bounded;
    const output = parseJson(text);
    if (output !== undefined) return { ok: true, output: freezeDeep(output), ...more };
    return { ok: false, why: `nested deeper than ${toFigure(MAX_DEPTH)} levels` };
  } catch (error) {
    return { ok: false, why: toMessage(error) };
  }
}

/** An output whose changes were found where it was made, in a thread. */
export class ChangedOutput {
  readonly output: Json;
  readonly changed: readonly string[];
  constructor(output: Json, changed: readonly string[]) {
    this.output = output;
    this.changed = changed;
  }

  toJSON(): Json {
    return this.output;
  }
}

/** Writes a value as JSON with Maps as objects, and notes what JSON does not have. */
function writeChanged(value: unknown): { readonly text: string; readonly changed: readonly string[] } {
  const changed: string[] = [];
  const paths = new Map<unknown, string>();
  const text = JSON.stringify(value, function (this: unknown, key: string, item: unknown): unknown {
    const above = paths.get(this) ?? "";
    const path = above === "" ? key : `${above}.${key}`;
    const raw: unknown = typeof this === "object" && this !== null ? Reflect.get(this, key) : item;
    const name = nameOdd(item, raw);
    const written: unknown = item instanceof Map ? Object.fromEntries(item) : item;
    if (typeof written === "object" && written !== null) paths.set(written, path);
    if (name !== undefined) changed.push(path === "" ? name : `${name} at ${path}`);
    return written;
  });
  return { text: text ?? "null", changed };
}

/** Names a value that JSON does not have; `raw` is the value before its own `toJSON`. */
function nameOdd(item: unknown, raw: unknown): string | undefined {
  if (typeof item === "number" && !Number.isFinite(item)) return String(item);
  if (raw instanceof Date && Number.isNaN(raw.getTime())) return "an invalid date";
  return item instanceof Map ? "a Map" : undefined;
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

/** Converts a value for the run's state: JSON of at most 1 MiB. */
export function toStateValue(key: string, value: unknown): Json {
  const bounded = boundOutput(value);
  if (!bounded.ok) throw new TypeError(`state "${key}": ${bounded.why}`);
  if (bounded.wholeChars === undefined) return bounded.output;
  throw new TypeError(`state "${key}" has ${toFigure(bounded.wholeChars)} characters; at most 1 MiB is kept`);
}
