/**
 * Chart format: prices, shares and large numbers as a reader's language writes them; a change always has its sign.
 */
import type { Language } from "../words/words.ts";

/** Writes values of charts. */
export interface ChartFormat {
  readonly price: (value: number) => string;
  /** `+1.35`, `−0.59`. */
  readonly signed: (value: number) => string;
  /** Of percent points: `+0.59 %`. */
  readonly percent: (value: number) => string;
  /** `3.47T`. */
  readonly short: (value: number) => string;
  /** Three digits, over a bar: `322B`. */
  readonly brief: (value: number) => string;
  readonly whole: (value: number) => string;
  readonly day: (seconds: number) => string;
  readonly time: (seconds: number) => string;
}

const MINUS = "\u2212";
const DAY_SECONDS = 86_400;

/** Returns the formats of a language. */
export function chartFormatOf(language: Language): ChartFormat {
  const small = new Intl.NumberFormat(language, { maximumSignificantDigits: 4 });
  const price = new Intl.NumberFormat(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const short = new Intl.NumberFormat(language, { notation: "compact", maximumFractionDigits: 2 });
  const brief = new Intl.NumberFormat(language, { notation: "compact", maximumSignificantDigits: 3 });
  const whole = new Intl.NumberFormat(language, { maximumFractionDigits: 4 });
  const locale = language === "en" ? "en-GB" : language;
  const day = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });
  const hour = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });
  const plain = (value: number): string => (Math.abs(value) < 1 && value !== 0 ? small : price).format(value);
  const signed = (value: number): string => `${value < 0 ? MINUS : "+"}${plain(Math.abs(value))}`;
  return {
    price: plain,
    signed,
    percent: (value) => `${value < 0 ? MINUS : "+"}${price.format(Math.abs(value))}\u00A0%`,
    short: (value) => short.format(value),
    brief: (value) => brief.format(value),
    whole: (value) => whole.format(value),
    day: (seconds) => day.format(seconds * 1_000),
    time: (seconds) => (seconds % DAY_SECONDS === 0 ? day : hour).format(seconds * 1_000),
  };
}
