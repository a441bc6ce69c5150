/**
 * Quoted: words of third parties as an answer shows them.
 *
 * They stay text: no markup, no links, no references. Their numbers are nobody's facts, so they are left out; only the
 * year of the text itself stays.
 */
import { toPlainText } from "./markdown.ts";

const LEFT_OUT = "…";
/** A number with its signs; digits inside a word, such as `Q3` and `10-K`, stay. */
const NUMBER = /[+−$€£¥₫]*\d[\d.,:/]*%?/gu;
const MAX_CHARS = 300;

/** A quoted text, and whether numbers were left out. */
export type Quoted = Readonly<{ text: string; isMasked: boolean }>;

/** Text of a third party; `day` is the day it is of. */
export function toQuoted(text: string, day = ""): Quoted {
  const year = day.slice(0, 4);
  const words = text
    .slice(0, MAX_CHARS)
    .split(" ")
    .filter((word) => !isAddress(word));
  const shown = words.map((word) => maskNumbers(word, year));
  const isMasked = shown.some((word, index) => word !== words[index]);
  return { text: toPlainText(shown.join(" ")), isMasked };
}

function isAddress(word: string): boolean {
  const lower = word.toLowerCase();
  return lower.includes("://") || lower.includes("www.") || lower.startsWith("mailto:");
}

function maskNumbers(word: string, year: string): string {
  return word.replaceAll(NUMBER, (found, at: number) => {
    const [before = "", after = ""] = [word[at - 1], word[at + found.length]];
    const isInWord = /[\p{L}\p{N}]/u.test(before) || (before === "-" && at > 1) || /[\p{L}-]/u.test(after);
    return isInWord && !isScaled(after) ? found : found.replace(/[.,:/]+$/, "") === year ? found : LEFT_OUT;
  });
}

/** `3B`, `5k`, `12x`: still a number. */
const isScaled = (letter: string): boolean => /^[kmbtx]$/iu.test(letter);
