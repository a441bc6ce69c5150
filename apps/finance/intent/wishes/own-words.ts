/**
 * Own words: which parts of a message are the user's, and which are quoted, pasted or written by somebody else.
 *
 * Others' words are data: nothing in them is a request. The text keeps its length, so that places stay the same.
 */
import { foldText } from "../../market/directory/words.ts";
import { PASTED } from "../lexicon/wish-words.ts";
import type { Part } from "./part.ts";
import { findNotes } from "./pasted-table.ts";

export type { Part } from "./part.ts";

const PAIRS: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["“", "”"],
  ["„", "“"],
  ["«", "»"],
  ["「", "」"],
  ["`", "`"],
]);
const FENCE = "```";

/** The parts that others wrote, in order. */
export function findForeign(text: string): readonly Part[] {
  const quoted = findQuoted(text);
  const lines = findLines(text);
  const pasted = findPasted(text, lines);
  return [...quoted, ...lines.filter((line) => isCited(text, line)), ...pasted, ...findNotes(text)];
}

/** A message without what others wrote in it. */
export const toOwnWords = (text: string): string => blank(text, findForeign(text));

/** The text with these parts blank. */
export function blank(text: string, parts: readonly Part[]): string {
  return parts.reduce(
    (rest, { start, end }) => rest.slice(0, start) + " ".repeat(Math.max(0, end - start)) + rest.slice(end),
    text,
  );
}

/** Whether a place is in one of these parts. */
export function isIn(parts: readonly Part[], at: number): boolean {
  return parts.some(({ start, end }) => at >= start && at < end);
}

/** What stands between quotation marks, or between fences; an open quotation ends with its line. */
function findQuoted(text: string): readonly Part[] {
  const parts: Part[] = [];
  for (let at = 0; at < text.length; at++) {
    const isFence = text.startsWith(FENCE, at);
    const close = isFence ? FENCE : PAIRS.get(text.charAt(at));
    if (close === undefined || (text[at] === '"' && isInch(text, at))) continue;
    const from = at + (isFence ? FENCE.length : 1);
    const end = text.indexOf(close, from);
    const line = text.indexOf("\n", from);
    const last = end === -1 ? (isFence || line === -1 ? text.length : line) : end + close.length;
    parts.push({ start: at, end: last });
    at = last - 1;
  }
  return parts;
}

/** `27"` is a length. */
const isInch = (text: string, at: number): boolean => /\d/.test(text.charAt(at - 1)) && !/\S/.test(text.charAt(at + 1));

function findLines(text: string): readonly Part[] {
  const lines: Part[] = [];
  let start = 0;
  while (start <= text.length) {
    const next = text.indexOf("\n", start);
    const end = next === -1 ? text.length : next;
    lines.push({ start, end });
    start = end + 1;
  }
  return lines;
}

/** `> cited` and `| a row | of a table |`. */
function isCited(text: string, { start, end }: Part): boolean {
  const line = text.slice(start, end).trim();
  return line.startsWith(">") || line.split("|").length > 2;
}

const MAX_LABEL_WORDS = 14;

/** What follows a colon that announces a text: on its line, or if that is empty, all that follows. */
function findPasted(text: string, lines: readonly Part[]): readonly Part[] {
  for (const { start, end } of lines) {
    const line = text.slice(start, end);
    const colon = announcing(line);
    if (colon === -1) continue;
    const isLast = line.slice(colon + 1).trim() === "";
    return [{ start: start + colon + 1, end: isLast ? text.length : end }];
  }
  return [];
}

/** The position of the colon of an announcement: `Headline: …`, `Dịch câu này: …`; -1 if there is none. */
function announcing(line: string): number {
  const colon = line.search(/:(?!\d|\/\/)/);
  if (colon === -1) return -1;
  const words = foldText(line.slice(0, colon)).split(/[^a-z0-9]+/);
  const isKept = words.some((word) => KEEPING.has(word));
  return !isKept && words.length <= MAX_LABEL_WORDS && words.some((word) => PASTED.has(word)) ? colon : -1;
}

/** With these words before it, what follows a colon is the user's own. */
const KEEPING: ReadonlySet<string> = new Set(
  "remember nho save luu store memorize memory import nhap add them holdings portfolio".split(" "),
);
