/**
 * Economic calendar tool: releases of economic data, with what was expected and what came. Names are untrusted text.
 */
import type { Figure } from "@baton/assistant";
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import type { CalendarEvent, Day as DayText } from "../../market/port/market-data.ts";
import { MarketError } from "../../market/port/market-error.ts";
import { Day, isOrdered, ORDERED } from "../frame/arguments.ts";
import { addDays, daysFrom } from "../shared/calendar-day.ts";
import { citeFields } from "../shared/figures.ts";
import { defineMarketTool } from "../frame/market-tool.ts";
import { toSafeMoment, toSafeText } from "../shared/untrusted.ts";

type Impact = "Low" | "Medium" | "High";

type ShownEvent = ReturnType<typeof toShownEvent>[number];

interface CalendarInput {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly country?: string | undefined;
  readonly impact?: Impact | undefined;
}

const MAX_DAYS = 90;
const STANDARD_DAYS = 7;
const MAX_EVENTS = 200;
const RANKS: readonly (Impact | undefined)[] = ["High", "Medium", "Low", undefined];

const isShort = ({ from, to }: CalendarInput): boolean =>
  from === undefined || to === undefined || daysFrom(from, to) <= MAX_DAYS;

/** Releases of economic data. */
export const economicCalendarTool = defineMarketTool({
  name: "getEconomicCalendar",
  category: "market",
  asks: "calendar",
  description:
    "Economic releases and events by day, with previous, expected and actual values; at most 90 days at once.",
  input: z
    .strictObject({
      from: Day.optional().describe("First day, YYYY-MM-DD; default today"),
      to: Day.optional().describe("Last day, YYYY-MM-DD; default 7 days after the first; at most 90 days after it"),
      country: z
        .string()
        .trim()
        .regex(/^[A-Za-z]{2}$/, "a code of two letters")
        .optional()
        .describe("Country by its code of two letters, such as US"),
      impact: z.enum(["Low", "Medium", "High"]).optional().describe("Only events of this impact"),
    })
    .refine(isOrdered, ORDERED)
    .refine(isShort, { error: `from and to are more than ${MAX_DAYS} days apart`, path: ["to"] }),
  ttlMs: 60 * 60_000,
  run: async ({ from, to, country, impact }, { market, context: { scope } }) => {
    const period = toWindow(market.today(), { from, to });
    const code = country?.toUpperCase();
    const asked = { from: period.start, to: period.end, ...omitUndefined({ country: code, impact }) };
    const { data, provenance } = await market.calendar(asked, scope);
    const isWanted = (event: ShownEvent) =>
      (code === undefined || event.country.toUpperCase() === code) && (impact === undefined || event.impact === impact);
    const found = data.flatMap(toShownEvent).filter(isWanted);
    const events = toMostTelling(found);
    if (events.length === 0) throw new MarketError("no_data", toNone(period, [code, impact]));
    const rest = found.length > events.length ? { of: found.length } : {};
    return { data: { period, count: events.length, ...rest, events }, provenance };
  },
  figures: ({ events }) => events.flatMap(toEventFigures),
  describe: ({ events }) =>
    events.map(({ at, country, event, impact = "unknown" }) => `${at} ${country} ${event} (impact ${impact})`),
});

/** A week from today, or around the one day that is given. */
function toWindow(today: DayText, { from, to }: CalendarInput) {
  const early = to !== undefined && to < today ? addDays(to, -STANDARD_DAYS) : today;
  const start = from ?? early;
  const end = to ?? addDays(start, STANDARD_DAYS);
  const days = daysFrom(start, end);
  if (days <= MAX_DAYS) return { start, end };
  throw new MarketError("no_data", `${start} to ${end} is ${days} days; the calendar has at most ${MAX_DAYS} at once`);
}

function toShownEvent(event: CalendarEvent) {
  const at = toSafeMoment(event.at);
  const name = toSafeText(event.event, 160);
  if (at === undefined || name === "") return [];
  const { impact, actual, estimate, previous } = event;
  const unit = event.unit === "%" ? "percent" : toSafeText(event.unit ?? "", 20) || undefined;
  const rest = omitUndefined({ impact, unit, actual, estimate, previous });
  return [{ at, country: toSafeText(event.country, 20), event: name, ...rest }];
}

/** In order of time; if they are too many, those of the highest impact. */
function toMostTelling(events: readonly ShownEvent[]): readonly ShownEvent[] {
  const rank = ({ impact }: ShownEvent) => RANKS.indexOf(impact);
  const byTime = (a: ShownEvent, b: ShownEvent) => Date.parse(a.at) - Date.parse(b.at);
  const chosen = events.toSorted(byTime).toSorted((a, b) => rank(a) - rank(b));
  return chosen.slice(0, MAX_EVENTS).toSorted(byTime);
}

/** A value is in percent or in a currency; what else a source counts in is a part of the metric's name. */
function toEventFigures(shown: ShownEvent, at: number): readonly Figure[] {
  const { country, event, unit = "" } = shown;
  const isMoney = /^[A-Z]{3}$/.test(unit);
  const figureUnit = unit === "percent" ? "percent" : isMoney ? "money" : "points";
  const counted = figureUnit !== "points" || unit === "" ? "" : ` (${unit})`;
  const rows = ["actual", "estimate", "previous"].map(
    (name) => [name, figureUnit, `${event}, ${name}${counted}`] as const,
  );
  const owner = { symbol: country, currency: unit, period: { end: shown.at.slice(0, 10) } };
  return citeFields(owner, [`data.events[${at}]`, shown], rows);
}

function toNone({ start, end }: ReturnType<typeof toWindow>, narrowed: readonly (string | undefined)[]): string {
  const by = narrowed.filter((part) => part !== undefined).join(", ");
  return `there are no economic events from ${start} to ${end}${by === "" ? "" : ` for ${by}`}`;
}
