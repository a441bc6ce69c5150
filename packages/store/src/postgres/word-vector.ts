/**
 * Word vector: folded words as the text of a `tsvector`, and a query as that of a `tsquery`.
 *
 * Words are letters and digits, so none needs an escape, and Postgres splits none.
 */
import type { SearchTerm } from "../search/run-text.ts";
import type { WordQuery } from "../documents/folded-text.ts";

/** Limits of Postgres: the largest position, and the positions of one word. */
const MAX_POSITION = 16_383;
const MAX_POSITIONS = 255;

/** Each word with its places in the text, for the rank. */
export function toVector(words: readonly string[]): string {
  const places = new Map<string, number[]>();
  for (const [index, word] of words.entries()) {
    const known = places.get(word) ?? [];
    if (known.length < MAX_POSITIONS) known.push(Math.min(index + 1, MAX_POSITION));
    places.set(word, known);
  }
  return [...places].map(([word, positions]) => `'${word}':${positions.join(",")}`).join(" ");
}

/** All words or any of them, the last as a prefix. */
export function toWordQueryText({ words, prefix, match }: WordQuery): string {
  return [...words.map((word) => `'${word}'`), `'${prefix}':*`].join(match === "all" ? " & " : " | ");
}

/** All words of all conditions; the last of a prefix as a beginning. That the words of a phrase follow each other is checked apart. */
export function toTsQuery(terms: readonly SearchTerm[]): string {
  const words = terms.flatMap(({ words: own, isPrefix }) =>
    own.map((word, index) => `'${word}'${isPrefix && index === own.length - 1 ? ":*" : ""}`),
  );
  return words.join(" & ");
}
