/**
 * Table: a Markdown table as lines with aligned columns.
 *
 * If a table is wider than the screen, its widest columns are narrowed and their cells are wrapped.
 */
import { type Line, type StyledText, styleLine, plainText } from "../styled-line.ts";
import { displayWidth } from "../width.ts";
import { toInline } from "./inline.ts";
import { wrapSpans } from "../paragraph.ts";

const GAP = " │ ";
const MIN_CELL = 3;
const DELIMITER = /^ {0,8}:?-+:? {0,8}$/;

/** Whether a line is the delimiter between a table's head and body. */
export function isDelimiter(text: string): boolean {
  return text.includes("-") && text.includes("|") && toCells(text).every((cell) => DELIMITER.test(cell));
}

/** The cells of a row; `\|` is a bar inside a cell. */
function toCells(text: string): readonly string[] {
  const cells: string[] = [];
  let cell = "";
  for (let index = 0; index < text.length; index++) {
    const char = text.charAt(index);
    if (char === "\\" && text.charAt(index + 1) === "|") {
      cell += "|";
      index += 1;
    } else if (char === "|") {
      cells.push(cell.trim());
      cell = "";
    } else cell += char;
  }
  cells.push(cell.trim());
  const first = text.trimStart().startsWith("|") ? 1 : 0;
  const last = cells.length > first + 1 && cells.at(-1) === "" ? cells.length - 1 : cells.length;
  return cells.slice(first, last);
}

/** The lines of a table; the first row is the head, the second the delimiter. */
export function renderTable([head = "", delimiter = "", ...body]: readonly string[], width: number): readonly Line[] {
  const sides = toCells(delimiter).map((cell) => (cell.startsWith(":") || !cell.endsWith(":") ? "left" : "right"));
  const rows = [head, ...body].map((row, index) =>
    sides.map((_, column) => toInline(toCells(row)[column] ?? "").map((span) => (index === 0 ? toHead(span) : span))),
  );
  const natural = sides.map((_, column) =>
    Math.max(1, ...rows.map((row) => displayWidth(plainText(row[column] ?? [])))),
  );
  const widths = fit(natural, width - GAP.length * (sides.length - 1));
  const [top = [], ...rest] = rows.map((row) => toRowLines(row, widths, sides));
  const rule = styleLine([widths.map((cells) => "─".repeat(cells)).join("─┼─"), "dim"]);
  return [...top, rule, ...rest.flat()];
}

function toHead(span: StyledText): StyledText {
  return span.tone === "plain" ? { ...span, tone: "strong" } : span;
}

/** Narrows the widest columns until the table fits. */
function fit(natural: readonly number[], width: number): readonly number[] {
  const widths = [...natural];
  let over = widths.reduce((sum, cells) => sum + cells, 0) - width;
  while (over > 0) {
    const widest = Math.max(...widths);
    if (widest <= MIN_CELL) return widths;
    const next = Math.max(MIN_CELL, ...widths.filter((cells) => cells < widest));
    const index = widths.indexOf(widest);
    const less = Math.min(over, Math.max(1, widest - next));
    widths[index] = widest - less;
    over -= less;
  }
  return widths;
}

function toRowLines(row: readonly Line[], widths: readonly number[], sides: readonly string[]): readonly Line[] {
  const cells = row.map((cell, column) => wrapSpans(cell, widths[column] ?? 1));
  const height = Math.max(1, ...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_, index) =>
    cells.flatMap((lines, column): Line => {
      const line = lines[index] ?? [];
      const space = styleLine(" ".repeat(Math.max(0, (widths[column] ?? 0) - displayWidth(plainText(line)))));
      const padded = sides[column] === "right" ? [...space, ...line] : [...line, ...space];
      return column === 0 ? padded : [...styleLine([GAP, "dim"]), ...padded];
    }),
  );
}
