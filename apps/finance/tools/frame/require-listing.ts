/**
 * Require listing: the one way from a tool's symbol argument to the thing it means.
 *
 * A ticker in any accepted spelling or a name is enough. If a text has several meanings, the likeliest is taken and the
 * result names the others; if none is likelier, the result is the candidates.
 */
import { resolveNames } from "../../market/directory/resolve-names.ts";
import type { Directory, Listing, ListingType } from "../../market/port/listing.ts";
import type { MarketData } from "../../market/port/market-data.ts";
import { MarketError } from "../../market/port/market-error.ts";
import { toSafeName, toSafeText } from "../shared/untrusted.ts";

/** Types of listings that a tool takes. */
export type ListingKinds = Readonly<{ types: readonly ListingType[] }>;

/** Listings that have daily bars like a stock. */
export const SECURITIES: ListingKinds = { types: ["stock", "etf", "index"] };
/** The same, and coins. */
export const SECURITIES_AND_COINS: ListingKinds = { types: ["stock", "etf", "index", "crypto"] };
export const COINS: ListingKinds = { types: ["crypto"] };

/** Identity of the listing that a result is about. */
export type ListingIdentity = Listing;

/** The fields of a listing that results echo; its name may come from a source. */
export const identify = ({ symbol, name, exchange, type, currency }: Listing): ListingIdentity => ({
  symbol,
  name: toSafeName(name),
  exchange,
  type,
  currency,
});

/** The listing that was taken, and all that the text may mean if that is more than one. */
export type FoundListing = Readonly<{ listing: Listing; candidates: readonly Listing[] }>;

const MAX_CANDIDATES = 8;
/** So much of a text that is not known is repeated. */
const MAX_SHOWN = 80;

type Market = Pick<MarketData, "directory">;

/** The listing that a symbol or name means to a tool of these types; a `MarketError` if there is none, or several. */
export function requireListing(market: Market, text: string, wanted: ListingKinds): Listing {
  return findListing(market, text, wanted).listing;
}

/** The same with the other meanings of the text. */
export function findListing({ directory }: Market, text: string, { types }: ListingKinds): FoundListing {
  const isWanted = ({ type }: Pick<Listing, "type">) => types.includes(type);
  const exact = directory.get(text);
  if (exact !== undefined && isWanted(exact) && text === text.toUpperCase()) return { listing: exact, candidates: [] };
  const [found] = resolveNames(directory, [{ said: text }]);
  const named = found === undefined || found.kind === "unknown" ? [] : found.listings;
  const narrowed = named.some(isWanted) ? named : types.flatMap((type) => matchesOf(directory, text, type));
  const [first, second] = narrowed.filter(isWanted);
  const shown = toSafeText(text, MAX_SHOWN);
  if (first === undefined)
    throw unknown(shown, { types, found: named[0] ?? exact, near: found?.listings ?? [], note: found?.note });
  const candidates = narrowed.filter(isWanted).slice(0, MAX_CANDIDATES).map(toPlain);
  if (second !== undefined && second.score >= first.score) throw ambiguous(shown, candidates, directory);
  return { listing: directory.get(first.symbol) ?? toPlain(first), candidates: second === undefined ? [] : candidates };
}

/** A text that means something of another type may also mean something of this one. */
function matchesOf(directory: Directory, text: string, type: ListingType) {
  const { exact } = directory.lookUp(text, { type });
  return exact.map(({ listing, score }) => ({ ...listing, score }));
}

const toPlain = ({ symbol, name, exchange, type, currency }: Listing): Listing => ({
  symbol,
  name,
  exchange,
  type,
  currency,
});

function ambiguous(text: string, candidates: readonly Listing[], directory: Directory): MarketError {
  const choices = candidates.map((listing) => `${toSpelling(listing, directory)} for ${toName(listing)}`).join(", ");
  const message = `"${text}" can mean several things: call again with ${choices}, or ask the user`;
  return new MarketError("ambiguous", message, { symbol: text, candidates });
}

/** Returns a spelling of a listing that can mean nothing else. */
function toSpelling({ symbol, name }: Listing, directory: Directory): string {
  const spellings = [symbol, `$${symbol}`];
  return spellings.find((spelling) => directory.get(spelling)?.symbol === symbol) ?? `"${name}"`;
}

interface Missed {
  readonly types: readonly ListingType[];
  /** A listing of another type that has this name. */
  readonly found: Listing | undefined;
  readonly near: readonly Listing[];
  readonly note: string | undefined;
}

function unknown(text: string, { types, found, near, note }: Missed): MarketError {
  if (found !== undefined) {
    const message = `${toName(found)} is of type ${found.type}; this tool takes ${types.join(", ")}`;
    return new MarketError("no_data", message, { symbol: found.symbol, candidates: [toPlain(found)] });
  }
  const candidates = near.slice(0, MAX_CANDIDATES).map(toPlain);
  const hint = candidates.length === 0 ? "" : `; perhaps ${candidates.map(toName).join(", ")} is meant`;
  const message = note ?? `no symbol or name "${text}" is known${hint}`;
  return new MarketError("no_data", message, { symbol: text, candidates });
}

const toName = ({ symbol, name, exchange }: Listing): string => `${symbol} (${name}, ${exchange})`;
