/**
 * Format: numbers, money, times and durations as the reader's language writes them.
 */
import type { Language } from "../words/words.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** The same in every language. */
const SYMBOLS = { millisecond: "ms", second: "s", minute: "min", hour: "h" } as const;

/** Writes values. */
export interface ValueFormat {
  readonly number: (value: number) => string;
  /** Four digits under a dollar. */
  readonly money: (usd: number) => string;
  /** `4.5 s`. */
  readonly duration: (ms: number) => string;
  /** `4.5 seconds`, for readers who listen. */
  readonly spoken: (ms: number) => string;
  /** `now`, `5 min ago`, or the day. */
  readonly ago: (at: number, now: number) => string;
  /** Day and time to the second, for titles. */
  readonly exact: (at: number) => string;
}

const FORMATS: Readonly<Record<Language, ValueFormat>> = { en: toFormat("en"), vi: toFormat("vi") };

/** Returns the formats of a language. */
export function formatOf(language: Language): ValueFormat {
  return FORMATS[language];
}

/** Formatters are made once: to make one takes longer than to use it a hundred times. */
function toFormat(language: Language): ValueFormat {
  const plain = new Intl.NumberFormat(language);
  const tenths = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
  const cents = new Intl.NumberFormat(language, { style: "currency", currency: "USD" });
  const small = new Intl.NumberFormat(language, { style: "currency", currency: "USD", maximumFractionDigits: 4 });
  const relative = new Intl.RelativeTimeFormat(language, { numeric: "auto", style: "short" });
  const day = new Intl.DateTimeFormat(language, { day: "numeric", month: "short" });
  const exact = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "medium" });
  const whole = toUnits(language);
  return {
    number: (value) => plain.format(value),
    money: (usd) => (usd !== 0 && Math.abs(usd) < 1 ? small : cents).format(usd),
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
