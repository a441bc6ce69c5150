/**
 * Quote: the newest price of any listing, of a coin from its last 24 hours.
 */
import { omitUndefined } from "@baton/core/util";
import type { Listing } from "../../market/port/listing.ts";
import type { Quote } from "../../market/port/market-data.ts";
import type { Sourced } from "../../market/port/provenance.ts";
import type { MarketContext } from "../frame/market-tool.ts";

export const QUOTE_TTL_MS = 30_000;

/** A quote and the currency of its prices, which for a coin can be another than the listing's, such as USDT. */
export type PricedQuote = Quote & Readonly<{ currency: string }>;

/** The quote of a listing. */
export async function loadQuote(
  { market, context: { scope } }: MarketContext,
  listing: Listing,
  detail: "price" | "full" = "full",
): Promise<Sourced<PricedQuote>> {
  if (listing.type !== "crypto") {
    const { data, provenance } = await market.quote({ listing, ...(detail === "price" && { detail }) }, scope);
    return { data: { ...data, currency: listing.currency }, provenance };
  }
  const { data, provenance } = await market.coinQuote({ listing }, scope);
  const { price, quoteCurrency: currency, change, changePercent, high, low, open, volume } = data;
  const rest = omitUndefined({ change, changePercent, dayHigh: high, dayLow: low, open, volume });
  return { data: { price, currency, ...rest }, provenance };
}
