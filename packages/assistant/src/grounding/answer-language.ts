/**
 * Answer language: which language a text is written in, by letters that only Vietnamese has and by common words.
 *
 * Names, symbols and numbers say nothing.
 */
import type { AnswerLanguage } from "./fact-format.ts";

const VIETNAMESE_LETTERS = /[ăâđêôơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ]/u;

const ENGLISH: ReadonlySet<string> = new Set(
  (
    "the of and is are was were to in for with by from on at as be has have it its this that not no there which than " +
    "or can you your about what data day price shares"
  ).split(" "),
);

/** Common words that have no letter of their own. */
const VIETNAMESE: ReadonlySet<string> = new Set(
  "là và có theo trong không cho khi hay tháng giá mua cao sau xem thêm".split(" "),
);

/** The number of words of each language in a text. */
export interface LanguageWords {
  readonly en: number;
  readonly vi: number;
}

/** The words that tell. */
export function countLanguageWords(text: string): LanguageWords {
  let [en, vi] = [0, 0];
  for (const word of text.toLowerCase().split(/[^\p{L}]+/u)) {
    if (ENGLISH.has(word)) en += 1;
    else if (VIETNAMESE.has(word) || VIETNAMESE_LETTERS.test(word)) vi += 1;
  }
  return { en, vi };
}

/** The language of a text; undefined if it has no words that tell. */
export function languageOfText(text: string): AnswerLanguage | undefined {
  const { en, vi } = countLanguageWords(text);
  if (en + vi === 0) return undefined;
  return vi >= en ? "vi" : "en";
}
