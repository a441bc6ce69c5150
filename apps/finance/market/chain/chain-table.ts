/**
 * Chain table: which sources are asked for what, and in which order. It is the only place that says so.
 *
 * An account with a key comes first, then official sources, then those that the user has named, then the pack of
 * `data refresh`, then the embedded data.
 */
import type { Capability } from "../port/market-data.ts";

/** The pack that `baton-finance data refresh` builds, as a source. */
export const PACK_SOURCE = "pack";
export const EMBEDDED_SOURCE = "embedded";

const PRICES = ["fmp", "cboe", "vndirect", "yahoo", "embedded"] as const;
const BOOKS = ["fmp", "sec", "pack", "embedded"] as const;
const LISTS = ["fmp", "embedded"] as const;
const COINS = ["binance", "kraken", "coingecko", "embedded"] as const;

/** The names of the sources of each capability, the first to be asked first. */
export const CHAIN_TABLE: Readonly<Record<Capability, readonly string[]>> = {
  quote: PRICES,
  change: PRICES,
  bars: PRICES,
  intraday: PRICES,
  statements: BOOKS,
  metrics: BOOKS,
  earnings: ["fmp", "sec", "embedded"],
  // Yahoo has the days from which a share is without its dividend; the SEC has quarters.
  dividends: ["fmp", "yahoo", "sec", "embedded"],
  news: ["fmp", "sec", "gdelt", "embedded"],
  movers: LISTS,
  screener: LISTS,
  sectors: LISTS,
  constituents: LISTS,
  overview: ["fmp", "cboe", "embedded"],
  calendar: LISTS,
  coinPrice: COINS,
  coinQuote: COINS,
  coinBars: ["binance", "kraken", "embedded"],
  coinMarkets: ["binance", "coingecko", "embedded"],
  coinSupply: ["coingecko"],
  search: ["tavily"],
  rates: ["treasury", "nyfed", "pack"],
  series: ["bls", "fiscaldata", "worldbank"],
  fx: ["frankfurter", "pack"],
  filings: ["sec"],
  filingSection: ["sec"],
  filingSearch: ["sec"],
  insiderTrades: ["sec"],
  holdings: ["sec"],
};

/** Every capability. */
export const CAPABILITIES: readonly Capability[] = Object.keys(CHAIN_TABLE).filter(isCapability);

/** Whether a name is one of a capability. */
export function isCapability(name: string): name is Capability {
  return Object.hasOwn(CHAIN_TABLE, name);
}

/** Capabilities whose embedded answers are real data of the past; all others are simulated. */
const REAL_EMBEDDED: ReadonlySet<Capability> = new Set([
  "statements",
  "metrics",
  "screener",
  "sectors",
  "constituents",
]);

/** Whether a source makes answers up: it never replaces a live source. */
export const isSimulated = (source: string, capability: Capability): boolean =>
  source === EMBEDDED_SOURCE && !REAL_EMBEDDED.has(capability);
