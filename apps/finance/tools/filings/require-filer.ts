/**
 * Require filer: what is not listed in the United States does not file with the SEC.
 */
import type { Listing } from "../../market/port/listing.ts";
import { MarketError } from "../../market/port/market-error.ts";
import { isUsExchange } from "../../market/sources/live-source.ts";

/** Throws if a listing cannot have filings: what is not listed in the United States does not file with the SEC. */
export function requireFiler({ symbol, name, exchange, type }: Listing): void {
  const why =
    type === "index" || type === "crypto"
      ? `is of type ${type}`
      : isUsExchange(exchange)
        ? undefined
        : `is listed on ${exchange}, outside of the United States`;
  if (why === undefined) return;
  throw new MarketError("no_data", `${symbol} (${name}) ${why}, and files nothing with the SEC`, { symbol });
}
