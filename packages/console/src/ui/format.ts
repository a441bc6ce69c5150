/**
 * Format: numbers, money, times and durations as the reader's language writes them.
 */
import type { Language } from "../words/words.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** How values are written. */
export interface Format {
  readonly number: (value: number) => string;
  /** Four digits under a dollar. */
  readonly money: (usd: number) => string;
  readonly duration: (ms: number) => string;
  /** `now`, `5 min ago`, or the day. */
  readonly ago: (at: number, now: number) => string;
  /** Day and time to the second, for titles. */
  readonly exact: (at: number) => string;
}

/** How a language writes values. */
export function formatOf(language: Language): Format {
  const plain = new Intl.NumberFormat(language);
  const cents = new Intl.NumberFormat(language, { style: "currency", currency: "USD" });
  const small = new Intl.NumberFormat(language, { style: "currency", currency: "USD", maximumFractionDigits: 4 });
  const relative = new Intl.RelativeTimeFormat(language, { numeric: "auto", style: "short" });
  const day = new Intl.DateTimeFormat(language, { day: "numeric", month: "short" });
  const exact = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "medium" });
  const unit = (value: number, name: string, digits: number): string =>
    new Intl.NumberFormat(language, {
      style: "unit",
      unit: name,
      unitDisplay: "short",
      maximumFractionDigits: digits,
    }).format(value);
  return {
    number: (value) => plain.format(value),
    money: (usd) => (usd !== 0 && Math.abs(usd) < 1 ? small : cents).format(usd),
    duration(ms) {
      if (ms < 1_000) return unit(Math.round(ms), "millisecond", 0);
      if (ms < MINUTE_MS) return unit(ms / 1_000, "second", 1);
      if (ms < HOUR_MS) return unit(ms / MINUTE_MS, "minute", 1);
      return unit(ms / HOUR_MS, "hour", 1);
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
