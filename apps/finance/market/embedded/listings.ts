/**
 * Listings: everything that the embedded source can say something about.
 */
import type { Listing } from "../port/listing.ts";
import type { Pack } from "../pack/pack.ts";
import { FICTIONAL_COINS, realCoin, toListing } from "./coin.ts";
import { FICTIONAL_COMPANIES, toCompanyListing } from "./company.ts";

/** The stocks of the snapshot, the index with history, the coins, and the made-up companies. */
export function packListings(pack: Pack): readonly Listing[] {
  const stocks = Array.from({ length: pack.size }, (_, index): Listing => {
    const { symbol, name, exchange } = pack.stock(index);
    return { symbol, name, exchange, type: "stock", currency: "USD" };
  });
  return [
    ...stocks,
    { symbol: "^GSPC", name: "S&P 500", exchange: "INDEX", type: "index", currency: "USD" },
    ...[realCoin(pack), ...FICTIONAL_COINS].map(toListing),
    ...FICTIONAL_COMPANIES.map(toCompanyListing),
  ];
}
