/**
 * Require listing: the one way from a tool's `symbol` argument to the thing it means.
 *
 * A symbol in any accepted spelling or an unambiguous name is enough. What could be a typing error is never guessed:
 * it is no data, with the candidates.
 */
import type { Listing, ListingType, Resolution } from "../data/listing.ts";
import type { MarketData } from "../data/market-data.ts";
import { MarketError } from "../data/market-error.ts";

/** Which types a tool takes; if a text can be a coin or something else, `types[0]` decides. */
export type Wanted = Readonly<{ types: readonly ListingType[] }>;

/** What has daily bars like a stock. */
export const SECURITIES: Wanted = { types: ["stock", "etf", "index"] };
/** The same, and coins. */
export const SECURITIES_AND_COINS: Wanted = { types: ["stock", "etf", "index", "crypto"] };
export const COINS: Wanted = { types: ["crypto"] };

/** What every result says of the thing it is about. */
export type Identity = Listing;

/** The fields of a listing that results echo. */
export const identify = ({ symbol, name, exchange, type, currency }: Listing): Identity => ({
  symbol,
  name,
  exchange,
  type,
  currency,
});

const MAX_CANDIDATES = 8;

/** The listing that a symbol or name means to a tool of these types; a `MarketError` if there is none, or several. */
export function requireListing({ directory }: Pick<MarketData, "directory">, text: string, { types }: Wanted): Listing {
  const exact = directory.get(text);
  if (exact !== undefined && types.includes(exact.type)) return exact;
  const isWanted = ({ type }: Listing) => types.includes(type);
  const general = directory.resolve(text);
  const meant = toMeant(general).filter(isWanted);
  const narrowed = meant.length > 0 ? meant : types.flatMap((type) => toMeant(directory.resolve(text, { type })));
  const candidates = toUnique(narrowed.filter(isWanted));
  const [first] = prefer(candidates, types);
  const isOne = prefer(candidates, types).length === 1;
  if (first !== undefined && isOne) return first;
  if (first !== undefined) throw ambiguous(text, candidates);
  throw unknown(text, { general, types, other: exact ?? toMeant(general)[0] });
}

/** What a text means for sure; a guess at a typing error does not count. */
function toMeant(resolution: Resolution): readonly Listing[] {
  if (resolution.kind === "ambiguous") return resolution.candidates;
  return resolution.kind === "one" && resolution.by !== "typo" ? [resolution.listing] : [];
}

/** Coins only, or no coins, if both are left: the tool's first type decides. */
function prefer(candidates: readonly Listing[], [first]: readonly ListingType[]): readonly Listing[] {
  const preferred = candidates.filter(({ type }) => (type === "crypto") === (first === "crypto"));
  return preferred.length > 0 ? preferred : candidates;
}

function toUnique(listings: readonly Listing[]): readonly Listing[] {
  return [...new Map(listings.map((listing) => [listing.symbol, listing])).values()];
}

function ambiguous(text: string, listings: readonly Listing[]): MarketError {
  const candidates = listings.slice(0, MAX_CANDIDATES);
  const names = candidates.map(toName).join(", ");
  const message = `"${text}" can mean ${names}; call again with the symbol that is meant, or ask the user`;
  return new MarketError("ambiguous", message, { symbol: text, candidates });
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
