/**
 * Answer coins: Bitcoin from its real minutes as far as they reach, else simulated; made-up coins always simulated.
 */
import { type Bars, sliceBars } from "../port/bars.ts";
import type { Listing } from "../port/listing.ts";
import type { Capabilities, CoinInterval, CoinQuote, CoinRow } from "../port/market-data.ts";
import { DAY_S } from "../pack/days.ts";
import type { Provenance, Sourced } from "../port/provenance.ts";
import { type Coin, coinDaily, coinMinutes, FICTIONAL_COINS, toListing } from "./coin.ts";
import { mergeBars } from "./generator.ts";
import { coinOf, simulated, type World } from "./world.ts";

const WEEK_S = 7 * DAY_S;
const INTERVAL_S: Readonly<Record<CoinInterval, number>> = {
  "1m": 60,
  "5m": 300,
  "15m": 900,
  "30m": 1800,
  "1h": 3600,
  "4h": 14_400,
  "1d": DAY_S,
  "1w": WEEK_S,
};
const REAL_NOTE = "Bitfinex; the last real trade in the embedded data";

/** What the embedded source answers about coins. */
export function coinCapabilities(
  world: World,
): Pick<Capabilities, "coinPrice" | "coinQuote" | "coinBars" | "coinMarkets"> {
  return {
    coinPrice: async ({ listing }) => {
      const { price, quoteCurrency } = coinQuote(world, listing).data;
      return { data: { price, quoteCurrency }, provenance: coinQuote(world, listing).provenance };
    },
    coinQuote: async ({ listing }) => coinQuote(world, listing),
    coinBars: async ({ listing, interval, limit }) => coinBars(coinOf(world, listing), interval, limit),
    coinMarkets: async ({ limit, sort }) => coinMarkets(limit, sort),
  };
}

/** 24 hours of one coin. */
export function coinQuote(world: World, listing: Listing): Sourced<CoinQuote> {
  const coin = coinOf(world, listing);
  return { data: lastDay(coin), provenance: provenanceOf(coin) };
}

function provenanceOf(coin: Coin): Provenance {
  if (coin.minutes === undefined) return simulated(`${coin.name} is a made-up coin`, coin.asOf);
  return { kind: "history", source: "embedded", as_of: coin.asOf, adjust: "none", note: REAL_NOTE };
}

function lastDay(coin: Coin): CoinQuote {
  const { minutes } = coin;
  const daily = minutes === undefined ? coinDaily(coin) : undefined;
  const day = minutes === undefined ? newest(daily ?? coinDaily(coin), 1) : lastHours(minutes);
  const open = day.o[0] ?? coin.previous;
  return {
    price: coin.price,
    quoteCurrency: "USD",
    open,
    change: Number((coin.price - open).toPrecision(12)),
    changePercent: (coin.price / open - 1) * 100,
    high: day.h.reduce((most, value) => Math.max(most, value), coin.price),
    low: day.l.reduce((least, value) => Math.min(least, value), coin.price),
    volume: Number(day.v.reduce((sum, value) => sum + value, 0).toFixed(4)),
    quoteVolume: Number(day.v.reduce((sum, value, at) => sum + value * (day.c[at] ?? 0), 0).toFixed(2)),
  };
}

function lastHours(minutes: Bars): Bars {
  const from = (minutes.t.at(-1) ?? 0) + 60 - DAY_S;
  return sliceBars(
    minutes,
    minutes.t.findIndex((t) => t >= from),
  );
}

function coinBars(coin: Coin, interval: CoinInterval, limit: number): Sourced<Bars> {
  const seconds = INTERVAL_S[interval];
  const { minutes } = coin;
  if (minutes !== undefined) {
    const start = minutes.t.findIndex((t) => startOf(t, seconds) === t);
    const real = mergeBars(sliceBars(minutes, Math.max(start, 0)), (t) => startOf(t, seconds));
    if (start >= 0 && real.t.length >= limit) return { data: newest(real, limit), provenance: provenanceOf(coin) };
  }
  const bars =
    seconds < DAY_S ? coinMinutes(coin, seconds, limit) : mergeBars(coinDaily(coin), (t) => startOf(t, seconds));
  const note =
    minutes === undefined ? `${coin.name} is a made-up coin` : `simulated bars that end at the last real trade`;
  return { data: newest(bars, limit), provenance: simulated(note, coin.asOf) };
}

/** Weeks begin on Monday. */
function startOf(t: number, seconds: number): number {
  const shift = seconds === WEEK_S ? 4 * DAY_S : 0;
  return Math.floor((t - shift) / seconds) * seconds + shift;
}

const newest = (bars: Bars, limit: number): Bars => sliceBars(bars, Math.max(0, bars.t.length - limit));

function coinMarkets(limit: number, sort: "volume" | "gainers" | "losers"): Sourced<readonly CoinRow[]> {
  const rows = FICTIONAL_COINS.map((coin) => ({ listing: toListing(coin), quote: lastDay(coin) }));
  const rank = {
    volume: ({ quote }: CoinRow) => -(quote.quoteVolume ?? 0),
    gainers: ({ quote }: CoinRow) => -(quote.changePercent ?? 0),
    losers: ({ quote }: CoinRow) => quote.changePercent ?? 0,
  }[sort];
  const [{ asOf } = { asOf: "" }] = FICTIONAL_COINS;
  return {
    data: rows.toSorted((a, b) => rank(a) - rank(b)).slice(0, limit),
    provenance: simulated("made-up coins only: the embedded data has no prices of real coins for this day", asOf),
  };
}
