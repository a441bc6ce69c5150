/**
 * Schedule fields: `schedules` of crew.yaml.
 */
import type { CrewSchedule } from "@baton/core/ports";
import { omitUndefined } from "@baton/core/util";
import type { Cursor } from "../yaml/cursor.ts";
import { Fields } from "./fields.ts";

/** A schedule; whether it can be calculated with is checked with the crew. */
export function readScheduleFields(cursor: Cursor): CrewSchedule {
  const fields = new Fields(cursor);
  const schedule = {
    name: fields.required("name", "as lists and logs show it") ?? "",
    cron: fields.required("cron", 'such as "30 8 * * 1-5"') ?? "",
    timeZone: fields.required("time_zone", "such as Asia/Ho_Chi_Minh or UTC") ?? "",
    input: fields.required("input", "what its runs are asked") ?? "",
    ...omitUndefined({ session: fields.text("session") || undefined }),
  };
  fields.end();
  return schedule;
}
