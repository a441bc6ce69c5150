/**
 * Eastern: the time of New York, in which US sources write dates without a zone.
 *
 * By the rules of daylight saving since 1987; the hour that comes twice is taken as the first.
 */

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const DATE_TIME = /^(\d{4})-(\d{2})-(\d{2})(?:[ T](\d{2}):(\d{2})(?::(\d{2}))?)?/;

/** Ms since 1970 of `YYYY-MM-DD`, midnight, or `YYYY-MM-DD HH:MM:SS` in New York; undefined if it is not such a time. */
export function fromEastern(text: string): number | undefined {
  const wallMs = toWall(text);
  if (wallMs === undefined) return undefined;
  return wallMs - offsetHours(wallMs) * HOUR_MS;
}

/** The day in New York at a time, YYYY-MM-DD. */
export function easternDay(ms: number): string {
  const standard = ms - 5 * HOUR_MS;
  // Summer time begins at 2:00 standard time and ends at 1:00 standard time.
  const isSummer = offsetHours(standard + HOUR_MS) === -4 && offsetHours(standard) === -4;
  return new Date(isSummer ? standard + HOUR_MS : standard).toISOString().slice(0, 10);
}

/** A day if the text begins with one that exists. */
export function toDay(text: string | undefined): string | undefined {
  if (text === undefined || toWall(text.slice(0, 10)) === undefined) return undefined;
  return text.slice(0, 10);
}

/** A clock's reading as if it were UTC. */
function toWall(text: string): number | undefined {
  const match = DATE_TIME.exec(text.slice(0, 19));
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1)
    .map((part) => Number(part ?? 0));
  const ms = Date.UTC(year, month - 1, day, hour, minute, second);
  const isReal = new Date(ms).toISOString().startsWith(text.slice(0, 10)) && hour < 24 && minute < 60 && second < 60;
  return isReal ? ms : undefined;
}

function offsetHours(wallMs: number): -4 | -5 {
  const year = new Date(wallMs).getUTCFullYear();
  const [start, end] =
    year >= 2007 ? [sunday(year, 2, 2), sunday(year, 10, 1)] : [sunday(year, 3, 1), lastSunday(year)];
  return wallMs >= start + 2 * HOUR_MS && wallMs < end + 2 * HOUR_MS ? -4 : -5;
}

/** Midnight of the so-many-th Sunday of a month. */
function sunday(year: number, month: number, which: number): number {
  const first = Date.UTC(year, month, 1);
  const days = ((7 - new Date(first).getUTCDay()) % 7) + 7 * (which - 1);
  return first + days * DAY_MS;
}

/** The last Sunday of October. */
const lastSunday = (year: number): number => sunday(year, 10, 1) - 7 * DAY_MS;
