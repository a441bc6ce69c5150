/**
 * Paragraph: wraps text into lines at spaces: whole texts, styled lines, and text that streams in.
 *
 * A word longer than a line is split between characters. With an infinite width nothing is wrapped. Linear in the text.
 */
import { type Line, type StyledText, plainText } from "./styled-line.ts";
import { cellsOf } from "./width.ts";

/** The open line is wrapped again with every piece of text, so its length is limited. */
const MAX_OPEN_CHARS = 1_024;

/** The lines of a text; the last one keeps its trailing spaces because more text may follow. */
export function wrap(text: string, width: number): readonly string[] {
  return text.split("\n").flatMap((line) => (width === Infinity ? [line] : wrapLine(line, width)));
}

/** The lines of a styled line, none wider than `width`. */
export function wrapSpans(line: Line, width: number): readonly Line[] {
  const text = plainText(line);
  const lines: Line[] = [];
  let at = 0;
  for (const part of wrap(text, Math.max(1, width))) {
    const trimmed = part.trimEnd();
    // Only the spaces between two lines are dropped.
    while (lines.length > 0 && text.charAt(at) === " ") at += 1;
    lines.push(sliceSpans(line, at, at + trimmed.length));
    at += trimmed.length;
  }
  return lines;
}

function sliceSpans(line: Line, from: number, to: number): Line {
  const spans: StyledText[] = [];
  let start = 0;
  for (const { text, tone } of line) {
    const part = text.slice(Math.max(0, from - start), Math.max(0, to - start));
    if (part !== "") spans.push({ text: part, tone });
    start += text.length;
  }
  return spans;
}

function wrapLine(line: string, width: number): readonly string[] {
  const lines: string[] = [];
  let start = 0;
  let used = 0;
  let hasText = false;
  let gap = { end: 0, used: 0 };
  for (const cell of cellsOf(line)) {
    if (cell.text === " ") {
      // Trailing spaces may exceed the width. Spaces before the first word are its indent: no break there.
      used += 1;
      if (hasText) gap = { end: cell.index + 1, used };
      continue;
    }
    if (used + cell.width > width && cell.index > start) {
      const end = gap.end > start ? gap.end : cell.index;
      lines.push(line.slice(start, end).trimEnd());
      used = end === cell.index ? 0 : used - gap.used;
      start = end;
    }
    used += cell.width;
    hasText = true;
  }
  lines.push(line.slice(start));
  return lines;
}

/** Wraps text that streams in, and gives each line when it is complete. */
export class Paragraph {
  #open = "";
  /** Empty lines are held back until something follows them. */
  #blankLines = 0;
  #hasBegun = false;

  /** The incomplete last line. */
  get open(): string {
    return this.#open;
  }

  /** Whether a line was given. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** Adds text, and gives the lines it completed. */
  push(text: string, width: number): readonly string[] {
    if (width === Infinity && !text.includes("\n")) {
      this.#open += text;
      return [];
    }
    const lines = wrap(this.#open + text, width);
    const last = lines.at(-1) ?? "";
    const isOver = width !== Infinity && last.length > MAX_OPEN_CHARS;
    this.#open = isOver ? "" : last;
    return (isOver ? lines : lines.slice(0, -1)).flatMap((line) => this.#give(line));
  }

  /** Gives the rest, and starts a new paragraph. */
  end(): readonly string[] {
    const lines = this.#open.trim() === "" ? [] : this.#give(this.#open);
    this.#open = "";
    this.#blankLines = 0;
    this.#hasBegun = false;
    return lines;
  }

  #give(line: string): readonly string[] {
    if (line.trim() === "") {
      this.#blankLines += 1;
      return [];
    }
    const blank = this.#hasBegun ? Array.from({ length: this.#blankLines }, () => "") : [];
    this.#blankLines = 0;
    this.#hasBegun = true;
    return [...blank, line.trimEnd()];
  }
}
