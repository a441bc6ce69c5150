/**
 * Spoken days: on which days something repeats: `every weekday`, `Mondays and Thursdays`, `thứ 2, 4, 6 hàng tuần`,
 * `the 1st of each month`, `the last Friday of every month`.
 */
import { gapAfter, isPhrase, isVietnamese, keyAt, type SaidTime, type Spoken } from "./spoken.ts";
import { partAt } from "./spoken-clock.ts";

/** Days of the week as cron counts them: Sunday is 0. */
const NAMES = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"] as const;
const SHORT: ReadonlyMap<string, number> = new Map([
  ["sun", 0],
  ["mon", 1],
  ["tue", 2],
  ["tues", 2],
  ["wed", 3],
  ["thu", 4],
  ["thur", 4],
  ["thurs", 4],
  ["fri", 5],
  ["sat", 6],
]);
const VIETNAMESE: ReadonlyMap<string, number> = new Map([
  ["hai", 1],
  ["ba", 2],
  ["tu", 3],
  ["nam", 4],
  ["sau", 5],
  ["bay", 6],
]);

/** The five days on which markets open, and the two others. */
export const WEEKDAYS: readonly number[] = [1, 2, 3, 4, 5];
const WEEKEND: readonly number[] = [0, 6];

/** Days of the week that are named, each once. */
export interface NamedDays {
  readonly days: readonly number[];
  /** `Mondays`, `weekdays`, `Monday to Friday`: they repeat without a further word. */
  readonly repeats: boolean;
}

/** The days of the week that a sentence names, with the words that name them. */
export function findWeekdays(spoken: Spoken, isFree: (at: number) => boolean): readonly SaidTime<NamedDays>[] {
  const found: SaidTime<NamedDays>[] = [];
  for (let at = 0; at < spoken.words.length; at++) {
    const said = isFree(at) ? (groupAt(spoken, at) ?? chainAt(spoken, at)) : undefined;
    if (said === undefined) continue;
    found.push(said);
    at = said.last - 1;
  }
  return found;
}

/** `weekdays`, `each trading day`, `ngày làm việc`, `cuối tuần`. */
function groupAt(spoken: Spoken, at: number): SaidTime<NamedDays> | undefined {
  const key = keyAt(spoken, at);
  const next = keyAt(spoken, at + 1);
  const of = (days: readonly number[], count: number, number: "one" | "many"): SaidTime<NamedDays> => ({
    value: { days, repeats: number === "many" },
    first: at,
    last: at + count,
  });
  if (key === "weekdays" || key === "workdays") return of(WEEKDAYS, 1, "many");
  if (key === "weekday" || key === "workday") return of(WEEKDAYS, 1, "one");
  if (key === "weekends" || key === "weekend") return of(WEEKEND, 1, key === "weekends" ? "many" : "one");
  const isWork = ["week", "business", "working", "trading", "work", "market"].includes(key);
  if (isWork && (next === "day" || next === "days")) return of(WEEKDAYS, 2, next === "days" ? "many" : "one");
  if (isPhrase(spoken, at, "ngày trong tuần")) return of(WEEKDAYS, 3, "many");
  const works = ["ngày làm việc", "ngày giao dịch", "phiên giao dịch"];
  if (works.some((marked) => isPhrase(spoken, at, marked))) return of(WEEKDAYS, 3, "one");
  return isPhrase(spoken, at, "cuối tuần") ? of(WEEKEND, 2, "one") : undefined;
}

type Named = SaidTime<Readonly<{ day: number; isPlural: boolean }>>;

/** `Monday`, `Mon`, `thứ hai`, `T2`, `chủ nhật`. */
function dayAt(spoken: Spoken, at: number): Named | undefined {
  const key = keyAt(spoken, at);
  const of = (day: number, count: number, number: "one" | "many" = "one") => ({
    value: { day, isPlural: number === "many" },
    first: at,
    last: at + count,
  });
  const full = NAMES.findIndex((name) => key === name || key === `${name}s`);
  if (full !== -1) return of(full, 1, key.endsWith("s") ? "many" : "one");
  if (isPhrase(spoken, at, "chủ nhật")) return of(0, 2);
  if (spoken.language === "vi" && key === "cn") return of(0, 1);
  if (isVietnamese(spoken, at, "thứ") && (spoken.language === "vi" || !spoken.isBare)) {
    const day = toVietnameseDay(keyAt(spoken, at + 1));
    if (day !== undefined) return of(day, 2);
  }
  if (/^t[2-7]$/.test(key)) return of(Number(key.slice(1)) - 1, 1);
  const isEnglish = spoken.language === "en" || ["every", "each"].includes(keyAt(spoken, at - 1));
  const short = isEnglish ? SHORT.get(key) : undefined;
  return short === undefined ? undefined : of(short, 1);
}

/** Vietnamese counts days of the week from Monday, which is the second. */
function toVietnameseDay(key: string): number | undefined {
  return /^[2-7]$/.test(key) ? Number(key) - 1 : VIETNAMESE.get(key);
}

/** Days in a row: `Monday, Wednesday and Friday`, `Monday to Friday`, `thứ 2, 4, 6`, `thứ 2 đến thứ 6`. */
function chainAt(spoken: Spoken, at: number): SaidTime<NamedDays> | undefined {
  const first = dayAt(spoken, at);
  if (first === undefined) return undefined;
  let days: readonly number[] = [first.value.day];
  let { last } = first;
  let repeats = first.value.isPlural;
  for (;;) {
    const link = linkAt(spoken, last);
    const next = dayAt(spoken, link.last) ?? (isVietnameseName(spoken, at) ? shortDayAt(spoken, link) : undefined);
    if (next === undefined || link.value === undefined) break;
    const isRange = link.value === "to" && days.length > 0;
    days = isRange ? [...days.slice(0, -1), ...spread(days.at(-1) ?? 0, next.value.day)] : [...days, next.value.day];
    repeats ||= isRange || next.value.isPlural;
    last = next.last;
  }
  return { value: { days: toUnique(days), repeats }, first: at, last };
}

const isVietnameseName = (spoken: Spoken, at: number): boolean => isVietnamese(spoken, at, "thứ");

/** The `4` of `thứ 2, 4, 6`, which is not an hour. */
function shortDayAt(spoken: Spoken, { last }: SaidTime<unknown>): Named | undefined {
  const day = toVietnameseDay(keyAt(spoken, last));
  const next = keyAt(spoken, last + 1);
  const isHour = ["gio", "h", "am", "pm"].includes(next) || gapAfter(spoken, last) === ":";
  return day === undefined || isHour ? undefined : { value: { day, isPlural: false }, first: last, last: last + 1 };
}

/** What joins two days; undefined if nothing does. */
function linkAt(spoken: Spoken, at: number): SaidTime<"and" | "to" | undefined> {
  const key = keyAt(spoken, at);
  const isTo = ["to", "through", "thru", "until"].includes(key) || isVietnamese(spoken, at, "đến");
  if (isTo) return { value: "to", first: at, last: at + 1 };
  if (key === "and" || isVietnamese(spoken, at, "và")) return { value: "and", first: at, last: at + 1 };
  const gap = gapAfter(spoken, at - 1).trim();
  const value =
    gap === "-" || gap === "–" ? "to" : gap === "," || gap === "&" || gap === "/" || gap === "" ? "and" : undefined;
  return { value, first: at, last: at };
}

function spread(from: number, to: number): readonly number[] {
  const count = ((to - from + 7) % 7) + 1;
  return Array.from({ length: count }, (_, step) => (from + step) % 7);
}

const toUnique = (days: readonly number[]): readonly number[] => [...new Set(days)].toSorted((a, b) => a - b);

/** A day of the month, or the last. */
export type MonthDay = number | "last";

const ORDINALS: ReadonlyMap<string, number> = new Map([
  ["first", 1],
  ["second", 2],
  ["third", 3],
  ["fourth", 4],
  ["fifth", 5],
  ["tenth", 10],
  ["fifteenth", 15],
  ["twentieth", 20],
]);

/** Every day of the month that a sentence names: `1st`, `day 5`, `ngày 1 và 15`, `mùng 1`, `last`, `cuối tháng`. */
export function findMonthDays(spoken: Spoken): readonly SaidTime<MonthDay>[] {
  const found: SaidTime<MonthDay>[] = [];
  for (let at = 0; at < spoken.words.length; at++) {
    const said = monthDayAt(spoken, at, found.at(-1)?.last);
    if (said === undefined) continue;
    found.push(said);
    at = said.last - 1;
  }
  return found;
}

function monthDayAt(spoken: Spoken, at: number, before: number | undefined): SaidTime<MonthDay> | undefined {
  const key = keyAt(spoken, at);
  const number = toNumber(/^(\d{1,2})(?:st|nd|rd|th)$/.exec(key)?.[1]) ?? ORDINALS.get(key);
  if (number !== undefined) return { value: number, first: at, last: at + 1 };
  if (key === "last") return { value: "last", first: at, last: at + 1 };
  const lasts = ["ngày cuối cùng", "ngày cuối", "cuối cùng", "cuối tháng", "cuối mỗi", "cuối hàng"];
  const end = lasts.find((marked) => isPhrase(spoken, at, marked));
  if (end !== undefined)
    return {
      value: "last",
      first: at,
      last: at + (end === "ngày cuối cùng" ? 3 : isPhrase(spoken, at, "cuối cùng") ? 2 : end === "ngày cuối" ? 2 : 1),
    };
  if (["đầu tháng", "đầu mỗi", "đầu hàng"].some((marked) => isPhrase(spoken, at, marked)))
    return { value: 1, first: at, last: at + 1 };
  if (isPhrase(spoken, at, "đầu tiên")) return { value: 1, first: at, last: at + 2 };
  const isLed = key === "day" || ["ngày", "mùng", "mồng"].some((marked) => isVietnamese(spoken, at, marked));
  const led = isLed ? toNumber(keyAt(spoken, at + 1)) : undefined;
  if (led !== undefined) return { value: led, first: at, last: at + 2 };
  const isListed = before !== undefined && linkAt(spoken, before).value === "and" && linkAt(spoken, before).last === at;
  const listed = isListed ? toNumber(key) : undefined;
  const isHour = gapAfter(spoken, at) === ":" || ["gio", "h", "am", "pm"].includes(keyAt(spoken, at + 1));
  return listed === undefined || isHour || partAt(spoken, at + 1) !== undefined
    ? undefined
    : { value: listed, first: at, last: at + 1 };
}

function toNumber(digits: string | undefined): number | undefined {
  const value = digits !== undefined && /^\d{1,2}$/.test(digits) ? Number(digits) : 0;
  return value >= 1 && value <= 31 ? value : undefined;
}
