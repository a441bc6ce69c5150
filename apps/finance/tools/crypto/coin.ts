/**
 * Coin: the last 24 hours of a coin as results show them.
 *
 * Amounts are in the currency of the pair that the source has, which may be a stablecoin such as USDT.
 */
import type { Figure } from "@baton/assistant";
import { omitUndefined } from "@baton/core/util";
import type { CoinQuote } from "../../market/port/market-data.ts";
import type { Provenance } from "../../market/port/provenance.ts";
import { identify, type ListingIdentity } from "../frame/require-listing.ts";
import { addDays } from "../shared/calendar-day.ts";
import { cite, type CitedNumber, dayOf } from "../shared/figures.ts";

/** A coin's 24 hours. */
export interface ShownCoin extends ListingIdentity {
  readonly price: number;
  readonly change?: number;
  readonly change_percent?: number;
  readonly open?: number;
  readonly high?: number;
  readonly low?: number;
  /** In coins. */
  readonly volume?: number;
  /** In `currency`. */
  readonly quote_volume?: number;
}

export function toShownCoin(listing: ListingIdentity, quote: CoinQuote): ShownCoin {
  const { price, quoteCurrency, change, changePercent, open, high, low, volume, quoteVolume } = quote;
  const rest = { change, change_percent: changePercent, open, high, low, volume, quote_volume: quoteVolume };
  return { ...identify(listing), currency: quoteCurrency, price, ...omitUndefined(rest) };
}

export function toCoinFigures(path: string, coin: ShownCoin, provenance: Provenance): readonly Figure[] {
  const period = dayOf(provenance);
  const hours = { start: addDays(period.end, -1), ...period, label: `24 h to ${provenance.as_of}` };
  const of = (name: keyof ShownCoin & keyof typeof COIN_METRICS): CitedNumber => ({
    path: `${path}.${name}`,
    value: coin[name],
    ...COIN_METRICS[name],
    period: name === "price" ? period : hours,
  });
  return cite(coin, [
    of("price"),
    of("change_percent"),
    of("change"),
    of("high"),
    of("low"),
    of("open"),
    of("volume"),
    of("quote_volume"),
  ]);
}

const COIN_METRICS = {
  price: { unit: "money/coin", metric: "price" },
  change_percent: { unit: "percent", metric: "24 h change" },
  change: { unit: "money/coin", metric: "24 h change" },
  high: { unit: "money/coin", metric: "24 h high" },
  low: { unit: "money/coin", metric: "24 h low" },
  open: { unit: "money/coin", metric: "price 24 h ago" },
  volume: { unit: "coins", metric: "24 h volume" },
  quote_volume: { unit: "money", metric: "24 h volume" },
} as const;
