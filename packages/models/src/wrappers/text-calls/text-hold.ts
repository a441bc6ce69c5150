/**
 * Text hold: lets a reply's text through as it streams, up to where a call may begin.
 *
 * A line is let through as soon as it cannot begin a call. From the first call on, everything is held to the end of
 * the reply. What is undecided is read again only after it has grown by half, so the work is linear in the text.
 */
import type { ToolSpec } from "@baton/core/ports";
import { readCalls } from "./text-calls.ts";
import { TextScan, readBudget } from "./text-scan.ts";

/** A line that begins with more white space than this is text. */
const MAX_INDENT_CHARS = 200;
const GROWTH = 1.5;
/** The number of times the text may be read without finding a call; reading it again as it grows takes three. */
const VAIN = 16;

/** The judgement of a line: `begun` is a call so far, `start` is shorter than the start of a call. */
type Verdict = "text" | "call" | "begun" | "start";

/** The text of one reply on its way. */
export class TextHold {
  readonly #tools: ReadonlyMap<string, ToolSpec>;
  /** Texts that a call may begin with. */
  readonly #starts: readonly string[];
  #held: string[] = [];
  /** From the beginning of a line that may yet become a call. */
  #undecided = "";
  #judgeAtChars = 0;
  #isHolding = false;
  #isInLine = false;
  #charsRead = 0;
  #purse = readBudget(0);

  constructor(tools: ReadonlyMap<string, ToolSpec>, shapes: readonly string[]) {
    this.#tools = tools;
    this.#starts = [...[...tools.keys()].map((tool) => `${tool}(`), ...shapes];
  }

  /** The number of characters read to find the end of a call; characters read twice count twice. */
  get charsRead(): number {
    return this.#charsRead;
  }

  /** The text that can be let through after this piece. */
  push(text: string): string {
    if (this.#isHolding) {
      this.#held.push(text);
      return "";
    }
    this.#purse += VAIN * text.length;
    const all = this.#undecided + text;
    this.#undecided = all;
    if (all.length < this.#judgeAtChars) return "";
    const scan = new TextScan(all, this.#purse);
    const passed = this.#pass(scan);
    this.#charsRead += scan.charsRead;
    this.#purse = scan.purse;
    return passed;
  }

  /** Returns the text that was held back. */
  end(): string {
    const text = this.#undecided + this.#held.join("");
    this.clear();
    return text;
  }

  /** Begins anew, as if nothing had come. */
  clear(): void {
    this.#held = [];
    this.#undecided = "";
    this.#judgeAtChars = 0;
    this.#isHolding = false;
    this.#isInLine = false;
  }

  #pass(scan: TextScan): string {
    const all = scan.text;
    let at = 0;
    while (at < all.length) {
      const verdict = this.#isInLine ? "text" : this.#judge(scan, at);
      if (verdict !== "text") return this.#keep(all, at, verdict);
      const newline = all.indexOf("\n", at);
      this.#isInLine = newline === -1;
      at = newline === -1 ? all.length : newline + 1;
    }
    this.#undecided = "";
    this.#judgeAtChars = 0;
    return all;
  }

  #keep(all: string, at: number, verdict: Exclude<Verdict, "text">): string {
    const rest = all.slice(at);
    this.#isHolding = verdict === "call";
    this.#undecided = this.#isHolding ? "" : rest;
    if (this.#isHolding) this.#held.push(rest);
    this.#judgeAtChars = verdict === "begun" ? rest.length * GROWTH : 0;
    return all.slice(0, at);
  }

  #judge(scan: TextScan, line: number): Verdict {
    const { text } = scan;
    const start = skipIndent(text, line);
    if (start - line > MAX_INDENT_CHARS) return "text";
    const left = text.length - start;
    if (this.#starts.some((opening) => text.startsWith(opening, start))) {
      if (readCalls(scan, start, this.#tools) !== undefined) return "call";
      return scan.isShort ? "begun" : "text";
    }
    const isStart = this.#starts.some((opening) => left < opening.length && text.endsWith(opening.slice(0, left)));
    return isStart ? "start" : "text";
  }
}

function skipIndent(text: string, start: number): number {
  let at = start;
  while (at < text.length && at - start <= MAX_INDENT_CHARS && (text.charAt(at) === " " || text.charAt(at) === "\t"))
    at += 1;
  return at;
}
