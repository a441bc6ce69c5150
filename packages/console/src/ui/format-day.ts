/**
 * Format day: the day of a time that data is of, as its own clock has it.
 */
import type { Language } from "../words/words.ts";

const DAY_CHARS = 10;

/** `2024-11-22T16:00:00-05:00` as `22 Nov 2024`; a text that is not a date stays as it is. */
export function formatDay(text: string, language: Language): string {
  const at = Date.parse(`${text.slice(0, DAY_CHARS)}T00:00:00Z`);
  if (Number.isNaN(at)) return text;
  const locale = language === "en" ? "en-GB" : language;
  return new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" }).format(
    at,
  );
}
