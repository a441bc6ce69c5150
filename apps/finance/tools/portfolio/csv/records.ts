/**
 * Records: pasted text as rows of cells with the lines they begin on.
 *
 * One pass, linear on every input. Quoted cells may hold delimiters, doubled quotes and line ends; a quote that is never
 * closed is an ordinary character. Characters that nobody sees are dropped.
 */

/** Separator of cells; `space` is any run of spaces. */
export type Delimiter = "comma" | "semicolon" | "tab" | "pipe" | "space";

/** One row of the text; lines count from 1. */
export interface Row {
  readonly line: number;
  readonly cells: readonly string[];
}

const CHARACTERS: Readonly<Record<Exclude<Delimiter, "space">, string>> = {
  comma: ",",
  semicolon: ";",
  tab: "\t",
  pipe: "|",
};

/** The text with plain line ends, without a byte order mark, and without control and format characters. */
export function cleanText(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replaceAll("\r", "\n")
    .replaceAll(/[\u2028\u2029\v\f]/g, "\n")
    .replaceAll(/[^\P{C}\n\t]/gu, "");
}

/** All rows that are not empty, with trimmed cells. */
export function toRows(text: string, delimiter: Delimiter): readonly Row[] {
  const rows = delimiter === "space" ? splitSpaces(text) : splitCells(text, CHARACTERS[delimiter]);
  return rows.filter(({ cells }) => cells.some((cell) => cell !== ""));
}

function splitSpaces(text: string): readonly Row[] {
  return text.split("\n").map((line, index) => ({ line: index + 1, cells: line.trim().split(/\s+/) }));
}

function splitCells(text: string, delimiter: string): readonly Row[] {
  const rows: Row[] = [];
  let [at, line] = [0, 1];
  while (at <= text.length) {
    const cells: string[] = [];
    const first = line;
    for (;;) {
      const cell = readCell(text, at, delimiter);
      cells.push(cell.text);
      line += cell.lines;
      at = cell.end;
      if (text[at] !== delimiter) break;
      at++;
    }
    rows.push({ line: first, cells });
    at++;
    line++;
  }
  return rows;
}

type Cell = Readonly<{ text: string; end: number; lines: number }>;

/** The cell that begins here; `end` is at the delimiter, the line end or the end of the text. */
function readCell(text: string, start: number, delimiter: string): Cell {
  let at = start;
  while (text[at] === " ") at++;
  if (text[at] === '"') {
    const quoted = readQuoted(text, at, delimiter);
    if (quoted !== undefined) return quoted;
  }
  const end = endOfCell(text, at, delimiter);
  return { text: text.slice(start, end).trim(), end, lines: 0 };
}

function readQuoted(text: string, quote: number, delimiter: string): Cell | undefined {
  let at = quote + 1;
  for (;;) {
    const next = text.indexOf('"', at);
    if (next === -1) return undefined;
    if (text[next + 1] !== '"') {
      const inside = text.slice(quote + 1, next).replaceAll('""', '"');
      const end = endOfCell(text, next + 1, delimiter);
      const lines = inside.split("\n").length - 1;
      return { text: `${inside}${text.slice(next + 1, end)}`.trim(), end, lines };
    }
    at = next + 2;
  }
}

function endOfCell(text: string, start: number, delimiter: string): number {
  let at = start;
  while (at < text.length && text[at] !== delimiter && text[at] !== "\n") at++;
  return at;
}

/** Number of lines that a guess looks at. */
const LOOKED_AT = 60;
const ORDER = ["tab", "semicolon", "pipe", "comma"] as const;

/** The delimiters a text may have, the likeliest first: one that stands in at least half of its lines, else spaces. */
export function guessDelimiters(text: string): readonly Delimiter[] {
  const lines = text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .slice(0, LOOKED_AT);
  const likely = ORDER.filter((name) => {
    const having = lines.filter((line) => line.includes(CHARACTERS[name])).length;
    return having > 0 && having * 2 >= lines.length;
  });
  const any = ORDER.filter((name) => !likely.includes(name) && text.includes(CHARACTERS[name]));
  return [...likely, ...any, "space"];
}
