/**
 * Pack directory: the directory of all that the pack has, ranked by market capitalization, and of companies that are
 * known beside it.
 *
 * It can be given lists of companies later, one after the other: each question is answered with all that were added when
 * it is asked.
 */
import type { Clock } from "@baton/core/ports";
import { packListings } from "../snapshot/snapshot.ts";
import type { Listing } from "../port/listing.ts";
import type { Pack } from "../pack/pack.ts";
import { buildDirectory, openDirectory, type IndexedDirectory } from "./directory.ts";
import { finishInPieces } from "./pieces.ts";

/** Companies by ticker, such as the SEC's list. */
export type CompanyList = ReadonlyMap<string, Company>;

type Company = Readonly<{ cik: string; name: string }>;

const LISTED: ReadonlySet<string> = new Set(["NASDAQ", "NYSE", "AMEX", "OTC", "CBOE"]);

/** A directory that grows. */
export interface PackDirectory extends IndexedDirectory {
  /** Adds companies that are not there yet, and what they are called today and their CIK to those that are. */
  readonly add: (companies: CompanyList, clock: Pick<Clock, "breathe">) => Promise<void>;
}

/** Opens the directory of a pack. */
export function openPackDirectory(pack: Pack): PackDirectory {
  const listings = rankedListings(pack);
  let inner = openDirectory(listings);
  const known = new Set(Array.from(inner.listings(), ({ symbol }) => symbol));
  const companies = new Map<string, Company>();
  let [asked, built] = [0, 0];
  return {
    get size() {
      return inner.size;
    },
    get symbols() {
      return inner.symbols;
    },
    get names() {
      return inner.names;
    },
    get typos() {
      return inner.typos;
    },
    get unlisted() {
      return inner.unlisted;
    },
    get: (symbol) => inner.get(symbol),
    resolve: (query, narrowing) => inner.resolve(query, narrowing),
    lookUp: (query, narrowing) => inner.lookUp(query, narrowing),
    listings: () => inner.listings(),
    add: async (more, clock) => {
      if (![...more].some(([symbol, company]) => isChanged(company, companies.get(symbol)))) return;
      for (const [symbol, company] of more) companies.set(symbol, company);
      const order = ++asked;
      const next = await finishInPieces(buildDirectory(grown(listings, known, companies)), clock);
      // Of two that are built at the same time, the one with more companies stays.
      if (order < built) return;
      built = order;
      inner = next;
    },
  };
}

function isChanged({ name, cik }: Company, before: Company | undefined): boolean {
  return before?.name !== name || before.cik !== cik;
}

/** The listings as the companies are called today, then companies that are not among the known symbols. */
function* grown(
  listings: readonly Listing[],
  known: ReadonlySet<string>,
  companies: CompanyList,
): Generator<Listing, undefined> {
  for (const listing of listings) yield withCompany(listing, companies);
  for (const [symbol, { name, cik }] of companies) {
    if (!known.has(symbol)) yield { symbol, name, exchange: "US", type: "stock", currency: "USD", cik };
  }
}

/** The largest first. */
function rankedListings(pack: Pack): readonly Listing[] {
  const ranked = packListings(pack).map((listing) => {
    const index = pack.indexOf(listing.symbol);
    return { listing, marketCap: (index === undefined ? undefined : pack.stock(index).marketCap) ?? 0 };
  });
  return ranked.toSorted((a, b) => b.marketCap - a.marketCap).map(({ listing }) => listing);
}

/** A symbol that another company has today has its name. */
function withCompany(listing: Listing, companies: CompanyList): Listing {
  const company = LISTED.has(listing.exchange) ? companies.get(listing.symbol) : undefined;
  if (company === undefined) return listing;
  const isSame = firstWord(listing.name) === firstWord(company.name);
  return { ...listing, cik: company.cik, ...(isSame ? {} : { name: company.name }) };
}

function firstWord(name: string): string {
  const plain = Array.from(name.slice(0, 100).toLowerCase(), (sign) => (/[\p{L}\p{N}]/u.test(sign) ? sign : " "));
  const words = plain.join("").split(" ").filter(Boolean);
  return (words[0] === "the" ? words[1] : words[0]) ?? "";
}
