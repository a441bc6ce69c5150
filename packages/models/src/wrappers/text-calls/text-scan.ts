/**
 * Text scan: where a bracketed piece of a reply ends, and how its arguments are cut apart.
 *
 * One pass, no recursion. Scans without a result are paid from a budget of a few times the text's length; once it
 * is empty every further scan fails at once, so that reading any text takes linear time.
 */

/** Calls longer than this, or nested deeper, are text. */
const MAX_CHARS = 262_144;
const MAX_DEPTH = 64;
const MAX_NAME_CHARS = 64;
/** The number of times the text's length may be read without a result. */
const VAIN = 4;

/** The least that may be read without a result, of a text of any length. */
export const readBudget = (chars: number): number => VAIN * chars + MAX_CHARS;

/** One argument as it was written. */
export interface RawArgument {
  readonly key: string | undefined;
  readonly raw: string;
}

/** A piece that was found, and the place after it. */
export interface ScanResult<T> {
  readonly value: T;
  readonly end: number;
}

/** Scans one text. */
export class TextScan {
  readonly text: string;
  #purse: number;
  #charsRead = 0;
  #isShort = false;

  /** `purse`: how many characters may be read without a result. */
  constructor(text: string, purse = readBudget(text.length)) {
    this.text = text;
    this.#purse = purse;
  }

  /** The number of characters that may still be read without a result. */
  get purse(): number {
    return this.#purse;
  }

  /** The number of characters read; characters read twice count twice. */
  get charsRead(): number {
    return this.#charsRead;
  }

  /** Whether something was read up to the text's end, so that more text could make a call of it. */
  get isShort(): boolean {
    return this.#isShort;
  }

  /** Counts characters that were read without a result. */
  waste(chars: number): undefined {
    this.#purse -= chars;
    return undefined;
  }

  /** The first place from here on that holds none of these characters. */
  skip(start: number, space: string): number {
    let at = start;
    while (at < this.text.length && space.includes(this.text.charAt(at))) at += 1;
    this.#isShort ||= at >= this.text.length;
    return at;
  }

  /** The letters, digits, `_` and `-` that begin here: what tool names are made of. */
  name(start: number): string {
    let at = start;
    while (at - start < MAX_NAME_CHARS && isNameChar(this.text.charCodeAt(at))) at += 1;
    this.#isShort ||= at >= this.text.length;
    return this.text.slice(start, at);
  }

  /** The JSON value that begins here with a bracket, as text. */
  json(start: number): ScanResult<string> | undefined {
    const end = this.#walk(start, () => undefined);
    return end === undefined ? undefined : { value: this.text.slice(start, end), end };
  }

  /** The arguments of a call whose bracket opens here. */
  arguments(start: number): ScanResult<readonly RawArgument[]> | undefined {
    const { text } = this;
    const found: RawArgument[] = [];
    let from = start + 1;
    let equals = -1;
    const cut = (at: number): void => {
      const key = equals === -1 ? undefined : toName(text.slice(from, equals));
      const raw = text.slice(key === undefined ? from : equals + 1, at).trim();
      found.push({ key, raw });
      from = at + 1;
      equals = -1;
    };
    const end = this.#walk(start, (char, at) => {
      if (char === ",") cut(at);
      if (char === "=" && equals === -1) equals = at;
    });
    if (end === undefined) return undefined;
    cut(end - 1);
    // `Tool()` has no argument, and a comma may end the list.
    if (found.at(-1)?.raw === "" && found.at(-1)?.key === undefined) found.pop();
    return { value: found, end };
  }

  #walk(start: number, seen: (char: string, at: number) => void): number | undefined {
    const { end, isClosed } = this.#close(start, seen);
    this.#charsRead += end - start;
    return isClosed ? end : this.waste(end - start);
  }

  /** From an opening bracket to the place after its closing one; reports what is directly inside it. */
  #close(start: number, seen: (char: string, at: number) => void): { end: number; isClosed: boolean } {
    const { text } = this;
    const stop = Math.min(text.length, start + Math.max(0, Math.min(MAX_CHARS, this.#purse)));
    let depth = 0;
    // A quote counts only at the start of a value: the apostrophe of "don't" is not a quote.
    let atValue = true;
    for (let at = start; at < stop; at++) {
      const char = text.charAt(at);
      if (atValue && (char === '"' || char === "'")) {
        const close = closeOf(text, at, stop);
        if (close === -1) break;
        at = close;
        atValue = false;
      } else if (char === "(" || char === "[" || char === "{") {
        depth += 1;
        if (depth > MAX_DEPTH) return { end: at, isClosed: false };
        atValue = true;
      } else if (char === ")" || char === "]" || char === "}") {
        depth -= 1;
        if (depth === 0) return { end: at + 1, isClosed: true };
        atValue = false;
      } else {
        if (depth === 1) seen(char, at);
        if (char === "," || char === "=" || char === ":") atValue = true;
        else if (char.charCodeAt(0) > 32) atValue = false;
      }
    }
    this.#isShort ||= stop === text.length;
    return { end: stop, isClosed: false };
  }
}

/** ASCII only. */
function isNameChar(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 45
  );
}

/** The place of the quote that ends the one at `open`; -1 if no quote follows before `stop`. */
function closeOf(text: string, open: number, stop: number): number {
  const quote = text.charAt(open);
  for (let at = open + 1; at < stop; at++) {
    const char = text.charAt(at);
    if (char === "\\") at += 1;
    else if (char === quote) return at;
  }
  return -1;
}

/** A key's name; undefined if the text before the `=` is not a name. */
function toName(text: string): string | undefined {
  const name = text.trim();
  return name.length <= 64 && /^[\p{L}_][\p{L}\p{N}_-]*$/u.test(name) ? name : undefined;
}
