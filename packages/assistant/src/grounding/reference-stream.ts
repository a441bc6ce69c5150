/**
 * Reference stream: replaces references to facts (`{f3.2.1.4}`) in a text by the facts' values, while it streams.
 *
 * Text is held back from a `{` only while it may be a reference. However the text is cut into pieces, what comes out,
 * joined, is the same, and so are the places of the values.
 */
import { scanFactId } from "../facts/fact-id.ts";

/** The position of a value in the output text. */
export type FigureSpan = Readonly<{ start: number; end: number; fact: string }>;

/** Returns the text of a reference; undefined if there is no such fact. */
export type Replace = (reference: FactReference) => string | undefined;

/** A reference: a fact, and whether its sign is left off (`{f3.2.1.4:abs}`). */
export type FactReference = Readonly<{ id: string; isAbsolute: boolean }>;

/** The longest reference: a deep lane has long names. */
const MAX_CHARS = 512;
const ABSOLUTE = ":abs";
/** A sign that the value brings itself is not shown twice. */
const SIGNS = "$€£¥";

/** Replaces references in one reply. */
export class ReferenceStream {
  readonly spans: FigureSpan[] = [];
  /** References to facts that do not exist, as they were written. */
  readonly missing: FigureSpan[] = [];
  readonly #replace: Replace;
  readonly #unknown: string;
  #held = "";
  #length = 0;
  /** The last thing shown is a value that ends with a percent sign. */
  #endsWithPercent = false;

  /** `unknown` replaces a reference to a fact that does not exist. */
  constructor(replace: Replace, unknown: string) {
    this.#replace = replace;
    this.#unknown = unknown;
  }

  /** Takes a piece and gives what can be shown. */
  push(piece: string): string {
    const text = this.#held + piece;
    this.#held = "";
    let out = "";
    let at = 0;
    while (at < text.length) {
      const open = text.indexOf("{", at);
      const stop = open === -1 ? text.length : open;
      const end = open === -1 ? undefined : findEnd(text, open);
      const isLast = open === -1 || end === "open";
      // The sign before a reference may be the value's own.
      const sign = stop > at && SIGNS.includes(text.charAt(stop - 1)) ? text.charAt(stop - 1) : "";
      out += this.#show(text.slice(at, stop - sign.length));
      if (isLast) {
        this.#held = sign + text.slice(stop);
        return out;
      }
      if (end === undefined) {
        out += this.#show(`${sign}{`);
        at = open + 1;
      } else {
        out += this.#put(text.slice(open + 1, end), sign);
        at = end + 1;
      }
    }
    return out;
  }

  /** Returns the text that was held back. */
  end(): string {
    const rest = this.#held;
    this.#held = "";
    return this.#show(rest);
  }

  #show(text: string): string {
    if (text === "") return "";
    const shown = this.#endsWithPercent ? text.replace(/^\s?%/, "") : text;
    this.#endsWithPercent = false;
    this.#length += shown.length;
    return shown;
  }

  #put(written: string, sign: string): string {
    const isAbsolute = written.endsWith(ABSOLUTE);
    const id = isAbsolute ? written.slice(0, -ABSOLUTE.length) : written;
    const value = this.#replace({ id, isAbsolute });
    const before = value?.includes(sign) === true ? "" : sign;
    const shown = value ?? this.#unknown;
    const start = this.#length + before.length;
    const span = { start, end: start + shown.length, fact: id };
    (value === undefined ? this.missing : this.spans).push(span);
    this.#length += before.length + shown.length;
    this.#endsWithPercent = shown.endsWith("%");
    return before + shown;
  }
}

/** The end of the reference that begins at `{`; `open` if more text may close it; undefined if it is not one. */
function findEnd(text: string, open: number): number | "open" | undefined {
  const close = text.indexOf("}", open);
  if (close !== -1 && close - open <= MAX_CHARS) {
    const end = scanFactId(text, open + 1);
    const rest = end === undefined ? undefined : text.slice(end, close);
    return rest === "" || rest === ABSOLUTE ? close : undefined;
  }
  const tail = text.slice(open + 1, open + 1 + MAX_CHARS);
  return close === -1 && tail.length < MAX_CHARS && isBeginning(tail) ? "open" : undefined;
}

const BEGINNING = /^(?:f(?:\d[\w/.:-]*)?)?$/;

/** Whether a reference may begin like this. */
function isBeginning(text: string): boolean {
  return BEGINNING.test(text);
}
