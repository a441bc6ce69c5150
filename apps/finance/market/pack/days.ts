/**
 * Days: calendar days as whole numbers since 1970-01-01, and as YYYY-MM-DD. No time zone is involved.
 */
import type { Day } from "../port/market-data.ts";

const DAY_MS = 86_400_000;

/** Seconds of a day. */
export const DAY_S = 86_400;

/** Days since 1970-01-01; NaN if it is not a day of the calendar. */
export function toDayNumber(day: Day): number {
  const number = Date.parse(`${day}T00:00:00Z`) / DAY_MS;
  return Number.isInteger(number) && toDay(number) === day ? number : Number.NaN;
}

/** YYYY-MM-DD. */
export function toDay(number: number): Day {
  return new Date(number * DAY_MS).toISOString().slice(0, 10);
}

/** The day some months before or after; the last of the month if that month is shorter. */
export function addMonths(number: number, months: number): number {
  const date = new Date(number * DAY_MS);
  const first = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1));
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  return first.getTime() / DAY_MS + Math.min(date.getUTCDate(), last) - 1;
}
