/**
 * Age: how old a day is, in words, so that the age of data is said the same way everywhere.
 */

const DAY_MS = 86_400_000;
const WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");

/** The age of a day, YYYY-MM-DD, on another: `today`, `three days old`, `two years old`. */
export function ageInWords(day: string, today: string): string {
  const days = ageInDays(day, today);
  if (days <= 0) return "today";
  if (days < 14) return `${toCount(days, "day")} old`;
  if (days < 60) return `${toCount(Math.floor(days / 7), "week")} old`;
  const months = monthsBetween(day, today);
  return months < 24 ? `${toCount(months, "month")} old` : `${toCount(Math.floor(months / 12), "year")} old`;
}

/** Whole days from a day, or the day of a moment, to another; 0 if it cannot be read. */
export function ageInDays(day: string, today: string): number {
  const days = Math.round((timeOf(today) - timeOf(day)) / DAY_MS);
  return Number.isFinite(days) ? days : 0;
}

/** Whole months; one that lacks less than a week counts, so that 22 November 2024 is two years old on 18 November 2026. */
function monthsBetween(day: string, today: string): number {
  const from = new Date(timeOf(day));
  const to = new Date(timeOf(today) + 7 * DAY_MS);
  const months = (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth();
  return to.getUTCDate() < from.getUTCDate() ? months - 1 : months;
}

function toCount(count: number, unit: string): string {
  return `${WORDS[count] ?? count} ${unit}${count === 1 ? "" : "s"}`;
}

const timeOf = (day: string): number => Date.parse(`${day.slice(0, 10)}T00:00:00Z`);
