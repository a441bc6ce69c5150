/**
 * Search text: a question made ready to be searched for words.
 */
import { foldText } from "../../market/directory/words.ts";

/** Without case, marks and punctuation, a blank around each word; `P/E` stays. */
export function toSearchText(text: string): string {
  const words = foldText(text).replaceAll(/[^a-z0-9/&]+/g, " ");
  return ` ${words.trim()} `;
}

/** Whether a text has one of these words or phrases. */
export const hasAny = (searchText: string, phrases: readonly string[]): boolean =>
  phrases.some((phrase) => searchText.includes(` ${phrase} `));
