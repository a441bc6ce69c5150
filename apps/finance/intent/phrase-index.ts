/**
 * Phrase index: finds the phrases of a lexicon in a list of words; at each word the longest phrase counts.
 *
 * A phrase may hold `#` for a number and `@` for something that is listed. Time grows with the words, not with the phrases.
 */
import { toWords } from "../data/directory/words.ts";

/** A phrase that was found: the words from `first` up to, not including, `last`. */
export interface Hit<N extends string> {
  readonly name: N;
  readonly first: number;
  readonly last: number;
  readonly isWeak: boolean;
}

/** Phrases by what they mean. */
export interface PhraseIndex<N extends string> {
  find(keys: readonly string[]): readonly Hit<N>[];
  /** Every word that a phrase has. */
  readonly words: ReadonlySet<string>;
}

/** Phrases of a name, between commas; those after `~` are weak: they count if nothing else does. */
export type Lexicon<N extends string> = readonly (readonly [name: N, phrases: string])[];

interface Meaning<N extends string> {
  readonly name: N;
  readonly isWeak: boolean;
}

/** Files a lexicon. */
export function toPhraseIndex<N extends string>(lexicon: Lexicon<N>): PhraseIndex<N> {
  const meanings = new Map<string, Meaning<N>[]>();
  const words = new Set<string>();
  let longest = 1;
  for (const [name, phrases] of lexicon) {
    for (const written of phrases.split(",")) {
      const trimmed = written.trim();
      const keys = toPhraseKeys(trimmed);
      if (keys.length === 0) continue;
      for (const key of keys) words.add(key);
      longest = Math.max(longest, keys.length);
      const key = keys.join(" ");
      const known = meanings.get(key) ?? [];
      meanings.set(key, [...known, { name, isWeak: trimmed.startsWith("~") }]);
    }
  }
  return { words, find: (keys) => findAll(meanings, longest, keys) };
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

function findAll<N extends string>(
  meanings: ReadonlyMap<string, readonly Meaning<N>[]>,
  longest: number,
  keys: readonly string[],
): readonly Hit<N>[] {
  const hits: Hit<N>[] = [];
  const general = keys.map((key) => (isNumber(key) ? "#" : key));
  let first = 0;
  while (first < keys.length) {
    const found = longestAt(meanings, { exact: keys, general, first, most: longest });
    for (const { name, isWeak } of found?.meanings ?? []) {
      hits.push({ name, isWeak, first, last: found?.last ?? first });
    }
    first = found?.last ?? first + 1;
  }
  return hits;
}

interface Place {
  readonly exact: readonly string[];
  /** With `#` for numbers. */
  readonly general: readonly string[];
  readonly first: number;
  readonly most: number;
}

function longestAt<M>(
  meanings: ReadonlyMap<string, readonly M[]>,
  { exact, general, first, most }: Place,
): Readonly<{ last: number; meanings: readonly M[] }> | undefined {
  for (let last = Math.min(exact.length, first + most); last > first; last--) {
    const found =
      meanings.get(exact.slice(first, last).join(" ")) ?? meanings.get(general.slice(first, last).join(" "));
    if (found !== undefined) return { last, meanings: found };
  }
  return undefined;
}

function isNumber(key: string): boolean {
  const code = key.charCodeAt(0);
  return code >= 48 && code <= 57;
}
