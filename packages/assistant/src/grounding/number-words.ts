/**
 * Number words: what stands around digits in many languages: scales, percent signs and currencies.
 *
 * A written table (`number-words.tsv`). A word that it lacks leaves the number as its digits say.
 */
import { join } from "node:path";
import { readRows } from "../data-table.ts";

/** A word in lower case, and its meaning. */
export type WordTable<T> = readonly (readonly [word: string, meaning: T])[];

const ROWS = readRows(join(import.meta.dirname, "number-words.tsv"));

/** Longest first, so that `nghìn tỷ` is not read as `nghìn`. */
const wordsOf = (wanted: string): WordTable<string> =>
  ROWS.filter(([kind]) => kind === wanted)
    .flatMap(([, meaning = "", words = ""]) => words.split("|").map((word) => [word, meaning] as const))
    .toSorted(([one], [other]) => other.length - one.length);

/** Scales; `billion` is 10⁹, as English has it. */
export const SCALES: WordTable<number> = wordsOf("scale").map(([word, size]) => [word, Number(size)]);

/** Words and signs for a percentage. */
export const PERCENTS: WordTable<"percent"> = wordsOf("percent").map(([word]) => [word, "percent"]);

/** Signs that stand before or after a number. */
export const CURRENCY_SIGNS: ReadonlyMap<string, string> = new Map(wordsOf("sign"));

/** Words and codes after a number. */
export const CURRENCIES: WordTable<string> = wordsOf("currency");
