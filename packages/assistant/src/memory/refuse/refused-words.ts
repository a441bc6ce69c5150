/**
 * Refused words: the lists of `refused-words.tsv`, by which texts are not remembered.
 */
import { join } from "node:path";
import { readRows } from "../../data-table.ts";

const ROWS = readRows(join(import.meta.dirname, "refused-words.tsv"));

/** The entries of a list. */
export const entriesOf = (list: string): readonly string[] =>
  ROWS.flatMap(([kind, entry = ""]) => (kind === list ? [entry] : []));

/** The words of a list of one entry. */
export const wordsOf = (list: string): readonly string[] => entriesOf(list).flatMap((entry) => entry.split(" "));

/** The words that a name in capitals stands for. */
export const ALTERNATIVES: ReadonlyMap<string, readonly string[]> = new Map(
  ROWS.flatMap(([kind, name = "", words = ""]) => (kind === "alternative" ? [[name, words.split(" ")] as const] : [])),
);
