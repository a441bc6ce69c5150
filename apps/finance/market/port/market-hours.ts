/**
 * Market hours: whether American stock markets are open, by the rules of the New York Stock Exchange, for any year.
 *
 * Regular hours are 09:30 to 16:00 in New York, 13:00 on early closes; trading before starts at 04:00, trading after
 * ends at 20:00 (17:00 on early closes). Days of mourning and other closings that no rule gives are not known here.
 */

/** The state of the American markets at a moment. */
export type UsMarketState = "pre" | "open" | "post" | "closed" | "holiday";

const DAY_MS = 86_400_000;
const MINUTES = { pre: 240, open: 570, close: 960, post: 1200, earlyClose: 780, earlyPost: 1020 } as const;

/** Days of the week as JavaScript counts them. */
const SUNDAY = 0;
const MONDAY = 1;
const THURSDAY = 4;
const SATURDAY = 6;

/** The state of American stock markets at a moment in milliseconds since 1970. */
export function usMarketState(ms: number): UsMarketState {
  const { day, minute } = toNewYork(ms);
  const weekday = weekdayOf(day);
  if (weekday === SUNDAY || weekday === SATURDAY) return "closed";
  if (isHoliday(day)) return "holiday";
  const isEarly = isEarlyClose(day);
  if (minute < MINUTES.pre) return "closed";
  if (minute < MINUTES.open) return "pre";
  if (minute < (isEarly ? MINUTES.earlyClose : MINUTES.close)) return "open";
  return minute < (isEarly ? MINUTES.earlyPost : MINUTES.post) ? "post" : "closed";
}

/** The days, YYYY-MM-DD, on which markets open, both ends included. */
export function tradingDays(from: string, to: string): readonly string[] {
  const days: string[] = [];
  for (let day = dayNumber(from); day <= dayNumber(to); day++) if (isTradingDay(day)) days.push(toDay(day));
  return days;
}

/** The day in New York, YYYY-MM-DD. */
export function newYorkDay(ms: number): string {
  return toDay(toNewYork(ms).day);
}

function isTradingDay(day: number): boolean {
  const weekday = weekdayOf(day);
  return weekday !== SUNDAY && weekday !== SATURDAY && !isHoliday(day);
}

function isHoliday(day: number): boolean {
  return holidays(yearOf(day)).includes(day);
}

function holidays(year: number): readonly number[] {
  const days = [
    // On a Saturday it falls into the year before, whose list does not have it: the exchange does not keep it then.
    observed(at(year, 1, 1)),
    nthWeekday({ year, month: 2, weekday: MONDAY, nth: 3 }),
    easterSunday(year) - 2,
    lastWeekday({ year, month: 5, weekday: MONDAY }),
    observed(at(year, 7, 4)),
    nthWeekday({ year, month: 9, weekday: MONDAY, nth: 1 }),
    nthWeekday({ year, month: 11, weekday: THURSDAY, nth: 4 }),
    observed(at(year, 12, 25)),
  ];
  if (year >= 1998) days.push(nthWeekday({ year, month: 1, weekday: MONDAY, nth: 3 }));
  if (year >= 2022) days.push(observed(at(year, 6, 19)));
  return days;
}

/** A Saturday's holiday is kept on Friday, a Sunday's on Monday. */
function observed(day: number): number {
  const weekday = weekdayOf(day);
  if (weekday === SATURDAY) return day - 1;
  return weekday === SUNDAY ? day + 1 : day;
}

/** Markets close at 13:00 on the day after Thanksgiving, on Christmas Eve and on the eve of Independence Day. */
function isEarlyClose(day: number): boolean {
  const year = yearOf(day);
  if (day === nthWeekday({ year, month: 11, weekday: THURSDAY, nth: 4 }) + 1) return true;
  if (day === at(year, 12, 24)) return isTradingDay(day);
  return day === at(year, 7, 3) && isTradingDay(day);
}

interface Which {
  readonly year: number;
  readonly month: number;
  readonly weekday: number;
}

function nthWeekday({ year, month, weekday, nth }: Which & { readonly nth: number }): number {
  const first = at(year, month, 1);
  return first + ((weekday - weekdayOf(first) + 7) % 7) + (nth - 1) * 7;
}

function lastWeekday({ year, month, weekday }: Which): number {
  const last = at(year, month + 1, 1) - 1;
  return last - ((weekdayOf(last) - weekday + 7) % 7);
}

/** Easter by the Gregorian rule (Meeus, Jones and Butcher). */
function easterSunday(year: number): number {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const rest = year % 100;
  const leap = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const epact = (19 * golden + century - Math.floor(century / 4) - leap + 15) % 30;
  const shift = (32 + 2 * (century % 4) + 2 * Math.floor(rest / 4) - epact - (rest % 4)) % 7;
  const late = Math.floor((golden + 11 * epact + 22 * shift) / 451);
  const days = epact + shift - 7 * late + 114;
  return at(year, Math.floor(days / 31), (days % 31) + 1);
}

/** New York's day and minute: UTC−5, or UTC−4 in daylight saving time. */
function toNewYork(ms: number): { readonly day: number; readonly minute: number } {
  const local = ms + offsetHours(ms) * 3_600_000;
  const day = Math.floor(local / DAY_MS);
  return { day, minute: Math.floor((local - day * DAY_MS) / 60_000) };
}

/** Daylight saving: since 2007 from the second Sunday of March to the first of November, at 2 o'clock. */
function offsetHours(ms: number): number {
  const year = new Date(ms).getUTCFullYear();
  const [start, end] = daylight(year);
  return ms >= start * DAY_MS + 7 * 3_600_000 && ms < end * DAY_MS + 6 * 3_600_000 ? -4 : -5;
}

function daylight(year: number): readonly [start: number, end: number] {
  if (year >= 2007) {
    return [
      nthWeekday({ year, month: 3, weekday: SUNDAY, nth: 2 }),
      nthWeekday({ year, month: 11, weekday: SUNDAY, nth: 1 }),
    ];
  }
  const end = lastWeekday({ year, month: 10, weekday: SUNDAY });
  if (year >= 1987) return [nthWeekday({ year, month: 4, weekday: SUNDAY, nth: 1 }), end];
  return [lastWeekday({ year, month: 4, weekday: SUNDAY }), end];
}

function at(year: number, month: number, date: number): number {
  return Date.UTC(year, month - 1, date) / DAY_MS;
}

function dayNumber(day: string): number {
  return Math.floor(Date.parse(`${day}T00:00:00Z`) / DAY_MS);
}

function toDay(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

function yearOf(day: number): number {
  return new Date(day * DAY_MS).getUTCFullYear();
}

function weekdayOf(day: number): number {
  return (((day + 4) % 7) + 7) % 7;
}
