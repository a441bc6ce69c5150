/**
 * Token: the words, numbers and signs of a question, in their order.
 */
import { scanNumbers } from "@baton/assistant";

/** A word or number of a question. */
export interface Token {
  readonly start: number;
  readonly end: number;
  /** As it was written. */
  readonly text: string;
  /** Without case and marks. */
  readonly key: string;
  /** The value, if it is a number. */
  readonly number?: number;
}

/** A question with more words is not one of the demo's. */
export const MAX_TOKENS = 60;

const WORD = /[$^]?[\p{L}\p{N}\p{M}]+(?:[.&/-][\p{L}\p{N}]+)*|['’]s\b|[@=%$&+*^()/-]/gu;
const MARKS = /\p{M}/gu;

/** A word without case and marks; đ is d. */
const toKey = (text: string): string =>
  text.normalize("NFD").replaceAll(MARKS, "").toLowerCase().replaceAll("đ", "d").replaceAll("’", "'");

/** The keys of a phrase. */
export const toKeys = (text: string): readonly string[] => text.match(WORD)?.map(toKey) ?? [];

/** The tokens of a question; at most so many as a form can have. */
export function toTokens(question: string): readonly Token[] {
  const text = question.normalize("NFC").slice(0, 2_000);
  const numbers = scanNumbers(text);
  const tokens: Token[] = [];
  let next = 0;
  for (const match of text.matchAll(WORD)) {
    const { 0: word, index: start } = match;
    if (tokens.length > MAX_TOKENS) return tokens;
    while ((numbers[next]?.end ?? Infinity) <= start) next += 1;
    const number = numbers[next];
    const isInside = number !== undefined && start >= number.start && start < number.end;
    if (!isInside) tokens.push({ start, end: start + word.length, text: word, key: toKey(word) });
    else if (tokens.at(-1)?.start !== number.start) {
      const value = number.readings[0]?.value ?? 0;
      tokens.push({ start: number.start, end: number.end, text: number.text, key: toKey(number.text), number: value });
    }
  }
  return tokens;
}
