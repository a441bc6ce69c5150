/**
 * Spoken time: a repeating time as people say it, in English or Vietnamese, as a cron expression.
 *
 * `every weekday 08:30 brief my watchlist` is `30 8 * * 1-5` and the rest `brief my watchlist`. What does not repeat, or
 * repeats in a way that cron cannot say (`every other day`), is not a time here.
 */
import type { WatchLanguage } from "../own-provenance.ts";
import { describeCron } from "./cron-text.ts";
import { type ClockTime, findClocks, PART_TIMES, partAt } from "./spoken-clock.ts";
import { findMonthDays, findWeekdays, type MonthDay, WEEKDAYS } from "./spoken-days.ts";
import { findMarketTime, findZone, type MarketTime } from "./spoken-place.ts";
import { findRhythms, type Rhythm } from "./spoken-rhythm.ts";
import { isVietnamese, keyAt, type SaidTime, type Spoken, toSpoken } from "./spoken.ts";

/** A repeating time that a sentence says. */
export interface SpokenTime {
  /** Five fields: minute, hour, day of the month, month, day of the week. */
  readonly cron: string;
  /** If the sentence names one, or speaks of the hours of a market. */
  readonly timeZone?: string;
  /** The time in words, in the language of the sentence. */
  readonly text: string;
  /** False if the sentence says only the days: the hour is then a usual one. */
  readonly isTimeSaid: boolean;
  /** The sentence without the words of the time. */
  readonly rest: string;
}

/** The usual hour for what has none. */
const USUAL: ClockTime = { hour: 8, minute: 0 };

/** A longer text is not a sentence that says a time. */
const MAX_SENTENCE = 1_000;

/** The repeating time that a sentence says; undefined if it says none. */
export function parseSpokenTime(sentence: string, language: WatchLanguage): SpokenTime | undefined {
  if (sentence.length > MAX_SENTENCE) return undefined;
  const spoken = toSpoken(sentence, language);
  const parts = read(spoken);
  const cron = parts === undefined ? undefined : toCron(parts);
  if (parts === undefined || cron === undefined) return undefined;
  const timeZone = parts.zone?.value ?? parts.market?.value.timeZone;
  const zone = timeZone === undefined ? {} : { timeZone };
  const isNoon = parts.parts.some(({ value }) => value === PART_TIMES.noon);
  const isTimeSaid = parts.clocks.length > 0 || isNoon || parts.market !== undefined || isShort(rhythmOf(parts));
  const text = describeCron(cron, { language, ...zone });
  return { cron, ...zone, text, isTimeSaid, rest: restOf(spoken, parts) };
}

/** What a sentence says about a time. */
interface Parts {
  readonly rhythms: readonly SaidTime<Rhythm | undefined>[];
  readonly clocks: readonly SaidTime<ClockTime>[];
  readonly parts: readonly SaidTime<ClockTime>[];
  readonly days: readonly number[];
  readonly named: readonly SaidTime<Readonly<{ repeats: boolean }>>[];
  readonly monthDays: readonly SaidTime<MonthDay>[];
  readonly market: SaidTime<MarketTime> | undefined;
  readonly zone: SaidTime<string> | undefined;
}

/** Undefined if it says a time that no clock shows. */
function read(spoken: Spoken): Parts | undefined {
  const rhythms = findRhythms(spoken);
  const market = findMarketTime(spoken);
  const zone = findZone(spoken);
  const isFree = (at: number) =>
    !rhythms.some(({ value, first, last }) => value !== undefined && at >= first && at < last);
  const monthDays = isMonthly(rhythms, spoken) ? findMonthDays(spoken) : [];
  const inMonth = (at: number) => monthDays.some(({ first, last }) => at >= first && at < last);
  const said = findClocks(spoken, (at) => isFree(at) && !inMonth(at));
  const clocks = said.flatMap(({ value, ...place }) => (value === undefined ? [] : [{ value, ...place }]));
  if (clocks.length < said.length) return undefined;
  const named = findWeekdays(spoken, (at) => !clocks.some(({ first, last }) => at >= first && at < last));
  const parts = spoken.words.flatMap((_, at) => {
    const part = partAt(spoken, at);
    return part === undefined ? [] : [{ value: PART_TIMES[part], first: at, last: at + 1 }];
  });
  const days = [...new Set(named.flatMap(({ value }) => value.days))].toSorted((a, b) => a - b);
  return { rhythms, clocks, parts, days, named, monthDays, market, zone };
}

/** Whether days of the month are spoken of: "last" and "first" are words of much else. */
function isMonthly(rhythms: readonly SaidTime<Rhythm | undefined>[], spoken: Spoken): boolean {
  const isUnit = rhythms.some(({ value }) => value?.unit === "month" || value?.unit === "quarter");
  const isOfMonth = spoken.words.some((_, at) => keyAt(spoken, at) === "month" && keyAt(spoken, at - 1) === "the");
  const isEachDay = rhythms.some(
    ({ value, last }) => value === undefined && /^\d{1,2}(st|nd|rd|th)$/.test(keyAt(spoken, last)),
  );
  return isUnit || (isOfMonth && rhythms.length > 0) || isEachDay;
}

/** The rhythm that decides: the longest that is said (`every month on Monday`, `hàng ngày` beside `mỗi sáng`). */
function rhythmOf({ rhythms }: Parts): Rhythm | undefined {
  const order = ["quarter", "month", "minute", "hour", "week", "day"] as const;
  const said = rhythms.flatMap(({ value }) => (value === undefined ? [] : [value]));
  return order.flatMap((unit) => said.filter((rhythm) => rhythm.unit === unit))[0];
}

const isShort = (rhythm: Rhythm | undefined): boolean => rhythm?.unit === "minute" || rhythm?.unit === "hour";

function toCron(parts: Parts): string | undefined {
  const rhythm = rhythmOf(parts);
  const isNamed = parts.named.some(({ value }) => value.repeats) || parts.market?.value.repeats === true;
  if (parts.rhythms.length === 0 && !isNamed) return undefined;
  if (rhythm !== undefined && isShort(rhythm)) return toShortCron(rhythm, parts);
  if (rhythm !== undefined && rhythm.count !== 1) return undefined;
  const isBareEvery = rhythm === undefined && parts.days.length === 0 && parts.monthDays.length === 0;
  if (isBareEvery && parts.market?.value.repeats !== true) return undefined;
  const clock = toClockFields(parts);
  const days = clock === undefined ? undefined : toDayFields(parts, rhythm);
  return clock === undefined || days === undefined ? undefined : `${clock} ${days}`;
}

/** Minutes and hours that divide an hour and a day; others would not be equally far apart. */
function toShortCron({ unit, count }: Rhythm, { days, market, clocks }: Parts): string | undefined {
  const whole = unit === "minute" ? 60 : 24;
  if (count < 1 || count >= whole || whole % count !== 0) return undefined;
  const [from, to] = clocks.map(({ value }) => value.hour);
  const range = from !== undefined && to !== undefined && from < to ? `${from}-${to}` : undefined;
  const hours = range ?? market?.value.hours ?? "*";
  const weekdays = market !== undefined && days.length === 0 ? "1-5" : toWeekdayField(days);
  if (unit === "minute") return `${count === 1 ? "*" : `*/${count}`} ${hours} * * ${weekdays}`;
  const step = count === 1 ? "" : `/${count}`;
  return `0 ${hours}${step} * * ${weekdays}`;
}

/** Minute and hour; several hours have one minute. */
function toClockFields({ clocks, parts, market }: Parts): string | undefined {
  const said = clocks.length > 0 ? clocks : market?.value.clock !== undefined ? [{ value: market.value.clock }] : parts;
  const times = said.length > 0 ? said.map(({ value }) => value) : [USUAL];
  const minutes = new Set(times.map(({ minute }) => minute));
  const hours = [...new Set(times.map(({ hour }) => hour))].toSorted((a, b) => a - b);
  const [minute] = minutes;
  return minutes.size === 1 && minute !== undefined ? `${minute} ${hours.join(",")}` : undefined;
}

/** Day of the month, month, day of the week. */
function toDayFields({ days, named, monthDays, market }: Parts, rhythm: Rhythm | undefined): string | undefined {
  if (rhythm?.unit === "month" || rhythm?.unit === "quarter" || monthDays.length > 0) {
    const month = rhythm?.unit === "quarter" ? "1,4,7,10" : "*";
    if (named.length === 0) return `${toMonthDays(monthDays)} ${month} *`;
    const [day, other] = days;
    const [nth] = monthDays;
    if (day === undefined || other !== undefined || nth === undefined || monthDays.length > 1 || month !== "*")
      return undefined;
    if (nth.value !== "last" && nth.value > 4) return undefined;
    return `* * ${day}#${nth.value === "last" ? "L" : nth.value}`;
  }
  if (days.length > 0) return `* * ${toWeekdayField(days)}`;
  if (rhythm?.unit === "week") return "* * 1";
  return market === undefined ? "* * *" : "* * 1-5";
}

function toMonthDays(monthDays: readonly SaidTime<MonthDay>[]): string {
  if (monthDays.some(({ value }) => value === "last")) return "L";
  const days = [...new Set(monthDays.map(({ value }) => Number(value)))].toSorted((a, b) => a - b);
  return days.length === 0 ? "1" : days.join(",");
}

function toWeekdayField(days: readonly number[]): string {
  if (days.length === 0 || days.length === 7) return "*";
  return days.join() === WEEKDAYS.join() ? "1-5" : days.join(",");
}

/** Words that only join a time to a sentence. */
const JOINTS: ReadonlySet<string> = new Set(
  "at on of the in and from to every each moi hang luc vao tu den va buoi o clock day ngay time around about by cac nhung thang month".split(
    " ",
  ),
);

/** The sentence without the words of the time and the words that join them to it. */
function restOf(spoken: Spoken, { rhythms, clocks, parts, named, monthDays, market, zone }: Parts): string {
  const said = [...rhythms, ...clocks, ...parts, ...named, ...monthDays, ...given(market), ...given(zone)];
  const isUsed = spoken.words.map((_, at) => said.some(({ first, last }) => at >= first && at < last));
  for (let at = isUsed.length - 1; at >= 0; at--) {
    const isJoint = JOINTS.has(keyAt(spoken, at)) && !isVietnamese(spoken, at, "tôi");
    if (isUsed[at] !== true && isJoint && isUsed[at + 1] === true) isUsed[at] = true;
  }
  let rest = "";
  let from = 0;
  for (const [at, { start, end }] of spoken.words.entries()) {
    if (isUsed[at] !== true) continue;
    rest += `${spoken.text.slice(from, start)} `;
    from = end;
  }
  return tidy(`${rest}${spoken.text.slice(from)}`);
}

const given = <T>(said: SaidTime<T> | undefined): readonly SaidTime<T>[] => (said === undefined ? [] : [said]);

/** On one line, without punctuation that nothing stands before. */
function tidy(text: string): string {
  const words = text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
  const first = words[0]?.replace(/^[,;:.\-–]+/, "") ?? "";
  const last = words.length > 1 ? [words.at(-1)?.replace(/[,;:\-–]+$/, "") ?? ""] : [];
  return [first, ...words.slice(1, -1), ...last].join(" ").trim();
}
