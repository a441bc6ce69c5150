/**
 * Is in language: tells the language of a short text by its letters.
 */
import type { Language } from "./words.ts";

/** Marks that Vietnamese has and its neighbours in the Latin script hardly: breve, horn, hook above, dot below. */
const VIETNAMESE_MARKS = ["\u0306", "\u031b", "\u0309", "\u0323", "đ"] as const;
const OTHER_SCRIPT = /[^\p{Script=Latin}\P{L}]/u;

/** True if a text is in a language: Vietnamese by its marks, English if it has none and no letter of another script. */
export function isInLanguage(text: string, language: Language): boolean {
  const letters = text.toLowerCase().normalize("NFD");
  const isVietnamese = VIETNAMESE_MARKS.some((mark) => letters.includes(mark));
  return language === "vi" ? isVietnamese : !isVietnamese && !OTHER_SCRIPT.test(text);
}
