/**
 * Words: a text as the directory compares it: in lower case, without diacritics (đ is d), as words with their places.
 *
 * One pass, linear on every input. An apostrophe or `&` inside a word belongs to it (`at&t`, `o'reilly` is `oreilly`);
 * a possessive ending does not (`Apple's` is `apple`).
 */

/** One word of a text. */
export interface DirectoryWord {
  /** Folded: lower case, no diacritics, no possessive. */
  readonly key: string;
  /** As it is written, without a possessive. */
  readonly raw: string;
  readonly start: number;
  readonly end: number;
  /** `'s` follows, which may be part of a name (`mcdonald's`). */
  readonly isPossessive: boolean;
}

/** No name has longer words. */
const MAX_WORD = 64;

/** Lower case, without diacritics. */
export function foldText(text: string): string {
  const lower = text.toLowerCase();
  if (isAscii(lower)) return lower;
  return lower.normalize("NFD").replaceAll(/\p{M}/gu, "").replaceAll("đ", "d");
}

/** The words of a text in order. */
export function toWords(text: string): readonly DirectoryWord[] {
  const words: DirectoryWord[] = [];
  let at = 0;
  while (at < text.length) {
    if (!isWordUnit(text, at)) {
      at++;
      continue;
    }
    const end = wordEnd(text, at);
    words.push(toWord(text, at, end));
    at = end;
  }
  return words;
}

/** The words' keys with one space between them; the form in which names are compared. */
export function toKey(text: string): string {
  return joinInitials(toWords(text).map(({ key }) => key)).join(" ");
}

/** `j p morgan` is `jp morgan`: single letters in a row are one word. "and" is left out, as `&` is. */
export function joinInitials(keys: readonly string[]): readonly string[] {
  const joined: string[] = [];
  let wasInitial = false;
  for (const key of keys) {
    if (key === "and") continue;
    const isInitial = key.length === 1 && key >= "a" && key <= "z";
    if (isInitial && wasInitial) joined.push(`${joined.pop() ?? ""}${key}`);
    else joined.push(key);
    wasInitial = isInitial;
  }
  return joined;
}

function toWord(text: string, start: number, whole: number): DirectoryWord {
  const isPossessive = endsPossessive(text, start, whole);
  const end = isPossessive ? whole - 2 : whole;
  const raw = text.slice(start, end);
  const key = end - start > MAX_WORD ? "" : withoutApostrophes(foldText(raw));
  return { key, raw, start, end, isPossessive };
}

function withoutApostrophes(key: string): string {
  return key.includes("'") || key.includes("’") ? key.replaceAll(/['’]/gu, "") : key;
}

function endsPossessive(text: string, start: number, end: number): boolean {
  const last = text[end - 1];
  return end - start > 2 && (last === "s" || last === "S") && isApostrophe(text[end - 2]);
}

function wordEnd(text: string, start: number): number {
  let end = start + 1;
  while (end < text.length) {
    if (isWordUnit(text, end)) end++;
    else if (isJoint(text[end]) && isWordUnit(text, end + 1)) end += 2;
    else break;
  }
  return end;
}

function isJoint(character: string | undefined): boolean {
  return character === "&" || isApostrophe(character);
}

function isApostrophe(character: string | undefined): boolean {
  return character === "'" || character === "’";
}

/** A letter, digit or mark; a half of a surrogate pair counts as one, so that pairs stay whole. */
function isWordUnit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 128) return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);
  if (Number.isNaN(code)) return false;
  return (code >= 0xd800 && code <= 0xdfff) || /[\p{L}\p{N}\p{M}]/u.test(text.charAt(at));
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 127) return false;
  return true;
}
