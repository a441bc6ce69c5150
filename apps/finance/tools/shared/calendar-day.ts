/**
 * Calendar day: arithmetic on days written as YYYY-MM-DD, without time zones.
 */
import type { Day } from "../../market/port/market-data.ts";

const DAY_MS = 86_400_000;

/** The day so many days later; earlier if negative. */
export const addDays = (day: Day, days: number): Day =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

/** Counts the days from one day to another. */
export const daysFrom = (from: Day, to: Day): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS);
