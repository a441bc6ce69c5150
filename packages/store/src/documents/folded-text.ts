/**
 * Folded text: how text and queries become words that can be compared: without marks, in lower case.
 *
 * All databases keep and look for these words and split nothing themselves, so they find the same.
 */
import { BatonError } from "@baton/core";

const MARKS = /\p{M}+/gu;
const WORDS = /[\p{L}\p{N}]+/gu;
/** Longer words are alike if they begin alike. */
const MAX_WORD_CHARS = 64;
const MAX_QUERY_WORDS = 32;

/** The words that a text must have to match. */
export interface WordQuery {
  /** Words that must occur. */
  readonly words: readonly string[];
  /** Prefix that at least one word must have. */
  readonly prefix: string;
  /** Words that must occur: all of them, or any one. */
  readonly match: "all" | "any";
}

/** The text in lower case and without marks: `Đồng Việt` is `dong viet`. */
export function foldText(text: string): string {
  // Marks go before the text is decomposed, too: ordering a long row of them takes time that grows with its square.
  const plain = text.replace(MARKS, "").normalize("NFD").replace(MARKS, "").toLowerCase();
  // After marks are gone, a sigma at the end of a word is the one letter that still has two forms.
  return plain.replaceAll("đ", "d").replaceAll("ς", "σ");
}

/** The words of a text, folded and in order: runs of letters and digits. */
export function toWords(text: string): readonly string[] {
  return (foldText(text).match(WORDS) ?? []).map(shorten);
}

/** The query that a text stands for; undefined if it has no word. */
export function toWordQuery(text: string, match: WordQuery["match"] = "all"): WordQuery | undefined {
  const words = toWords(text);
  const prefix = words.at(-1);
  if (prefix === undefined) return undefined;
  if (words.length > MAX_QUERY_WORDS)
    throw new BatonError("invalid", `the search has ${words.length} words; at most ${MAX_QUERY_WORDS} are possible`);
  return { words: [...new Set(words.slice(0, -1))], prefix, match };
}

/** Counts the occurrences of each part of the query, the prefix last; undefined if the text does not match. */
export function countMatches(
  text: readonly string[],
  { words, prefix, match }: WordQuery,
): readonly number[] | undefined {
  const counts = words.map((word) => text.filter((other) => other === word).length);
  counts.push(text.filter((other) => other.startsWith(prefix)).length);
  const isMatch = match === "all" ? !counts.includes(0) : counts.some((count) => count > 0);
  return isMatch ? counts : undefined;
}

/** By code points, so that no half of a pair is left. */
function shorten(word: string): string {
  return word.length <= MAX_WORD_CHARS ? word : Array.from(word).slice(0, MAX_WORD_CHARS).join("");
}
