/**
 * Amounts: the numbers of a text with what belongs to them: a percent sign, a currency, thousands to trillions.
 *
 * `1.234,5` and `1,234.5` are the same; a single separator before three digits separates thousands, but a dot does so only
 * in Vietnamese. "nghìn tỷ" is a trillion.
 */
import { foldText } from "../../market/directory/words.ts";
import type { QuestionLanguage } from "../intent.ts";

/** A number of a text. */
export interface SpokenAmount {
  /** With its thousands or millions. */
  readonly value: number;
  readonly start: number;
  /** Behind its unit. */
  readonly end: number;
  readonly isPercent: boolean;
  readonly isMoney: boolean;
  /** Whether thousands, millions or more were said. */
  readonly isScaled: boolean;
  /** What the figure was multiplied by. */
  readonly factor: number;
}

const MAX_AMOUNTS = 40;
const LITERAL = /\d[\d.,]*/g;

/** Longest first, so that "nghìn tỷ" is not "nghìn". */
const SCALES: readonly (readonly [word: string, factor: number])[] = [
  ["nghin ty", 1e12],
  ["ngan ty", 1e12],
  ["nghin ti", 1e12],
  ["ngan ti", 1e12],
  ["trieu ty", 1e15],
  ["thousand", 1e3],
  ["trillion", 1e12],
  ["billion", 1e9],
  ["million", 1e6],
  ["nghin", 1e3],
  ["ngan", 1e3],
  ["trieu", 1e6],
  ["tril", 1e12],
  ["bil", 1e9],
  ["mil", 1e6],
  ["bn", 1e9],
  ["mn", 1e6],
  ["mm", 1e6],
  ["tn", 1e12],
  ["ty", 1e9],
  ["ti", 1e9],
  ["tr", 1e6],
  ["k", 1e3],
  ["m", 1e6],
  ["b", 1e9],
  ["t", 1e12],
];
const PERCENT: readonly string[] = ["%", "percent", "per cent", "pct", "phan tram"];
const MONEY: readonly string[] = [
  "us dollars",
  "us dollar",
  "dollars",
  "dollar",
  "bucks",
  "usd",
  "do la my",
  "do la",
  "do my",
  "do",
  "$",
  "vnd",
  "dong",
  "euro",
  "eur",
];

/** The numbers of a text in order. */
export function readAmounts(text: string, language: QuestionLanguage): readonly SpokenAmount[] {
  const amounts: SpokenAmount[] = [];
  for (const match of text.matchAll(LITERAL)) {
    if (amounts.length === MAX_AMOUNTS) break;
    const start = match.index;
    const literal = match[0].replace(/[.,]+$/, "");
    if (isInWord(text, start)) continue;
    const parts = isList(text, literal, start) ? literal.split(",") : [literal];
    let from = start;
    for (const part of parts) {
      const value = toNumber(part, language);
      if (Number.isFinite(value)) amounts.push(withUnit(text, { value, start: from, end: from + part.length }));
      from += part.length + 1;
    }
  }
  amounts.push(...readSingles(text));
  amounts.sort((a, b) => a.start - b.start);
  return amounts.map((amount, at) => withNextScale(text, amount, amounts[at + 1]));
}

/** `(5,35,5)` behind a word, and what separates no thousands: `12,26,9`. */
function isList(text: string, literal: string, start: number): boolean {
  const commas = literal.split(",").length - 1;
  if (commas === 0 || literal.includes(".")) return false;
  const isArguments = text.charAt(start - 1) === "(" && /\p{L}/u.test(text.charAt(start - 2));
  return isArguments || (commas > 1 && !isThousands(literal, ","));
}

const SINGLE = /(?<![\p{L}\p{N}])(?:a|one|một|mot) (?=(?:million|billion|trillion|triệu|trieu|tỷ|tỉ)(?!\p{L}))/giu;

/** "a trillion", "một tỷ". */
function readSingles(text: string): readonly SpokenAmount[] {
  return Array.from(text.matchAll(SINGLE), ({ index, 0: word }) =>
    withUnit(text, { value: 1, start: index, end: index + word.length - 1 }),
  ).slice(0, MAX_AMOUNTS);
}

const TO = /^\s*(?:and|to|-|–|den|va|toi)\s*$/;

/** "Between 2 and 10 billion" begins at two billion. */
function withNextScale(text: string, amount: SpokenAmount, next: SpokenAmount | undefined): SpokenAmount {
  if (next === undefined || amount.isScaled || !next.isScaled || amount.isPercent) return amount;
  const gap = foldText(text.slice(amount.end, Math.min(next.start, amount.end + 12)).replace("$", ""));
  if (!TO.test(gap) || next.start - amount.end > 12) return amount;
  return {
    ...amount,
    value: tidy(amount.value * next.factor),
    isMoney: next.isMoney,
    isScaled: true,
    factor: next.factor,
  };
}

/** Letters that a number may follow at once: `MA50`, `RSI14`. */
const PREFIXES = /(?:^|[^\p{L}\p{N}])(?:s?ma|ema|rsi|macd|bb|top)$/iu;

function isInWord(text: string, start: number): boolean {
  const before = text.charAt(start - 1);
  if (/\p{L}/u.test(before)) return !PREFIXES.test(text.slice(Math.max(0, start - 6), start));
  return before === "-" && /\d/.test(text.charAt(start - 2));
}

interface Bare {
  readonly value: number;
  readonly start: number;
  readonly end: number;
}

function withUnit(text: string, { value, start, end }: Bare): SpokenAmount {
  const rest = foldText(text.slice(end, end + 40).normalize("NFC"));
  const before = text.slice(Math.max(0, start - 4), start).trimEnd();
  const scale = wordAt(
    rest,
    0,
    SCALES.map(([word]) => word),
  );
  const factor = SCALES.find(([word]) => word === scale.word)?.[1] ?? 1;
  const percent = wordAt(rest, scale.end, PERCENT);
  const money = wordAt(rest, scale.end, MONEY);
  const isPercent = percent.word !== undefined;
  const isMoney =
    !isPercent && (money.word !== undefined || before.endsWith("$") || before.toLowerCase().endsWith("usd"));
  const last = isPercent ? percent.end : money.word === undefined ? scale.end : money.end;
  return { value: tidy(value * factor), start, end: end + last, isPercent, isMoney, isScaled: factor !== 1, factor };
}

/** 0.07 * 1e9 is not whole in floating point. */
function tidy(value: number): number {
  return Number(value.toPrecision(15));
}

/** Which of these words comes next, and where it ends. */
function wordAt(
  rest: string,
  from: number,
  words: readonly string[],
): Readonly<{ word: string | undefined; end: number }> {
  let at = from;
  while (rest[at] === " " || (rest[at] === "-" && at === from)) at++;
  for (const word of words) {
    const isLetters = /[a-z]$/.test(word);
    if (rest.startsWith(word, at) && !(isLetters && /[a-z0-9]/.test(rest.charAt(at + word.length)))) {
      return { word, end: at + word.length };
    }
  }
  return { word: undefined, end: from };
}

/** A number as people write it. */
export function toNumber(literal: string, language: QuestionLanguage): number {
  const dot = literal.lastIndexOf(".");
  const comma = literal.lastIndexOf(",");
  if (dot >= 0 && comma >= 0) return dot > comma ? parse(literal, ",", ".") : parse(literal, ".", ",");
  if (comma >= 0) return isThousands(literal, ",") ? parse(literal, ",", ".") : parse(literal, ".", ",");
  if (dot < 0) return Number(literal);
  const isGrouped = isThousands(literal, ".") && (language === "vi" || literal.indexOf(".") !== dot);
  return isGrouped ? parse(literal, ".", ",") : parse(literal, ",", ".");
}

function isThousands(literal: string, separator: string): boolean {
  const [first = "", ...groups] = literal.split(separator);
  return first.length >= 1 && first.length <= 3 && first !== "0" && groups.every((group) => group.length === 3);
}

function parse(literal: string, thousands: string, decimal: string): number {
  return Number(literal.replaceAll(thousands, "").replace(decimal, "."));
}
