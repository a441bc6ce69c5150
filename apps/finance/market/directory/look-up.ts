/**
 * Look-up: everything that a text may mean, with scores: a symbol, a name or alias, a misspelt name, the nearest names.
 *
 * A name that is also a smaller company's ticker means the larger company ("Ford"); in capitals it may be either. A ticker
 * in lower case that is one letter off a much better known name ("aple") may be either too.
 */
import { omitUndefined } from "@baton/core/util";
import type { Listing, ListingMatch, LookUp, Narrowing, Resolution, UnlistedCompany } from "../port/listing.ts";
import { dwarfs, type ListedCompany } from "./company.ts";
import { parseCompanyName } from "./company-name.ts";
import type { NameHit, NameIndex } from "./name-index.ts";
import { narrow } from "./narrowing.ts";
import type { SymbolIndex } from "./symbol-index.ts";
import type { TypoIndex } from "./typo.ts";
import { toKey } from "./words.ts";

/** The indices of a search. */
export interface Indices {
  readonly symbols: SymbolIndex;
  readonly names: NameIndex;
  readonly typos: TypoIndex;
  /** By folded name. */
  readonly unlisted: ReadonlyMap<string, UnlistedCompany>;
}

const MAX_CANDIDATES = 8;
const MAX_NEAREST = 5;
const MAX_QUERY = 200;
const BEGINNING_SCORE = 0.9;
/** Names with less in common are not worth naming. */
const LEAST_SIMILAR = 0.3;

/** Words that people put around a name. */
const NOISE: ReadonlySet<string> = new Set(
  "stock stocks share shares ticker symbol price quote coin token crypto etf company the co phieu ma gia cong ty tap doan dong tien".split(
    " ",
  ),
);

/** Looks a text up. */
export function lookUp(indices: Indices, query: string, narrowing: Narrowing): LookUp {
  const text = query.trim().slice(0, MAX_QUERY);
  const key = toKey(text);
  const unlisted = indices.unlisted.get(key);
  const whole = exactOf(indices, text, narrowing);
  if (unlisted !== undefined && !whole.some(({ score }) => score === 1)) {
    return { exact: [], near: [], nearest: [], unlisted };
  }
  const forms = whole.length > 0 ? [] : [inBrackets(text), withoutNoise(key)];
  const exact = forms.reduce((found, form) => (found.length > 0 ? found : exactOf(indices, form, narrowing)), whole);
  const near = nearOf(indices, key, narrowing).filter((match) => isWorthNaming(match, exact, text));
  const nearest = exact.length + near.length > 0 ? [] : nearestOf(indices, text, narrowing);
  return { exact, near, nearest, ...omitUndefined({ unlisted }) };
}

/** The meaning of a text, if there is one. */
export function toResolution({ exact, near, nearest }: LookUp): Resolution {
  const matches = [...exact, ...near];
  const [first] = matches;
  if (first === undefined) return { kind: "none", nearest: nearest.map(({ listing }) => listing) };
  if (matches.length > 1) return { kind: "ambiguous", candidates: matches.map(({ listing }) => listing) };
  return { kind: "one", listing: first.listing, by: first.by };
}

function exactOf(indices: Indices, text: string, narrowing: Narrowing): readonly ListingMatch[] {
  if (text === "") return [];
  const symbols = narrow(indices.symbols.find(text), narrowing, ({ listing }) => listing);
  const bySymbol = symbols.map(({ listing, rank }): ListingMatch => ({ listing, rank, score: 1, by: "symbol" }));
  const hit = nameOf(indices, text);
  const named = hit === undefined ? [] : toMatches(hit, narrowing, 1);
  if (bySymbol.length > 0) return nameOrSymbol({ bySymbol, named, text });
  if (named.length > 0 || text.includes("_")) return named;
  const core = parseCompanyName(text).core;
  const begun = indices.names.beginning(core === "" ? toKey(text) : core);
  return begun === undefined ? [] : toMatches(begun, narrowing, BEGINNING_SCORE);
}

function nameOf({ names }: Indices, text: string): NameHit | undefined {
  // no name has it: `__proto__` is not Proto Labs
  if (text.includes("_")) return undefined;
  return names.exact(toKey(text)) ?? names.exact(parseCompanyName(text).core);
}

type Rivals = Readonly<{ bySymbol: readonly ListingMatch[]; named: readonly ListingMatch[]; text: string }>;

/** Decides between the listings that have a text as their ticker and those that have it as their name. */
function nameOrSymbol({ bySymbol, named, text }: Rivals): readonly ListingMatch[] {
  const others = named.filter(({ listing }) => bySymbol.every((match) => match.listing !== listing));
  const isOneCompany = others.length < named.length;
  if (others.length === 0 || named.length > 1 || isOneCompany || isWritten(text)) return bySymbol;
  const [name] = others;
  if (name === undefined) return bySymbol;
  const isCapital = text === text.toUpperCase();
  if (bySymbol.every(({ rank }) => dwarfs(name.rank, rank))) return isCapital ? [...bySymbol, name] : [name];
  if (name.by === "name" && bySymbol.every(({ rank }) => dwarfs(rank, name.rank))) return bySymbol;
  return [name, ...bySymbol];
}

/** Written as only symbols are: `$F`, `^VIX`, `NYSE:F`. */
function isWritten(text: string): boolean {
  return text.startsWith("$") || text.startsWith("^") || text.includes(":");
}

function toMatches(hit: NameHit, narrowing: Narrowing, score: number): readonly ListingMatch[] {
  const fitting = hit.companies.flatMap((company): readonly ListingMatch[] => {
    const listing = listingOf(company, narrowing);
    return listing === undefined ? [] : [{ listing, rank: company.rank, score, by: hit.by }];
  });
  const [first, second] = fitting;
  if (first === undefined || second === undefined) return fitting;
  const isSure = hit.isSure && hit.companies[0]?.rank === first.rank;
  const isLarger = dwarfs(first.rank, second.rank) && hit.companies.length <= MAX_CANDIDATES;
  return isSure || isLarger ? [first] : fitting.slice(0, MAX_CANDIDATES);
}

const listingOf = ({ listings }: ListedCompany, narrowing: Narrowing): Listing | undefined =>
  narrow(listings, narrowing, (listing) => listing)[0];

function nearOf({ typos }: Indices, key: string, narrowing: Narrowing): readonly ListingMatch[] {
  const found = new Map<string, ListingMatch>();
  for (const { hit, score } of typos.nearest(key)) {
    const [company] = hit.companies;
    const listing = company && listingOf(company, narrowing);
    if (listing === undefined) continue;
    found.set(listing.symbol, { listing, rank: company?.rank ?? Infinity, score, by: "typo" });
  }
  return [...found.values()].toSorted((a, b) => b.score - a.score || a.rank - b.rank).slice(0, MAX_CANDIDATES);
}

/** Beside exact matches, a misspelt name counts if all of them are tickers of much smaller companies in small letters. */
function isWorthNaming(near: ListingMatch, exact: readonly ListingMatch[], text: string): boolean {
  if (exact.length === 0) return true;
  if (isWritten(text) || text === text.toUpperCase()) return false;
  return exact.every(({ by, rank }) => by === "symbol" && dwarfs(near.rank, rank));
}

/** Prominent listings whose symbol is one letter off, and companies whose names share words. */
function nearestOf({ symbols, names }: Indices, text: string, narrowing: Narrowing): readonly ListingMatch[] {
  const byTicker = symbols.near(text.toUpperCase()).map(({ listing, rank }): ListingMatch => {
    return { listing, rank, score: 1 - 1 / Math.max(text.length, 2), by: "typo" };
  });
  const byWords = names.similar(toKey(text)).flatMap(({ company, score }): readonly ListingMatch[] => {
    const listing = listingOf(company, narrowing);
    return listing === undefined || score < LEAST_SIMILAR
      ? []
      : [{ listing, rank: company.rank, score: score * BEGINNING_SCORE, by: "name" }];
  });
  const all = [...narrow(byTicker, narrowing, ({ listing }) => listing), ...byWords];
  const unique = new Map(all.map((match) => [match.listing.symbol, match]));
  return [...unique.values()].toSorted((a, b) => b.score - a.score || a.rank - b.rank).slice(0, MAX_NEAREST);
}

/** `AAPL` of `Apple Inc. (AAPL)`. */
function inBrackets(text: string): string {
  const open = text.lastIndexOf("(");
  return open > 0 && text.endsWith(")") ? text.slice(open + 1, -1) : "";
}

function withoutNoise(key: string): string {
  const words = key.split(" ");
  const kept = words.filter((word) => !NOISE.has(word));
  return kept.length === words.length ? "" : kept.join(" ");
}
