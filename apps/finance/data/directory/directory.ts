/**
 * The directory of symbols: finds a listing by symbol in any usual spelling, by name, alias or misspelt name, in English
 * and Vietnamese, with or without diacritics.
 *
 * It takes American listings, largest first, and adds funds, indices, coins and Vietnam. What a text cannot decide is
 * ambiguous, never guessed: a bare ticker of two markets, or a name of two companies of similar size.
 */
import type { Directory, Listing, Narrowing, Resolution } from "../listing.ts";
import type { Ranked } from "./company.ts";
import { knownListings } from "./known.ts";
import { openNames, type NameIndex } from "./name-index.ts";
import { resolveQuery } from "./resolve.ts";
import { openSymbols, type SymbolIndex } from "./symbol-index.ts";
import { openTypos, type TypoIndex } from "./typo.ts";

/** A directory whose indices can be asked one by one. */
export interface IndexedDirectory extends Directory {
  readonly symbols: SymbolIndex;
  readonly names: NameIndex;
  readonly typos: TypoIndex;
}

/** Opens a directory of these listings, the largest company first, and of what is known beside them. */
export function openDirectory(listings: Iterable<Listing>): IndexedDirectory {
  const members: Ranked[] = [];
  const seen = new Set<string>();
  const add = (listing: Listing, rank: number) => {
    if (seen.has(listing.symbol)) return;
    seen.add(listing.symbol);
    members.push({ listing, rank, isSecondary: false });
  };
  let count = 0;
  for (const listing of listings) add(toCanonical(listing), count++);
  const known = knownListings();
  for (const { listing, rank } of known) add(listing, rank);
  const symbols = openSymbols(members);
  const names = openNames(members, known);
  const typos = openTypos(() => names.prominent());
  const indices = { symbols, names, typos };
  return {
    ...indices,
    size: members.length,
    get: (symbol) => symbols.only(symbol),
    resolve: (query: string, narrowing: Narrowing = {}): Resolution => resolveQuery(indices, query, narrowing),
    listings: () => members.map(({ listing }) => listing),
  };
}

/** `BRK.B` and `JPM/PL` are `BRK-B` and `JPM-PL`. */
function toCanonical(listing: Listing): Listing {
  const { symbol, exchange } = listing;
  if (exchange === "HOSE" || exchange === "HNX" || exchange === "UPCOM") return listing;
  if (!symbol.includes(".") && !symbol.includes("/")) return listing;
  return { ...listing, symbol: symbol.replaceAll(".", "-").replaceAll("/", "-") };
}
