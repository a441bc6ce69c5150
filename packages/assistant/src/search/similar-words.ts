/**
 * Near word: which known words an unknown word was probably meant to be.
 *
 * The beginning of a longer word counts, and so does a word with one or two typing errors; the first letter must agree.
 */

/** A found word with its weight, from 0 to 1. */
export type SimilarWord = Readonly<{ word: string; weight: number }>;

const MAX_CHARS = 32;
const MAX_FOUND = 8;

/** The known words that are near, the nearest first. */
export function findSimilarWords(word: string, known: Iterable<string>): readonly SimilarWord[] {
  if (word.length < 3 || word.length > MAX_CHARS) return [];
  const found: SimilarWord[] = [];
  for (const candidate of known) {
    const weight = candidate[0] === word[0] ? weigh(word, candidate) : 0;
    if (weight > 0) found.push({ word: candidate, weight });
  }
  return found
    .toSorted((one, other) => other.weight - one.weight || (one.word < other.word ? -1 : 1))
    .slice(0, MAX_FOUND);
}

function weigh(word: string, candidate: string): number {
  if (candidate.startsWith(word)) return word.length < 4 ? 0.4 : 0.7;
  const shared = sharedPrefix(word, candidate);
  if (shared >= 5 && Math.max(word.length, candidate.length) - shared <= 4) return 0.5;
  const most = word.length >= 8 ? 2 : word.length >= 5 ? 1 : 0;
  if (most === 0 || Math.abs(word.length - candidate.length) > most) return 0;
  const distance = editDistance(word, candidate);
  return distance > most ? 0 : distance === 1 ? 0.7 : 0.5;
}

function sharedPrefix(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}

/** Insertions, deletions, replacements and swaps of neighbours that turn one word into the other. */
function editDistance(from: string, to: string): number {
  let older: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const replaced = at(last, column - 1) + (isSame ? 0 : 1);
      const swapped = isSwapped ? at(older, column - 2) + 1 : Infinity;
      current.push(Math.min(at(last, column) + 1, at(current, column - 1) + 1, replaced, swapped));
    }
    older = last;
    last = current;
  }
  return at(last, to.length);
}

const at = (row: readonly number[], column: number): number => row[column] ?? Infinity;
