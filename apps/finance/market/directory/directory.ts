/**
 * The directory of symbols: finds a listing by symbol in any usual spelling, by name, alias or misspelt name, in English
 * and Vietnamese, with or without diacritics.
 *
 * It takes American listings, largest first, and adds funds, indices, coins and Vietnam. What a text cannot decide is
 * ambiguous, never guessed: a bare ticker of two markets, or a name of two companies of similar size.
 */
import type { Directory, Listing, LookUp, Narrowing, UnlistedCompany } from "../port/listing.ts";
import type { Ranked } from "./company.ts";
import { knownListings } from "./known.ts";
import { openNames, type NameIndex } from "./name-index.ts";
import { lookUp, toResolution } from "./look-up.ts";
import { finish, type Pieces } from "./pieces.ts";
import { fileSymbols, type SymbolIndex } from "./symbol-index.ts";
import { openTypos, type TypoIndex } from "./typo.ts";
import { unlistedCompanies } from "./unlisted.ts";

/** A directory whose indices can be asked one by one. */
export interface IndexedDirectory extends Directory {
  readonly symbols: SymbolIndex;
  readonly names: NameIndex;
  readonly typos: TypoIndex;
  readonly unlisted: ReadonlyMap<string, UnlistedCompany>;
}

/** Opens a directory of these listings, the largest company first, and of what is known beside them. */
export function openDirectory(listings: Iterable<Listing>): IndexedDirectory {
  return finish(fileListings(listings)).directory;
}

/** Opens such a directory with all its indices in pieces. */
export function* buildDirectory(listings: Iterable<Listing>): Pieces<IndexedDirectory> {
  const { directory, names, typos } = yield* fileListings(listings);
  yield* names.prepare();
  yield* typos.prepare();
  return directory;
}

function* fileListings(listings: Iterable<Listing>) {
  const known = knownListings();
  const ranks = new Map(known.map(({ listing, rank }) => [listing.symbol, rank]));
  const members = new Map<string, Ranked>();
  const add = (listing: Listing, rank: number) => {
    if (!members.has(listing.symbol)) members.set(listing.symbol, { listing, rank, isSecondary: false });
  };
  for (const listing of listings) {
    yield;
    const canonical = toCanonical(listing);
    add(canonical, Math.min(ranks.get(canonical.symbol) ?? Infinity, members.size));
  }
  for (const { listing, rank } of known) add(listing, rank);
  const ranked = [...members.values()];
  const symbols = yield* fileSymbols(ranked, known);
  const names = openNames(ranked, known);
  const typos = openTypos(() => names.prominent());
  return { directory: toDirectory(ranked, { symbols, names, typos }), names, typos };
}

type Indices = Pick<IndexedDirectory, "symbols" | "names" | "typos">;

/** Texts that are looked up again and again, and what they mean. */
const MAX_KEPT = 1_000;
const MAX_KEPT_CHARS = 64;

function toDirectory(members: readonly Ranked[], filed: Indices): IndexedDirectory {
  const indices = { ...filed, unlisted: unlistedCompanies() };
  const kept = new Map<string, LookUp>();
  const find = (query: string, narrowing: Narrowing = {}): LookUp => {
    if (query.length > MAX_KEPT_CHARS) return lookUp(indices, query, narrowing);
    const key = JSON.stringify([query, narrowing]);
    const found = kept.get(key) ?? lookUp(indices, query, narrowing);
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(key, found);
    return found;
  };
  return {
    ...indices,
    size: members.length,
    get: (symbol) => indices.symbols.only(symbol),
    resolve: (query, narrowing) => toResolution(find(query, narrowing)),
    lookUp: find,
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
