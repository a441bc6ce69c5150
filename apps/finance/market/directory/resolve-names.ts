/**
 * Resolve names: the listings that the names in a question mean. A name comes with the user's words and, if a model
 * read them, its guess at the ticker, which is checked against the directory.
 *
 * Every name has an entry in the result. One clear match is `resolved`; several, or a much better known name one letter
 * off, are `candidates`, the likeliest first; what nothing matches is `unknown`, with the nearest names.
 */
import type { Directory, Listing, ListingMatch, LookUp, UnlistedCompany } from "../port/listing.ts";
import { isInMarket } from "./narrowing.ts";

/** A company, fund, coin or index as the user named it. */
export interface NamedListing {
  /** In the user's words. */
  readonly said: string;
  /** A guess, such as a model's. */
  readonly ticker?: string | undefined;
}

/** Facts about the question that decide between markets. */
export interface NameHints {
  readonly activeTab?: "stock" | "crypto" | "none" | undefined;
  /** A BCP 47 tag. */
  readonly language?: string | undefined;
}

export type ScoredListing = Pick<Listing, "symbol" | "name" | "exchange" | "type" | "currency"> &
  Readonly<{ score: number }>;

/** The meaning of one name. */
export interface ResolvedName {
  readonly said: string;
  readonly kind: "resolved" | "candidates" | "unknown";
  /** The meant one; the candidates, the likeliest first; or the nearest names. */
  readonly listings: readonly ScoredListing[];
  readonly ambiguous?: true;
  /** A known company without a listing. */
  readonly status?: UnlistedCompany["status"];
  readonly note?: string;
}

/** The score of a listing that only the guess names. */
const GUESS_SCORE = 0.8;
const MAX_CANDIDATES = 8;

/** Resolves every name, in order. */
export function resolveNames(
  directory: Pick<Directory, "lookUp">,
  names: readonly NamedListing[],
  hints: NameHints = {},
): readonly ResolvedName[] {
  return names.map((name) => resolveName(directory, name, hints));
}

function resolveName(directory: Pick<Directory, "lookUp">, named: NamedListing, hints: NameHints): ResolvedName {
  const { said, ticker = "" } = named;
  const result = findName(directory, named, hints);
  const [listing] = result.listings;
  const isOther = result.kind === "resolved" && ticker !== "" && ticker !== said && result.note === undefined;
  if (!isOther || listing === undefined || directory.lookUp(ticker.toUpperCase()).exact.length > 0) return result;
  return { ...result, note: `${listing.symbol} stands in for ${ticker}, which the data does not have` };
}

function findName(
  directory: Pick<Directory, "lookUp">,
  { said, ticker = "" }: NamedListing,
  hints: NameHints,
): ResolvedName {
  const found = directory.lookUp(said);
  const guessed = ticker === "" || ticker === said ? [] : ofTab(guessOf(directory, ticker), hints);
  const exact = ofTab(found.exact, hints);
  // "The two" is the beginning of names by chance: what a model read in the conversation says more.
  const isByChance = guessed.length > 0 && exact.every(({ score }) => score < 1) && !exact.some(isAmong(guessed));
  if (exact.length > 0 && !isByChance) return fromExact(said, { exact, near: found.near, guessed }, hints);
  if (found.unlisted !== undefined) return toUnlisted(said, found.unlisted, guessed);
  if (found.near.length > 0) return fromNear(said, found.near, guessed);
  return fromGuess(said, found, guessed);
}

/** The listings that have exactly that ticker. */
function guessOf(directory: Pick<Directory, "lookUp">, ticker: string): readonly ListingMatch[] {
  return directory.lookUp(ticker.toUpperCase()).exact.filter(({ by }) => by === "symbol");
}

interface Found {
  readonly exact: readonly ListingMatch[];
  readonly near: readonly ListingMatch[];
  readonly guessed: readonly ListingMatch[];
}

function fromExact(said: string, { exact, near, guessed }: Found, hints: NameHints): ResolvedName {
  const chosen = exact.filter(isAmong(guessed));
  const [only] = exact;
  if (exact.length === 1 && near.length === 0 && only !== undefined) {
    const isOther = guessed.length > 0 && chosen.length === 0 && !guessed.some((match) => isSameCompany(match, only));
    return isOther ? toCandidates(said, [...exact, ...asGuess(guessed)]) : resolved(said, only);
  }
  const isOfTwoMarkets = exact.some(isVietnamese) && !exact.every(isVietnamese);
  const [guess] = chosen;
  if (chosen.length === 1 && guess !== undefined && near.length === 0 && !isOfTwoMarkets) return resolved(said, guess);
  const all = isOfTwoMarkets ? byLanguage([...exact, ...near], hints) : [...exact, ...near];
  const first = all.filter(isAmong(guessed));
  return toCandidates(said, [...first, ...all.filter((match) => !first.includes(match))]);
}

function fromNear(said: string, near: readonly ListingMatch[], guessed: readonly ListingMatch[]): ResolvedName {
  const [only] = near;
  const [guess] = near.filter(isAmong(guessed));
  if (guess !== undefined) return resolved(said, guess);
  if (guessed.length > 0) return fromGuess(said, { exact: [], near: [], nearest: [] }, guessed);
  return near.length === 1 && only !== undefined ? resolved(said, only) : toCandidates(said, near);
}

/** Nothing matches the user's words, which may be in another script: the guess counts. */
function fromGuess(said: string, { nearest }: LookUp, guessed: readonly ListingMatch[]): ResolvedName {
  const [only, second] = asGuess(guessed);
  if (only === undefined) return { said, kind: "unknown", listings: nearest.map(toScored) };
  return second === undefined ? resolved(said, only) : toCandidates(said, asGuess(guessed));
}

function toUnlisted(said: string, { name, status, note }: UnlistedCompany, guessed: readonly ListingMatch[]) {
  const listings = asGuess(guessed).map(toScored);
  const kind = listings.length === 0 ? ("unknown" as const) : ("candidates" as const);
  return { said, kind, listings, status, note: `${name} is ${toWords(status)}: ${note}` };
}

const toWords = (status: UnlistedCompany["status"]): string =>
  status === "private" ? "not listed" : "no longer listed";

/** Coins or everything else, as the tab says, if there are both. */
function ofTab(matches: readonly ListingMatch[], { activeTab }: NameHints): readonly ListingMatch[] {
  if (activeTab !== "stock" && activeTab !== "crypto") return matches;
  const fitting = matches.filter(({ listing }) => (listing.type === "crypto") === (activeTab === "crypto"));
  return fitting.length === 0 ? matches : fitting;
}

const isVietnamese = ({ listing }: ListingMatch): boolean => isInMarket(listing, "VN");

function byLanguage(matches: readonly ListingMatch[], { language = "" }: NameHints): readonly ListingMatch[] {
  const isHome = language.toLowerCase().startsWith("vi");
  return matches.toSorted((a, b) => Number(isVietnamese(a) !== isHome) - Number(isVietnamese(b) !== isHome));
}

const isAmong =
  (matches: readonly ListingMatch[]) =>
  ({ listing }: ListingMatch): boolean =>
    matches.some((match) => match.listing.symbol === listing.symbol);

/** Share classes of one company have one name, or one number at the SEC. */
function isSameCompany({ listing: one }: ListingMatch, { listing: other }: ListingMatch): boolean {
  if (one.cik !== undefined && one.cik === other.cik) return true;
  const [first, second] = [one, other].map(({ name }) => name.toLowerCase().split(" ").slice(0, 2).join(" "));
  return first === second;
}

const asGuess = (matches: readonly ListingMatch[]): readonly ListingMatch[] =>
  matches.map((match) => ({ ...match, score: GUESS_SCORE }));

const resolved = (said: string, match: ListingMatch): ResolvedName => ({
  said,
  kind: "resolved",
  listings: [toScored(match)],
});

function toCandidates(said: string, matches: readonly ListingMatch[]): ResolvedName {
  const listings = matches.slice(0, MAX_CANDIDATES).map(toScored);
  return { said, kind: "candidates", listings, ...(listings.length > 1 && { ambiguous: true as const }) };
}

const toScored = ({ listing, score }: ListingMatch): ScoredListing => {
  const { symbol, name, exchange, type, currency } = listing;
  return { symbol, name, exchange, type, currency, score: Number(score.toFixed(3)) };
};
