/**
 * World: what all embedded answers are made from: the pack, the made-up companies and coins, and the days of trading.
 */
import type { Listing } from "../port/listing.ts";
import { MarketError } from "../port/market-error.ts";
import { PACK_DAY, type Pack, type SnapshotStock } from "../pack/pack.ts";
import type { Provenance } from "../port/provenance.ts";
import { type Coin, FICTIONAL_COINS, realCoin } from "./coin.ts";
import { type Company, FICTIONAL_COMPANIES } from "./company.ts";
import { marketPath } from "./generator.ts";
import { closeOf, tradingDays } from "./trading-days.ts";

/** The first day of the simulated series. */
export const FIRST_DAY = "2012-01-03";
/** The switch that brings real data for stocks. */
export const STOCK_SWITCH = "FMP_API_KEY";
/** The switch that brings real data for coins. */
const COIN_SWITCH = "BATON_FINANCE_LIVE=on";
/** The switch that brings prices of Vietnam. */
const VIETNAM_SWITCH = "--sources vndirect";

/** Everything the embedded source reads. */
export interface World {
  readonly pack: Pack;
  /** Trading days up to the snapshot's, as days since 1970. */
  readonly days: readonly number[];
  readonly market: Float64Array;
  readonly companies: ReadonlyMap<string, Company>;
  readonly coins: ReadonlyMap<string, Coin>;
}

/** A stock of the snapshot, or a made-up one. */
export type KnownStock = Readonly<{ stock: SnapshotStock; company: Company | undefined }>;

/** Prepares a pack for questions. */
export function toWorld(pack: Pack): World {
  const days = tradingDays(FIRST_DAY, PACK_DAY);
  return {
    pack,
    days,
    market: marketPath(days.length),
    companies: new Map(FICTIONAL_COMPANIES.map((company) => [company.stock.symbol, company])),
    coins: new Map([realCoin(pack), ...FICTIONAL_COINS].map((coin) => [coin.symbol, coin])),
  };
}

/** The stock of a listing; a `MarketError` if it is not embedded. */
export function stockOf({ pack, companies }: World, listing: Listing): KnownStock {
  const company = companies.get(listing.symbol);
  if (company !== undefined) return { stock: company.stock, company };
  const index = pack.indexOf(listing.symbol);
  if (index === undefined || listing.type === "index" || listing.type === "crypto") throw notEmbedded(listing);
  return { stock: pack.stock(index), company: undefined };
}

/** The coin of a listing; a `MarketError` if it is not embedded. */
export function coinOf({ coins }: World, listing: Listing): Coin {
  const coin = coins.get(listing.symbol);
  if (coin === undefined) throw notEmbedded(listing);
  return coin;
}

/** That a listing is known, but nothing of it is embedded. */
export function notEmbedded({ symbol, name, type, exchange }: Listing): MarketError {
  const isVietnamese = ["HOSE", "HNX", "UPCOM"].includes(exchange);
  const stocks = isVietnamese ? VIETNAM_SWITCH : STOCK_SWITCH;
  const enable = type === "crypto" ? COIN_SWITCH : stocks;
  return new MarketError("no_data", `the embedded data has nothing about ${symbol} (${name})`, { symbol, enable });
}

/** That nothing is invented about a real company. */
export function onlyLive({ symbol, name }: Listing, what: string): MarketError {
  return new MarketError("no_data", `the embedded data has no ${what} of ${symbol} (${name})`, {
    symbol,
    enable: STOCK_SWITCH,
  });
}

/** Where the snapshot's values come from. */
export function fromSnapshot(note?: string): Provenance {
  return {
    kind: "snapshot",
    source: "embedded",
    as_of: closeOf(PACK_DAY),
    ...(note === undefined ? {} : { note }),
  };
}

/** Where simulated values come from. */
export function simulated(note: string, asOf: string = closeOf(PACK_DAY)): Provenance {
  return { kind: "synthetic", source: "embedded", as_of: asOf, note };
}
