/**
 * Coin name: the ticker of a coin in its listing, which is its pair with USD.
 */
import type { Directory, Listing } from "../../port/listing.ts";
import { MarketError } from "../../port/market-error.ts";

const TICKER = /^[A-Z0-9]{1,15}$/;
const QUOTE = "USD";

/** `BTC` for `BTCUSD`; `no_data` for anything that is not a coin's pair with USD. */
export function toCoinTicker(source: string, { symbol, type }: Listing): string {
  const ticker = symbol.endsWith(QUOTE) ? symbol.slice(0, -QUOTE.length) : "";
  if (type === "crypto" && TICKER.test(ticker)) return ticker;
  throw new MarketError("no_data", `${source} does not have ${symbol}`, { symbol, isOutside: true });
}

/** The listing of a coin by its ticker in any case; undefined if it cannot be one. */
export function toCoinListing(
  ticker: string,
  name: string,
  directory: Pick<Directory, "get"> | undefined,
): Listing | undefined {
  const base = ticker.toUpperCase();
  if (!TICKER.test(base)) return undefined;
  const symbol = `${base}${QUOTE}`;
  const known = directory?.get(symbol);
  return known?.type === "crypto" ? known : { symbol, name, exchange: "CRYPTO", type: "crypto", currency: QUOTE };
}
