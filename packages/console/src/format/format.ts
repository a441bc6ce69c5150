/**
 * Format: numbers, money, shares, times and durations as the reader's language writes them. The only place that does.
 */
import type { Language } from "../words/words.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const DAY_CHARS = 10;
const MINUS = "\u2212";
const NARROW_SPACE = "\u202F";
/** The same in every language. */
const SYMBOLS = { millisecond: "ms", second: "s", minute: "min", hour: "h" } as const;

/** Writes values. */
export interface ValueFormat extends NumberFormat, TimeFormat {}

interface NumberFormat {
  readonly number: (value: number) => string;
  /** US dollars; four digits under one. */
  readonly money: (usd: number) => string;
  /** Two digits; below 1 four that count. */
  readonly price: (value: number) => string;
  /** `+1.35`, `−0.59`. */
  readonly signed: (value: number) => string;
  /** A change in percent points: `+0.59 %`. */
  readonly percent: (value: number) => string;
  /** A part of a whole, which is 1: `96 %`. */
  readonly share: (part: number) => string;
  /** `3.47T`. */
  readonly short: (value: number) => string;
  /** Three digits, over a bar: `322B`. */
  readonly brief: (value: number) => string;
}

interface TimeFormat {
  /** `4.5 s`. */
  readonly duration: (ms: number) => string;
  /** `4.5 seconds`, for readers who listen. */
  readonly spoken: (ms: number) => string;
  /** `now`, `5 min ago`, or the day. */
  readonly ago: (at: number, now: number) => string;
  /** Day and time to the second, for tooltips. */
  readonly exact: (at: number) => string;
  /** Day and time of day of the reader. */
  readonly clock: (at: number) => string;
  /** The day of a time that data is of, as its own clock has it; a text that is not a date stays as it is. */
  readonly day: (text: string) => string;
  /** A time of a market's data: the day, and the time of day if it has one. */
  readonly marketTime: (at: number) => string;
}

const FORMATS: Readonly<Record<Language, ValueFormat>> = { en: toFormat("en"), vi: toFormat("vi") };

/** Returns the formats of a language. */
export function formatOf(language: Language): ValueFormat {
  return FORMATS[language];
}

/** Formatters are made once: to make one takes longer than to use it a hundred times. */
function toFormat(language: Language): ValueFormat {
  return { ...toNumbers(language), ...toTimes(language) };
}

function toNumbers(language: Language): NumberFormat {
  const writer = (options: Intl.NumberFormatOptions): ((value: number) => string) => {
    const format = new Intl.NumberFormat(language, options);
    return (value) => format.format(value).replace("-", MINUS);
  };
  const usd = { style: "currency", currency: "USD" } as const;
  const cents = writer(usd);
  const small = writer({ ...usd, maximumFractionDigits: 4 });
  const two = writer({ minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const four = writer({ maximumSignificantDigits: 4 });
  const tenths = writer({ maximumFractionDigits: 1 });
  const isSmall = (value: number): boolean => value !== 0 && Math.abs(value) < 1;
  const price = (value: number): string => (isSmall(value) ? four : two)(value);
  const sign = (value: number): string => (value < 0 ? MINUS : "+");
  return {
    number: writer({ maximumFractionDigits: 4 }),
    money: (value) => (isSmall(value) ? small : cents)(value),
    price,
    signed: (value) => sign(value) + price(Math.abs(value)),
    percent: (value) => `${sign(value)}${two(Math.abs(value))}${NARROW_SPACE}%`,
    share: (part) => `${tenths(part * 100)}${NARROW_SPACE}%`,
    short: writer({ notation: "compact", maximumFractionDigits: 2 }),
    brief: writer({ notation: "compact", maximumSignificantDigits: 3 }),
  };
}

function toTimes(language: Language): TimeFormat {
  const tenths = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
  const relative = new Intl.RelativeTimeFormat(language, { numeric: "auto", style: "short" });
  const time = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(language, options);
  const day = time({ day: "numeric", month: "short" });
  const exact = time({ dateStyle: "medium", timeStyle: "medium" });
  const clock = time({ timeStyle: "short" });
  const locale = language === "en" ? "en-GB" : language;
  const market = { timeZone: "UTC" } as const;
  const date = new Intl.DateTimeFormat(locale, { ...market, day: "numeric", month: "short", year: "numeric" });
  const hour = new Intl.DateTimeFormat(locale, { ...market, dateStyle: "medium", timeStyle: "short" });
  const whole = toUnits(language);
  return {
    duration(ms) {
      const { unit, value } = inScale(ms);
      return `${tenths.format(value)} ${SYMBOLS[unit]}`;
    },
    spoken(ms) {
      const { unit, value } = inScale(ms);
      return whole[unit].format(value);
    },
    ago(at, now) {
      const past = now - at;
      if (past < MINUTE_MS) return relative.format(0, "second");
      if (past < HOUR_MS) return relative.format(-Math.floor(past / MINUTE_MS), "minute");
      if (past < DAY_MS) return relative.format(-Math.floor(past / HOUR_MS), "hour");
      return day.format(at);
    },
    exact: (at) => exact.format(at),
    clock: (at) => clock.format(at),
    day(text) {
      const at = Date.parse(`${text.slice(0, DAY_CHARS)}T00:00:00Z`);
      return Number.isNaN(at) ? text : date.format(at);
    },
    marketTime: (at) => (at % DAY_MS === 0 ? date : hour).format(at),
  };
}

type Unit = keyof typeof SYMBOLS;

function inScale(ms: number): Readonly<{ unit: Unit; value: number }> {
  const rounded = Math.round(ms);
  if (rounded < SECOND_MS) return { unit: "millisecond", value: rounded };
  if (ms < MINUTE_MS) return { unit: "second", value: ms / SECOND_MS };
  if (ms < HOUR_MS) return { unit: "minute", value: ms / MINUTE_MS };
  return { unit: "hour", value: ms / HOUR_MS };
}

function toUnits(language: Language): Readonly<Record<Unit, Intl.NumberFormat>> {
  const make = (unit: Unit): Intl.NumberFormat =>
    new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long", maximumFractionDigits: 1 });
  return {
    millisecond: make("millisecond"),
    second: make("second"),
    minute: make("minute"),
    hour: make("hour"),
  };
}
