/**
 * Schedules table: the schedules of a store, one a line.
 */
import type { StoredSchedule, Schedule } from "@baton/durable";
import { type Owner, toShortId } from "@baton/store";
import type { Line } from "../terminal/styled-line.ts";
import { formatAge } from "./number-text.ts";
import { toTableLines } from "./table.ts";

const TITLES = ["name", "owner", "crew", "next", "last run", "input"] as const;
const SECOND_MS = 1_000;

/** The titles, and a line for each schedule. */
export function toScheduleLines(
  schedules: readonly StoredSchedule[],
  { now, width }: { readonly now: number; readonly width: number },
): readonly Line[] {
  const rows = schedules.map(({ owner, name, schedule, problem }) => ({
    cells: [name, toOwnerText(owner), ...(schedule === undefined ? ["", "", "", problem] : toCells(schedule, now))],
    isInactive: schedule === undefined || schedule.problem !== undefined,
  }));
  return toTableLines(TITLES, rows, { width });
}

/** The owner as `user` or `tenant/user`. */
export function toOwnerText({ tenant, user }: Owner): string {
  return tenant === user ? user : `${tenant}/${user}`;
}

/** A time in the time zone of its schedule: `2025-01-02 08:30 Asia/Ho_Chi_Minh`. */
export function toZonedText(at: number, { when }: Pick<Schedule, "when">): string {
  const timeZone = "cron" in when ? when.timeZone : "UTC";
  const time = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "short" });
  return `${time.format(at)} ${timeZone}`;
}

function toCells(schedule: Schedule, now: number): readonly string[] {
  const { crew, nextAt, lastAt, lastRun, problem, input } = schedule;
  const last = lastRun === undefined || lastAt === undefined ? "none" : `${toShortId(lastRun)} ${toAgo(now - lastAt)}`;
  const text = problem === undefined ? input : `${input} (${problem})`;
  return [crew, nextAt <= now ? "now" : toZonedText(nextAt, schedule), last, text];
}

function toAgo(ms: number): string {
  return ms < SECOND_MS ? "now" : `${formatAge(ms)} ago`;
}
