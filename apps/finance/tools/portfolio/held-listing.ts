/**
 * Held listing: what a symbol means to somebody who holds things. What they hold, or the currency they paid in, decides
 * between listings that share a ticker.
 */
import { ToolError } from "@baton/core";
import type { Listing } from "../../market/port/listing.ts";
import type { MarketData } from "../../market/port/market-data.ts";
import { MarketError } from "../../market/port/market-error.ts";
import { requireListing, SECURITIES_AND_COINS } from "../frame/require-listing.ts";

/** Hints that decide between listings. */
export type Hints = Readonly<{ held: readonly Listing[]; currency?: string }>;

/** The listing that a text means; what is held comes first among several. */
export function requireHeldListing(market: Pick<MarketData, "directory">, text: string, hints: Hints): Listing {
  const { held, currency } = hints;
  try {
    return requireListing(market, text, SECURITIES_AND_COINS);
  } catch (thrown) {
    const candidates = thrown instanceof MarketError ? (thrown.details.candidates ?? []) : [];
    const isSeveral = thrown instanceof MarketError && thrown.kind === "ambiguous";
    const symbol = text.trim().toUpperCase();
    const own = isSeveral
      ? held.filter((listing) => candidates.some((one) => one.symbol === listing.symbol))
      : held.filter((listing) => listing.symbol === symbol);
    const paid = isSeveral ? candidates.filter((one) => one.currency === currency) : [];
    const [only] = own.length === 1 ? own : paid.length === 1 ? paid : [];
    if (only === undefined) throw thrown;
    return only;
  }
}

/** Throws unless a listing can be held. */
export function checkHoldable({ symbol, name, type }: Listing): void {
  if (type !== "index") return;
  const message = `${symbol} (${name}) is an index, which nobody can hold; name the fund or the stock that is held`;
  throw new ToolError("validation", message);
}
