/**
 * Answer language: which language a text is written in, by letters that only Vietnamese has and by common words.
 *
 * Names, symbols and numbers say nothing; a text without words has no language.
 */
import type { Language } from "../intent/intent.ts";

const VIETNAMESE_LETTERS = /[ăâđêôơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ]/iu;

const ENGLISH_WORDS: ReadonlySet<string> = new Set(
  (
    "the of and is are was were to in for with by from on at as be has have it its this that not no there which than " +
    "or can you your about what data day price shares"
  ).split(" "),
);

/** Words without letters of their own that are Vietnamese beside others. */
const VIETNAMESE_WORDS: ReadonlySet<string> = new Set(
  "là và có theo trong không cho khi hay ngày tháng theo giá mua cao sau xem thêm".split(" "),
);

/** The language of a text; undefined if it has no words that tell. */
export function languageOf(text: string): Language | undefined {
  let vietnamese = 0;
  let english = 0;
  for (const word of text.toLowerCase().split(/[^\p{L}]+/u)) {
    if (ENGLISH_WORDS.has(word)) english += 1;
    else if (VIETNAMESE_LETTERS.test(word) || VIETNAMESE_WORDS.has(word)) vietnamese += 1;
  }
  if (vietnamese + english === 0) return undefined;
  return vietnamese >= english ? "vi" : "en";
}
