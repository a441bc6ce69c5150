/**
 * Daily: daily bars of a stock, fund, index or coin, and what results show of bars.
 */
import type { Period } from "@baton/assistant";
import { omitUndefined } from "@baton/core/util";
import { type Bars, sliceBars } from "../../market/port/bars.ts";
import type { Listing } from "../../market/port/listing.ts";
import type { Day } from "../../market/port/market-data.ts";
import { MarketError } from "../../market/port/market-error.ts";
import type { Adjust, Sourced } from "../../market/port/provenance.ts";
import { explainNone, toClosed } from "./closed-days.ts";
import type { MarketContext } from "../frame/market-tool.ts";

/** Choice of bars: a window by days, else the newest `limit` up to `to`. */
export type DailyWindow = Readonly<{ listing: Listing; from?: Day; to?: Day; limit?: number; adjust?: Adjust }>;

/** Bars and the currency of their prices, which for a coin can be another than the listing's, such as USDT. */
export interface DailyBars extends Bars {
  readonly currency: string;
}

/** The most daily bars a source of coins gives at once. */
const MAX_COIN_BARS = 1_000;

/** Daily bars, oldest first; never empty. */
export async function loadDaily(
  { market, context: { scope } }: MarketContext,
  { listing, from, to, limit, adjust = "split" }: DailyWindow,
): Promise<Sourced<DailyBars>> {
  if (listing.type !== "crypto") {
    try {
      const answer = await market.bars({ listing, adjust, ...omitUndefined({ from, to, limit }) }, scope);
      return requireBars(listing, { ...answer, data: { ...answer.data, currency: listing.currency } });
    } catch (thrown) {
      throw explainNone(thrown, () => closedFor(listing, { ...omitUndefined({ from, to }) }));
    }
  }
  const isWindow = from !== undefined || to !== undefined;
  const most = isWindow ? MAX_COIN_BARS : Math.min(limit ?? MAX_COIN_BARS, MAX_COIN_BARS);
  const { data, provenance } = await market.coinBars({ listing, interval: "1d", limit: most }, scope);
  const within = clip(data, { ...omitUndefined({ from, to }) });
  const newest = sliceBars(within, Math.max(0, within.t.length - (limit ?? within.t.length)));
  return requireBars(listing, { data: { ...newest, currency: data.currency ?? listing.currency }, provenance });
}

/** That the market of a listing was closed, for a window whose both ends are known. */
function closedFor({ symbol, currency }: Listing, { from, to }: Readonly<{ from?: Day; to?: Day }>) {
  const isWindow = from !== undefined && to !== undefined && currency === "USD";
  return isWindow ? toClosed({ from, to }, symbol) : undefined;
}

function requireBars(listing: Listing, answer: Sourced<DailyBars>): Sourced<DailyBars> {
  if (answer.data.t.length > 0) return answer;
  const { note } = answer.provenance;
  const message = `there are no daily prices of ${listing.symbol} in that window${note === undefined ? "" : `: ${note}`}`;
  throw new MarketError("no_data", message, { symbol: listing.symbol });
}

/** The bars of a window of days, both included. */
export function clip(bars: Bars, { from, to }: Readonly<{ from?: Day; to?: Day }>): Bars {
  const start = from === undefined ? 0 : bars.t.findIndex((t) => toDay(t) >= from);
  const past = to === undefined ? -1 : bars.t.findIndex((t) => toDay(t) > to);
  return sliceBars(bars, start === -1 ? bars.t.length : start, past === -1 ? bars.t.length : past);
}

/** The day of a bar. */
export const toDay = (seconds: number): Day => new Date(seconds * 1_000).toISOString().slice(0, 10);

/** From the first bar's day to the last one's. */
export function periodOf({ t }: Pick<Bars, "t">): Period {
  const end = toDay(t.at(-1) ?? 0);
  return t[0] === undefined ? { end } : { start: toDay(t[0]), end };
}

/** A bar as charts take it. */
export type Candle = Readonly<{ t: number; o: number; h: number; l: number; c: number; v: number }>;

/** The longest series a result shows. */
export const MAX_POINTS = 2_000;

/** The bars as rows; one whose prices are not numbers is left out. */
export function toCandles(bars: Bars): readonly Candle[] {
  const { t, o, h, l, c, v } = bars;
  return Array.from(t, (at, index) => ({
    t: at,
    o: o[index] ?? NaN,
    h: h[index] ?? NaN,
    l: l[index] ?? NaN,
    c: c[index] ?? NaN,
    v: v[index] ?? NaN,
  })).filter((row) => Number.isFinite(row.o + row.h + row.l + row.c));
}
