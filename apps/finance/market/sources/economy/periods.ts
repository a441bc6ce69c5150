/**
 * Periods: months, quarters, halves and years as their first and last days, and windows of days.
 */
import type { Day, EconomicSeries, SeriesPoint } from "../../port/market-data.ts";
import { addMonths, toDay, toDayNumber } from "../../pack/days.ts";

/** Interval at which a series has values. */
export type Frequency = EconomicSeries["frequency"];

type Period = Omit<SeriesPoint, "value">;

/** Both ends are included; an absent end is open. */
export type DayWindow = Readonly<{ from?: Day | undefined; to?: Day | undefined }>;

const MONTHS: Readonly<Record<Exclude<Frequency, "day">, number>> = { month: 1, quarter: 3, half_year: 6, year: 12 };
const DAY_MS = 86_400_000;
const FOUR_DIGITS = /^\d{4}$/;

/** The so-many-th period of a year, counted from 1; undefined if there is no such period. */
export function toPeriod(year: string, frequency: Exclude<Frequency, "day">, nth: number): Period | undefined {
  const months = MONTHS[frequency];
  if (!FOUR_DIGITS.test(year) || !Number.isInteger(nth) || nth < 1 || nth * months > 12) return undefined;
  const start = addMonths(toDayNumber(`${year}-01-01`), (nth - 1) * months);
  const end = addMonths(start, months) - 1;
  return { label: toLabel(year, frequency, nth), start: toDay(start), end: toDay(end) };
}

function toLabel(year: string, frequency: Exclude<Frequency, "day">, nth: number): string {
  if (frequency === "year") return year;
  if (frequency === "month") return `${year}-${String(nth).padStart(2, "0")}`;
  return `${year}-${frequency === "quarter" ? "Q" : "H"}${nth}`;
}

/** Whether a period and a window share a day. */
export const overlaps = ({ start, end }: Pick<Period, "start" | "end">, { from, to }: DayWindow): boolean =>
  (from === undefined || end >= from) && (to === undefined || start <= to);

/** A day some days before or after another. */
export const addDays = (day: Day, days: number): Day => toDay(toDayNumber(day) + days);

/** The day in UTC at a time in ms since 1970. */
export const utcDay = (ms: number): Day => toDay(Math.floor(ms / DAY_MS));

/** Midnight of a day in UTC seconds. */
export const toSeconds = (day: Day): number => toDayNumber(day) * 86_400;

/** Midnight of a day as RFC 3339. */
export const toMidnight = (day: Day): string => `${day}T00:00:00Z`;
