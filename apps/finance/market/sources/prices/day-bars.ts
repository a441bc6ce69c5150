/**
 * Day bars: what sources of daily prices share: windows, the answer's time, and a quote made of the last days.
 */
import { omitUndefined } from "@baton/core/util";
import { type Bars, sliceBars } from "../../port/bars.ts";
import type { Listing } from "../../port/listing.ts";
import type { BarsQuery, Day, Quote } from "../../port/market-data.ts";
import { MarketError } from "../../port/market-error.ts";
import { type SourceCandle, toBars } from "../candles.ts";
import { fromEastern } from "../eastern.ts";
import { addDays, toSeconds, utcDay } from "../economy/periods.ts";

type Wanted = Pick<BarsQuery, "from" | "to" | "limit">;

/** The days to ask a source for: a window, or one early enough to have `limit` trading days; all if nothing is said. */
export function toSpan({ from, to, limit }: Wanted, now: number): Readonly<{ start: Day; end: Day }> {
  const end = to ?? addDays(utcDay(now), 1);
  const start = from ?? (limit === undefined ? "1970-01-01" : addDays(end, -(Math.ceil(limit * 1.6) + 20)));
  return { start, end };
}

type Found = Readonly<{ source: string; listing: Listing; query: Wanted }>;

/** Columns within the window, with a note about what is left out; none at all is `no_data`. */
export function toDayBars(candles: readonly SourceCandle[], { source, listing, query }: Found) {
  const { from, to, limit } = query;
  const isWithin = (t: number) =>
    (from === undefined || t >= toSeconds(from)) && (to === undefined || t <= toSeconds(to));
  const within = candles.filter(({ t }) => t === undefined || isWithin(t));
  const count = from === undefined ? limit : undefined;
  const { bars, dropped } = toBars(within, { limit: count, hasVolume: listing.type !== "index" });
  const last = bars.t.at(-1);
  if (last === undefined) {
    const window = from === undefined && to === undefined ? "" : ` from ${from ?? "the first day"} to ${to ?? "today"}`;
    const message = `${source} has no trading days of ${listing.symbol}${window}`;
    throw new MarketError("no_data", message, { symbol: listing.symbol });
  }
  const note = dropped === 0 ? undefined : `${dropped} days without complete prices are left out`;
  return { bars, last, note };
}

const VIETNAM: ReadonlySet<string> = new Set(["HOSE", "HNX", "UPCOM"]);

/** Whether a listing is one of Vietnam's exchanges. */
export const isVietnamese = ({ exchange }: Pick<Listing, "exchange">): boolean => VIETNAM.has(exchange);

/** When the exchange of a listing closes on the day that begins at a time in UTC seconds; in ms since 1970. */
export function toDayClose(seconds: number, listing: Listing): number | undefined {
  const day = utcDay(seconds * 1_000);
  return isVietnamese(listing) ? Date.parse(`${day}T15:00:00+07:00`) : fromEastern(`${day} 16:00:00`);
}

/** The last day as a quote, with the change from the day before. */
export function toDayQuote(bars: Bars): Quote {
  const { o, h, l, c, v } = sliceBars(bars, Math.max(0, bars.t.length - 2));
  const price = c.at(-1);
  if (price === undefined) throw new MarketError("no_data", "there is no day with a price");
  const previousClose = c.length > 1 ? c[0] : undefined;
  const rest = { open: o.at(-1), dayHigh: h.at(-1), dayLow: l.at(-1), volume: v.at(-1), previousClose };
  return { price, ...omitUndefined({ ...rest, ...changeFrom(price, previousClose) }) };
}

/** Change and percent; absent without a previous close. */
export function changeFrom(price: number, previousClose: number | undefined) {
  if (previousClose === undefined || previousClose <= 0) return {};
  return {
    change: Number((price - previousClose).toPrecision(12)),
    changePercent: (price / previousClose - 1) * 100,
  };
}

/** `no_data` for a listing that a source does not have. */
export const notListed = (source: string, { symbol }: Listing): MarketError =>
  new MarketError("no_data", `${source} does not have ${symbol}`, { symbol, isOutside: true });
