/**
 * List alerts: everything the user has set: alerts, the watchlist and schedules.
 */
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import type { Schedule } from "@baton/durable";
import { defineMarketTool } from "../frame/market-tool.ts";
import type { WatchLanguage } from "./own-provenance.ts";
import { describeCron } from "./cron-text.ts";
import { loadWatches, loadWatchlist } from "./saved-watches.ts";
import { languageOf, ownProvenance } from "./own-provenance.ts";
import { toLevelFigures, toShown } from "./set-alert.ts";
import { toLocalTime } from "../shared/time-zone.ts";

/** A schedule as results show it; `next_at` is in its zone. */
export type ShownSchedule = ReturnType<typeof toShownSchedule>;

/** Lists what the user has set. */
export const listAlertsTool = defineMarketTool({
  name: "listAlerts",
  category: "beyond",
  description: "The user's alerts, watchlist and schedules, with their ids.",
  ttlMs: 0,
  isOfUser: true,
  input: z.strictObject({}),
  run: async (_input, { context }) => {
    const { documents } = context;
    const language = languageOf(context);
    const [kept, watchlist] = await Promise.all([loadWatches(documents), loadWatchlist(documents)]);
    const alerts = kept.alerts.map(({ alert }) => toShown({ ...alert, language }));
    const schedules = kept.schedules.map((schedule) => toShownSchedule(schedule, language));
    const isEmpty = alerts.length + watchlist.length + schedules.length === 0;
    const message = omitUndefined({ message: isEmpty ? NOTHING[language] : undefined });
    return { data: { alerts, watchlist, schedules, ...message }, provenance: ownProvenance(context) };
  },
  figures: ({ alerts }) => alerts.flatMap((alert, at) => toLevelFigures(`data.alerts[${at}]`, alert)),
  describe: ({ alerts, watchlist, schedules, message }) => [
    ...(message === undefined ? [] : [message]),
    ...alerts.map(({ id, text }) => `alert ${id}: ${text}`),
    ...(watchlist.length === 0 ? [] : [`watchlist: ${watchlist.map(({ symbol }) => symbol).join(", ")}`]),
    ...schedules.map(({ id, text, ask }) => `schedule ${id}: ${text}: ${ask}`),
  ],
});

const NOTHING: Readonly<Record<WatchLanguage, string>> = {
  en: "There are no alerts, no schedules and no symbols on the watchlist.",
  vi: "Chưa có cảnh báo, lịch hẹn hay mã theo dõi nào.",
};

/** Converts a schedule to the form that results show. */
export function toShownSchedule({ name, when, input, nextAt }: Schedule, language: WatchLanguage) {
  const timeZone = "cron" in when ? when.timeZone : "UTC";
  const time = { id: name, time_zone: timeZone, ask: input, next_at: toLocalTime(nextAt, timeZone) };
  if ("cron" in when) return { ...time, cron: when.cron, text: describeCron(when.cron, { language, timeZone }) };
  const once = { en: `once, at ${time.next_at}`, vi: `một lần, lúc ${time.next_at}` };
  if ("at" in when) return { ...time, text: once[language] };
  const seconds = Math.round(when.everyMs / 1_000);
  return { ...time, text: { en: `every ${seconds} seconds`, vi: `mỗi ${seconds} giây` }[language] };
}
