/**
 * Number scan: the numbers of a text, as a person would read them: `$3.56T`, `61,2`, `12.5%`, `3,2 nghìn tỷ đồng`.
 *
 * Digits that are part of a word (`Q3`, `10-K`, `SMA50`) or of an address are not numbers. Linear in the text.
 */
import type { AnswerLanguage } from "./fact-format.ts";

/** A number in a text. */
export interface NumberToken {
  /** With its sign, currency, scale and unit. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly value: number;
  /** The size of its last printed digit. */
  readonly step: number;
  readonly unit?: "percent" | "money";
  readonly currency?: string;
  readonly isSigned: boolean;
  /** Its digits alone. */
  readonly digits: string;
}

const SIGNS: ReadonlyMap<string, string> = new Map([
  ["$", "USD"],
  ["€", "EUR"],
  ["£", "GBP"],
  ["¥", "JPY"],
  ["₫", "VND"],
]);

/** After a number, longest first; a blank may come before. */
const SCALES: readonly (readonly [word: string, scale: number])[] = [
  ["nghìn tỷ", 1e12],
  ["nghìn tỉ", 1e12],
  ["ngàn tỷ", 1e12],
  ["trillion", 1e12],
  ["thousand", 1e3],
  ["billion", 1e9],
  ["million", 1e6],
  ["nghìn", 1e3],
  ["triệu", 1e6],
  ["ngàn", 1e3],
  ["tỷ", 1e9],
  ["tỉ", 1e9],
  ["bn", 1e9],
  ["tn", 1e12],
];

const LETTERS: ReadonlyMap<string, number> = new Map([
  ["K", 1e3],
  ["M", 1e6],
  ["B", 1e9],
  ["T", 1e12],
]);

const MONEY: readonly (readonly [word: string, currency: string])[] = [
  ["đô la mỹ", "USD"],
  ["us dollars", "USD"],
  ["dollars", "USD"],
  ["đô la", "USD"],
  ["dollar", "USD"],
  ["đồng", "VND"],
  ["euros", "EUR"],
  ["euro", "EUR"],
  ["usdt", "USDT"],
  ["usd", "USD"],
  ["eur", "EUR"],
  ["gbp", "GBP"],
  ["jpy", "JPY"],
  ["vnd", "VND"],
];

const PERCENT: readonly (readonly [word: string, unit: string])[] = [
  ["percentage points", "percent"],
  ["điểm phần trăm", "percent"],
  ["phần trăm", "percent"],
  ["percent", "percent"],
  ["%", "percent"],
];

/** The numbers of a text, in their order. */
export function scanNumbers(text: string, language: AnswerLanguage): readonly NumberToken[] {
  const lower = text.toLowerCase();
  const tokens: NumberToken[] = [];
  let at = 0;
  while (at < text.length) {
    if (isAddress(lower, at)) {
      at = skipWord(text, at);
      continue;
    }
    if (!isDigit(text[at])) {
      at += 1;
      continue;
    }
    const end = digitsEnd(text, at);
    if (isLetter(text[at - 1]) || isJoined(text, at)) {
      at = end;
      continue;
    }
    const token = readToken({ text, lower, start: at, end, after: tokens.at(-1)?.end ?? 0, language });
    if (token !== undefined) tokens.push(token);
    at = Math.max(end, token?.end ?? end);
  }
  return tokens;
}

interface Found {
  readonly text: string;
  readonly lower: string;
  readonly start: number;
  readonly end: number;
  /** The end of the number before it. */
  readonly after: number;
  readonly language: AnswerLanguage;
}

function readToken({ text, lower, start, end, after, language }: Found): NumberToken | undefined {
  // 10-K, 52-week
  if (text[end] === "-" && isLetter(text[end + 1])) return undefined;
  const digits = text.slice(start, end);
  const plain = toPlain(digits, language);
  if (plain === undefined) return undefined;
  const scaled = readScale(text, lower, end);
  if (scaled === undefined) return undefined;
  const tail = readTail(lower, scaled.end);
  const head = readHead(text, start, after);
  const decimals = plain.includes(".") ? plain.length - plain.indexOf(".") - 1 : 0;
  const currency = tail.currency ?? head.currency;
  const unit = tail.unit ?? (currency === undefined ? undefined : "money");
  return {
    start: head.start,
    end: tail.end,
    text: text.slice(head.start, tail.end),
    value: head.sign * Number(plain) * scaled.scale,
    step: scaled.scale / 10 ** decimals,
    isSigned: head.isSigned,
    digits,
    ...(unit === undefined ? {} : { unit }),
    ...(currency === undefined ? {} : { currency }),
  };
}

/** The end of `1,234.5`: a separator belongs to it only before another digit. */
function digitsEnd(text: string, start: number): number {
  let at = start;
  while (isDigit(text[at]) || ((text[at] === "." || text[at] === ",") && isDigit(text[at + 1]))) at += 1;
  return at;
}

/** Digits with a point for the decimals; groups are three digits in the language's way, else the sign is a decimal one. */
function toPlain(digits: string, language: AnswerLanguage): string | undefined {
  const [group, point] = language === "en" ? [",", "."] : [".", ","];
  const readings = [read(digits, group, point), read(digits, point, group)];
  return readings.find((reading) => reading !== undefined);
}

function read(digits: string, group: string, point: string): string | undefined {
  const [whole = "", fraction, ...more] = digits.split(point);
  if (more.length > 0 || fraction?.includes(group) === true) return undefined;
  const [first = "", ...groups] = whole.split(group);
  const isGrouped = groups.every((part) => part.length === 3) && (groups.length === 0 || first.length <= 3);
  if (!isGrouped) return undefined;
  return [first + groups.join(""), ...(fraction === undefined ? [] : [fraction])].join(".");
}

type Scaled = Readonly<{ scale: number; end: number }>;

/** The scale after the digits; undefined if the digits are the beginning of a word. */
function readScale(text: string, lower: string, at: number): Scaled | undefined {
  const letter = LETTERS.get(text[at] ?? "");
  if (letter !== undefined && !isWordPart(text[at + 1])) return { scale: letter, end: at + 1 };
  const word = readWord(lower, at, SCALES);
  if (word !== undefined) return { scale: word.value, end: word.end };
  // 12.5x is twelve and a half times; anything else that continues with a letter is a word.
  if (text[at] === "x" && !isWordPart(text[at + 1])) return { scale: 1, end: at };
  return isLetter(text[at]) ? undefined : { scale: 1, end: at };
}

interface Tail {
  readonly end: number;
  readonly unit?: "percent";
  readonly currency?: string;
}

function readTail(lower: string, at: number): Tail {
  const percent = readWord(lower, at, PERCENT);
  if (percent !== undefined) return { end: percent.end, unit: "percent" };
  const sign = SIGNS.get(lower[at] ?? "");
  if (sign !== undefined) return { end: at + 1, currency: sign };
  const money = readWord(lower, at, MONEY);
  return money === undefined ? { end: at } : { end: money.end, currency: money.value };
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
    const money = SIGNS.get(before);
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

function readWord<T>(
  lower: string,
  at: number,
  words: readonly (readonly [string, T])[],
): Readonly<{ value: T; end: number }> | undefined {
  const start = lower[at] === " " || lower[at] === "\u00a0" ? at + 1 : at;
  const found = words.find(([word]) => lower.startsWith(word, start) && !isGoingOn(lower, start + word.length, word));
  return found === undefined ? undefined : { value: found[1], end: start + found[0].length };
}

const isGoingOn = (lower: string, at: number, word: string): boolean => isLetter(word.at(-1)) && isLetter(lower[at]);

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

const isWordPart = (character: string | undefined): boolean => isLetter(character) || isDigit(character);

function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= "0" && character <= "9";
}

function isLetter(character: string | undefined): boolean {
  if (character === undefined) return false;
  if (character < "\u0080") return (character >= "a" && character <= "z") || (character >= "A" && character <= "Z");
  return /\p{L}/u.test(character);
}
