/**
 * Trading days: the days on which the New York Stock Exchange is open, and when it closes, from its published rules.
 */
import type { Day } from "../port/market-data.ts";
import { toDay, toDayNumber, weekdayOf } from "../pack/days.ts";

/** Days the exchange was closed for one occasion: a hurricane and days of mourning. */
const SINGLE_CLOSURES: ReadonlySet<Day> = new Set(["2012-10-29", "2012-10-30", "2018-12-05", "2025-01-09"]);

/** Days from `from` to `to`, both included, that are neither weekends nor holidays; valid from 2012. */
export function tradingDays(from: Day, to: Day): readonly number[] {
  const first = toDayNumber(from);
  const last = toDayNumber(to);
  const days: number[] = [];
  let holidays: ReadonlySet<number> = new Set();
  let year = Number.NaN;
  for (let day = first; day <= last; day += 1) {
    const yearOfDay = Number(toDay(day).slice(0, 4));
    if (yearOfDay !== year) holidays = holidaysOf(yearOfDay);
    year = yearOfDay;
    const weekday = weekdayOf(day);
    if (weekday !== 0 && weekday !== 6 && !holidays.has(day) && !SINGLE_CLOSURES.has(toDay(day))) days.push(day);
  }
  return days;
}

/** The moment of the close, 16:00 in New York, as RFC 3339 with its offset. */
export function closeOf(day: Day): string {
  const offset = new Intl.DateTimeFormat("en-US", { timeZone: "America/New_York", timeZoneName: "longOffset" })
    .formatToParts(new Date(`${day}T21:00:00Z`))
    .find(({ type }) => type === "timeZoneName")?.value;
  return `${day}T16:00:00${offset?.slice(3) ?? "-05:00"}`;
}

const numberOf = (year: number, month: number, date: number): number => Date.UTC(year, month - 1, date) / 86_400_000;

function holidaysOf(year: number): ReadonlySet<number> {
  const fixed = [
    ...observed(year, 1, 1),
    ...(year >= 2022 ? observed(year, 6, 19) : []),
    ...observed(year, 7, 4),
    ...observed(year, 12, 25),
  ];
  const monday = 1;
  const thursday = 4;
  return new Set([
    ...fixed,
    nth(numberOf(year, 1, 1), monday, 3),
    nth(numberOf(year, 2, 1), monday, 3),
    easterOf(year) - 2,
    nth(numberOf(year, 6, 1), monday, 1) - 7,
    nth(numberOf(year, 9, 1), monday, 1),
    nth(numberOf(year, 11, 1), thursday, 4),
  ]);
}

/** On a Sunday the Monday after, on a Saturday the Friday before; but New Year's Eve is a trading day. */
function observed(year: number, month: number, date: number): readonly number[] {
  const day = numberOf(year, month, date);
  if (weekdayOf(day) === 0) return [day + 1];
  if (weekdayOf(day) !== 6) return [day];
  return month === 1 ? [] : [day - 1];
}

/** The n-th such weekday of the month that begins on a day; memorial day is the one before June's first. */
function nth(first: number, weekday: number, n: number): number {
  return first + ((weekday - weekdayOf(first) + 7) % 7) + 7 * (n - 1);
}

/** The Gregorian computus of Meeus. */
function easterOf(year: number): number {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const d = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30;
  const e = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - d - (c % 4)) % 7;
  const f = d + e - 7 * Math.floor((a + 11 * d + 22 * e) / 451) + 114;
  return numberOf(year, Math.floor(f / 31), (f % 31) + 1);
}
