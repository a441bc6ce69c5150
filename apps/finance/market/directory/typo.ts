/**
 * Typo: the prominent name that a misspelt word means: one letter off from five letters on, two from nine on.
 *
 * Names are compared without spaces. Of several names equally near all are candidates.
 */
import { differingBits, letterBits, typoDistance } from "./damerau.ts";
import type { NameHit } from "./name-index.ts";
import { finish, type Pieces } from "./pieces.ts";

/** A name near a misspelt word. */
export type NearName = Readonly<{ hit: NameHit; score: number }>;

/** Finds names by misspelt words. */
export interface TypoIndex {
  /** The names nearest to a folded key within the distance that their length allows. */
  nearest(key: string): readonly NearName[];
}

const SHORTEST = 4;
const LONGEST = 40;

/** A typo index that can be filed before the first search. */
export interface PreparedTypos extends TypoIndex {
  prepare(): Pieces<void>;
}

/** Files names for the search, at the latest at the first search. */
export function openTypos(names: () => Iterable<readonly [key: string, hit: NameHit]>): PreparedTypos {
  let index: Index | undefined;
  return {
    *prepare() {
      index ??= yield* toIndex(names());
    },
    nearest(key) {
      const word = key.replaceAll(" ", "");
      if (word.length < SHORTEST || word.length > LONGEST) return [];
      index ??= finish(toIndex(names()));
      return search(index, word);
    },
  };
}

/** Returns the number of letters that may be wrong in a name of this length. */
function allowedDistance(letters: number): number {
  if (letters < 5) return 0;
  return letters < 9 ? 1 : 2;
}

interface Index {
  readonly words: readonly string[];
  readonly hits: readonly NameHit[];
  readonly bits: Int32Array;
}

function* toIndex(names: Iterable<readonly [key: string, hit: NameHit]>): Pieces<Index> {
  const byWord = new Map<string, NameHit>();
  for (const [key, hit] of names) {
    yield;
    const word = key.replaceAll(" ", "");
    if (word.length >= 5 && !byWord.has(word)) byWord.set(word, hit);
  }
  const words = [...byWord.keys()];
  return { words, hits: [...byWord.values()], bits: Int32Array.from(words, letterBits) };
}

function search({ words, hits, bits }: Index, word: string): readonly NearName[] {
  const wanted = letterBits(word);
  let best = 2;
  let found: NearName[] = [];
  for (let at = 0; at < words.length; at++) {
    const candidate = words[at] ?? "";
    const limit = Math.min(best, allowedDistance(candidate.length));
    if (differingBits(bits[at] ?? 0, wanted) > limit * 2) continue;
    const distance = typoDistance(word, candidate, limit);
    const hit = hits[at];
    if (distance > limit || hit === undefined) continue;
    if (distance < best) found = [];
    best = distance;
    found.push({ hit, score: 1 - distance / Math.max(word.length, candidate.length) });
  }
  return found;
}
