/**
 * Words: the console's texts in the language that is chosen.
 */
import { EN, type Words } from "./en.ts";
import { VI } from "./vi.ts";

export type { Words };

/** The languages there are. */
export const LANGUAGES = ["en", "vi"] as const;

/** One of them. */
export type Language = (typeof LANGUAGES)[number];

const ALL: Readonly<Record<Language, Words>> = { en: EN, vi: VI };

/** The texts of a language. */
export function wordsOf(language: Language): Words {
  return ALL[language];
}

/** The first language of a list that the console speaks; English if there is none. */
export function chooseLanguage(preferred: readonly string[]): Language {
  for (const name of preferred) {
    const found = LANGUAGES.find((language) => name.toLowerCase().startsWith(language));
    if (found !== undefined) return found;
  }
  return "en";
}
