/**
 * Secret: whether a text holds a card number, an access key, a password or a private key.
 *
 * Prices, years, quantities, short codes and links are not secrets. Every scan is linear in the text.
 */
import { entriesOf, wordsOf } from "./refused-words.ts";

const CARD_DIGITS = { min: 13, max: 19 } as const;
/** Characters between the digits of one number, up to three of them. */
const SEPARATORS = " -–—._/\u00a0\u2009\u202f\t";
const MAX_GAP = 3;

interface Group {
  readonly digits: string;
  /** The characters between it and the group before. */
  readonly gap: string;
}

/** Whether the text has a card number: 13 to 19 digits that pass Luhn's check, in any groups. */
export function hasCardNumber(text: string): boolean {
  return toRuns(text).some((run) => run.some((_, from) => hasCardFrom(run, from)));
}

function hasCardFrom(run: readonly Group[], from: number): boolean {
  let digits = "";
  for (let to = from; to < run.length && digits.length <= CARD_DIGITS.max; to += 1) {
    digits += run[to]?.digits ?? "";
    if (isCard(digits) && !isGroupedNumber(run.slice(from, to + 1))) return true;
  }
  return false;
}

/** Numbers whose groups have at most three separators between them. */
function toRuns(text: string): readonly (readonly Group[])[] {
  const runs: Group[][] = [];
  let end = -Infinity;
  for (const { 0: digits, index } of text.matchAll(/\d+/g)) {
    const gap = index - end <= MAX_GAP ? text.slice(end, index) : undefined;
    const isNext = gap !== undefined && Array.from(gap).every((char) => SEPARATORS.includes(char));
    if (isNext) runs.at(-1)?.push({ digits, gap });
    else runs.push([{ digits, gap: "" }]);
    end = index + digits.length;
  }
  return runs;
}

/** `4.123.456.789.012`: thousands, not a card. */
function isGroupedNumber(groups: readonly Group[]): boolean {
  const [first, second, ...rest] = groups;
  if (first === undefined || second === undefined || first.digits.length > 3) return false;
  return [second, ...rest].every(({ digits, gap }) => digits.length === 3 && gap === second.gap);
}

function isCard(digits: string): boolean {
  const isLong = digits.length >= CARD_DIGITS.min && digits.length <= CARD_DIGITS.max;
  return isLong && isIssued(digits) && passesLuhn(digits);
}

/** Networks begin their numbers with 3 to 6, or with 2221 to 2720. */
function isIssued(digits: string): boolean {
  const head = Number(digits.slice(0, 4));
  return (digits >= "3" && digits < "7") || (head >= 2_221 && head <= 2_720);
}

function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let place = 0; place < digits.length; place += 1) {
    const digit = Number(digits[digits.length - 1 - place]);
    const doubled = place % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0 && /[1-9]/.test(digits);
}

/** Beginnings of well-known keys. */
const KEY_PREFIXES = wordsOf("key");
const MIN_KEY_CHARS = 12;
const TOKEN = /[A-Za-z0-9_\-+/=.~]{12,}/g;
const MIN_RANDOM_CHARS = 20;
const MIN_BITS = 3;

/** Whether the text has an access key or token, by its shape or because its letters look random. */
export function hasAccessKey(text: string): boolean {
  const tokens = text.match(TOKEN) ?? [];
  return tokens.some((token) => isKnownKey(token) || isRandom(token));
}

function isKnownKey(token: string): boolean {
  return KEY_PREFIXES.some((prefix) => {
    const rest = token.startsWith(prefix) ? token.slice(prefix.length) : "";
    return rest.length >= MIN_KEY_CHARS && /[0-9]|[a-z][A-Z]|[A-Z]{8}/.test(rest);
  });
}

/** Links and words with dashes are looked at part by part, for their parts are words; a key is one long part. */
function isRandom(token: string): boolean {
  const parts = token.split(/[/.=~+_-]/);
  if (parts.some(looksRandom)) return true;
  return !/\.|\/\//.test(token) && parts.length <= 4 && token.length >= 32 && looksRandom(parts.join(""));
}

function looksRandom(part: string): boolean {
  if (part.length < MIN_RANDOM_CHARS || !/[A-Za-z]/.test(part)) return false;
  const kinds = Array.from(part, kindOf);
  const turns = kinds.filter((kind, at) => at > 0 && kind !== kinds[at - 1]).length / (part.length - 1);
  const hasDigits = kinds.includes("digit");
  return turns >= (hasDigits ? 0.25 : 0.4) && bitsPerChar(part) >= MIN_BITS;
}

function kindOf(char: string): "digit" | "upper" | "lower" {
  if (char >= "0" && char <= "9") return "digit";
  return char >= "A" && char <= "Z" ? "upper" : "lower";
}

/** Shannon's entropy of the characters. */
function bitsPerChar(text: string): number {
  const counts = new Map<string, number>();
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1);
  return [...counts.values()].reduce((bits, count) => bits - (count / text.length) * Math.log2(count / text.length), 0);
}

/** Names of something that only its owner may know, folded; each may be followed by what it is. */
const SECRET_NAMES = entriesOf("secret").map((name) => name.split(" "));
const IS: ReadonlySet<string> = new Set(wordsOf("is"));
const BETWEEN: ReadonlySet<string> = new Set(wordsOf("between"));
const WORD = /[\p{L}\p{N}_$@!#%^&*+~.-]+|[:=]/gu;
const MAX_BETWEEN = 6;

/** Whether the text tells a password, a PIN or the like; `folded` is without marks and in lower case. */
export function hasPassword(folded: string): boolean {
  const words = folded.match(WORD) ?? [];
  return words.some((_, at) => {
    const name = SECRET_NAMES.find((parts) => parts.every((part, offset) => words[at + offset] === part));
    return name !== undefined && tells(words.slice(at + name.length, at + name.length + MAX_BETWEEN + 2));
  });
}

/** `is hunter2`, `: hunter2`, `of my account is 1234`, or a value at once that is not a plain word. */
function tells(rest: readonly string[]): boolean {
  const at = rest.findIndex((word) => !BETWEEN.has(word));
  const [word = "", next] = rest.slice(Math.max(0, at));
  if (at === -1) return false;
  if (IS.has(word)) return next !== undefined && !NO_VALUES.has(next);
  return /\d/.test(word) && (/\p{L}|[$@!#%^&*+~_]/u.test(word) || /^\d{3,8}$/.test(word));
}

/** Words about a password that do not tell it. */
const NO_VALUES: ReadonlySet<string> = new Set(wordsOf("no_value"));

/** Whether the text has a private key in PEM form, or the beginning of one. */
export function hasPrivateKey(text: string): boolean {
  const begin = text.indexOf("-----BEGIN");
  return begin !== -1 && text.slice(begin, begin + 80).includes("PRIVATE KEY");
}
