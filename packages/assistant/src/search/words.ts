/**
 * Words: text as what a search compares.
 *
 * Accents and case do not count (`đ` is `d`), letters and digits are apart (`A14` is two words), and English words
 * lose their endings. Vietnamese is written in syllables, which stay as they are.
 */
import { join } from "node:path";
import { readRows } from "../data-table.ts";

/** A word as it was written, folded, and its stem. */
export type Word = Readonly<{ text: string; stem: string }>;

const MAX_CHARS = 4_000;
const WORD = /\p{L}+|\p{N}+/gu;
const MARKS = /\p{M}/gu;

/** Words that say nothing of what is wanted, folded. */
const SILENT: ReadonlySet<string> = new Set(
  readRows(join(import.meta.dirname, "silent-words.tsv")).flatMap(([words = ""]) => words.split(" ")),
);

/** The words of a text, at most 4,000 characters of it, without those that say nothing. */
export function toWords(text: string): readonly Word[] {
  return split(text).filter((word) => !SILENT.has(word.text));
}

/** The words of a name such as `getLongName` or `tool_search`, all of them. */
export function toNameWords(name: string): readonly Word[] {
  return split(name.replaceAll(/(?<=[\p{Ll}\d])(?=\p{Lu})/gu, " "));
}

function split(text: string): readonly Word[] {
  const found = fold(text.slice(0, MAX_CHARS)).match(WORD) ?? [];
  return found.map((word) => ({ text: word, stem: toStem(word) }));
}

function fold(text: string): string {
  return text.normalize("NFD").replaceAll(MARKS, "").toLowerCase().replaceAll("đ", "d").replaceAll("ß", "ss");
}

/** An English word without the endings of number and time; two forms of one word have one stem. */
function toStem(word: string): string {
  return withoutE(undouble(withoutEnding(withoutPlural(word))));
}

function withoutPlural(word: string): string {
  if (word.length < 4 || !word.endsWith("s")) return word;
  if (word.endsWith("ies") && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ss|x|z|ch|sh)es$/.test(word)) return word.slice(0, -2);
  return /[sui]s$/.test(word) ? word : word.slice(0, -1);
}

function withoutEnding(word: string): string {
  if (word.length >= 6 && word.endsWith("ing")) return word.slice(0, -3);
  return word.length >= 5 && word.endsWith("ed") && !word.endsWith("eed") ? word.slice(0, -2) : word;
}

/** `planned` is `plan`, but `sell` keeps its letters. */
function undouble(word: string): string {
  return word.length >= 5 && /([bdgmnprt])\1$/.test(word) ? word.slice(0, -1) : word;
}

function withoutE(word: string): string {
  return word.length >= 5 && word.endsWith("e") ? word.slice(0, -1) : word;
}
