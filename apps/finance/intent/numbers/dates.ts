/**
 * Dates: the years, months and days that a text names in English or Vietnamese.
 */
import type { QuestionLanguage } from "../intent.ts";
import type { QuestionToken } from "../reading.ts";

/** A date of a text: its first and last day, and which tokens say it. */
export interface DatedPart {
  readonly from: string;
  readonly to: string;
  readonly first: number;
  readonly last: number;
}

const MONTHS: ReadonlyMap<string, number> = new Map(
  [
    ["january", "jan"],
    ["february", "feb"],
    ["march", "mar"],
    ["april", "apr"],
    ["may"],
    ["june", "jun"],
    ["july", "jul"],
    ["august", "aug"],
    ["september", "sep", "sept"],
    ["october", "oct"],
    ["november", "nov"],
    ["december", "dec"],
  ].flatMap((names, at) => names.map((name) => [name, at + 1] as const)),
);

/** The dates of a text in order. */
export function findDates(
  text: string,
  tokens: readonly QuestionToken[],
  language: QuestionLanguage,
): readonly DatedPart[] {
  const dates: DatedPart[] = [];
  let at = 0;
  while (at < tokens.length) {
    const found = dateAt({ text, tokens, at, language });
    if (found !== undefined) dates.push(found);
    at = found?.last ?? at + 1;
  }
  return dates;
}

interface Place {
  readonly text: string;
  readonly tokens: readonly QuestionToken[];
  readonly at: number;
  readonly language: QuestionLanguage;
}

type Reader = (place: Place) => DatedPart | undefined;

const READERS: readonly Reader[] = [isoDay, slashedDay, namedMonth, vietnameseDay, quarterOfYear, bareYear];

function dateAt(place: Place): DatedPart | undefined {
  for (const reader of READERS) {
    const found = reader(place);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Numbers joined by one separator: `2010-05-03`, `3/5/2010`, `5/2010`. */
function joinedNumbers({ text, tokens, at }: Place, separators: string): readonly number[] {
  const numbers: number[] = [];
  for (let next = at; next < at + 3; next++) {
    const token = tokens[next];
    const before = tokens[next - 1];
    if (token === undefined || !/^\d{1,4}$/.test(token.key)) break;
    const isJoined =
      next === at ||
      (before !== undefined && token.start - before.end === 1 && separators.includes(text.charAt(before.end)));
    if (!isJoined) break;
    numbers.push(Number(token.key));
  }
  return numbers;
}

function isoDay(place: Place): DatedPart | undefined {
  const [year = 0, month = 0, day] = joinedNumbers(place, "-/");
  if (!isYear(year) || month < 1 || month > 12) return undefined;
  if (day === undefined) return ofMonth([year, month], place.at, place.at + 2);
  return ofDay({ year, month, day }, place.at, place.at + 3);
}

function slashedDay(place: Place): DatedPart | undefined {
  const [one = 0, two = 0, three] = joinedNumbers(place, "/-.");
  if (three === undefined)
    return isYear(two) && one >= 1 && one <= 12 ? ofMonth([two, one], place.at, place.at + 2) : undefined;
  if (!isYear(three)) return undefined;
  const isDayFirst = place.language === "vi" || one > 12;
  const [day, month] = isDayFirst && two <= 12 ? [one, two] : [two, one];
  return ofDay({ year: three, month, day }, place.at, place.at + 3);
}

/** `March 2015`, `May 3, 2010`, `3 May 2010`. */
function namedMonth({ tokens, at }: Place): DatedPart | undefined {
  const day = dayNumber(tokens[at]);
  const offset = day === undefined ? 0 : 1;
  const month = MONTHS.get(tokens[at + offset]?.key ?? "");
  if (month === undefined) return undefined;
  const next = at + offset + 1;
  const year = yearOf(tokens[next]);
  if (year !== undefined && day !== undefined) return ofDay({ year, month, day }, at, next + 1);
  if (year !== undefined) return ofMonth([year, month], at, next + 1);
  const behind = dayNumber(tokens[next]);
  const last = isSuffix(tokens[next + 1]) ? next + 2 : next + 1;
  const laterYear = yearOf(tokens[last]);
  if (behind === undefined || laterYear === undefined || day !== undefined) return undefined;
  return ofDay({ year: laterYear, month, day: behind }, at, last + 1);
}

function isSuffix(token: QuestionToken | undefined): boolean {
  return ["st", "nd", "rd", "th"].includes(token?.key ?? "");
}

/** `tháng 3 năm 2015`, `tháng 3/2015`, `ngày 3 tháng 5 năm 2010`. */
function vietnameseDay(place: Place): DatedPart | undefined {
  const { tokens, at } = place;
  if (tokens[at]?.key === "ngay") {
    const day = dayNumber(tokens[at + 1]);
    const month = tokens[at + 2]?.key === "thang" ? monthOf(tokens[at + 3]) : undefined;
    const at4 = tokens[at + 4]?.key === "nam" ? at + 5 : at + 4;
    const year = yearOf(tokens[at4]);
    if (day !== undefined && month !== undefined && year !== undefined) return ofDay({ year, month, day }, at, at4 + 1);
    return undefined;
  }
  if (tokens[at]?.key !== "thang") return undefined;
  const month = monthOf(tokens[at + 1]);
  const after = tokens[at + 2]?.key === "nam" ? at + 3 : at + 2;
  const year = yearOf(tokens[after]);
  return month === undefined || year === undefined ? undefined : ofMonth([year, month], at, after + 1);
}

/** `Q3 2015`, `quý 3 năm 2015`, `quý 3/2015`. */
function quarterOfYear({ tokens, at }: Place): DatedPart | undefined {
  const key = tokens[at]?.key ?? "";
  if (key !== "q" && key !== "quy" && key !== "quarter") return undefined;
  const quarter = Number(tokens[at + 1]?.key ?? "");
  const after = tokens[at + 2]?.key === "nam" || tokens[at + 2]?.key === "of" ? at + 3 : at + 2;
  const year = yearOf(tokens[after]);
  if (!(quarter >= 1 && quarter <= 4) || year === undefined) return undefined;
  const start = toDay(year, quarter * 3 - 2, 1);
  return { from: start, to: lastOfMonth(addMonths(start, 2)), first: at, last: after + 1 };
}

function bareYear({ text, tokens, at }: Place): DatedPart | undefined {
  const token = tokens[at];
  const year = yearOf(token);
  if (token === undefined || year === undefined) return undefined;
  const before = text.charAt(token.start - 1);
  const isNumber = before === "$" || (".,".includes(text.charAt(token.end)) && /\d/.test(text.charAt(token.end + 1)));
  const unit = tokens[at + 1]?.key ?? "";
  if (isNumber || ["usd", "dollars", "dollar", "do", "stocks", "shares", "k", "m", "vnd", "trieu", "ty"].includes(unit))
    return undefined;
  return { from: `${year}-01-01`, to: `${year}-12-31`, first: at, last: at + 1 };
}

const isYear = (value: number): boolean => value >= 1900 && value <= 2099;

function yearOf(token: QuestionToken | undefined): number | undefined {
  return token !== undefined && /^\d{4}$/.test(token.key) && isYear(Number(token.key)) ? Number(token.key) : undefined;
}

function monthOf(token: QuestionToken | undefined): number | undefined {
  const month = token !== undefined && /^\d{1,2}$/.test(token.key) ? Number(token.key) : 0;
  return month >= 1 && month <= 12 ? month : undefined;
}

function dayNumber(token: QuestionToken | undefined): number | undefined {
  const day = token !== undefined && /^\d{1,2}$/.test(token.key) ? Number(token.key) : 0;
  return day >= 1 && day <= 31 ? day : undefined;
}

function ofDay(
  { year, month, day }: Readonly<{ year: number; month: number; day: number }>,
  first: number,
  last: number,
): DatedPart | undefined {
  if (month < 1 || month > 12 || day < 1) return undefined;
  const written = toDay(year, month, day);
  const isReal = day <= Number(lastOfMonth(toDay(year, month, 1)).slice(8));
  return isReal ? { from: written, to: written, first, last } : undefined;
}

function ofMonth([year, month]: readonly [number, number], first: number, last: number): DatedPart {
  const from = toDay(year, month, 1);
  return { from, to: lastOfMonth(from), first, last };
}

function toDay(year: number, month: number, day: number): string {
  return `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
}

/** The first day of a day's month. */
export function firstOfMonth(day: string): string {
  return `${day.slice(0, 7)}-01`;
}

/** The last day of a day's month. */
export function lastOfMonth(day: string): string {
  const [year = 0, month = 1] = day.split("-").map(Number);
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
}

/** So many months later; a day that the month has not is its last. */
export function addMonths(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  const start = new Date(Date.UTC(year, month - 1 + months, 1)).toISOString().slice(0, 10);
  const last = Number(lastOfMonth(start).slice(8));
  return `${start.slice(0, 8)}${String(Math.min(date, last)).padStart(2, "0")}`;
}
