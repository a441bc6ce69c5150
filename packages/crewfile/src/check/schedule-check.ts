/**
 * Schedule check: crons and time zones that cannot be calculated with.
 */
import type { CrewDefinition } from "@baton/core";
import type { Finding } from "@baton/core/ports";
import { nearestWithin } from "@baton/core/util";
import { Cron } from "croner";

const PARTS = 5;
const MAX_CRON_CHARS = 256;
const MAX_SUGGESTIONS = 100;
const SESSION = /^[a-zA-Z0-9_-]{1,128}$/;
/** Names of today that the list of the platform may have under older ones. */
const RENAMED = ["UTC", "Asia/Ho_Chi_Minh", "Asia/Kolkata", "Europe/Kyiv"];
const CRON_FIX = 'write minute, hour, day of month, month and day of week, as "30 8 * * 1-5"';

/** Everything wrong with the schedules of a crew; a value that is missing is told where it is read. */
export function* checkSchedules({ schedules = [] }: Pick<CrewDefinition, "schedules">): Iterable<Finding> {
  const nearest = nearestWithin(MAX_SUGGESTIONS);
  for (const [index, { cron, timeZone, session }] of schedules.entries()) {
    const error = { severity: "error", path: ["schedules", index] } as const;
    const isZone = timeZone === "" || isTimeZone(timeZone);
    if (!isZone) {
      const near = nearest(timeZone, new Set([...Intl.supportedValuesOf("timeZone"), ...RENAMED]));
      const advice = "write a name such as Asia/Ho_Chi_Minh, Europe/London or UTC";
      yield {
        ...error,
        path: [...error.path, "timeZone"],
        code: "invalid_time_zone",
        message: `there is no time zone \`${timeZone.slice(0, 60)}\``,
        fix: near === undefined ? advice : `did you mean \`${near}\`?`,
      };
    }
    const problem = cron === "" ? undefined : findProblem(cron, isZone ? timeZone : "");
    if (problem !== undefined) {
      const message = `the cron \`${cron.slice(0, 60)}\` ${problem}`;
      yield { ...error, path: [...error.path, "cron"], code: "invalid_cron", message, fix: CRON_FIX };
    }
    if (session === undefined || SESSION.test(session)) continue;
    const message = `\`${session.slice(0, 60)}\` is not a session`;
    const fix = "write 1 to 128 letters, digits, _ and -";
    yield { ...error, path: [...error.path, "session"], code: "invalid_session", message, fix };
  }
}

function isTimeZone(timeZone: string): boolean {
  try {
    return Intl.DateTimeFormat("en", { timeZone }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
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
