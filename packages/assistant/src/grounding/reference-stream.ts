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
export type Replace = (id: string) => string | undefined;

/** The longest reference: a deep lane has long names. */
const MAX_CHARS = 512;

/** Replaces references in one reply. */
export class ReferenceStream {
  readonly spans: FigureSpan[] = [];
  /** References to facts that do not exist, as they were written. */
  readonly missing: FigureSpan[] = [];
  readonly #replace: Replace;
  readonly #unknown: string;
  #held = "";
  #length = 0;

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
      if (open === -1) return this.#show(out + text.slice(at), out);
      out = this.#add(out, text.slice(at, open));
      const end = findEnd(text, open);
      if (end === "open") {
        this.#held = text.slice(open);
        return out;
      }
      out = end === undefined ? this.#add(out, "{") : this.#put(out, text.slice(open + 1, end));
      at = end === undefined ? open + 1 : end + 1;
    }
    return out;
  }

  /** Returns the text that was held back. */
  end(): string {
    const rest = this.#held;
    this.#held = "";
    this.#length += rest.length;
    return rest;
  }

  #show(all: string, before: string): string {
    this.#length += all.length - before.length;
    return all;
  }

  #add(out: string, text: string): string {
    this.#length += text.length;
    return out + text;
  }

  #put(out: string, id: string): string {
    const value = this.#replace(id);
    const shown = value ?? this.#unknown;
    const span = { start: this.#length, end: this.#length + shown.length, fact: id };
    (value === undefined ? this.missing : this.spans).push(span);
    return this.#add(out, shown);
  }
}

/** The end of the reference that begins at `{`; `open` if more text may close it; undefined if it is not one. */
function findEnd(text: string, open: number): number | "open" | undefined {
  const close = text.indexOf("}", open);
  if (close !== -1 && close - open <= MAX_CHARS) {
    return scanFactId(text, open + 1) === close ? close : undefined;
  }
  const tail = text.slice(open + 1, open + 1 + MAX_CHARS);
  return close === -1 && tail.length < MAX_CHARS && isBeginning(tail) ? "open" : undefined;
}

const BEGINNING = /^(?:f(?:\d[\w/.-]*)?)?$/;

/** Whether a reference may begin like this. */
function isBeginning(text: string): boolean {
  return BEGINNING.test(text);
}
