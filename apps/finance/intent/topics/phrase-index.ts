/**
 * Phrase index: finds the phrases of a lexicon in the words of a question; at each word the longest phrase counts.
 *
 * Phrases are compared without diacritics, but for single Vietnamese words, of which too many then look alike: those need
 * their own marks, or a Vietnamese text that has none. `#` is a number, `@` something listed.
 */
import { foldText, toWords } from "../../market/directory/words.ts";

/** A phrase that was found: the words from `first` up to, not including, `last`. */
export interface Hit<N extends string> {
  readonly name: N;
  readonly first: number;
  readonly last: number;
  readonly isWeak: boolean;
}

/** The words that are searched. */
export interface Searched {
  readonly keys: readonly string[];
  /** As they are written. */
  readonly raws: readonly string[];
  /** Vietnamese without diacritics: a word may stand for all that look like it. */
  readonly isBare: boolean;
}

/** Phrases by what they mean. */
export interface PhraseIndex<N extends string> {
  find(searched: Searched): readonly Hit<N>[];
  /** Every word that a phrase has. */
  readonly words: ReadonlySet<string>;
}

/** Phrases of a name, between commas; those after `~` are weak: they count if nothing else does. */
export type Lexicon<N extends string> = readonly (readonly [name: N, phrases: string])[];

interface Meaning<N extends string> {
  readonly name: N;
  readonly isWeak: boolean;
  /** The marks that a single Vietnamese word needs. */
  readonly marks?: string;
  /** Without any marks: a word with marks is another word. */
  readonly isPlain: boolean;
}

/** Files a lexicon. */
export function toPhraseIndex<N extends string>(lexicon: Lexicon<N>): PhraseIndex<N> {
  const meanings = new Map<string, Meaning<N>[]>();
  const words = new Set<string>();
  const longest = new Map<string, number>();
  for (const [name, phrases] of lexicon) {
    for (const written of phrases.split(",")) {
      const phrase = written.trim();
      const keys = toPhraseKeys(phrase);
      if (keys.length === 0) continue;
      for (const key of keys) words.add(key);
      const [start = ""] = keys;
      longest.set(start, Math.max(longest.get(start) ?? 0, keys.length));
      const key = keys.join(" ");
      meanings.set(key, [...(meanings.get(key) ?? []), toMeaning(name, phrase, keys.length)]);
    }
  }
  return { words, find: (searched) => findAll(meanings, longest, searched) };
}

function toMeaning<N extends string>(name: N, phrase: string, length: number): Meaning<N> {
  const text = phrase.replace("~", "").trim();
  const isWeak = phrase.startsWith("~");
  const isPlain = !isMarked(text);
  return { name, isWeak, isPlain, ...(length === 1 && !isPlain ? { marks: toMarks(text) } : {}) };
}

/** The words of a phrase as they are compared. */
function toPhraseKeys(phrase: string): readonly string[] {
  const parts = phrase.replace("~", "").split(/\s+/);
  return parts.flatMap((part) =>
    part === "#" || part === "@" ? [part] : toWords(part).map(({ key }) => toSpelling(key)),
  );
}

const SPELLINGS: ReadonlyMap<string, string> = new Map([
  ["ki", "ky"],
  ["ti", "ty"],
  ["li", "ly"],
]);

/** One spelling of syllables that Vietnamese writes with i or y. */
export function toSpelling(key: string): string {
  return SPELLINGS.get(key) ?? key;
}

function isMarked(text: string): boolean {
  return /[^\p{ASCII}]/u.test(text);
}

/** Letters and marks apart, so that `hoá` and `hóa` are the same. */
function toMarks(word: string): string {
  const decomposed = word.toLowerCase().normalize("NFD");
  const marks = Array.from(decomposed.matchAll(/\p{M}|đ/gu), ([mark]) => mark).toSorted();
  return `${toSpelling(foldText(word))} ${marks.join("")}`;
}

function findAll<N extends string>(
  meanings: ReadonlyMap<string, readonly Meaning<N>[]>,
  longest: ReadonlyMap<string, number>,
  { keys, raws, isBare }: Searched,
): readonly Hit<N>[] {
  const hits: Hit<N>[] = [];
  const general = keys.map((key) => (isNumber(key) ? "#" : key));
  const fits = ({ marks, isPlain }: Meaning<N>, from: number, to: number): boolean => {
    const raw = raws[from] ?? "";
    if (isPlain) return !raws.slice(from, to).some((word, at) => keys[from + at] !== "@" && isMarked(word));
    return marks === undefined || (isMarked(raw) ? toMarks(raw) === marks : isBare);
  };
  /** "The market cap" is about the market cap, not about the market. */
  const isOutreached = (last: number, from: number): boolean => {
    const most = Math.max(longest.get(keys[from] ?? "") ?? 0, longest.get(general[from] ?? "") ?? 0);
    return (longestAt(meanings, { exact: keys, general, first: from, most, fits })?.last ?? 0) > last;
  };
  let first = 0;
  while (first < keys.length) {
    const most = Math.max(longest.get(keys[first] ?? "") ?? 0, longest.get(general[first] ?? "") ?? 0);
    const found = longestAt(meanings, { exact: keys, general, first, most, fits });
    if (keys[first] === "the" && found !== undefined && isOutreached(found.last, first + 1)) {
      first++;
      continue;
    }
    for (const { name, isWeak } of found?.meanings ?? []) {
      hits.push({ name, isWeak, first, last: found?.last ?? first });
    }
    first = found?.last ?? first + 1;
  }
  return hits;
}

interface Place<M> {
  readonly exact: readonly string[];
  /** With `#` for numbers. */
  readonly general: readonly string[];
  readonly first: number;
  /** How many words the longest phrase has that starts with this word. */
  readonly most: number;
  readonly fits: (meaning: M, from: number, to: number) => boolean;
}

function longestAt<M>(
  meanings: ReadonlyMap<string, readonly M[]>,
  { exact, general, first, most, fits }: Place<M>,
): Readonly<{ last: number; meanings: readonly M[] }> | undefined {
  for (let last = Math.min(exact.length, first + most); last > first; last--) {
    const found =
      meanings.get(exact.slice(first, last).join(" ")) ?? meanings.get(general.slice(first, last).join(" "));
    const fitting = found?.filter((meaning) => fits(meaning, first, last)) ?? [];
    if (fitting.length > 0) return { last, meanings: fitting };
  }
  return undefined;
}

function isNumber(key: string): boolean {
  const code = key.charCodeAt(0);
  return code >= 48 && code <= 57;
}
