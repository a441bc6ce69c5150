/**
 * Snapshot: the source that needs no key and no network. It answers from the pack alone: one day of US stocks, and bars
 * and statements of the past. Everything is real; what the pack does not have is `no_data`.
 */
import type { Listing } from "../port/listing.ts";
import type { MarketSource } from "../port/market-data.ts";
import type { Pack } from "../pack/pack.ts";
import { barCapabilities } from "./snapshot-bars.ts";
import { listCapabilities } from "./snapshot-lists.ts";
import { quoteCapabilities } from "./snapshot-quotes.ts";
import { seriesCapabilities } from "./snapshot-series.ts";
import { statementCapabilities } from "./snapshot-statements.ts";
import { SNAPSHOT_SOURCE } from "./stored.ts";

/** All that a pack can answer. */
export function snapshotSource(pack: Pack): MarketSource {
  return {
    name: SNAPSHOT_SOURCE,
    ...quoteCapabilities(pack),
    ...barCapabilities(pack),
    ...statementCapabilities(pack),
    ...listCapabilities(pack),
    ...seriesCapabilities(pack),
  };
}

/** The stocks of the snapshot, and the index and the coin with history. */
export function packListings(pack: Pack): readonly Listing[] {
  const stocks = Array.from({ length: pack.size }, (_, index): Listing => {
    const { symbol, name, exchange } = pack.stock(index);
    return { symbol, name, exchange, type: "stock", currency: "USD" };
  });
  return [
    ...stocks,
    { symbol: "^GSPC", name: "S&P 500", exchange: "INDEX", type: "index", currency: "USD" },
    { symbol: "BTCUSD", name: "Bitcoin", exchange: "CRYPTO", type: "crypto", currency: "USD" },
  ];
}
