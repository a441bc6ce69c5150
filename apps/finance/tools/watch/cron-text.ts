/**
 * Cron text: a cron expression as people say it, in English or Vietnamese; one that nobody says stays as it is.
 *
 * What it says is read back to the same expression by `parseSpokenTime`.
 */
import type { WatchLanguage } from "./own-provenance.ts";

/** Language and time zone in which a schedule is shown. */
export type CronShown = Readonly<{ language: WatchLanguage; timeZone?: string }>;

/** A cron expression in words: `every weekday at 08:30, Asia/Ho_Chi_Minh`. */
export function describeCron(cron: string, { language, timeZone }: CronShown): string {
  const [minute = "", hour = "", day = "", month = "", weekday = "", ...more] = cron.trim().split(/\s+/);
  const words = WORDS[language];
  const zone = timeZone === undefined ? "" : `, ${timeZone}`;
  const said = more.length > 0 ? undefined : inWords(words, { minute, hour, day, month, weekday });
  return `${said ?? `${words.cron} "${cron.trim()}"`}${zone}`;
}

interface Fields {
  readonly minute: string;
  readonly hour: string;
  readonly day: string;
  readonly month: string;
  readonly weekday: string;
}

function inWords(words: Words, fields: Fields): string | undefined {
  const days = daysOf(words, fields);
  const rhythm = rhythmOf(words, fields);
  if (rhythm !== undefined && (fields.day !== "*" || days === undefined)) return undefined;
  if (rhythm !== undefined) return days === words.everyDay ? rhythm : `${rhythm}, ${days}`;
  const clock = clockOf(words, fields);
  return days === undefined || clock === undefined ? undefined : `${days} ${clock}`;
}

/** `every 15 minutes`, `every hour from 10:00 to 16:00`. */
function rhythmOf(words: Words, { minute, hour }: Fields): string | undefined {
  const [, from = "", to = ""] = /^(\d{1,2})-(\d{1,2})(?:\/\d+)?$/.exec(hour) ?? [];
  const range = from === "" ? "" : ` ${words.from} ${toClock(Number(from), 0)} ${words.to} ${toClock(Number(to), 0)}`;
  const isAnyHour = hour === "*" || (range !== "" && !hour.includes("/"));
  const minutes = minute === "*" ? 1 : stepOf(minute);
  if (minutes !== undefined) return isAnyHour ? `${words.minutes(minutes)}${range}` : undefined;
  const hours = isAnyHour ? 1 : stepOf(hour);
  return minute === "0" && hours !== undefined ? `${words.hours(hours)}${range}` : undefined;
}

/** The step of a whole range: `*\/15`, `9-16/2`. */
function stepOf(field: string): number | undefined {
  return toNumbers(/^(?:\*|\d{1,2}-\d{1,2})\/(\d{1,2})$/.exec(field)?.[1] ?? "", [1, 59])?.[0];
}

const toClock = (hour: number, minute: number): string =>
  `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`;

function clockOf(words: Words, { minute, hour }: Fields): string | undefined {
  const [at] = toNumbers(minute, [0, 59]) ?? [];
  const hours = toNumbers(hour, [0, 23]);
  if (at === undefined || minute.includes(",") || hours === undefined) return undefined;
  const times = hours.map((value) => toClock(value, at));
  return `${words.at} ${join(times, words.and)}`;
}

function daysOf(words: Words, { day, month, weekday }: Fields): string | undefined {
  if (day === "*" && month === "*") return weekday === "*" ? words.everyDay : weekdaysOf(words, weekday);
  if (weekday !== "*" || (month !== "*" && month !== "1,4,7,10")) return undefined;
  const often = month === "*" ? words.month : words.quarter;
  if (day === "L") return words.monthDay([words.lastDay], often);
  const numbers = toNumbers(day, [1, 31]);
  return numbers === undefined ? undefined : words.monthDay(numbers.map(words.ordinal), often);
}

function weekdaysOf(words: Words, weekday: string): string | undefined {
  if (weekday === "1-5") return words.weekdays;
  if (weekday === "0,6") return words.weekend;
  const [, name = "", nth = ""] = /^([0-6])#([1-4L])$/.exec(weekday) ?? [];
  if (name !== "") return words.nthWeekday(words.names[Number(name)] ?? "", nth);
  const days = toNumbers(weekday, [0, 6]);
  return days === undefined
    ? undefined
    : words.onDays(
        join(
          days.map((at) => words.names[at] ?? ""),
          words.and,
        ),
      );
}

/** The numbers of a list, if all are within the bounds. */
function toNumbers(field: string, [least, most]: readonly [number, number]): readonly number[] | undefined {
  const parts = field.split(",");
  if (!parts.every((part) => /^\d{1,2}$/.test(part) && Number(part) >= least && Number(part) <= most)) return undefined;
  return parts.map(Number);
}

function join(items: readonly string[], and: string): string {
  const last = items.at(-1) ?? "";
  return items.length < 2 ? last : `${items.slice(0, -1).join(", ")} ${and} ${last}`;
}

interface Words {
  readonly cron: string;
  readonly at: string;
  readonly from: string;
  readonly to: string;
  readonly and: string;
  readonly everyDay: string;
  readonly weekdays: string;
  readonly weekend: string;
  readonly month: string;
  readonly quarter: string;
  readonly lastDay: string;
  readonly names: readonly string[];
  readonly minutes: (count: number) => string;
  readonly hours: (count: number) => string;
  readonly ordinal: (day: number) => string;
  readonly onDays: (names: string) => string;
  readonly monthDay: (days: readonly string[], often: string) => string;
  readonly nthWeekday: (name: string, nth: string) => string;
}

const ENGLISH: Words = {
  cron: "by the cron expression",
  at: "at",
  from: "from",
  to: "to",
  and: "and",
  everyDay: "every day",
  weekdays: "every weekday",
  weekend: "every weekend",
  month: "month",
  quarter: "quarter",
  lastDay: "last day",
  names: ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"],
  minutes: (count) => (count === 1 ? "every minute" : `every ${count} minutes`),
  hours: (count) => (count === 1 ? "every hour" : `every ${count} hours`),
  ordinal: (day) => `${day}${toSuffix(day)}`,
  onDays: (names) => `every ${names}`,
  monthDay: (days, often) => `on the ${join(days, "and")} of every ${often}`,
  nthWeekday: (name, nth) => `on the ${nth === "L" ? "last" : (NTH[Number(nth)] ?? "")} ${name} of every month`,
};

const NTH = ["", "first", "second", "third", "fourth"] as const;

const VIETNAMESE: Words = {
  cron: "theo biểu thức cron",
  at: "lúc",
  from: "từ",
  to: "đến",
  and: "và",
  everyDay: "mỗi ngày",
  weekdays: "thứ hai đến thứ sáu hàng tuần",
  weekend: "cuối tuần hàng tuần",
  month: "tháng",
  quarter: "quý",
  lastDay: "cuối cùng",
  names: ["chủ nhật", "thứ hai", "thứ ba", "thứ tư", "thứ năm", "thứ sáu", "thứ bảy"],
  minutes: (count) => (count === 1 ? "mỗi phút" : `mỗi ${count} phút`),
  hours: (count) => (count === 1 ? "mỗi giờ" : `mỗi ${count} giờ`),
  ordinal: (day) => `${day}`,
  onDays: (names) => `${names} hàng tuần`,
  monthDay: (days, often) => `ngày ${join(days, "và")} hàng ${often}`,
  nthWeekday: (name, nth) =>
    `${name} ${nth === "L" ? "cuối cùng" : nth === "1" ? "đầu tiên" : `lần ${nth}`} hàng tháng`,
};

const WORDS: Readonly<Record<WatchLanguage, Words>> = { en: ENGLISH, vi: VIETNAMESE };

function toSuffix(day: number): string {
  if (day >= 11 && day <= 13) return "th";
  return ["th", "st", "nd", "rd"][day % 10] ?? "th";
}
