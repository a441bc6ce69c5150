/**
 * Pasted table: rows of values in a message, as a broker exports them, and whether they look like holdings.
 *
 * Values are divided by commas, semicolons, tabs, bars or blanks; a table has at least two rows. Linear in the text.
 */
import { foldText } from "../../market/directory/words.ts";
import type { Part } from "./part.ts";

/** A table of a message. */
export interface PastedTable extends Part {
  readonly csv: string;
  /** Its head names a symbol and a quantity, or it has no head and each row begins with a ticker. */
  readonly isHoldings: boolean;
}

interface Line extends Part {
  readonly text: string;
}

const DELIMITERS = ["\t", ";", "|", ","] as const;
const MIN_ROWS = 2;
const MAX_CHARS = 100_000;

/** The first table of a text. */
export function findTable(text: string): PastedTable | undefined {
  const lines = toLines(text.slice(0, MAX_CHARS));
  for (const split of [...DELIMITERS.map(byDelimiter), byBlanks]) {
    const rows = longestRun(lines, split);
    const [first] = rows;
    const last = rows.at(-1);
    if (first === undefined || last === undefined || rows.length < MIN_ROWS || !hasNumbers(rows, split)) continue;
    const csv = text.slice(first.start, last.end);
    return { start: first.start, end: last.end, csv, isHoldings: looksLikeHoldings(rows, split) };
  }
  return undefined;
}

function toLines(text: string): readonly Line[] {
  let start = 0;
  return text.split("\n").map((line) => {
    const part = { start, end: start + line.length, text: line.trim() };
    start += line.length + 1;
    return part;
  });
}

const MIN_NOTE_WORDS = 3;

/** Words in the cells of a table's rows: a note of somebody, not a request. */
export function findNotes(text: string): readonly Part[] {
  const table = findTable(text);
  if (table === undefined) return [];
  const inside = toLines(text).filter(({ start, end }) => start >= table.start && end <= table.end);
  return inside.flatMap((line) => {
    const delimiter = DELIMITERS.find((one) => byDelimiter(one)(line.text) !== undefined);
    if (delimiter === undefined || !isRecord(line.text.split(delimiter))) return [];
    return toCells(text.slice(line.start, line.end), delimiter, line.start).filter(({ start, end }) => {
      return text.slice(start, end).trim().split(/\s+/).length >= MIN_NOTE_WORDS;
    });
  });
}

function toCells(line: string, delimiter: string, offset: number): readonly Part[] {
  let start = offset;
  return line.split(delimiter).map((cell) => {
    const part = { start, end: start + cell.length };
    start += cell.length + delimiter.length;
    return part;
  });
}

/** A row begins with one word and has a number. */
function isRecord([first = "", ...others]: readonly string[]): boolean {
  return !first.trim().includes(" ") && others.some((field) => isNumeric(field.trim()));
}

type Split = (line: string) => readonly string[] | undefined;

const byDelimiter =
  (delimiter: string): Split =>
  (line) => {
    const fields = line.split(delimiter).map((field) => field.trim());
    const isRow = fields.length > 1 && fields.some((field) => field !== "") && !isProse(line, fields);
    return isRow ? fields : undefined;
  };

const MAX_FIELD_WORDS = 6;

/** "I own Apple, which fell, and Microsoft": sentences have commas too. A row may have a note as long as a sentence. */
function isProse(line: string, fields: readonly string[]): boolean {
  if (isRecord(fields)) return false;
  return /[?!]$/.test(line) || fields.some((field) => field.split(" ").length > MAX_FIELD_WORDS);
}

/** `AAPL 10 150.5`: a word and numbers, or a head of words. */
const byBlanks: Split = (line) => {
  const fields = line.split(/\s+/);
  const isRow = fields.length > 1 && fields.length < 12 && fields.slice(1).every(isNumeric);
  return isRow ? fields : undefined;
};

/** A number with or without a currency, percent or thousands. */
function isNumeric(field: string): boolean {
  return field.length < 40 && /^["']?[-+($€£₫]*\d[\d.,\s]*[%)₫đ"']*$/u.test(field);
}

/** Most lines in a row that the split takes; one empty line between them does not end it. */
function longestRun(lines: readonly Line[], split: Split): readonly Line[] {
  let best: readonly Line[] = [];
  let run: Line[] = [];
  for (const line of lines) {
    if (line.text === "" && run.length > 0) continue;
    if (split(line.text) === undefined) run = [];
    else run.push(line);
    if (run.length > best.length) best = [...run];
  }
  return best;
}

/** At least half of the rows have a number. */
function hasNumbers(rows: readonly Line[], split: Split): boolean {
  const numbered = rows.filter(({ text }) => split(text)?.some(isNumeric));
  return numbered.length > 0 && numbered.length * 2 >= rows.length;
}

const SYMBOLS = [
  "symbol",
  "ticker",
  "ma",
  "ma ck",
  "ma cp",
  "ma chung khoan",
  "ma co phieu",
  "stock",
  "instrument",
  "security",
  "co phieu",
  "name",
  "isin",
];
const QUANTITIES = [
  "quantity",
  "qty",
  "shares",
  "units",
  "so luong",
  "sl",
  "kl",
  "khoi luong",
  "position",
  "amount",
  "holding",
  "holdings",
  "so cp",
  "so co phieu",
  "lots",
];

function looksLikeHoldings(rows: readonly Line[], split: Split): boolean {
  const heads = rows
    .slice(0, 5)
    .map(({ text }) => (split(text) ?? []).map((field) => foldText(field.replaceAll(/["'().]/g, "").trim())));
  const names = (head: readonly string[], words: readonly string[]): boolean =>
    head.some((field) =>
      words.some((word) => field === word || field.startsWith(`${word} `) || field.endsWith(` ${word}`)),
    );
  if (heads.some((head) => names(head, SYMBOLS) && names(head, QUANTITIES))) return true;
  return rows.every(({ text }) => {
    const [first = "", second = ""] = split(text) ?? [];
    return /^["']?[A-Z^$][A-Z0-9.-]{0,11}["']?$/.test(first) && isNumeric(second);
  });
}
