/**
 * Chain table: which sources are asked for what, and in which order. It is the only place that says so.
 *
 * An account with a key comes first, then official sources, then unofficial ones, then the pack of `data refresh`, then
 * the snapshot.
 */
import type { Capability } from "../port/market-data.ts";

/** The pack that `baton-finance data refresh` builds, as a source. */
export const PACK_SOURCE = "pack";

const PRICES = ["fmp", "cboe", "vndirect", "yahoo", "snapshot"] as const;
const BOOKS = ["fmp", "sec", "pack", "snapshot"] as const;
const LISTS = ["fmp", "snapshot"] as const;
const COINS = ["binance", "kraken", "coingecko"] as const;

/** The names of the sources of each capability, the first to be asked first. */
export const CHAIN_TABLE: Readonly<Record<Capability, readonly string[]>> = {
  quote: PRICES,
  change: PRICES,
  bars: PRICES,
  intraday: ["fmp", "cboe", "vndirect", "yahoo"],
  statements: BOOKS,
  metrics: BOOKS,
  earnings: ["fmp", "sec"],
  // Yahoo has the days from which a share is without its dividend; the SEC has quarters.
  dividends: ["fmp", "yahoo", "sec"],
  news: ["fmp", "sec", "gdelt"],
  movers: LISTS,
  screener: LISTS,
  sectors: LISTS,
  constituents: ["fmp"],
  overview: ["fmp", "cboe", "snapshot"],
  calendar: ["fmp"],
  coinPrice: COINS,
  coinQuote: COINS,
  coinBars: ["binance", "kraken", "snapshot"],
  coinMarkets: ["binance", "coingecko"],
  coinSupply: ["coingecko"],
  search: ["tavily"],
  rates: ["treasury", "nyfed", "pack"],
  series: ["bls", "worldbank", "snapshot"],
  fx: ["frankfurter", "pack"],
  filings: ["sec"],
  filingSection: ["sec"],
  filingSearch: ["sec"],
  insiderTrades: ["sec"],
  holdings: ["sec"],
  options: ["cboe"],
};

/** Every capability. */
export const CAPABILITIES: readonly Capability[] = Object.keys(CHAIN_TABLE).filter(isCapability);

/** Whether a name is one of a capability. */
export function isCapability(name: string): name is Capability {
  return Object.hasOwn(CHAIN_TABLE, name);
}
