/**
 * Words: the console's texts in the language that is chosen. English is always there; another language is fetched when
 * it is needed.
 */
import { EN, type Words } from "./en/en.ts";

export type { Words };

/** The languages there are. */
export const LANGUAGES = ["en", "vi"] as const;

/** One of them. */
export type Language = (typeof LANGUAGES)[number];

/** The name of each language in that language. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: "English", vi: "Tiếng Việt" };

/** Fetches the texts of a language. */
export async function loadWords(language: Language): Promise<Words> {
  if (language === "en") return EN;
  const { VI } = await import("./vi/vi.ts");
  return VI;
}

/** The first language of a list that the console speaks; English if there is none. */
export function chooseLanguage(preferred: readonly string[]): Language {
  for (const name of preferred) {
    const found = LANGUAGES.find((language) => name.toLowerCase().startsWith(language));
    if (found !== undefined) return found;
  }
  return "en";
}
