/**
 * Records: pasted text as rows of cells with the lines they begin on.
 *
 * Linear on every input. Quoted cells may hold delimiters, doubled quotes and line ends; a quote that is never closed is
 * an ordinary character. Characters that nobody sees are dropped.
 */

/** One row of the text; lines count from 1. */
export interface Row {
  readonly line: number;
  readonly cells: readonly string[];
}

/** The text with plain line ends, without a byte order mark, and without control and format characters. */
export const cleanText = (text: string): string =>
  text.replaceAll(/\r\n|[\r\u2028\u2029\v\f]/g, "\n").replaceAll(/[^\P{C}\n\t]/gu, "");

/** All rows that are not empty, with trimmed cells; a space as delimiter is any run of spaces. */
export function toRows(text: string, delimiter: string): readonly Row[] {
  const rows = delimiter === " " ? splitSpaces(text) : splitCells(text, delimiter);
  return rows.filter(({ cells }) => cells.some((cell) => !/^[-:=+_ ]*$/.test(cell)));
}

const splitSpaces = (text: string): readonly Row[] =>
  text.split("\n").map((line, index) => ({ line: index + 1, cells: line.trim().split(/\s+/) }));

function splitCells(text: string, delimiter: string): readonly Row[] {
  const rows: Row[] = [];
  let cells: string[] = [];
  let [at, line, first] = [0, 1, 1];
  while (at <= text.length) {
    const quoted = readQuoted(text, at);
    const start = quoted?.end ?? at;
    let end = start;
    while (end < text.length && text[end] !== delimiter && text[end] !== "\n") end++;
    cells.push(`${quoted?.inside ?? ""}${text.slice(start, end)}`.trim());
    line += (quoted?.inside ?? "").split("\n").length - 1;
    at = end + 1;
    if (text[end] === delimiter) continue;
    rows.push({ line: first, cells });
    cells = [];
    first = ++line;
  }
  return rows;
}

function readQuoted(text: string, start: number): Readonly<{ inside: string; end: number }> | undefined {
  let quote = start;
  while (text[quote] === " ") quote++;
  if (text[quote] !== '"') return undefined;
  let close = text.indexOf('"', quote + 1);
  while (close !== -1 && text[close + 1] === '"') close = text.indexOf('"', close + 2);
  return close === -1 ? undefined : { inside: text.slice(quote + 1, close).replaceAll('""', '"'), end: close + 1 };
}

/** Number of lines that a guess looks at. */
const LOOKED_AT = 60;

/** The delimiters a text may have, the likeliest first: one that stands in at least half of its lines, else spaces. */
export function guessDelimiters(text: string): readonly string[] {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const looked = lines.slice(0, LOOKED_AT);
  const having = (sign: string) => looked.filter((line) => line.includes(sign)).length;
  const signs = ["\t", ";", "|", ","].filter((sign) => text.includes(sign));
  const likely = signs.filter((sign) => having(sign) * 2 >= looked.length);
  return [...likely, ...signs.filter((sign) => !likely.includes(sign)), " "];
}
