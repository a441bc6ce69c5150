/**
 * Schedules table: the schedules of a store as lines, one each.
 */
import { type KeptSchedule, type Owner, type Schedule, toShortId } from "@baton/store";
import { cutLine, type Line, toLine } from "../terminal/styled-line.ts";
import { toAge } from "./number-text.ts";
import { toOneLine } from "../terminal/printable.ts";
import { widthOf } from "../terminal/width.ts";

const TITLES = ["name", "owner", "crew", "next", "last run", "asks"] as const;
const GAP = "  ";
const SECOND_MS = 1_000;

/** A line of titles, and one for each schedule. */
export function toScheduleLines(
  schedules: readonly KeptSchedule[],
  { now, width }: { readonly now: number; readonly width: number },
): readonly Line[] {
  const rows = schedules.map(({ owner, name, schedule, problem }) => ({
    cells: [name, toOwnerText(owner), ...(schedule === undefined ? ["", "", "", problem] : toCells(schedule, now))],
    isDead: schedule === undefined || schedule.problem !== undefined,
  }));
  const shown = rows.map(({ cells, isDead }) => ({ cells: cells.map(toOneLine), isDead }));
  const widths = TITLES.map((title, index) =>
    Math.max(title.length, ...shown.map(({ cells }) => widthOf(cells[index] ?? ""))),
  );
  const toRow = (cells: readonly string[]) =>
    cells.map((cell, index) => cell + " ".repeat((widths[index] ?? 0) - widthOf(cell))).join(GAP);
  return [
    toLine([toRow(TITLES).trimEnd(), "dim"]),
    ...shown.map(({ cells, isDead }) => toLine([toRow(cells).trimEnd(), isDead ? "dim" : "plain"])),
  ].map((line) => cutLine(line, width));
}

/** A user of a tenant, for people. */
export function toOwnerText({ tenant, user }: Owner): string {
  return tenant === user ? user : `${tenant}/${user}`;
}

/** A time of a schedule, in its own zone: `2025-01-02 08:30 Asia/Ho_Chi_Minh`. */
export function toZonedText(at: number, { when }: Pick<Schedule, "when">): string {
  const timeZone = "cron" in when ? when.timeZone : "UTC";
  const time = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "short" });
  return `${time.format(at)} ${timeZone}`;
}

function toCells(schedule: Schedule, now: number): readonly string[] {
  const { crew, nextAt, lastAt, lastRun, problem, input } = schedule;
  const last = lastRun === undefined || lastAt === undefined ? "none" : `${toShortId(lastRun)} ${toAgo(now - lastAt)}`;
  const asks = problem === undefined ? input : `${input} (${problem})`;
  return [crew, nextAt <= now ? "now" : toZonedText(nextAt, schedule), last, asks];
}

function toAgo(ms: number): string {
  return ms < SECOND_MS ? "now" : `${toAge(ms)} ago`;
}
