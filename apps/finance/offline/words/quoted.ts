/**
 * Quoted: words of third parties as an answer shows them.
 *
 * They stay text: no markup, no links, no references. Their numbers are nobody's facts, so they are left out; the year
 * of the text and words such as `Q3` stay.
 */
import { findLinks } from "@baton/assistant";
import { toPlainText } from "./markdown.ts";

const LEFT_OUT = "…";
const MAX_CHARS = 300;
const HAS_NUMBER = /\p{N}/u;
/** A number with what belongs to it, in any script. */
const NUMBER = /[+−$€£¥₫-]*\p{N}[\p{N}.,:/%]*/gu;
/** Words that have a number and tell no figure. */
const WORD = /^\P{L}*(?:[QH][1-4]|FY\d{2}|10-[KQ]|8-K|13[DFG]|G7|G20|[45]G|COVID-19)\P{L}*$/u;

/** A quoted text, and whether numbers were left out. */
export type Quoted = Readonly<{ text: string; isMasked: boolean }>;

/** Text of a third party; `day` is the day it is of. */
export function toQuoted(text: string, day = "", maxChars = MAX_CHARS): Quoted {
  const words = text
    .slice(0, maxChars)
    .split(" ")
    .filter((word) => !isAddress(word));
  const shown = words.map((word, index) => (isNumbered(words[index - 1]) ? word : mask(word, day.slice(0, 4))));
  const isMasked = shown.some((word, index) => word !== words[index]);
  return { text: toPlainText(shown.join(" ")), isMasked };
}

/** `S&P 500`, `Item 1A.`: the number is part of a name. */
const isNumbered = (before: string | undefined): boolean => before === "S&P" || /^items?$/i.test(before ?? "");

function isAddress(word: string): boolean {
  return findLinks(word).length > 0;
}

/** A word without its numbers; the year of the text stays. */
function mask(word: string, year: string): string {
  if (!HAS_NUMBER.test(word) || WORD.test(word)) return word;
  return word.replaceAll(NUMBER, (found) => (found.replace(/[.,:/]+$/, "") === year ? found : LEFT_OUT));
}
