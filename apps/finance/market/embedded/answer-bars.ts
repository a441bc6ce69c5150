/**
 * Answer bars: daily bars, price changes and intraday bars. A series is either real or simulated, never both: real
 * bars answer a window that lies inside real history, the simulated series answers all else.
 */
import type { Bars } from "../port/bars.ts";
import type { Listing } from "../port/listing.ts";
import type { BarsQuery, Capabilities, Interval, PriceChange, PriceSpan } from "../port/market-data.ts";
import { MarketError } from "../port/market-error.ts";
import { addMonths, DAY_S, toDayNumber } from "../pack/days.ts";
import { PACK_DAY, type RealSeries } from "../pack/pack.ts";
import type { Adjust, Provenance, Sourced } from "../port/provenance.ts";
import { coinDaily, coinMinutes } from "./coin.ts";
import { dailyPath, mergeBars, minutePath } from "./generator.ts";
import { roundPrice } from "./price.ts";
import { toAnchor } from "./stock-path.ts";
import { closeOf } from "./trading-days.ts";
import { cutBars, daysOf, lastOnOrBefore } from "./window.ts";
import { coinOf, FIRST_DAY, notEmbedded, simulated, stockOf, type World } from "./world.ts";

const INDEX = "^GSPC";
const SESSION_MINUTES = 390;
const INTERVAL_S: Readonly<Record<Interval, number>> = {
  "1min": 60,
  "5min": 300,
  "15min": 900,
  "30min": 1800,
  "1hour": 3600,
  "4hour": 14_400,
};

/** What the embedded source answers about prices over time. */
export function barCapabilities(world: World): Pick<Capabilities, "bars" | "change" | "intraday"> {
  return {
    bars: async (query) => dailyBars(world, query),
    change: async ({ listing }) => priceChange(world, listing),
    intraday: async ({ listing, interval }) => intradayBars(world, listing, interval),
  };
}

/** The whole simulated daily series of a listing, ending with what is known of it. */
function simulatedSeries(world: World, listing: Listing): Bars {
  if (listing.type === "crypto") return coinDaily(coinOf(world, listing));
  if (listing.symbol === INDEX) return simulatedIndex(world);
  return dailyPath(toAnchor(stockOf(world, listing).stock), world.days, world.market);
}

/** The simulated market, at the level that the S&P 500 really had on average in the last month that is known. */
function simulatedIndex({ pack, days, market }: World): Bars {
  const at = (name: string) => pack.monthly.get(name)?.at(-1) ?? Number.NaN;
  const month = `${at("year")}-${String(at("month")).padStart(2, "0")}`;
  const first = toDayNumber(`${month}-01`);
  const within = days.flatMap((day, index) => (day >= first && day < addMonths(first, 1) ? [market[index] ?? 0] : []));
  const average = within.reduce((sum, level) => sum + Math.exp(level), 0) / within.length;
  const level = (index: number) => roundPrice((at("comp") / average) * Math.exp(market[index] ?? 0));
  const anchor = {
    symbol: INDEX,
    price: level(days.length - 1),
    previous: level(days.length - 2),
    volume: 3_900_000_000,
    averageVolume: 3_900_000_000,
    volatility: 0,
    beta: 1,
    volumeStep: 10_000,
    gap: 0.3,
  };
  return dailyPath(anchor, days, market);
}

function dailyBars(world: World, query: BarsQuery): Sourced<Bars> {
  const { listing } = query;
  const real = world.pack.series(listing.symbol, "1day");
  if (real !== undefined && selectsReal(real, query)) return realBars(real, query);
  const series = simulatedSeries(world, listing);
  const { first, last } = daysOf(series);
  if ((query.to !== undefined && query.to < first) || (query.from !== undefined && query.from > last)) {
    throw outside(listing, { first, last }, real);
  }
  const data = cutBars(series, query);
  const notes = [`simulated prices that end at ${last}: not ${listing.symbol}'s history`];
  if (real !== undefined) notes.push(`real bars: ${spanOf(real)}, for a window inside these days`);
  if (query.from !== undefined && query.from < first) notes.push(`the series begins on ${first}`);
  if (data.t.length === 0) notes.push("the market was closed on every day of the window");
  return { data, provenance: simulated(notes.join("; "), momentOf(data, listing, daysOf(series).last)) };
}

/** A window inside real history; or one before all simulated days, of which real history has a part. */
function selectsReal({ bars }: RealSeries, { from, to }: BarsQuery): boolean {
  const { first, last } = daysOf(bars);
  if (to === undefined || to > last || to < first) return false;
  return from === undefined || from >= first || to < FIRST_DAY;
}

function realBars({ bars, adjust, note }: RealSeries, query: BarsQuery): Sourced<Bars> {
  const data = cutBars(bars, query);
  const day = data.t.length > 0 ? daysOf(data).last : (query.to ?? daysOf(bars).last);
  const isCoin = query.listing.type === "crypto";
  const notes = [note];
  if (isOther(adjust, query)) notes.push(`prices with the adjustment "${query.adjust}" are not embedded`);
  if (data.t.length === 0) notes.push("the market was closed on every day of the window");
  const provenance: Provenance = {
    kind: "history",
    source: "embedded",
    as_of: isCoin ? `${day}T23:59:59Z` : closeOf(day),
    adjust,
    note: notes.join("; "),
  };
  return { data, provenance };
}

/** Whether other prices were asked for than there are; an index and a coin have only one kind. */
function isOther(adjust: Adjust, { adjust: asked, listing }: BarsQuery): boolean {
  return asked !== undefined && asked !== adjust && (listing.type === "stock" || listing.type === "etf");
}

function outside(listing: Listing, { first, last }: { first: string; last: string }, real?: RealSeries): MarketError {
  const parts = [...(real === undefined ? [] : [`real ${spanOf(real)}`]), `simulated ${first} to ${last}`];
  return new MarketError("no_data", `the embedded data has no bars of ${listing.symbol} in that window`, {
    symbol: listing.symbol,
    available: parts.join(", "),
  });
}

const spanOf = ({ bars }: RealSeries): string => `${daysOf(bars).first} to ${daysOf(bars).last}`;

function momentOf(bars: Bars, listing: Listing, fallback: string): string {
  const day = bars.t.length > 0 ? daysOf(bars).last : fallback;
  return listing.type === "crypto" ? `${day}T23:59:59Z` : closeOf(day);
}

const MONTHS: readonly (readonly [PriceSpan, number])[] = [
  ["1M", 1],
  ["3M", 3],
  ["6M", 6],
  ["1Y", 12],
  ["3Y", 36],
  ["5Y", 60],
  ["10Y", 120],
];

function priceChange(world: World, listing: Listing): Sourced<PriceChange> {
  const real = listing.symbol === INDEX ? world.pack.series(INDEX, "1day") : undefined;
  if (real !== undefined) {
    const { last } = daysOf(real.bars);
    const provenance: Provenance = { kind: "history", source: "embedded", as_of: closeOf(last), adjust: "none" };
    return { data: changesOf(real.bars), provenance };
  }
  const series = simulatedSeries(world, listing);
  const { last } = daysOf(series);
  const note = "simulated prices; only 1D is the real change of a stock's day in the snapshot";
  const { "1D": day, ...longer } = changesOf(series);
  const isKnown = listing.type === "crypto" || stockOf(world, listing).stock.changePercent !== undefined;
  return {
    data: isKnown && day !== undefined ? { "1D": day, ...longer } : longer,
    provenance: simulated(note, listing.type === "crypto" ? coinOf(world, listing).asOf : closeOf(last)),
  };
}

/** In percent, from the last close on or before the day that lies so far back. */
function changesOf(bars: Bars): PriceChange {
  const end = bars.t.length - 1;
  const today = Math.floor((bars.t[end] ?? 0) / DAY_S);
  const change = (from: number) => ((bars.c[end] ?? 0) / (bars.c[from] ?? Number.NaN) - 1) * 100;
  const yearStart = toDayNumber(`${daysOf(bars).last.slice(0, 4)}-01-01`);
  const places: readonly (readonly [PriceSpan, number])[] = [
    ["1D", end - 1],
    ["5D", end - 5],
    ["YTD", lastOnOrBefore(bars, yearStart - 1)],
    ...MONTHS.map(([span, months]) => [span, lastOnOrBefore(bars, addMonths(today, -months))] as const),
  ];
  const known = places.filter(([, from]) => from >= 0 && Number.isFinite(change(from)));
  return Object.fromEntries(known.map(([span, from]) => [span, change(from)]));
}

function intradayBars(world: World, listing: Listing, interval: Interval): Sourced<Bars> {
  const seconds = INTERVAL_S[interval];
  if (listing.type === "crypto") {
    const coin = coinOf(world, listing);
    const bars = coinMinutes(coin, seconds, 1);
    return {
      data: cutBars(bars, { from: coin.lastDay }),
      provenance: simulated(`simulated ${interval} bars of ${coin.lastDay}`, coin.asOf),
    };
  }
  const isKnown = listing.symbol === INDEX || world.pack.indexOf(listing.symbol) !== undefined;
  if (!isKnown && !world.companies.has(listing.symbol)) throw notEmbedded(listing);
  const series = simulatedSeries(world, listing);
  // the session of a day in winter begins at 14:30 UTC
  const startS = toDayNumber(PACK_DAY) * DAY_S + 52_200;
  const minutes = minutePath(series, series.t.length - 1, {
    seed: `${listing.symbol} session`,
    startS,
    minutes: SESSION_MINUTES,
  });
  const data = mergeBars(minutes, (t) => startS + Math.floor((t - startS) / seconds) * seconds);
  return { data, provenance: simulated(`simulated ${interval} bars of ${PACK_DAY}; only the close is real`) };
}
