/**
 * Company: one issuer, fund, index or coin with its listings, the one people mean first.
 *
 * Listings with one name are one company if they are classes of one share or stand close to each other by size;
 * otherwise they are namesakes.
 */
import type { Listing } from "../port/listing.ts";
import { readTable } from "../tables.ts";

/** Of several share classes of one company, the ones people mean. */
const USUAL_CLASSES: ReadonlySet<string> = new Set(readTable("share-classes").map(([symbol = ""]) => symbol));

/** An issuer and its listings. */
export interface ListedCompany {
  /** Its name as people say it, folded. */
  readonly core: string;
  /** The preferred listing first. */
  readonly listings: readonly Listing[];
  /** Prominence: the smaller the larger the company. */
  readonly rank: number;
}

/** A listing with its place among all by size. */
export interface Ranked {
  readonly listing: Listing;
  readonly rank: number;
  /** A preferred share, note or warrant. */
  readonly isSecondary: boolean;
}

/** Below this rank a company is well known. */
export const PROMINENT = 1500;

/** One company is so much larger than the next that a shared name means it. */
export function dwarfs(larger: number, smaller: number): boolean {
  return larger < PROMINENT && smaller > larger * 4 + 400;
}

/** Companies of listings that share a name, the most prominent first. */
export function toCompanies(core: string, members: readonly Ranked[]): readonly ListedCompany[] {
  const [only] = members;
  if (members.length === 1 && only !== undefined) return [{ core, listings: [only.listing], rank: only.rank }];
  const groups: Ranked[][] = [];
  for (const member of members.toSorted((a, b) => a.rank - b.rank)) {
    const group = groups.find((others) => others.some((other) => isSameIssuer(other, member)));
    if (group) group.push(member);
    else groups.push([member]);
  }
  return groups.map((group) => toCompany(core, group));
}

function toCompany(core: string, members: readonly Ranked[]): ListedCompany {
  const listings = members.toSorted((a, b) => preference(a) - preference(b)).map(({ listing }) => listing);
  return { core, listings, rank: Math.min(...members.map(({ rank }) => rank)) };
}

function isSameIssuer(a: Ranked, b: Ranked): boolean {
  if (a.isSecondary || b.isSecondary) return true;
  if (stem(a.listing.symbol) === stem(b.listing.symbol)) return true;
  return Math.abs(a.rank - b.rank) <= Math.min(a.rank, b.rank) * 0.2 + 20;
}

function stem(symbol: string): string {
  const dash = symbol.indexOf("-");
  return dash < 0 ? symbol : symbol.slice(0, dash);
}

/** Common before preferred, exchange before OTC, the usual class before others, ADR (`…Y`) before foreign share (`…F`). */
function preference({ listing, rank, isSecondary }: Ranked): number {
  const { symbol, exchange } = listing;
  let cost = rank / 1e6;
  if (isSecondary) cost += 1000;
  if (exchange === "OTC") cost += 100;
  if (exchange === "OTC" && symbol.endsWith("F")) cost += 10;
  if (symbol.includes("-")) cost += 5;
  if (USUAL_CLASSES.has(symbol)) cost -= 20;
  return cost;
}
