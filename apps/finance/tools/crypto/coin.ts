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
import { citeFields, dayOf } from "../shared/figures.ts";

/** A coin's 24 hours: `volume` in coins, `quote_volume` in `currency`. */
export type ShownCoin = ReturnType<typeof toShownCoin>;

export function toShownCoin(listing: ListingIdentity, quote: CoinQuote) {
  const { price, quoteCurrency, change, changePercent, open, high, low, volume, quoteVolume } = quote;
  const rest = { change, change_percent: changePercent, open, high, low, volume, quote_volume: quoteVolume };
  return { ...identify(listing), currency: quoteCurrency, price, ...omitUndefined(rest) };
}

export function toCoinFigures(path: string, coin: ShownCoin, provenance: Provenance): readonly Figure[] {
  const period = dayOf(provenance);
  const hours = { start: addDays(period.end, -1), ...period, label: `24 h to ${provenance.as_of}` };
  return citeFields(
    { ...coin, period: hours },
    [path, coin],
    [
      ["price", "money/coin", "price", period],
      ["change_percent", "percent", "24 h change"],
      ["change", "money/coin", "24 h change"],
      ["high", "money/coin", "24 h high"],
      ["low", "money/coin", "24 h low"],
      ["open", "money/coin", "price 24 h ago"],
      ["volume", "coins", "24 h volume"],
      ["quote_volume", "money", "24 h volume"],
    ],
  );
}
