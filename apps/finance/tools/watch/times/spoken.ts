/**
 * Spoken: a sentence as words, for the readers of spoken times: folded, with what the writer's marks rule out.
 *
 * A text with Vietnamese marks means them: `tôi` is not `tối`. In a text without any, both are `toi`.
 */
import { toWords, type DirectoryWord } from "../../../market/directory/words.ts";
import type { WatchLanguage } from "../own-provenance.ts";

/** A sentence as words. */
export interface Spoken {
  readonly text: string;
  readonly language: WatchLanguage;
  readonly words: readonly DirectoryWord[];
  /** Nothing in it is written with marks. */
  readonly isBare: boolean;
}

/** What some words of a sentence say; `last` is past the last of them. */
export type SaidTime<T> = Readonly<{ value: T; first: number; last: number }>;

/** Longer sentences are read up to here. */
const MAX_CHARS = 2_000;

/** Takes a sentence apart. */
export function toSpoken(sentence: string, language: WatchLanguage): Spoken {
  const text = sentence.slice(0, MAX_CHARS).normalize("NFC");
  return { text, language, words: toWords(text), isBare: /^\p{ASCII}*$/u.test(text) };
}

/** The folded word at a place; empty past the ends. */
export const keyAt = ({ words }: Spoken, at: number): string => words[at]?.key ?? "";

/** Whether the word at a place is this one of Vietnamese, given with its marks. */
export function isVietnamese(spoken: Spoken, at: number, marked: string): boolean {
  const word = spoken.words[at];
  if (word === undefined) return false;
  return spoken.isBare ? word.key === fold(marked) : word.raw.toLowerCase() === marked;
}

/** Whether these words of Vietnamese, given with their marks, begin at a place. */
export const isPhrase = (spoken: Spoken, at: number, marked: string): boolean =>
  marked.split(" ").every((word, index) => isVietnamese(spoken, at + index, word));

/** Whether these folded words begin at a place. */
export const areKeys = (spoken: Spoken, at: number, keys: string): boolean =>
  keys.split(" ").every((key, index) => keyAt(spoken, at + index) === key);

/** What stands between a word and the next. */
export const gapAfter = ({ text, words }: Spoken, at: number): string =>
  text.slice(words[at]?.end ?? text.length, words[at + 1]?.start ?? text.length);

const fold = (marked: string): string =>
  marked.normalize("NFD").replaceAll(/\p{M}/gu, "").replaceAll("đ", "d").replaceAll("Đ", "d");
