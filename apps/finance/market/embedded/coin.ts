/**
 * Coin: the coins of the embedded data. Bitcoin is real and ends with the last real trade in the pack; all others are
 * plainly made up.
 */
import type { Bars } from "../port/bars.ts";
import type { Listing } from "../port/listing.ts";
import type { Day } from "../port/market-data.ts";
import { DAY_S, toDay, toDayNumber } from "../pack/days.ts";
import { PACK_DAY, type Pack } from "../pack/pack.ts";
import { dailyPath, emptyBars, mergeBars, minutePath } from "./generator.ts";
import { roundPrice } from "./price.ts";
import { lastOnOrBefore } from "./window.ts";

/** One coin: its last price, and how its simulated series moves. */
export interface Coin {
  readonly symbol: string;
  readonly name: string;
  readonly price: number;
  /** The close of the day before. */
  readonly previous: number;
  /** Of the last day, in coins. */
  readonly volume: number;
  readonly lastDay: Day;
  /** Minutes of the last day that have passed. */
  readonly lastMinutes: number;
  readonly volatility: number;
  /** RFC 3339, when the last price was made. */
  readonly asOf: string;
  /** Real bars by minute, if the coin is real. */
  readonly minutes?: Bars;
}

const DAY_MINUTES = 1440;
const FIRST_DAY = "2012-01-01";
const BITCOIN = "BTCUSD";

type Made = readonly [symbol: string, name: string, price: number, changePercent: number, volume: number];

const MADE: readonly Made[] = [
  ["FICAUSD", "Fictional Acorn Coin", 1240.5, 1.85, 41_500],
  ["FICBUSD", "Fictional Bubble Coin", 0.4312, -6.4, 88_400_000],
  ["FICCUSD", "Fictional Candle Coin", 36.18, 0.42, 615_000],
  ["FICDUSD", "Fictional Dragon Coin", 212.4, -2.15, 208_000],
  ["FICEUSD", "Fictional Echo Coin", 5.07, 4.9, 9_350_000],
  ["FICFUSD", "Fictional Feather Coin", 0.008_52, 11.3, 2_410_000_000],
];

/** The made-up coins. */
export const FICTIONAL_COINS: readonly Coin[] = MADE.map(([symbol, name, price, changePercent, volume]) => ({
  symbol,
  name,
  price,
  previous: roundPrice(price / (1 + changePercent / 100)),
  volume,
  lastDay: PACK_DAY,
  lastMinutes: DAY_MINUTES,
  volatility: 0.04,
  asOf: `${PACK_DAY}T23:59:59Z`,
}));

/** Bitcoin as of its last real minute in the pack. */
export function realCoin(pack: Pack): Coin {
  const minutes = pack.series(BITCOIN, "1min")?.bars ?? emptyBars(1);
  const end = (minutes.t.at(-1) ?? 0) + 60;
  const lastDay = Math.floor((end - 60) / DAY_S);
  const before = lastOnOrBefore(minutes, lastDay - 1);
  return {
    symbol: BITCOIN,
    name: "Bitcoin",
    price: minutes.c.at(-1) ?? 0,
    previous: minutes.c[before] ?? 0,
    volume: Number(
      minutes.v
        .subarray(before + 1)
        .reduce((sum, value) => sum + value, 0)
        .toFixed(4),
    ),
    lastDay: toDay(lastDay),
    lastMinutes: (end - lastDay * DAY_S) / 60,
    volatility: 0.028,
    asOf: new Date(end * 1000).toISOString().replace(".000Z", "Z"),
    minutes,
  };
}

/** How a coin is listed. */
export function toListing({ symbol, name }: Coin): Listing {
  return { symbol, name, exchange: "CRYPTO", type: "crypto", currency: "USD" };
}

/** Simulated daily bars, on every day of the week. */
export function coinDaily(coin: Coin): Bars {
  const first = toDayNumber(FIRST_DAY);
  const count = toDayNumber(coin.lastDay) - first + 1;
  const days = Array.from({ length: count }, (_, index) => first + index);
  const anchor = {
    ...coin,
    averageVolume: coin.volume,
    beta: 0,
    volumeStep: 0.0001,
    gap: 0,
  };
  return dailyPath(anchor, days, new Float64Array(count));
}

/** The newest simulated bars of so many seconds each; they are parts of the daily bars. */
export function coinMinutes(coin: Coin, seconds: number, limit: number): Bars {
  const daily = coinDaily(coin);
  const wanted = Math.min(daily.t.length, Math.ceil((limit * seconds) / DAY_S) + 1);
  const parts = Array.from({ length: wanted }, (_, index) => {
    const day = daily.t.length - wanted + index;
    const startS = daily.t[day] ?? 0;
    const isLast = day === daily.t.length - 1;
    const minutes = minutePath(daily, day, {
      seed: `${coin.symbol} minutes ${startS}`,
      startS,
      minutes: isLast ? coin.lastMinutes : DAY_MINUTES,
    });
    return mergeBars(minutes, (t) => Math.floor(t / seconds) * seconds);
  });
  return joinBars(parts);
}

function joinBars(parts: readonly Bars[]): Bars {
  const joined = emptyBars(parts.reduce((sum, { t }) => sum + t.length, 0));
  let at = 0;
  for (const part of parts) {
    for (const name of ["t", "o", "h", "l", "c", "v"] as const) joined[name].set(part[name], at);
    at += part.t.length;
  }
  return joined;
}
