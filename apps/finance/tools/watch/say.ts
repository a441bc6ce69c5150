/**
 * Say: sentences about alerts and schedules in the language of the user, from `tables/texts/watch-texts.tsv`.
 */
import { readTable } from "../../market/tables.ts";
import type { WatchLanguage } from "./own-provenance.ts";

const TEXTS: ReadonlyMap<string, Readonly<Record<WatchLanguage, string>>> = new Map(
  readTable("texts/watch-texts").map(([key = "", en = "", vi = ""]) => [key, { en, vi }]),
);

/** The sentence of a key, with values put in for their names. */
export function say(
  language: WatchLanguage,
  key: string,
  values: Readonly<Record<string, string | number>> = {},
): string {
  const text = TEXTS.get(key)?.[language];
  if (text === undefined) throw new Error(`there is no text ${key}`);
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => `${values[name] ?? ""}`);
}
