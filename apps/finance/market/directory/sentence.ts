/**
 * Sentence: the words of a text with how they are written: what is a capital worth, where does a sentence begin, which
 * words stand close enough to be one name.
 */
import { isFunctionWord } from "./plain-words.ts";
import { toWords, type DirectoryWord } from "./words.ts";

/** A word and how it is written. */
export interface WrittenWord extends DirectoryWord {
  readonly isAccented: boolean;
  /** All its letters are capitals, in a text in which that says something. */
  readonly isCaps: boolean;
  /** It begins with a capital that no start of a sentence explains. */
  readonly isCapital: boolean;
  /** It begins with a capital, whatever explains it. */
  readonly isUpper: boolean;
}

/** A text taken apart. */
export interface Sentence {
  readonly text: string;
  readonly words: readonly WrittenWord[];
  /** It has letters with diacritics. */
  readonly isVietnamese: boolean;
  /** Returns the index behind the last word that a name may have if it begins at `first`. */
  reach(first: number, most: number): number;
}

const MAX_GAP = 3;

/** Takes a text apart. */
export function readSentence(text: string): Sentence {
  const plain = toWords(text);
  const isShouted = tooMany(plain, isAllCaps);
  const isTitle = tooMany(plain, startsUpper);
  const words = plain.map((word, at): WrittenWord => {
    const isStart = at === 0 || endsSentence(text, plain[at - 1]?.end ?? 0, word.start);
    const isUpper = startsUpper(word);
    return {
      ...word,
      isAccented: !/^[\x20-\x7e]*$/.test(word.raw),
      isCaps: !isShouted && isAllCaps(word),
      isCapital: isUpper && !isStart && !isTitle && !isShouted,
      isUpper: isUpper && !isShouted,
    };
  });
  const reach = (first: number, most: number): number => {
    let last = first + 1;
    while (last < words.length && last < first + most && isClose(text, words[last - 1], words[last])) last++;
    return last;
  };
  return { text, words, isVietnamese: words.some(({ isAccented }) => isAccented), reach };
}

/** Whether so many words are written so that it says nothing; a list of tickers has no function words. */
function tooMany(words: readonly DirectoryWord[], is: (word: DirectoryWord) => boolean): boolean {
  const lettered = words.filter(({ raw }) => startsLetter(raw));
  if (lettered.length < 3) return false;
  const written = lettered.filter(is);
  return written.length > lettered.length * 0.75 && written.some(({ key }, at) => at > 0 && isFunctionWord(key));
}

function isAllCaps({ raw }: DirectoryWord): boolean {
  return startsLetter(raw) && raw === raw.toUpperCase();
}

function startsUpper({ raw }: DirectoryWord): boolean {
  const first = raw.charAt(0);
  return startsLetter(raw) && first === first.toUpperCase();
}

function startsLetter(raw: string): boolean {
  const first = raw.charAt(0);
  return first.toLowerCase() !== first.toUpperCase() || (raw.length > 1 && /[A-Za-z]/.test(raw.charAt(1)));
}

function endsSentence(text: string, from: number, to: number): boolean {
  if (to - from > 80) return true;
  const gap = text.slice(from, to);
  return /[.!?\n:;•"“(]/.test(gap) && gap !== ".";
}

/** Between the words of a name stand spaces, a dash, a dot or `&`. */
function isClose(text: string, before: DirectoryWord | undefined, after: DirectoryWord | undefined): boolean {
  if (before === undefined || after === undefined || before.isPossessive) return false;
  const gap = after.start - before.end;
  return gap <= MAX_GAP && /^[ .&–-]*$/.test(text.slice(before.end, after.start));
}
