/**
 * Day number: days as whole numbers, so that thousands of periods can be compared quickly.
 */

const DAY_MS = 86_400_000;

/** Days since 1970. */
export const toNumber = (day: string): number => Math.round(Date.parse(`${day}T00:00:00Z`) / DAY_MS);

/** YYYY-MM-DD. */
export const fromNumber = (days: number): string => new Date(days * DAY_MS).toISOString().slice(0, 10);

/** Classifies a span of days: filings report quarters, years, and years to date that are neither. */
export function spanOf(start: number, end: number): "quarter" | "year" | "other" {
  const days = end - start + 1;
  if (days >= 60 && days <= 120) return "quarter";
  return days >= 330 && days <= 380 ? "year" : "other";
}
