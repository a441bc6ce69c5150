/**
 * Known listings: what the directory knows beside the listings it is given: funds, indices, coins and Vietnam, each with
 * the names people use.
 */
import type { Listing } from "../port/listing.ts";
import { COINS } from "./coins.ts";
import { FUNDS, INDICES } from "./funds.ts";
import { VIETNAM } from "./vietnam.ts";

/** A listing with its names and how prominent it is. */
export interface Known {
  readonly listing: Listing;
  readonly aliases: readonly string[];
  readonly rank: number;
}

/** Prominence beside the American companies, which are ranked by size from 0. */
const RANKS = { index: 0, coin: 60, fund: 150, vietnam: 700 } as const;

/** All of them. */
export function knownListings(): readonly Known[] {
  return [...indices(), ...coins(), ...funds(), ...vietnam()];
}

function indices(): readonly Known[] {
  return rows(INDICES).map(([symbol = "", exchange = "", name = "", aliases], at) => ({
    listing: { symbol, name, exchange, type: "index", currency: exchangeCurrency(exchange) },
    aliases: split(aliases),
    rank: RANKS.index + at,
  }));
}

function coins(): readonly Known[] {
  return rows(COINS).map(([ticker = "", name = "", aliases], at) => ({
    listing: { symbol: `${ticker}USD`, name, exchange: "CRYPTO", type: "crypto", currency: "USD" },
    aliases: split(aliases),
    rank: RANKS.coin + at * 4,
  }));
}

function funds(): readonly Known[] {
  return rows(FUNDS).map(([symbol = "", exchange = "", name = "", aliases], at) => ({
    listing: { symbol, name, exchange, type: "etf", currency: "USD" },
    aliases: split(aliases),
    rank: RANKS.fund + at,
  }));
}

function vietnam(): readonly Known[] {
  return Object.entries(VIETNAM).flatMap(([exchange, text]) =>
    rows(text).map(([ticker = "", name = "", vietnamese = "", aliases], at) => ({
      listing: { symbol: `${ticker}.VN`, name, exchange, type: "stock" as const, currency: "VND" },
      aliases: [vietnamese, ...split(aliases)],
      rank: RANKS.vietnam + at,
    })),
  );
}

/** Lines of a table with `|` between cells. */
export function rows(table: string): readonly (readonly string[])[] {
  return table
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.split("|"));
}

/** Names with `;` between them. */
export function split(names: string | undefined): readonly string[] {
  return (names ?? "").split(";").filter((name) => name !== "");
}

function exchangeCurrency(exchange: string): string {
  return exchange === "HOSE" || exchange === "HNX" || exchange === "UPCOM" ? "VND" : "USD";
}
