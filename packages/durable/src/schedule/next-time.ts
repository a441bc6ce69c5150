/**
 * Next time: when a schedule is due next, by its cron in its time zone, by its interval or at its one time.
 *
 * A local time that the clocks skip is due right after the gap, one that comes twice is due the first time; but a cron
 * with several hours or minutes goes by the clock: it is due at each local time that exists, as often as that comes.
 */
import { BatonError } from "@baton/core";
import { toMessage } from "@baton/core/util";
import { Cron } from "croner";

/** When a schedule is due: by five fields of cron in a zone such as `Asia/Ho_Chi_Minh`, again and again, or once. */
export type ScheduleWhen =
  | Readonly<{ cron: string; timeZone: string }>
  | Readonly<{ everyMs: number }>
  | Readonly<{ at: number }>;

type CronWhen = Extract<ScheduleWhen, { cron: string }>;

/** A time at which a schedule is due, and how many times that were due before it were passed over. */
export type DueTime = Readonly<{ at: number; missed: number }>;

const FIELDS = 5;
const MAX_CRON_CHARS = 256;
const LEAST_EVERY_MS = 1_000;
const MOST_EVERY_MS = 366 * 86_400_000;
/** The latest time that a `Date` can hold. */
const LAST_TIME = 8.64e15;
/** More are not counted. */
const MAX_MISSED = 1_000;

/** The first time after `after` at which it is due; undefined if there is none. Throws `invalid` if it cannot be read. */
export function nextTime(when: ScheduleWhen, after: number): number | undefined {
  if ("cron" in when) return nextOfCron(when, after);
  if ("at" in when) return toAt(when.at) > after ? when.at : undefined;
  return after + toEvery(when.everyMs);
}

/**
 * Croner takes the 30th of February for the 2nd of March and passes over the 1st: a time it finds beyond the end of a
 * month is looked for again from the start of the next month.
 */
function nextOfCron(when: CronWhen, after: number): number | undefined {
  const cron = toCron(when);
  const months = toCron({ ...when, cron: "0 0 1 * *" });
  for (let from = after, month = months.nextRun(new Date(after)); ; month = months.nextRun(month)) {
    const found = cron.nextRun(new Date(from));
    if (found === null || month === null || found < month) return found?.getTime();
    from = month.getTime() - 1;
  }
}

/** Of the times from `first`, at which it is due, up to `now`: the newest, and how many others there are (at most 1,000). */
export function newestTime(when: ScheduleWhen, first: number, now: number): DueTime {
  if ("everyMs" in when) {
    const missed = Math.floor((now - first) / toEvery(when.everyMs));
    return { at: first + missed * when.everyMs, missed: Math.min(missed, MAX_MISSED) };
  }
  let at = first;
  for (let missed = 0; missed < MAX_MISSED; missed++) {
    const next = nextTime(when, at);
    if (next === undefined || next > now) return { at, missed };
    at = next;
  }
  return { at: "cron" in when ? newestBefore(when, now) : at, missed: MAX_MISSED };
}

function newestBefore(when: CronWhen, now: number): number {
  const [found] = toCron(when).previousRuns(1, new Date(now));
  let newest = found?.getTime() ?? now;
  for (let next = nextTime(when, newest); next !== undefined && next <= now; next = nextTime(when, newest))
    newest = next;
  return newest;
}

/** Croner only calculates here: it starts nothing. */
function toCron({ cron, timeZone }: CronWhen): Cron {
  checkZone(timeZone);
  const fields = cron.length > MAX_CRON_CHARS ? [] : cron.split(/\s/).filter((field) => field !== "");
  const pattern = fields.join(" ");
  // With a colon or an @ it would be read as something else than five fields.
  if (fields.length !== FIELDS || /[:@]/.test(pattern)) throw notCron(cron, "it does not have five fields");
  try {
    return new Cron(pattern, { timezone: timeZone, mode: "5-part", paused: true });
  } catch (error) {
    throw notCron(cron, toMessage(error).replace("CronPattern: ", "").replace(/\.$/, ""));
  }
}

function notCron(cron: string, why: string): BatonError {
  const shown = cron.slice(0, 64);
  const fix = 'write minute, hour, day of month, month and day of week, as "30 8 * * 1-5"';
  return new BatonError("invalid", `the cron "${shown}" is not valid: ${why}; ${fix}`);
}

function checkZone(timeZone: string): void {
  try {
    Intl.DateTimeFormat("en", { timeZone }).resolvedOptions();
  } catch {
    const fix = "write a name such as Asia/Ho_Chi_Minh, Europe/London or UTC";
    throw new BatonError("invalid", `there is no time zone "${timeZone.slice(0, 64)}"; ${fix}`);
  }
}

function toEvery(everyMs: number): number {
  if (Number.isInteger(everyMs) && everyMs >= LEAST_EVERY_MS && everyMs <= MOST_EVERY_MS) return everyMs;
  throw new BatonError("invalid", `everyMs is ${everyMs}; it must be a whole number from 1,000 (a second) to 366 days`);
}

function toAt(at: number): number {
  if (Number.isInteger(at) && Math.abs(at) <= LAST_TIME) return at;
  throw new BatonError("invalid", `at is ${at}; it must be a time in whole milliseconds since 1970`);
}
