/**
 * Event guard: reads the bytes of a provider's stream before its package does.
 *
 * Bounds each event, so that none is held in memory whole that no reply can need; skips events that Baton does not know
 * and counts them; refuses bytes that are no event. Every byte is looked at a bounded number of times.
 */
import type { Json } from "@baton/core";
import { parseJson } from "@baton/core/util";
import { isRecord } from "../../json.ts";
import { modelError, replyTooLong } from "../failure.ts";

/** Returns the type of an event that is unknown; undefined if it is known. */
export type EventFilter = (event: { readonly [key: string]: unknown }) => string | undefined;

/** Events that were skipped: the type of the first, and their number. */
export type SkippedEvents = { type: string; count: number };

/** Server-sent events, or lines of JSON. */
export type EventFormat = "events" | "lines";

/** Rules for one stream. */
export interface EventRules {
  readonly format: EventFormat;
  readonly model: string;
  /** The most characters of one event. */
  readonly maxChars: number;
  readonly unknownType: EventFilter;
  readonly onSkip: (type: string) => void;
}

const FIELDS: ReadonlySet<string> = new Set(["data", "event", "id", "retry"]);

/** Guards a stream. */
export function guardEvents(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  rules: EventRules,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const guard = rules.format === "events" ? new EventReader(rules) : new LineReader(rules);
  const toBytes = new TextEncoder();
  const guarded = new TransformStream<string, Uint8Array<ArrayBuffer>>({
    transform(text, controller) {
      const kept = guard.read(text);
      if (kept !== "") controller.enqueue(toBytes.encode(kept));
    },
    flush(controller) {
      const kept = guard.end();
      if (kept !== "") controller.enqueue(toBytes.encode(kept));
    },
  });
  return body.pipeThrough(new TextDecoderStream()).pipeThrough(guarded);
}

/** Lines of a text that comes in pieces, none of them longer than allowed. */
class Lines {
  readonly #rules: EventRules;
  #pieces: string[] = [];
  #chars = 0;

  constructor(rules: EventRules) {
    this.#rules = rules;
  }

  /** The lines that a piece completes, without their ends. */
  *push(text: string): Iterable<string> {
    let from = 0;
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", from)) {
      yield this.#take(text.slice(from, end));
      from = end + 1;
    }
    this.#keep(text.slice(from));
  }

  /** The text after the last line's end. */
  rest(): string {
    return this.#take("");
  }

  #keep(text: string): void {
    this.#chars += text.length;
    if (this.#chars > this.#rules.maxChars) throw replyTooLong(this.#rules.model, this.#chars);
    if (text !== "") this.#pieces.push(text);
  }

  #take(text: string): string {
    this.#keep(text);
    const line = this.#pieces.join("");
    this.#pieces = [];
    this.#chars = 0;
    return line.endsWith("\r") ? line.slice(0, -1) : line;
  }
}

/** Reads server-sent events. */
class EventReader {
  readonly #rules: EventRules;
  readonly #lines: Lines;
  #event: string[] = [];
  #chars = 0;

  constructor(rules: EventRules) {
    this.#rules = rules;
    this.#lines = new Lines(rules);
  }

  read(text: string): string {
    let kept = "";
    for (const line of this.#lines.push(text)) kept += this.#take(line);
    return kept;
  }

  end(): string {
    const last = this.#lines.rest();
    const kept = last === "" ? "" : this.#take(last);
    return kept + this.#finish();
  }

  #take(line: string): string {
    if (line === "" || line === "\uFEFF") return this.#finish();
    if (line.startsWith(":")) return "";
    const colon = line.indexOf(":");
    const field = colon === -1 ? line : line.slice(0, colon);
    if (!FIELDS.has(field)) throw notAnEvent(this.#rules.model, line);
    this.#chars += line.length;
    if (this.#chars > this.#rules.maxChars) throw replyTooLong(this.#rules.model, this.#chars);
    this.#event.push(line);
    return "";
  }

  #finish(): string {
    const lines = this.#event;
    this.#event = [];
    this.#chars = 0;
    const data = lines.flatMap((line) => (line.startsWith("data:") ? [line.slice(5).trimStart()] : [])).join("\n");
    if (data === "") return "";
    if (data !== "[DONE]" && !isKept(data, this.#rules)) return "";
    return `${lines.join("\n")}\n\n`;
  }
}

/** Reads lines of JSON. */
class LineReader {
  readonly #rules: EventRules;
  readonly #lines: Lines;

  constructor(rules: EventRules) {
    this.#rules = rules;
    this.#lines = new Lines(rules);
  }

  read(text: string): string {
    let kept = "";
    for (const line of this.#lines.push(text)) kept += this.#take(line);
    return kept;
  }

  end(): string {
    return this.#take(this.#lines.rest());
  }

  #take(line: string): string {
    return line.trim() !== "" && isKept(line, this.#rules) ? `${line}\n` : "";
  }
}

function isKept(data: string, { model, unknownType, onSkip }: EventRules): boolean {
  const event: Json | undefined = parseJson(data);
  if (!isRecord(event)) throw notAnEvent(model, data);
  const type = unknownType(event);
  if (type === undefined) return true;
  onSkip(type);
  return false;
}

const MAX_SHOWN_CHARS = 80;

function notAnEvent(model: string, bytes: string) {
  const shown = bytes.slice(0, MAX_SHOWN_CHARS).toWellFormed();
  return modelError(model, "malformed", { detail: `not an event of a stream: ${shown}` });
}
