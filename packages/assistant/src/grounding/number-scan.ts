/**
 * Number scan: the numbers of a text in any language: `$3.56T`, `61,2`, `12.5%`, `1 234,50 €`, `3,2 nghìn tỷ đồng`, `60k`.
 *
 * Digits may be read in more than one way (`1.234` is a thousand or one and a bit): a token has all readings. Digits that
 * are part of a word (`Q3`, `10-K`, `SMA50`) or of an address are not numbers. Linear in the text.
 */
import { CURRENCIES, CURRENCY_SIGNS, PERCENTS, SCALES, type WordTable } from "./number-words.ts";

/** One way to read a number: its value, and the size of its last printed digit. */
export type NumberReading = Readonly<{ value: number; step: number }>;

/** A number in a text. */
export interface NumberToken {
  /** With its sign, currency, scale and unit. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Every way to read it, the language's own first. */
  readonly readings: readonly NumberReading[];
  readonly unit?: "percent" | "money";
  readonly currency?: string;
  readonly isSigned: boolean;
  /** Its digits alone. */
  readonly digits: string;
}

/** The numbers of a text, in their order. */
export function scanNumbers(text: string, language = "en"): readonly NumberToken[] {
  const plain = withPlainDigits(text);
  const lower = toLowerSameLength(plain);
  const decimal = usesPoint(language) ? "point" : "comma";
  const tokens: NumberToken[] = [];
  let at = 0;
  while (at < plain.length) {
    if (isAddress(lower, at)) {
      at = skipWord(plain, at);
      continue;
    }
    if (!isDigit(plain[at])) {
      at += 1;
      continue;
    }
    const end = digitsEnd(plain, at);
    if (isLatin(plain[at - 1]) || isJoined(plain, at)) {
      at = end;
      continue;
    }
    const token = readToken({
      source: text,
      plain,
      lower,
      start: at,
      end,
      after: tokens.at(-1)?.end ?? 0,
      decimal,
    });
    if (token !== undefined) tokens.push(token);
    at = Math.max(end, token?.end ?? end);
  }
  return tokens;
}

/** The first code units of the digits of other scripts that answers use. */
const ZEROS = [0x0660, 0x06f0, 0x0966, 0x09e6, 0x0e50, 0xff10];
const OTHER_DIGITS = /[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef\u0e50-\u0e59\uff10-\uff19\u066b\u066c]/g;

/** The text with digits of other scripts as 0 to 9, of the same length. */
function withPlainDigits(text: string): string {
  return text.replaceAll(OTHER_DIGITS, (digit) => {
    if (digit === "\u066b") return ".";
    if (digit === "\u066c") return ",";
    const code = digit.charCodeAt(0);
    return String(code - (ZEROS.find((zero) => code >= zero && code < zero + 10) ?? code));
  });
}

/** Positions stay: a letter whose lower case is longer is left as it is. */
function toLowerSameLength(text: string): string {
  const lower = text.toLowerCase();
  if (lower.length === text.length) return lower;
  return Array.from(text, (letter) =>
    letter.toLowerCase().length === letter.length ? letter.toLowerCase() : letter,
  ).join("");
}

/** Whether a language writes decimals behind a point. */
function usesPoint(language: string): boolean {
  const parts = new Intl.NumberFormat(toLocale(language)).formatToParts(1.5);
  return parts.some(({ type, value }) => type === "decimal" && value !== ",");
}

/** A language that can be used for formatting; English for any other text. */
export function toLocale(language: string): string {
  try {
    return Intl.NumberFormat.supportedLocalesOf([language])[0] ?? "en";
  } catch {
    return "en";
  }
}

interface Found {
  readonly source: string;
  readonly plain: string;
  readonly lower: string;
  readonly start: number;
  readonly end: number;
  /** The end of the number before it. */
  readonly after: number;
  readonly decimal: "point" | "comma";
}

function readToken({ source, plain, lower, start, end, after, decimal }: Found): NumberToken | undefined {
  // 10-K, 52-week
  if (plain[end] === "-" && isLatin(plain[end + 1])) return undefined;
  const digits = plain.slice(start, end);
  const scaled = readScale(plain, lower, end);
  if (scaled === undefined) return undefined;
  const tail = readTail(plain, lower, scaled.end);
  const head = readHead(plain, start, after);
  const currency = tail.currency ?? head.currency;
  const unit = tail.unit ?? (currency === undefined ? undefined : "money");
  const readings = readDigits(digits, decimal).map((reading): NumberReading => {
    const decimals = reading.includes(".") ? reading.length - reading.indexOf(".") - 1 : 0;
    return { value: head.sign * Number(reading) * scaled.scale, step: scaled.scale / 10 ** decimals };
  });
  if (readings.length === 0) return undefined;
  return {
    start: head.start,
    end: tail.end,
    text: source.slice(head.start, tail.end),
    readings,
    isSigned: head.isSigned,
    digits,
    ...(unit === undefined ? {} : { unit }),
    ...(currency === undefined ? {} : { currency }),
  };
}

const GROUP_BLANKS: ReadonlySet<string> = new Set(["\u00a0", "\u202f", "\u2009", " ", "'", "’"]);

/** The end of `1,234.5` or `1 234,5`: a point or comma belongs to it before a digit, a blank before three digits. */
function digitsEnd(text: string, start: number): number {
  let at = start;
  for (;;) {
    const character = text[at] ?? "";
    const isPoint = (character === "." || character === ",") && isDigit(text[at + 1]);
    const isBlank =
      GROUP_BLANKS.has(character) && at - start <= 3 + 4 * Math.floor((at - start) / 4) && isTriple(text, at + 1);
    if (!isDigit(character) && !isPoint && !isBlank) return at;
    if (isBlank && /[.,]/.test(text.slice(start, at))) return at;
    at += 1;
  }
}

const isTriple = (text: string, at: number): boolean =>
  isDigit(text[at]) && isDigit(text[at + 1]) && isDigit(text[at + 2]) && !isDigit(text[at + 3]);

/** Every way to read digits, with a point for the decimals; at most two. */
function readDigits(written: string, decimal: "point" | "comma"): readonly string[] {
  const digits = written.replaceAll(/[^\d.,]/g, "");
  const readings = [readAs(digits, ",", "."), readAs(digits, ".", ",")];
  const ordered = decimal === "point" ? readings : readings.toReversed();
  return [...new Set(ordered.flatMap((reading) => reading ?? []))];
}

/** Groups are of three digits, or of two before the last three, as in India. */
function readAs(digits: string, group: string, point: string): string | undefined {
  const [whole = "", fraction, ...more] = digits.split(point);
  if (more.length > 0 || fraction?.includes(group) === true) return undefined;
  const [first = "", ...groups] = whole.split(group);
  const isGrouped = groups.every((part, at) => part.length === 3 || (part.length === 2 && at < groups.length - 1));
  if (groups.length > 0 && (!isGrouped || first.length > 3 || first === "0" || first === "")) return undefined;
  return [first + groups.join(""), ...(fraction === undefined ? [] : [fraction])].join(".");
}

type Scaled = Readonly<{ scale: number; end: number }>;

/** The scale after the digits; undefined if the digits are the beginning of a word. */
function readScale(text: string, lower: string, at: number): Scaled | undefined {
  const word = readWord(lower, at, SCALES);
  if (word !== undefined && !(word.isOneLetter && word.isApart)) {
    const more = readWord(lower, word.end, SCALES);
    const isTwice = more !== undefined && !more.isOneLetter;
    return isTwice ? { scale: word.meaning * more.meaning, end: more.end } : { scale: word.meaning, end: word.end };
  }
  // 12.5x is twelve and a half times; anything else that continues with a letter is a word, unless a unit follows.
  if (text[at] === "x" && !isWordPart(text[at + 1])) return { scale: 1, end: at };
  const isUnit = readWord(lower, at, CURRENCIES) !== undefined || readWord(lower, at, PERCENTS) !== undefined;
  return isLatin(text[at]) && !isUnit ? undefined : { scale: 1, end: at };
}

interface Tail {
  readonly end: number;
  readonly unit?: "percent";
  readonly currency?: string;
}

function readTail(text: string, lower: string, at: number): Tail {
  const percent = readWord(lower, at, PERCENTS);
  if (percent !== undefined) return { end: percent.end, unit: "percent" };
  const blank = /[\s\u00a0\u202f]/.test(text[at] ?? "") ? 1 : 0;
  const sign = CURRENCY_SIGNS.get(text[at + blank] ?? "");
  if (sign !== undefined && !isDigit(text[at + blank + 1])) return { end: at + blank + 1, currency: sign };
  const money = readWord(lower, at, CURRENCIES);
  return money === undefined ? { end: at } : { end: money.end, currency: money.meaning };
}

type Head = Readonly<{ start: number; sign: number; isSigned: boolean; currency?: string }>;

/** Sign and currency may come in either order; what belongs to the number before is not taken. */
function readHead(text: string, start: number, after: number): Head {
  let at = start;
  let sign = 1;
  let isSigned = false;
  let currency: string | undefined;
  for (let looked = 0; looked < 2 && at > after; looked += 1) {
    const before = text[at - 1] ?? "";
    const money = CURRENCY_SIGNS.get(before);
    if (currency === undefined && money !== undefined) {
      currency = money;
      at -= 1;
    } else if (!isSigned && isSign(text, at - 1)) {
      sign = before === "+" ? 1 : -1;
      isSigned = true;
      at -= 1;
    }
  }
  return { start: at, sign, isSigned, ...(currency === undefined ? {} : { currency }) };
}

/** A minus between two numbers or words is a dash. */
function isSign(text: string, at: number): boolean {
  const character = text[at] ?? "";
  return (
    (character === "-" || character === "−" || character === "+") && !isWordPart(text[at - 1]) && text[at - 1] !== ")"
  );
}

type FoundWord<T> = Readonly<{ meaning: T; end: number; isOneLetter: boolean; isApart: boolean }>;

function readWord<T>(lower: string, at: number, words: WordTable<T>): FoundWord<T> | undefined {
  const isApart = /[\s\u00a0\u202f]/.test(lower[at] ?? "");
  const start = isApart ? at + 1 : at;
  const found = words.find(([word]) => lower.startsWith(word, start) && !isGoingOn(lower, start + word.length, word));
  if (found === undefined) return undefined;
  const [word, meaning] = found;
  return { meaning, end: start + word.length, isApart, isOneLetter: word.length === 1 && isLatin(word) };
}

/** Words of scripts that are written without blanks end anywhere. */
const isGoingOn = (lower: string, at: number, word: string): boolean => isLatin(word.at(-1)) && isLatin(lower[at]);

/** `COVID-19`, and the month and day of `2024-11-22`. */
function isJoined(text: string, at: number): boolean {
  return text[at - 1] === "-" && isWordPart(text[at - 2]);
}

function isAddress(lower: string, at: number): boolean {
  return lower.startsWith("http://", at) || lower.startsWith("https://", at);
}

function skipWord(text: string, from: number): number {
  let at = from;
  while (at < text.length && !/[\s)\]]/.test(text[at] ?? " ")) at += 1;
  return at;
}

const isWordPart = (character: string | undefined): boolean => isLatin(character) || isDigit(character);

function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= "0" && character <= "9";
}

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

/** A letter of a script whose words are written apart. */
function isLatin(character: string | undefined): boolean {
  if (character === undefined) return false;
  if (character < "\u0080") return (character >= "a" && character <= "z") || (character >= "A" && character <= "Z");
  return /\p{L}/u.test(character) && !UNSPACED.test(character);
}
