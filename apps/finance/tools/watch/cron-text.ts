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
  const isDaily = fields.day === "*" && fields.month === "*";
  const [days, clock] = [isDaily ? weekdaysOf(language, fields.weekday) : undefined, clockOf(language, fields)];
  return days === undefined || clock === undefined ? undefined : `${days} ${clock}`;
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

const SETS: ReadonlyMap<string, string> = new Map([
  ["*", "cron.every_day"],
  ["1-5", "cron.weekdays"],
  ["0,6", "cron.weekend"],
]);

function weekdaysOf(language: WatchLanguage, weekday: string): string | undefined {
  const set = SETS.get(weekday);
  if (set !== undefined) return say(language, set);
  const nameOf = (at: number) => say(language, `weekday.${at}`);
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
