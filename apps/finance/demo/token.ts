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
  /** The currency that is written with it. */
  readonly currency?: string;
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
    const [, count] = isInside ? [] : (/^(\d{1,4})-\p{L}+$/u.exec(word) ?? []);
    if (count !== undefined) tokens.push(...splitCount(word, start, count));
    else if (!isInside) tokens.push({ start, end: start + word.length, text: word, key: toKey(word) });
    else if (tokens.at(-1)?.start !== number.start) {
      const value = number.readings[0]?.value ?? 0;
      const { start: first, end, text: written, currency } = number;
      const token = { start: first, end, text: written, key: toKey(written), number: value };
      tokens.push(currency === undefined ? token : { ...token, currency });
    }
  }
  return tokens;
}

/** `50-day` is a number and a word. */
function splitCount(word: string, start: number, count: string): readonly Token[] {
  const [middle, rest] = [start + count.length, word.slice(count.length + 1)];
  return [
    { start, end: middle, text: count, key: count, number: Number(count) },
    { start: middle + 1, end: start + word.length, text: rest, key: toKey(rest) },
  ];
}

/** The keys of so many tokens, with blanks between. */
export const keysAt = (tokens: readonly Token[], at: number, words: number): string =>
  tokens
    .slice(at, at + words)
    .map(({ key }) => key)
    .join(" ");
