/**
 * Fact format: a fact's value as people of a language write it: `$3.56T`, `3,56 nghìn tỷ USD`, `3,56 Bio. $`.
 *
 * Rounding is all that is done to a value. What is printed is read back by `scanNumbers` as the same value at the
 * printed precision, in English and Vietnamese; other languages have the words that `Intl` has for them.
 */
import type { Fact } from "../facts/fact.ts";
import { toLocale } from "./number-scan.ts";

/** The language of an answer: a BCP 47 tag. */
export type AnswerLanguage = string;

type Scale = Readonly<{ least: number; en: string; vi: string }>;

const SCALES: readonly Scale[] = [
  { least: 1e12, en: "T", vi: " nghìn tỷ" },
  { least: 1e9, en: "B", vi: " tỷ" },
  { least: 1e6, en: "M", vi: " triệu" },
];

const SIGNS: ReadonlyMap<string, string> = new Map([
  ["USD", "$"],
  ["EUR", "€"],
  ["GBP", "£"],
  ["JPY", "¥"],
]);

/** Currencies that have no smaller unit in use. */
const WHOLE: ReadonlySet<string> = new Set(["VND", "JPY", "KRW", "IDR"]);

type Printed = Pick<Fact, "value" | "unit" | "currency">;

/** A fact's value for people. */
export function formatFact(fact: Printed, language: AnswerLanguage): string {
  const { value, unit } = fact;
  switch (unit) {
    case "money":
      return formatMoney(fact, language, toScaled(value, language));
    case "money/share":
    case "money/coin":
      return formatMoney(fact, language, toPrice(fact, language));
    case "percent":
      return `${toFixed(value, value !== 0 && Math.abs(value) < 0.1 ? 3 : 2, language)}%`;
    case "shares":
    case "coins":
      return Math.abs(value) < WHOLE_BELOW ? toExact(value, language) : toScaled(value, language);
    case "count":
      return toFixed(value, 0, language);
    case "days":
      return toFixed(value, Number.isInteger(value) ? 0 : 1, language);
    case "points":
      return toFixed(value, toPointDecimals(value), language);
    case "ratio":
      return toFixed(value, value !== 0 && Math.abs(value) < 0.1 ? 4 : 2, language);
  }
}

const toPointDecimals = (value: number): number =>
  value !== 0 && Math.abs(value) < 1 ? 3 : Math.abs(value) < 100 ? 1 : 2;

const baseOf = (language: AnswerLanguage): string => language.split(/[-_]/, 1)[0]?.toLowerCase() ?? "en";

function formatMoney({ currency = "USD" }: Printed, language: AnswerLanguage, number: string): string {
  const sign = baseOf(language) === "en" ? SIGNS.get(currency) : undefined;
  if (sign === undefined) return `${number} ${currency}`;
  return number.startsWith("-") ? `-${sign}${number.slice(1)}` : `${sign}${number}`;
}

function toPrice({ value, currency = "USD" }: Printed, language: AnswerLanguage): string {
  const size = Math.abs(value);
  if (WHOLE.has(currency) && size >= 1) return toFixed(value, 0, language);
  if (size >= 1 || size === 0) return toFixed(value, 2, language);
  const digits = value.toFixed(Math.min(10, 3 - Math.floor(Math.log10(size)))).replace(/0+$/, "");
  return toFixed(value, Math.max(2, digits.length - digits.indexOf(".") - 1), language);
}

/** Millions and more by their word, with three digits that count; below that whole with its groups. */
function toScaled(value: number, language: AnswerLanguage): string {
  const size = Math.abs(value);
  // What would be rounded up to the next scale is written in that.
  const scale = SCALES.find(({ least }) => size >= least * 0.9995);
  if (scale === undefined) return toFixed(value, toUnitDecimals(value), language);
  const base = baseOf(language);
  const scaled = value / scale.least;
  const decimals = Math.abs(scaled) >= 999.5 ? 0 : Math.abs(scaled) >= 99.95 ? 1 : 2;
  if (base === "en" || base === "vi") return `${toFixed(scaled, decimals, language)}${scale[base]}`;
  return new Intl.NumberFormat(`${toLocale(language)}-u-nu-latn`, {
    notation: "compact",
    maximumFractionDigits: 2,
  }).format(value);
}

/** Quantities below this are written as they are. */
const WHOLE_BELOW = 1_000_000;
const MAX_QUANTITY_DECIMALS = 8;

/** A quantity with all the decimals that it has. */
function toExact(value: number, language: AnswerLanguage): string {
  const decimals = Math.min(MAX_QUANTITY_DECIMALS, (String(Number(value.toFixed(8))).split(".")[1] ?? "").length);
  return toFixed(value, decimals, language);
}

/** Cents up to a hundred thousand; what two decimals would lose keeps four digits that count. */
function toUnitDecimals(value: number): number {
  const size = Math.abs(value);
  if (Number.isInteger(value) || size >= 100_000) return 0;
  return size >= 0.1 ? 2 : Math.min(10, 3 - Math.floor(Math.log10(size)));
}

/** With groups of three and the language's decimal sign; a rounded zero has no minus. */
function toFixed(value: number, decimals: number, language: AnswerLanguage): string {
  const rounded = value.toFixed(decimals);
  const isZero = Number(rounded) === 0;
  return new Intl.NumberFormat(`${toLocale(language)}-u-nu-latn`, {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    useGrouping: "always",
  }).format(isZero ? 0 : Number(rounded));
}
