/**
 * Paragraph: text broken into lines at spaces, all at once or as it streams in.
 *
 * A word longer than a line is cut between characters; where the width is infinite nothing is broken. The work is
 * linear in the text.
 */
import { cellsOf } from "./width.ts";

/** An open line is looked at again with every piece; one of spaces or accents without end is ended here. */
const MAX_OPEN_CHARS = 1_024;

/** The lines of a text; the last one keeps the spaces it ends with, for it may go on. */
export function wrap(text: string, width: number): readonly string[] {
  return text.split("\n").flatMap((line) => (width === Infinity ? [line] : wrapLine(line, width)));
}

function wrapLine(line: string, width: number): readonly string[] {
  const lines: string[] = [];
  let start = 0;
  let used = 0;
  let hasText = false;
  let gap = { end: 0, used: 0 };
  for (const cell of cellsOf(line)) {
    if (cell.text === " ") {
      // Spaces may stand beyond the edge; those before the first word are its indent and no place to break.
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

/** Text that streams in: gives its lines as they become complete. */
export class Paragraph {
  #open = "";
  /** Empty lines are held back until something follows them. */
  #blankLines = 0;
  #hasBegun = false;

  /** What of the last line is there already. */
  get open(): string {
    return this.#open;
  }

  /** Whether a line was given out. */
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

  /** Gives what is left, and begins anew. */
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
