/**
 * Spelled number: numbers that are written as words, such as `ten`, `hai trăm năm mươi`, `zweihundert` or `三百五十`.
 *
 * A written table of several languages (`spelled-numbers.tsv`). A word counts if it is made of its parts alone; parts that follow each other are
 * one number.
 */
import { join } from "node:path";
import { readRows } from "../data-table.ts";

type Part = Readonly<{ value: number; isFactor: boolean }>;

const PARTS: ReadonlyMap<string, Part> = new Map(
  readRows(join(import.meta.dirname, "spelled-numbers.tsv")).flatMap(([head = "", words = ""]) => {
    const part = { value: Number(head.replace("x", "")), isFactor: head.startsWith("x") };
    return words.split(" ").map((word) => [word, part] as const);
  }),
);
const JOINTS: ReadonlySet<string> = new Set(["and", "und", "et", "y", "e", "lẻ", "linh", "và"]);
const LONGEST = Math.max(...Array.from(PARTS.keys(), (word) => word.length));
const BIG = 1_000;

/** The numbers that are written as words in a text. */
export function spelledIn(text: string): readonly number[] {
  const found: number[] = [];
  let open: Part[] = [];
  const close = (): void => {
    if (open.length > 0) found.push(valueOf(open));
    open = [];
  };
  // Scripts without blanks are read letter by letter.
  const spaced = text
    .normalize("NFC")
    .toLowerCase()
    .replaceAll(/\p{Script=Han}/gu, " $& ");
  for (const [word] of spaced.matchAll(/[\p{L}\p{M}]+(?:-[\p{L}\p{M}]+)*|[^\s\p{L}-]/gu)) {
    const parts = partsOf(word);
    if (parts !== undefined) open.push(...parts);
    else if (open.length === 0 || !JOINTS.has(word)) close();
  }
  close();
  return found;
}

/** The parts that a word is made of; undefined if anything is left. */
function partsOf(word: string): readonly Part[] | undefined {
  const parts: Part[] = [];
  for (let at = 0; at < word.length;) {
    const size = sizeAt(word, at);
    if (size === 0) return undefined;
    const part = PARTS.get(word.slice(at, at + size));
    if (part !== undefined) parts.push(part);
    at += size;
  }
  return parts.length === 0 ? undefined : parts;
}

/** The length of the longest part at a place, or of a joint inside a word. */
function sizeAt(word: string, at: number): number {
  if (at > 0 && word.startsWith("und", at)) return "und".length;
  for (let size = Math.min(LONGEST, word.length - at); size > 0; size -= 1) {
    if (PARTS.has(word.slice(at, at + size))) return size;
  }
  return word[at] === "-" ? 1 : 0;
}

function valueOf(parts: readonly Part[]): number {
  let [total, section, digit] = [0, 0, 0];
  for (const { value, isFactor } of parts) {
    if (isFactor && value >= BIG) [total, section, digit] = [total + (section + digit || 1) * value, 0, 0];
    else if (isFactor) [section, digit] = [section + (digit || 1) * value, 0];
    else if (value >= 10) section += value;
    else digit += value;
  }
  return total + section + digit;
}
