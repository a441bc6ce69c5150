/**
 * Embedding: a text as a vector, made by hashing its words.
 *
 * A word's own vector is its hashes, bit by bit: 1 where a bit is set, −1 where not. A text's vector is the sum over
 * its words, scaled to length 1, and the same on every machine. Two texts are near if they share words; that two
 * words mean the same is what a model's embedding would add.
 */

/** Where each hash begins; each gives 32 numbers. */
const SEEDS = [0x811c9dc5, 0x9e3779b9] as const;

/** Number of dimensions of a vector. */
export const DIMENSIONS = 32 * SEEDS.length;

/** Numbers are rounded, so that a vector reads well in a log. */
const DECIMALS = 3;

const FILLER = new Set(
  "a about an and are as at be but by can do does for from had has have how i if in is it its me my not of on or so that the them then there they this to was what when where which who why will with you your".split(
    " ",
  ),
);

/** The words of a text that say something, in lower case and without a plural "s". */
export function toWords(text: string): readonly string[] {
  const words =
    text
      .toLowerCase()
      .normalize("NFC")
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.filter((word) => !FILLER.has(word)).map(toSingular);
}

/** The vector of a text; all zeros where no word says anything. */
export function embed(text: string): readonly number[] {
  const words = toWords(text);
  const sums = SEEDS.flatMap((seed) => {
    const hashes = words.map((word) => hashOf(word, seed));
    return Array.from({ length: 32 }, (_, bit) => hashes.reduce((sum, hash) => sum + voteOf(hash, bit), 0));
  });
  const length = lengthOf(sums);
  return length === 0 ? sums : sums.map((sum) => round(sum / length));
}

/** The cosine of the angle between two vectors; 0 where one of them has no direction. */
export function cosine(a: readonly number[], b: readonly number[]): number {
  const product = a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
  const lengths = lengthOf(a) * lengthOf(b);
  return lengths === 0 ? 0 : product / lengths;
}

const lengthOf = (vector: readonly number[]): number => Math.hypot(...vector);

/** Adding 0 turns −0 into 0. */
const round = (value: number): number => Number(value.toFixed(DECIMALS)) + 0;

const toSingular = (word: string): string =>
  word.length > 3 && word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word;

const voteOf = (hash: number, bit: number): number => (((hash >>> bit) & 1) === 1 ? 1 : -1);

/** FNV-1a over UTF-16 code units; then the bits are mixed, so that each of them depends on every letter. */
function hashOf(word: string, seed: number): number {
  let hash = seed;
  for (let index = 0; index < word.length; index++) {
    hash = Math.imul(hash ^ word.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
