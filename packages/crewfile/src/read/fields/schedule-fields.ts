/**
 * Schedule fields: `schedules` of crew.yaml, each with a cron and a time zone that can be calculated with.
 */
import type { CrewSchedule } from "@baton/core/ports";
import { omitUndefined } from "@baton/core/util";
import { Cron } from "croner";
import { report, type Cursor } from "../yaml/cursor.ts";
import { Fields } from "./fields.ts";

const PARTS = 5;
const MAX_CRON_CHARS = 256;
const SESSION = /^[a-zA-Z0-9_-]{1,128}$/;
/** Names of today that the list of the platform may have under older ones. */
const RENAMED = ["UTC", "Asia/Ho_Chi_Minh", "Asia/Kolkata", "Europe/Kyiv"];
const CRON_FIX = 'write minute, hour, day of month, month and day of week, as "30 8 * * 1-5"';

/** A schedule; what is wrong with it is reported at its place. */
export function readScheduleFields(cursor: Cursor): CrewSchedule {
  const fields = new Fields(cursor);
  const schedule = {
    name: fields.required("name", "as lists and logs show it") ?? "",
    cron: fields.required("cron", 'such as "30 8 * * 1-5"') ?? "",
    timeZone: fields.required("time_zone", "such as Asia/Ho_Chi_Minh or UTC") ?? "",
    input: fields.required("input", "what its runs are asked") ?? "",
    ...omitUndefined({ session: fields.text("session") || undefined }),
  };
  const zone = fields.get("time_zone");
  const isZone = schedule.timeZone === "" || isTimeZone(schedule.timeZone);
  if (zone !== undefined && !isZone) reportZone(zone, schedule.timeZone);
  const cron = fields.get("cron");
  if (cron !== undefined && schedule.cron !== "") checkCron(cron, schedule.cron, isZone ? schedule.timeZone : "");
  const session = fields.get("session");
  if (session !== undefined && schedule.session !== undefined && !SESSION.test(schedule.session))
    report(session, {
      code: "invalid_session",
      message: `\`${schedule.session.slice(0, 60)}\` is not a session`,
      fix: "write 1 to 128 letters, digits, _ and -",
    });
  fields.end();
  return schedule;
}

function isTimeZone(timeZone: string): boolean {
  try {
    return Intl.DateTimeFormat("en", { timeZone }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

function reportZone(cursor: Cursor, timeZone: string): void {
  const near = cursor.source.nearest(timeZone, new Set([...Intl.supportedValuesOf("timeZone"), ...RENAMED]));
  report(cursor, {
    code: "invalid_time_zone",
    message: `there is no time zone \`${timeZone.slice(0, 60)}\``,
    fix:
      near === undefined ? "write a name such as Asia/Ho_Chi_Minh, Europe/London or UTC" : `did you mean \`${near}\`?`,
  });
}

function checkCron(cursor: Cursor, cron: string, timeZone: string): void {
  const problem = findProblem(cron, timeZone);
  if (problem === undefined) return;
  const message = `the cron \`${cron.slice(0, 60)}\` ${problem}`;
  report(cursor, { code: "invalid_cron", message, fix: CRON_FIX });
}

/** Croner only calculates here: it starts nothing. */
function findProblem(cron: string, timeZone: string): string | undefined {
  const parts = cron.length > MAX_CRON_CHARS ? [] : cron.split(/\s/).filter((part) => part !== "");
  const pattern = parts.join(" ");
  // With a colon or an @ it would be read as something other than five fields.
  if (parts.length !== PARTS || /[:@]/.test(pattern)) return "does not have five fields";
  try {
    const calendar = new Cron(pattern, { timezone: timeZone, mode: "5-part", paused: true });
    return calendar.nextRun(new Date(0)) === null ? "is never due: no year has such a day" : undefined;
  } catch (error) {
    const why = error instanceof Error ? error.message : "";
    return `is not valid: ${why.replace("CronPattern: ", "").replace(/\.$/, "")}`;
  }
}
