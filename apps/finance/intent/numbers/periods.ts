/**
 * Periods: the times that a question names: days, months, years, "the last three months", "từ 2012 đến 2015".
 *
 * Relative times count from the data's day. Every window is a first and, if it has one, a last day.
 */
import { addDays } from "../../tools/shared/calendar-day.ts";
import type { QuestionLanguage } from "../intent.ts";
import { addMonths, type DatedPart, findDates, firstOfMonth } from "./dates.ts";
import type { Reading, QuestionToken } from "../reading.ts";

export type SpanUnit = "day" | "week" | "month" | "quarter" | "year";

/** A length of time. */
export interface Span {
  readonly count: number;
  readonly unit: SpanUnit;
  /** Which tokens say it. */
  readonly first: number;
  readonly last: number;
}

/** The first day and, if it is not today, the last. */
export interface Window {
  readonly from: string;
  readonly to?: string;
}

/** What a question says of time. */
export interface Periods {
  readonly spans: readonly Span[];
  /** Years, months or days of the calendar, or from one to another. */
  readonly window: Window | undefined;
  /** A rolling window that ends today. */
  readonly rolling: Span | undefined;
}

const UNITS: ReadonlyMap<string, SpanUnit> = new Map([
  ...["day", "days", "d", "ngay", "phien", "session", "sessions"].map((word) => [word, "day"] as const),
  ...["week", "weeks", "w", "wk", "tuan"].map((word) => [word, "week"] as const),
  ...["month", "months", "mo", "mth", "thang"].map((word) => [word, "month"] as const),
  ...["quarter", "quarters", "quy"].map((word) => [word, "quarter"] as const),
  ...["year", "years", "yr", "yrs", "y", "nam"].map((word) => [word, "year"] as const),
]);

const COUNTS: ReadonlyMap<string, number> = new Map([
  ...["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"].map(
    (word, at) => [word, at + 1] as const,
  ),
  ...["mot", "hai", "ba", "bon", "nam", "sau", "bay", "tam", "chin", "muoi"].map((word, at) => [word, at + 1] as const),
  ["couple", 2],
  ["few", 3],
  ["vai", 3],
  ["half", 0.5],
  ["nua", 0.5],
]);

/** Whether a question names any time, so that "in the last five years?" continues the question before. */
export function hasPeriod(reading: Reading): boolean {
  const { spans, window } = readPeriods(reading, { language: "en", today: "2100-01-01" });
  const { cues } = reading;
  return (
    spans.length > 0 ||
    window !== undefined ||
    cues.has("past") ||
    cues.has("quarterly") ||
    cues.has("annual") ||
    cues.has("ttm")
  );
}

/** Reads the times of a question. */
export function readPeriods(
  reading: Reading,
  { language, today }: { readonly language: QuestionLanguage; readonly today: string },
): Periods {
  const { tokens, text } = reading;
  const spans = findSpans(tokens);
  const dates = findDates(text, tokens, language);
  const relative = findRelative(tokens, today);
  const dated = fromDates(tokens, dates);
  const window = dated !== undefined && dated.from > today ? undefined : (dated ?? relative.window);
  const rolling = spans.find((span) => isRolling(tokens, span)) ?? relative.rolling;
  return { spans, window, rolling: window === undefined ? rolling : undefined };
}

/** "3 months", "ba tháng", "5y"; a number before "năm" that is a year is not a length. */
function findSpans(tokens: readonly QuestionToken[]): readonly Span[] {
  return tokens.flatMap((token, at): readonly Span[] => {
    const unit = UNITS.get(token.key) ?? (token.raw === "M" ? "month" : undefined);
    const before = tokens[at - 1];
    if (unit === undefined || before === undefined) return [];
    const count = countOf(before);
    if (count === undefined || count > 10_000 || (unit === "year" && count > 100)) return [];
    if (isBare(token, before, tokens[at + 1])) return [];
    return [{ count, unit, first: at - 1, last: at + 1 }];
  });
}

/** "tháng 3" and "năm 2015" are dates: the number stands behind, and what stands before belongs to something else. */
function isBare(token: QuestionToken, before: QuestionToken, after: QuestionToken | undefined): boolean {
  const isWord = !/^\d/.test(before.key);
  const isDated =
    (token.key === "thang" || token.key === "nam" || token.key === "quy") &&
    after !== undefined &&
    /^\d+$/.test(after.key);
  return isDated && (isWord || token.key !== "nam");
}

function countOf({ key }: QuestionToken): number | undefined {
  if (/^\d{1,5}$/.test(key)) return Number(key);
  return COUNTS.get(key);
}

const ROLLING_BEFORE: ReadonlySet<string> = new Set(
  "last past previous over recent prior trong latest newest for within trailing".split(" "),
);
const ROLLING_AFTER: ReadonlySet<string> = new Set("qua gan truoc nay ago vua tro lai".split(" "));
const REACH = 3;

/** "the last 3 months", "3 tháng qua"; not "20-day average". */
function isRolling(tokens: readonly QuestionToken[], { first, last }: Span): boolean {
  for (let at = Math.max(0, first - REACH); at < first; at++)
    if (ROLLING_BEFORE.has(tokens[at]?.key ?? "")) return true;
  for (let at = last; at < Math.min(tokens.length, last + 2); at++)
    if (ROLLING_AFTER.has(tokens[at]?.key ?? "")) return true;
  const lone = tokens[first]?.raw ?? "";
  return first > 0 && /^\d+$/.test(lone) && /^[MYD]$/.test(tokens[last - 1]?.raw ?? "");
}

interface Relative {
  readonly window?: Window;
  readonly rolling?: Span;
}

const LAST: ReadonlySet<string> = new Set(["last", "previous", "prior"]);
const VIETNAMESE_LAST: ReadonlySet<string> = new Set(["truoc", "ngoai"]);
const VIETNAMESE_ROLLING: ReadonlySet<string> = new Set(["qua"]);

/** "last year", "tháng trước", "yesterday": of the calendar; "the past year", "năm qua": rolling. */
function findRelative(tokens: readonly QuestionToken[], today: string): Relative {
  for (const [at, token] of tokens.entries()) {
    if (token.key === "yesterday" || (token.key === "hom" && tokens[at + 1]?.key === "qua")) {
      return { window: { from: addDays(today, -1), to: addDays(today, -1) } };
    }
    const unit = UNITS.get(token.key);
    if (unit === undefined || token.key.length === 1) continue;
    const [before = "", after = ""] = [tokens[at - 1]?.key, tokens[at + 1]?.key];
    const isTheLast = LAST.has(before) && ["the", "over", "during", "past"].includes(tokens[at - 2]?.key ?? "");
    if (isTheLast) return { rolling: { count: 1, unit, first: at, last: at + 1 } };
    if (LAST.has(before) || VIETNAMESE_LAST.has(after)) return { window: calendarBefore(unit, today) };
    const isCounted = countOf(tokens[at - 1] ?? token) !== undefined;
    if (isCounted) continue;
    if (before === "this" || after === "nay") return unit === "day" ? {} : { window: { from: startOf(unit, today) } };
    if (before === "past" || VIETNAMESE_ROLLING.has(after))
      return { rolling: { count: 1, unit, first: at, last: at + 1 } };
  }
  return {};
}

function calendarBefore(unit: SpanUnit, today: string): Window {
  const start = startOf(unit, today);
  const to = addDays(start, -1);
  return { from: startOf(unit, to), to };
}

const MONDAY_OFFSET = 6;

/** The first day of the calendar's unit that a day is in. */
export function startOf(unit: SpanUnit, day: string): string {
  if (unit === "day") return day;
  if (unit === "week") return addDays(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + MONDAY_OFFSET) % 7));
  if (unit === "year") return `${day.slice(0, 4)}-01-01`;
  if (unit === "month") return firstOfMonth(day);
  const month = Number(day.slice(5, 7));
  return firstOfMonth(addMonths(day, -((month - 1) % 3)));
}

/** The first day of a span that ends on a day. */
export function startOfSpan({ count, unit }: Pick<Span, "count" | "unit">, today: string): string {
  if (unit === "day") return addDays(today, -Math.round(count));
  if (unit === "week") return addDays(today, -Math.round(count * 7));
  const months = { month: 1, quarter: 3, year: 12 }[unit];
  return addMonths(today, -Math.round(count * months));
}

const SINCE: ReadonlySet<string> = new Set("since from tu after ke sau".split(" "));
const UNTIL: ReadonlySet<string> = new Set("to until till through den toi and va".split(" "));

/** The window that dates make: from one to another, since one, or the one itself. */
function fromDates(tokens: readonly QuestionToken[], dates: readonly DatedPart[]): Window | undefined {
  const [first, second] = dates;
  if (first === undefined) return undefined;
  if (second !== undefined) {
    const between = tokens.slice(first.last, second.first);
    const isJoined = between.length === 0 || between.some(({ key }) => UNTIL.has(key));
    if (isJoined && between.length <= 3) {
      return first.from <= second.to ? { from: first.from, to: second.to } : { from: second.from, to: first.to };
    }
  }
  const before = [tokens[first.first - 1], tokens[first.first - 2]].map((token) => token?.key ?? "");
  if (before.some((key) => SINCE.has(key))) return { from: first.from };
  return { from: first.from, to: first.to };
}
