/**
 * Historical price: prices by day over a window, and the change over it.
 */
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import { sliceBars } from "../../market/port/bars.ts";
import type { Listing } from "../../market/port/listing.ts";
import { MarketError } from "../../market/port/market-error.ts";
import { Day, limitOf } from "../frame/arguments.ts";
import { defineListingTool } from "../frame/listing-tool.ts";
import type { MarketContext } from "../frame/market-tool.ts";
import { SECURITIES_AND_COINS } from "../frame/require-listing.ts";
import { toPriceChange } from "../../market/port/returns.ts";
import { tradingDays } from "../../market/port/market-hours.ts";
import { addDays, daysFrom } from "../shared/calendar-day.ts";
import { type DailyBars, loadDaily, toDay } from "../shared/daily.ts";
import { cite } from "../shared/figures.ts";
import { CLOSE_INTERVALS, type History, toCited, toHistory, toSummary } from "./history.ts";
import { citeChanges, loadChanges, type SpanChange, toSpanChanges } from "./price-change.ts";

/** More days than markets were ever closed in a row. */
const LOOK_BACK_DAYS = 12;
/** Days by which two sources of the newest prices may differ. */
const MAX_APART = 7;
/** Trading days of ten years, and some more. */
const CHANGE_BARS = 2_600;

type Priced = History & Readonly<{ changes?: readonly SpanChange[] }>;

const ADJUSTED: Readonly<Record<string, string>> = {
  none: "not adjusted",
  split: "adjusted for splits, without dividends",
  "split+dividend": "adjusted for splits and dividends (total return)",
};

/** Prices by day. */
export const historicalPriceTool = defineListingTool({
  name: "getHistoricalPrice",
  category: "price",
  description:
    "Price over a window: change in percent, first, last, highest, lowest, and some closes between; side by side for " +
    "several. Without from: changes over 1 day to 10 years and this year.",
  isCommon: true,
  chart: { type: "showStockPrice", about: "symbol" },
  of: SECURITIES_AND_COINS,
  offers: "symbols",
  input: {
    from: Day.optional().describe(
      "First day; the change counts from the close before it: 2017-01-01 for the year 2017",
    ),
    to: Day.optional().describe("Last day; default newest"),
    interval: z.enum(CLOSE_INTERVALS).optional().describe("Of the closes shown; default month"),
    limit: limitOf(250, 5_000).describe("Daily rows kept for a chart; default 250"),
    adjust: z.boolean().default(true).describe("Adjust for splits; default true"),
  },
  ttlMs: 15 * 60_000,
  run: async (
    listing,
    { from, to, interval, limit, adjust },
    asked,
  ): Promise<{ data: Priced; provenance: DailyAnswer["provenance"] }> => {
    const { data: bars, provenance } = await loadWindow(asked, {
      listing,
      from,
      to,
      limit,
      adjust: adjust ? "split" : "none",
    });
    const first = from === undefined ? 0 : firstIn(bars, from);
    if (first >= bars.t.length) throw noBars(listing, bars);
    const isBase = from !== undefined && isMonthEnd(toDay(bars.t[first] ?? 0), from);
    const before = first === 0 || isBase ? undefined : { t: bars.t[first - 1] ?? 0, close: bars.c[first - 1] ?? NaN };
    const window = { listing: { ...listing, currency: bars.currency }, bars: sliceBars(bars, first), limit, interval };
    const history = toHistory({ ...window, ...(before && { base: before }) });
    const isNewest = from === undefined && to === undefined;
    const changes = isNewest ? await loadNewestChanges(asked, listing, history.period.end) : undefined;
    return { data: { ...history, ...omitUndefined({ changes }) }, provenance };
  },
  figures: (data) => [...cite(data, toCited(data)), ...citeChanges(data, data.changes ?? [])],
  brief: (data) => [...cite(data, toSummary(data)), ...citeChanges(data, data.changes ?? [])],
  digest: ({ type }, { adjust }) => ({
    shared: [type === "index" ? "without dividends" : (ADJUSTED[adjust ?? ""] ?? "price without dividends")],
    isCompact: true,
  }),
});

/** Changes up to the last bar: those of a source, or from longer bars if the source's prices are newer than the bars. */
async function loadNewestChanges(asked: MarketContext, listing: Listing, end: string) {
  const told = await loadChanges(asked, listing).catch(orNone);
  const isOne = told?.data.every(({ period }) => Math.abs(daysFrom(period.end, end)) <= MAX_APART);
  if (told !== undefined && isOne === true) return told.data;
  const bars = await loadDaily(asked, { listing, limit: CHANGE_BARS }).catch(orNone);
  return bars === undefined ? undefined : toSpanChanges(toPriceChange(bars.data), end);
}

type DailyAnswer = Awaited<ReturnType<typeof loadDaily>>;

interface WindowQuery {
  readonly listing: Listing;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly limit: number;
  readonly adjust: "split" | "none";
}

/** The bars of a window with some before it; the window as it was asked for, if these are missing. */
function loadWindow(asked: MarketContext, { listing, from, to, limit, adjust }: WindowQuery): Promise<DailyAnswer> {
  if (from === undefined) return loadDaily(asked, { listing, adjust, limit, ...omitUndefined({ to }) });
  const end = omitUndefined({ to });
  return loadDaily(asked, { listing, adjust, from: addDays(from, -LOOK_BACK_DAYS), ...end });
}

const firstIn = ({ t }: DailyBars, from: string): number => {
  const found = t.findIndex((at) => toDay(at) >= from);
  return found === -1 ? t.length : found;
};

/** A window that is said to begin on the last trading day of a month begins with that day's close. */
function isMonthEnd(first: string, from: string): boolean {
  if (first !== from) return false;
  const [next] = tradingDays(addDays(from, 1), addDays(from, LOOK_BACK_DAYS));
  return next !== undefined && next.slice(0, 7) !== from.slice(0, 7);
}

function noBars({ symbol }: Listing, { t }: DailyBars): MarketError {
  const last = toDay(t.at(-1) ?? 0);
  return new MarketError("no_data", `there are no daily prices of ${symbol} in that window; the last is of ${last}`, {
    symbol,
    available: `daily prices until ${last}`,
  });
}

function orNone(thrown: unknown): undefined {
  if (!(thrown instanceof MarketError)) throw thrown;
}
