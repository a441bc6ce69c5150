/**
 * Remove alert: takes back alerts and schedules of the user: one by its id, all of a symbol, or all.
 */
import { lookInto } from "@baton/core/util";
import { ToolError } from "@baton/core";
import { type Schedule, SCHEDULES } from "@baton/durable";
import { z } from "zod";
import { MarketError } from "../../market/port/market-error.ts";
import { AnySymbol } from "../frame/arguments.ts";
import { defineMarketTool, type MarketContext } from "../frame/market-tool.ts";
import { requireListing, SECURITIES_AND_COINS } from "../frame/require-listing.ts";
import { toSafeText } from "../shared/untrusted.ts";
import { type SavedWatches, loadWatches } from "./saved-watches.ts";
import { languageOf, ownProvenance } from "./own-provenance.ts";
import { toShownSchedule } from "./list-alerts.ts";
import { toShown } from "./set-alert.ts";

type Input = Readonly<{ id?: string | undefined; symbol?: string | undefined; all?: boolean | undefined }>;

/** Removes alerts and schedules. */
export const removeAlertTool = defineMarketTool({
  name: "removeAlert",
  wish: {
    want: "remove_alert",
    symbols: ["symbol"],
    from: ["id"],
    asksAlways: (args) => lookInto(args, "all") === true,
  },
  category: "beyond",
  description:
    "Removes alerts or schedules: one by its id, all of a symbol, or everything. Only if the user asks for that.",
  effect: "idempotent",
  ttlMs: 0,
  input: z
    .strictObject({
      id: z.string().trim().min(1).max(256).optional().describe("Of an alert or a schedule"),
      symbol: AnySymbol.optional().describe("All alerts of this symbol"),
      all: z.boolean().optional().describe("All alerts and schedules"),
    })
    .refine(
      ({ id, symbol, all }) =>
        [id, symbol, all === true ? all : undefined].filter((one) => one !== undefined).length === 1,
      {
        error: "give exactly one of id, symbol and all",
      },
    ),
  run: async (input, asked) => {
    const { context } = asked;
    const language = languageOf(context);
    const kept = await loadWatches(context.documents);
    const { alerts, schedules } = choose(kept, input, asked);
    const removed = [
      ...alerts
        .map(({ alert }) => toShown({ ...alert, language }))
        .map(({ id, kind, symbol, text }) => ({ id, kind, symbol, text })),
      ...schedules.map((schedule) => toRemovedSchedule(schedule, language)),
    ];
    if (removed.length === 0) throw noneOf(input, kept);
    for (const { id } of removed) await context.documents.delete(SCHEDULES, id);
    const left = { alerts: kept.alerts.length - alerts.length, schedules: kept.schedules.length - schedules.length };
    const message = `${{ en: "Removed", vi: "Đã xóa" }[language]}: ${removed.map(({ text }) => text).join("; ")}.`;
    return { data: { removed, left, message }, provenance: ownProvenance(context) };
  },
  figures: () => [],
  describe: ({ message }) => [message],
});

function choose(kept: SavedWatches, { id, symbol, all }: Input, { market }: MarketContext): SavedWatches {
  if (all === true) return kept;
  if (id !== undefined) {
    return {
      alerts: kept.alerts.filter(({ alert }) => alert.id === id),
      schedules: kept.schedules.filter(({ name }) => name === id),
    };
  }
  if (symbol === undefined) throw new ToolError("validation", "give one of id, symbol and all");
  const wanted = symbol.trim().toUpperCase();
  const exact = kept.alerts.filter(({ alert }) => alert.listing.symbol === wanted);
  if (exact.length > 0) return { alerts: exact, schedules: [] };
  const listing = requireListing(market, symbol, SECURITIES_AND_COINS);
  return { alerts: kept.alerts.filter(({ alert }) => alert.listing.symbol === listing.symbol), schedules: [] };
}

function toRemovedSchedule(schedule: Schedule, language: "en" | "vi") {
  const { id, text, ask } = toShownSchedule(schedule, language);
  return { id, kind: "schedule", text: `${text}: ${ask}` };
}

function noneOf({ id, symbol }: Input, { alerts, schedules }: SavedWatches): MarketError {
  const what =
    id === undefined
      ? symbol === undefined
        ? ""
        : ` on "${toSafeText(symbol, 80)}"`
      : ` with the id "${toSafeText(id, 80)}"`;
  const ids = [...alerts.map(({ alert }) => alert.id), ...schedules.map(({ name }) => name)].slice(0, 10);
  const details = ids.length === 0 ? {} : { available: ids.join(", ") };
  return new MarketError("no_data", `there is no alert or schedule${what}`, details);
}
