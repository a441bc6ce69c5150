/**
 * Cron text: a cron expression as people say it, in English or Vietnamese; one that nobody says stays as it is.
 */
import type { WatchLanguage } from "./own-provenance.ts";
import { say } from "./say.ts";

/** Language and time zone in which a schedule is shown. */
export type CronShown = Readonly<{ language: WatchLanguage; timeZone?: string }>;

/** A cron expression in words: `every weekday at 08:30, Asia/Ho_Chi_Minh`. */
export function describeCron(cron: string, { language, timeZone }: CronShown): string {
  const [minute = "", hour = "", day = "", month = "", weekday = "", ...more] = cron.trim().split(/\s+/);
  const zone = timeZone === undefined ? "" : `, ${timeZone}`;
  const said = more.length > 0 ? undefined : inWords(language, { minute, hour, day, month, weekday });
  return `${said ?? say(language, "cron", { cron: cron.trim() })}${zone}`;
}

type Fields = Readonly<Record<"minute" | "hour" | "day" | "month" | "weekday", string>>;

function inWords(language: WatchLanguage, fields: Fields): string | undefined {
  const days = daysOf(language, fields);
  const rhythm = rhythmOf(language, fields);
  if (rhythm !== undefined && (fields.day !== "*" || days === undefined)) return undefined;
  if (rhythm !== undefined) return days === say(language, "cron.every_day") ? rhythm : `${rhythm}, ${days}`;
  const clock = clockOf(language, fields);
  return days === undefined || clock === undefined ? undefined : `${days} ${clock}`;
}

/** `every 15 minutes`, `every hour from 10:00 to 16:00`. */
function rhythmOf(language: WatchLanguage, { minute, hour }: Fields): string | undefined {
  const [, from = "", to = ""] = /^(\d{1,2})-(\d{1,2})(?:\/\d+)?$/.exec(hour) ?? [];
  const hoursOfDay = { from: toClock(Number(from), 0), to: toClock(Number(to), 0) };
  const range = from === "" ? "" : say(language, "cron.range", hoursOfDay);
  const isAnyHour = hour === "*" || (range !== "" && !hour.includes("/"));
  const every = (unit: string, count: number) =>
    `${say(language, count === 1 ? `cron.${unit}` : `cron.${unit}s`, { count })}${range}`;
  const minutes = minute === "*" ? 1 : stepOf(minute);
  if (minutes !== undefined) return isAnyHour ? every("minute", minutes) : undefined;
  const hours = isAnyHour ? 1 : stepOf(hour);
  return minute === "0" && hours !== undefined ? every("hour", hours) : undefined;
}

/** The step of a whole range: `*\/15`, `9-16/2`. */
function stepOf(field: string): number | undefined {
  return toNumbers(/^(?:\*|\d{1,2}-\d{1,2})\/(\d{1,2})$/.exec(field)?.[1] ?? "", [1, 59])?.[0];
}

const toClock = (hour: number, minute: number): string =>
  `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`;

function clockOf(language: WatchLanguage, { minute, hour }: Fields): string | undefined {
  const [at] = toNumbers(minute, [0, 59]) ?? [];
  const hours = toNumbers(hour, [0, 23]);
  if (at === undefined || minute.includes(",") || hours === undefined) return undefined;
  const times = hours.map((value) => toClock(value, at));
  return say(language, "cron.at", { times: join(times, language) });
}

function daysOf(language: WatchLanguage, { day, month, weekday }: Fields): string | undefined {
  if (day === "*" && month === "*") return weekdaysOf(language, weekday);
  if (weekday !== "*" || (month !== "*" && month !== "1,4,7,10")) return undefined;
  const numbers = day === "L" ? [] : toNumbers(day, [1, 31]);
  if (numbers === undefined) return undefined;
  const ordinals = numbers.map((number) => (language === "en" ? `${number}${toSuffix(number)}` : `${number}`));
  const days = day === "L" ? say(language, "cron.last_day") : join(ordinals, language);
  return say(language, month === "*" ? "cron.month" : "cron.quarter", { days });
}

const SETS: ReadonlyMap<string, string> = new Map([
  ["*", "cron.every_day"],
  ["1-5", "cron.weekdays"],
  ["0,6", "cron.weekend"],
]);

function weekdaysOf(language: WatchLanguage, weekday: string): string | undefined {
  const set = SETS.get(weekday);
  if (set !== undefined) return say(language, set);
  const nameOf = (at: number | string) => say(language, `weekday.${at}`);
  const [, name = "", nth = ""] = /^([0-6])#([1-4L])$/.exec(weekday) ?? [];
  if (name !== "") return say(language, `cron.nth.${nth}`, { day: nameOf(name) });
  const days = toNumbers(weekday, [0, 6]);
  return days && say(language, "cron.days", { days: join(days.map(nameOf), language) });
}

/** The numbers of a list, if all are within the bounds. */
function toNumbers(field: string, [least, most]: readonly [number, number]): readonly number[] | undefined {
  const parts = field.split(",");
  if (!parts.every((part) => /^\d{1,2}$/.test(part) && Number(part) >= least && Number(part) <= most)) return undefined;
  return parts.map(Number);
}

function join(items: readonly string[], language: WatchLanguage): string {
  const last = items.at(-1) ?? "";
  return items.length < 2 ? last : `${items.slice(0, -1).join(", ")} ${say(language, "and")} ${last}`;
}

function toSuffix(day: number): string {
  if (day >= 11 && day <= 13) return "th";
  return ["th", "st", "nd", "rd"][day % 10] ?? "th";
}
