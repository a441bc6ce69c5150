/**
 * Listings: those that tests of sources ask about.
 */
import type { Listing } from "../../port/listing.ts";

/** An American stock, unless something else is said of it. */
export const stock = (symbol: string, rest: Partial<Listing> = {}): Listing => ({
  symbol,
  name: symbol,
  exchange: "NASDAQ",
  type: "stock",
  currency: "USD",
  ...rest,
});

/** A coin by its pair with USD. */
export const coin = (symbol: string): Listing => stock(symbol, { exchange: "CRYPTO", type: "crypto" });
