/**
 * Require listing: the one way from a tool's `symbol` argument to the thing it means.
 *
 * A symbol in any accepted spelling or an unambiguous name is enough. What could be a typing error is never guessed:
 * the result is `no_data`, with the candidates.
 */
import type { Directory, Listing, ListingType, Resolution } from "../../market/port/listing.ts";
import type { MarketData } from "../../market/port/market-data.ts";
import { MarketError } from "../../market/port/market-error.ts";
import { toSafeName, toSafeText } from "../shared/untrusted.ts";

/**
 * Types of listings that a tool takes; one that takes both stocks and coins cannot decide which of them a ticker of
 * both is.
 */
export type Wanted = Readonly<{ types: readonly ListingType[] }>;

/** Listings that have daily bars like a stock. */
export const SECURITIES: Wanted = { types: ["stock", "etf", "index"] };
/** The same, and coins. */
export const SECURITIES_AND_COINS: Wanted = { types: ["stock", "etf", "index", "crypto"] };
export const COINS: Wanted = { types: ["crypto"] };

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

const MAX_CANDIDATES = 8;
/** So much of a text that is not known is repeated. */
const MAX_SHOWN = 80;

/** The listing that a symbol or name means to a tool of these types; a `MarketError` if there is none, or several. */
export function requireListing({ directory }: Pick<MarketData, "directory">, text: string, { types }: Wanted): Listing {
  const exact = directory.get(text);
  if (exact !== undefined && types.includes(exact.type)) return exact;
  const shown = toSafeText(text, MAX_SHOWN);
  const isWanted = ({ type }: Listing) => types.includes(type);
  const general = directory.resolve(text);
  const meant = toMeant(general).filter(isWanted);
  const narrowed = meant.length > 0 ? meant : types.flatMap((type) => toMeant(directory.resolve(text, { type })));
  const candidates = toUnique(narrowed.filter(isWanted));
  const [first] = candidates;
  if (first !== undefined && candidates.length === 1) return first;
  if (first !== undefined) throw ambiguous(shown, candidates, directory);
  throw unknown(shown, { general, types, other: exact ?? toMeant(general)[0] });
}

/** Returns the listings that a text means for sure; a guess at a typing error does not count. */
function toMeant(resolution: Resolution): readonly Listing[] {
  if (resolution.kind === "ambiguous") return resolution.candidates;
  return resolution.kind === "one" && resolution.by !== "typo" ? [resolution.listing] : [];
}

function toUnique(listings: readonly Listing[]): readonly Listing[] {
  return [...new Map(listings.map((listing) => [listing.symbol, listing])).values()];
}

function ambiguous(text: string, listings: readonly Listing[], directory: Directory): MarketError {
  const candidates = listings.slice(0, MAX_CANDIDATES);
  const choices = candidates.map((listing) => `${toSpelling(listing, directory)} for ${toName(listing)}`).join(", ");
  const message = `"${text}" can mean several things: call again with ${choices}, or ask the user`;
  return new MarketError("ambiguous", message, { symbol: text, candidates });
}

/** Returns a spelling of a listing that can mean nothing else. */
function toSpelling({ symbol, name }: Listing, directory: Directory): string {
  const spellings = [symbol, `$${symbol}`];
  return spellings.find((spelling) => directory.get(spelling)?.symbol === symbol) ?? `"${name}"`;
}

type Missed = Readonly<{ general: Resolution; types: readonly ListingType[]; other: Listing | undefined }>;

function unknown(text: string, { general, types, other }: Missed): MarketError {
  if (other !== undefined) {
    const message = `${toName(other)} is of type ${other.type}; this tool takes ${types.join(", ")}`;
    return new MarketError("no_data", message, { symbol: other.symbol, candidates: [other] });
  }
  const near = general.kind === "none" ? general.nearest : general.kind === "one" ? [general.listing] : [];
  const candidates = near.slice(0, MAX_CANDIDATES);
  const hint = candidates.length === 0 ? "" : `; perhaps ${candidates.map(toName).join(", ")} is meant`;
  return new MarketError("no_data", `no symbol or name "${text}" is known${hint}`, { symbol: text, candidates });
}

const toName = ({ symbol, name, exchange }: Listing): string => `${symbol} (${name}, ${exchange})`;
