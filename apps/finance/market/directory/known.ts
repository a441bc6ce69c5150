/**
 * Known listings: what the directory knows beside the listings it is given: funds, indices, coins and Vietnam, each with
 * the names people use.
 */
import type { Listing } from "../port/listing.ts";
import { readTable, toNames } from "../tables.ts";

/** A listing with its names and how prominent it is. */
export interface Known {
  readonly listing: Listing;
  readonly aliases: readonly string[];
  /** Symbols that other sites use. */
  readonly spellings: readonly string[];
  readonly rank: number;
}

/** Prominence beside the American companies, which are ranked by size from 0. */
const RANKS = { index: 0, coin: 60, fund: 150, vietnam: 700 } as const;
const VIETNAMESE: ReadonlySet<string> = new Set(["HOSE", "HNX", "UPCOM"]);

/** All of them. */
export function knownListings(): readonly Known[] {
  return [...indices(), ...coins(), ...funds(), ...vietnam()];
}

function indices(): readonly Known[] {
  return readTable("indices").map(([symbol = "", exchange = "", name = "", aliases, spellings], at) => ({
    listing: { symbol, name, exchange, type: "index", currency: VIETNAMESE.has(exchange) ? "VND" : "USD" },
    aliases: toNames(aliases),
    spellings: toNames(spellings),
    rank: RANKS.index + at,
  }));
}

function coins(): readonly Known[] {
  return readTable("coins").map(([ticker = "", name = "", aliases], at) => ({
    listing: { symbol: `${ticker}USD`, name, exchange: "CRYPTO", type: "crypto", currency: "USD" },
    aliases: toNames(aliases),
    spellings: [],
    rank: RANKS.coin + at * 4,
  }));
}

function funds(): readonly Known[] {
  return readTable("funds").map(([symbol = "", exchange = "", name = "", aliases], at) => ({
    listing: { symbol, name, exchange, type: "etf", currency: "USD" },
    aliases: toNames(aliases),
    spellings: [],
    rank: RANKS.fund + at,
  }));
}

function vietnam(): readonly Known[] {
  return readTable("vietnam").map(([ticker = "", exchange = "", name = "", vietnamese = "", aliases], at) => ({
    listing: { symbol: `${ticker}.VN`, name, exchange, type: "stock", currency: "VND" },
    aliases: [vietnamese, ...toNames(aliases)],
    spellings: [],
    rank: RANKS.vietnam + at,
  }));
}
