/**
 * Markdown: renders a reply that streams in, line by line.
 *
 * Supports headings, lists, quotes, code, tables and inline markup. A table is shown when it is complete. A very long
 * line is shown as plain text.
 */
import { BLANK, type Line, styleLine } from "../styled-line.ts";
import { wrap, wrapSpans } from "../paragraph.ts";
import { displayWidth } from "../width.ts";
import { toInline } from "./inline.ts";

import { isDelimiter, renderTable } from "./table.ts";

const MAX_LINE_CHARS = 4_096;
const MAX_ROWS = 200;
const RULE_CHARS = 40;

const HEADING = /^ {0,3}#{1,6} (.*)$/;
const RULE = /^ {0,3}(?:-{3,}|\*{3,}|_{3,}) *$/;
const QUOTE = /^ {0,3}> ?(.*)$/;
const ITEM = /^( {0,12})([-*+]|\d{1,9}[.)]) (.*)$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/** Renders text that streams in, and gives each line when it is complete. */
export class Markdown {
  #open = "";
  /** The fence that ends the open code block. */
  #fence: string | undefined;
  /** The lines of a table, or a line that may be its head. */
  #rows: string[] = [];
  #blankLines = 0;
  #hasBegun = false;

  /** The text of lines that are not complete. */
  get open(): string {
    return [...this.#rows, this.#open].join("\n");
  }

  /** Whether a line was given. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** Adds text, and gives the lines it completed. */
  push(text: string, width: number): readonly Line[] {
    const [first = "", ...others] = text.split("\n");
    const lines = [this.#open + first, ...others];
    this.#open = lines.pop() ?? "";
    const given = lines.flatMap((line) => this.#take(line, width));
    if (this.#open.length <= MAX_LINE_CHARS) return given;
    const long = this.#take(this.#open, width);
    this.#open = "";
    return [...given, ...long];
  }

  /** Gives the rest, and starts a new text. */
  end(width: number): readonly Line[] {
    const rest = this.#open.trim() === "" ? [] : this.#take(this.#open, width);
    const lines = [...rest, ...this.#endRows(width)];
    this.#open = "";
    this.#fence = undefined;
    this.#blankLines = 0;
    this.#hasBegun = false;
    return lines;
  }

  #take(text: string, width: number): readonly Line[] {
    if (this.#fence !== undefined) return this.#takeCode(text, this.#fence, width);
    const [head, delimiter] = this.#rows;
    const isRow = text.includes("|") && this.#rows.length < MAX_ROWS && text.length <= MAX_LINE_CHARS;
    if (delimiter === undefined && head !== undefined && isDelimiter(text)) {
      this.#rows.push(text);
      return [];
    }
    if (isRow && (delimiter !== undefined || head === undefined)) {
      this.#rows.push(text);
      return [];
    }
    const before = this.#endRows(width);
    if (!isRow) return [...before, ...this.#takeBlock(text, width)];
    this.#rows.push(text);
    return before;
  }

  /** One line alone is not a table. */
  #endRows(width: number): readonly Line[] {
    const rows = this.#rows;
    this.#rows = [];
    if (rows.length > 1) return this.#give(renderTable(rows, width));
    return rows.flatMap((row) => this.#takeBlock(row, width));
  }

  #takeCode(text: string, fence: string, width: number): readonly Line[] {
    if (text.trim().startsWith(fence) && text.trim().replaceAll(fence.charAt(0), "") === "") {
      this.#fence = undefined;
      return [];
    }
    return this.#give(wrap(text, width - 2).map((line) => styleLine([`  ${line.trimEnd()}`, "code"])));
  }

  #takeBlock(text: string, width: number): readonly Line[] {
    if (text.trim() === "") {
      this.#blankLines += 1;
      return [];
    }
    const fence = FENCE.exec(text)?.[1];
    if (fence !== undefined) {
      this.#fence = fence;
      return [];
    }
    return this.#give(toBlock(text, width));
  }

  #give(lines: readonly Line[]): readonly Line[] {
    const blank = this.#hasBegun ? Array.from({ length: this.#blankLines }, () => BLANK) : [];
    this.#blankLines = 0;
    this.#hasBegun = true;
    return [...blank, ...lines];
  }
}

/** A line outside of tables and code. */
function toBlock(text: string, width: number): readonly Line[] {
  if (text.length > MAX_LINE_CHARS) return wrap(text, width).map((line) => styleLine(line.trimEnd()));
  if (RULE.test(text)) return [styleLine(["─".repeat(Math.min(width, RULE_CHARS)), "dim"])];
  const heading = HEADING.exec(text)?.[1];
  if (heading !== undefined) {
    return wrapSpans(
      toInline(heading).map((span) => (span.tone === "plain" ? { ...span, tone: "strong" as const } : span)),
      width,
    );
  }
  const quote = QUOTE.exec(text)?.[1];
  if (quote !== undefined) return hang(styleLine(["▏ ", "dim"]), styleLine(["▏ ", "dim"]), { text: quote, width });
  const [, indent = "", sign, rest = ""] = ITEM.exec(text) ?? [];
  if (sign === undefined) return wrapSpans(toInline(text), width);
  const mark = `${indent}${/\d/.test(sign) ? sign : "•"} `;
  return hang(styleLine(mark), styleLine(" ".repeat(displayWidth(mark))), { text: rest, width });
}

/** Wraps a text with a prefix: one for the first line, another for the rest. */
function hang(
  first: Line,
  others: Line,
  { text, width }: { readonly text: string; readonly width: number },
): readonly Line[] {
  const inner =
    width - Math.max(...[first, others].map((line) => displayWidth(line.map((span) => span.text).join(""))));
  return wrapSpans(toInline(text), inner).map((line, index) => [...(index === 0 ? first : others), ...line]);
}
