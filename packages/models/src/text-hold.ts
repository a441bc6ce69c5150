/**
 * Text hold: lets a reply's text through as it streams, up to where a call may begin.
 *
 * A line is let through as soon as it cannot begin a call; from one that does, all is held to the end of the reply.
 * What is undecided stays short, so each character is looked at a bounded number of times.
 */
import { FUNCTION_TAG, OPENERS } from "./text-calls.ts";

/** A line that begins with more white space than this is text. */
const MAX_INDENT_CHARS = 200;

/** The text of one reply on its way. */
export class TextHold {
  readonly #starts: readonly string[];
  #held: string[] = [];
  /** The beginning of a line that may yet become a call. */
  #undecided = "";
  #isHolding = false;
  #isInLine = false;

  constructor(tools: readonly string[]) {
    this.#starts = [...tools.map((tool) => `${tool}(`), ...OPENERS.keys(), FUNCTION_TAG, "{", "[{"];
  }

  /** What can be let through now that this text has come. */
  push(text: string): string {
    if (this.#isHolding) {
      this.#held.push(text);
      return "";
    }
    const all = this.#undecided + text;
    this.#undecided = "";
    let at = 0;
    while (at < all.length) {
      if (!this.#isInLine) {
        const start = skipIndent(all, at);
        const fate = start - at > MAX_INDENT_CHARS ? "text" : this.#judge(all, start);
        if (fate !== "text") return this.#keep(all, at, fate);
      }
      const newline = all.indexOf("\n", at);
      this.#isInLine = newline === -1;
      at = newline === -1 ? all.length : newline + 1;
    }
    return all;
  }

  /** What was held back. */
  end(): string {
    const text = this.#undecided + this.#held.join("");
    this.clear();
    return text;
  }

  /** Begins anew, as if nothing had come. */
  clear(): void {
    this.#held = [];
    this.#undecided = "";
    this.#isHolding = false;
    this.#isInLine = false;
  }

  #keep(all: string, at: number, fate: "call" | "open"): string {
    const rest = all.slice(at);
    this.#isHolding = fate === "call";
    if (this.#isHolding) this.#held.push(rest);
    else this.#undecided = rest;
    return all.slice(0, at);
  }

  #judge(all: string, start: number): "call" | "open" | "text" {
    if (this.#starts.some((opening) => all.startsWith(opening, start))) return "call";
    const left = all.length - start;
    const isOpen = this.#starts.some((opening) => left < opening.length && all.endsWith(opening.slice(0, left)));
    return isOpen ? "open" : "text";
  }
}

function skipIndent(text: string, start: number): number {
  let at = start;
  while (at < text.length && at - start <= MAX_INDENT_CHARS && (text.charAt(at) === " " || text.charAt(at) === "\t"))
    at += 1;
  return at;
}
