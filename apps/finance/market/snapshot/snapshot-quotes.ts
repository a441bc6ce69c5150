/**
 * Snapshot quotes: a stock as it stood on the snapshot's day, with its own P/E, EPS and yield. A last bar answers for an
 * index as long as it is a price and not history: for five years.
 */
import { omitUndefined } from "@baton/core/util";
import type { Listing } from "../port/listing.ts";
import type { Capabilities, Quote } from "../port/market-data.ts";
import type { Sourced } from "../port/provenance.ts";
import type { Pack, RealSeries, SnapshotStock } from "../pack/pack.ts";
import { closeOf, fromHistory, fromSnapshot, notStored } from "./stored.ts";
import { daysOf } from "./window.ts";

/** A price older than that is history: it never answers what the price is. */
const MAX_PRICE_AGE_MS = 5 * 365.25 * 86_400_000;

/** The answers about a last price. */
export function quoteCapabilities(pack: Pack): Pick<Capabilities, "quote"> {
  return { quote: async ({ listing }, scope) => toQuote(pack, listing, scope.clock.now()) };
}

/** The snapshot's row of a listing; undefined if it has none. */
export function stockOf(pack: Pack, { symbol, type }: Listing): SnapshotStock | undefined {
  const index = type === "index" || type === "crypto" ? undefined : pack.indexOf(symbol);
  return index === undefined ? undefined : pack.stock(index);
}

function toQuote(pack: Pack, listing: Listing, now: number): Sourced<Quote> {
  const stock = stockOf(pack, listing);
  if (stock !== undefined) return { data: ofStock(stock), provenance: fromSnapshot() };
  const series = pack.series(listing.symbol, "1day");
  if (series === undefined) throw notStored(listing, "price");
  const { first, last } = daysOf(series.bars);
  if (now - Date.parse(last) <= MAX_PRICE_AGE_MS) return lastBar(series);
  throw notStored(listing, "price of the last five years", `daily bars from ${first} to ${last}`);
}

function ofStock(stock: SnapshotStock): Quote {
  const { price, changePercent, volume, marketCap, pe, eps, dividendYieldPercent, sector, industry } = stock;
  const previousClose = changePercent === undefined ? undefined : toPreviousClose(price, changePercent);
  const change = previousClose === undefined ? undefined : toTidy(price - previousClose);
  const { relativeVolume } = stock;
  const averageVolume = relativeVolume === undefined ? undefined : Math.max(1, Math.round(volume / relativeVolume));
  const known = { previousClose, change, changePercent, averageVolume, marketCap, pe, eps, dividendYieldPercent };
  return { price, volume, ...omitUndefined({ ...known, sector, industry }) };
}

/** The close before a change in percent: with the fewest digits that give this change. */
function toPreviousClose(price: number, changePercent: number): number {
  const exact = price / (1 + changePercent / 100);
  for (let digits = 2; digits <= 8; digits += 1) {
    const rounded = Number(exact.toFixed(digits));
    const change = (price / rounded - 1) * 100;
    if (rounded > 0 && Math.abs(change - changePercent) <= 1e-6 * (1 + Math.abs(changePercent))) return rounded;
  }
  return exact;
}

/** The last day of a series. */
function lastBar({ bars, note }: RealSeries): Sourced<Quote> {
  const { last } = daysOf(bars);
  const at = (column: Float64Array, index = -1) => column.at(index) ?? 0;
  const [price, previousClose] = [at(bars.c), at(bars.c, -2)];
  return {
    data: {
      price,
      previousClose,
      change: toTidy(price - previousClose),
      changePercent: toTidy((price / previousClose - 1) * 100),
      open: at(bars.o),
      dayHigh: at(bars.h),
      dayLow: at(bars.l),
      volume: at(bars.v),
    },
    provenance: fromHistory(closeOf(last), { note: `the last stored day is ${last}; ${note}` }),
  };
}

/** To ten digits: what lies below is noise of binary fractions. */
const toTidy = (value: number): number => Number(value.toPrecision(10));
