/**
 * Token: a word of a clause as rules compare it, and its position in the text.
 *
 * English contractions are two words (`I'm` is `i am`), also without their apostrophe.
 */

/** A word. */
export interface Token {
  /** Lower case, with its marks. */
  readonly word: string;
  /** Lower case, without marks. */
  readonly bare: string;
  readonly start: number;
  readonly end: number;
}

const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}'’&./+_%$€-]*|[$€£¥₫:¤]/gu;
const TAIL = /['’./+_-]+$/;
const MARKS = /\p{M}+/gu;

/** What contractions stand for, by the word without its apostrophe. */
const CONTRACTED: ReadonlyMap<string, readonly string[]> = new Map(
  [
    "im i am",
    "ive i have",
    "id i would",
    "ill i will",
    "dont do not",
    "doesnt does not",
    "didnt did not",
    "isnt is not",
    "arent are not",
    "wasnt was not",
    "werent were not",
    "cant can not",
    "cannot can not",
    "couldnt could not",
    "wont will not",
    "wouldnt would not",
    "shouldnt should not",
    "havent have not",
    "youre you are",
    "youd you would",
    "names name is",
    "lets let us",
    "whats what is",
    "hows how is",
    "thats that is",
  ].map((line) => {
    const [written = "", ...words] = line.split(" ");
    return [written, words] as const;
  }),
);
/** Short for two words only with its apostrophe: `ill` and `id` are words. */
const NEEDS_APOSTROPHE: ReadonlySet<string> = new Set(["id", "ill", "names", "lets", "wont", "cant", "hows"]);

/** The text without marks and in lower case. */
export function toBare(text: string): string {
  return text.normalize("NFD").replace(MARKS, "").toLowerCase().replaceAll("đ", "d");
}

/** The words of a text. */
export function toTokens(text: string): readonly Token[] {
  return Array.from(text.matchAll(WORD)).flatMap(({ 0: found, index: start }) => {
    const raw = found.replace(TAIL, "");
    const end = start + raw.length;
    const word = raw.normalize("NFC").toLowerCase().replaceAll("’", "'");
    const plain = word.replaceAll("'", "");
    const isShort = word.includes("'") || !NEEDS_APOSTROPHE.has(plain);
    const parts = isShort ? CONTRACTED.get(plain) : undefined;
    if (parts !== undefined) return parts.map((part) => ({ word: part, bare: part, start, end }));
    return [{ word, bare: toBare(word), start, end }];
  });
}
