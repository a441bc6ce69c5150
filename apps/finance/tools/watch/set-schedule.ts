/**
 * Set schedule: asks a question for the user again and again, at times in the user's time zone, in the conversation in
 * which it was set.
 */
import { createHash } from "node:crypto";
import { BatonError, type CallContext, ToolError } from "@baton/core";
import type { NewDocument } from "@baton/core/ports";
import { omitUndefined } from "@baton/core/util";
import { type NewSchedule, readSchedule, SCHEDULES, toScheduleDocument } from "@baton/durable";
import { z } from "zod";
import { defineMarketTool } from "../frame/market-tool.ts";
import { CREW, isConflict, loadWatches, MAX_SCHEDULES } from "./saved-watches.ts";
import { type ShownSchedule, toShownSchedule } from "./list-alerts.ts";
import { languageOf, ownProvenance } from "./own-provenance.ts";
import { isTimeZone } from "../shared/time-zone.ts";

const MAX_ASK_CHARS = 1_000;

/** Sets a schedule. */
export const setScheduleTool = defineMarketTool({
  name: "setSchedule",
  wish: { want: "set_schedule", from: ["ask"] },
  category: "beyond",
  description:
    "Asks a question again and again at certain times, such as a brief every weekday at 08:30. Only if the user asks for it.",
  effect: "idempotent",
  ttlMs: 0,
  input: z.strictObject({
    cron: z
      .string()
      .trim()
      .min(9)
      .max(100)
      .describe("Five fields: minute, hour, day of month, month, day of week; 30 8 * * 1-5 is 08:30 on weekdays"),
    time_zone: z
      .string()
      .trim()
      .max(64)
      .refine(isTimeZone, { error: "not a time zone; use an IANA name such as Asia/Ho_Chi_Minh" })
      .optional()
      .describe("IANA name such as Asia/Ho_Chi_Minh; by default the user's, if it is known, else UTC"),
    ask: z.string().trim().min(1).max(MAX_ASK_CHARS).describe("What is asked each time, as the user would ask it"),
  }),
  run: async ({ cron, time_zone, ask }, { context }) => {
    const language = languageOf(context);
    const known = time_zone ?? (await knownZone(context));
    const timeZone = known ?? "UTC";
    const { document, isNew } = await keep(toSchedule({ cron, timeZone, ask }, context), context);
    const shown = toShownSchedule(document, language);
    const is_zone_assumed = known === undefined;
    const message = toMessage(shown, { language, isNew, is_zone_assumed });
    return { data: { ...shown, is_zone_assumed, is_new: isNew, message }, provenance: ownProvenance(context) };
  },
  figures: () => [],
  describe: ({ message, id }) => [message, `id: ${id}`],
});

type Timed = Readonly<{ cron: string; timeZone: string; ask: string }>;

function toSchedule({ cron, timeZone, ask }: Timed, context: CallContext): NewSchedule {
  const fields = cron.split(/\s+/).join(" ");
  const hash = createHash("sha256")
    .update(JSON.stringify([fields, timeZone, ask]))
    .digest("hex")
    .slice(0, 16);
  return {
    name: `schedule:${hash}`,
    crew: CREW,
    input: ask,
    options: { response_language: languageOf(context), scheduled_by: context.key },
    when: { cron: fields, timeZone },
    origin: "user",
    ...omitUndefined({ session: context.session }),
  };
}

/** Writes the schedule, unless there is the same. */
async function keep(schedule: NewSchedule, { documents, scope, key }: CallContext) {
  const existing = await documents.get(SCHEDULES, schedule.name);
  if (existing !== undefined) {
    const document = readSchedule(existing);
    return { document, isNew: document.options?.["scheduled_by"] === key };
  }
  const { schedules } = await loadWatches(documents);
  if (schedules.length >= MAX_SCHEDULES) {
    const count = `there are ${schedules.length} schedules, and ${MAX_SCHEDULES} are allowed`;
    throw new ToolError("permanent", `${count}: remove some first`);
  }
  const document = toDocument(schedule, scope.clock.now());
  try {
    return { document: readSchedule(await documents.put(SCHEDULES, { ...document, version: 0 })), isNew: true };
  } catch (thrown) {
    const other = isConflict(thrown) ? await documents.get(SCHEDULES, schedule.name) : undefined;
    if (other === undefined) throw thrown;
    return { document: readSchedule(other), isNew: false };
  }
}

/** Builds the document of a schedule; an error in its times is told to the caller. */
function toDocument(schedule: NewSchedule, now: number): NewDocument {
  try {
    return toScheduleDocument(schedule, now);
  } catch (thrown) {
    if (thrown instanceof BatonError && thrown.code === "invalid") throw new ToolError("validation", thrown.message);
    throw thrown;
  }
}

const CORE = z.object({ human: z.array(z.object({ key: z.string().optional(), text: z.string() })) });

/** The zone that the user's memory has under `time_zone`. */
async function knownZone({ documents }: CallContext): Promise<string | undefined> {
  const { data } = CORE.safeParse((await documents.get("memory_core", "core"))?.data);
  const text = data?.human.find(({ key }) => key === "time_zone")?.text;
  if (text === undefined) return undefined;
  return text.split(/\s+/).find((word) => word.includes("/") && isTimeZone(word));
}

type Said = Readonly<{ language: "en" | "vi"; isNew: boolean; is_zone_assumed: boolean }>;

function toMessage({ text, ask, next_at }: ShownSchedule, { language, isNew, is_zone_assumed }: Said): string {
  if (language === "vi") {
    const zone = is_zone_assumed ? " Chưa biết múi giờ của bạn nên dùng UTC." : "";
    return `${isNew ? "Đã đặt lịch" : "Lịch này đã được đặt trước đó"}: ${text}: ${ask}. Lần tới: ${next_at}.${zone}`;
  }
  const zone = is_zone_assumed ? " Your time zone is not known, so it is UTC." : "";
  return `${isNew ? "Scheduled" : "This was scheduled before"}: ${text}: ${ask}. Next: ${next_at}.${zone}`;
}
