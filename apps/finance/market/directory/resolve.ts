/**
 * Resolve: what a query means: a symbol first, then a name, the beginning of a name, and last a misspelt name.
 *
 * A name in lower or mixed case that is also another company's ticker means the company that dwarfs the other ("Ford"
 * is the car maker, not the ticker FORD); in capitals it may be either.
 */
import type { Listing, Narrowing, Resolution } from "../port/listing.ts";
import { dwarfs, PROMINENT, type ListedCompany, type Ranked } from "./company.ts";
import { parseCompanyName } from "./company-name.ts";
import { typoDistance } from "./damerau.ts";
import type { NameHit, NameIndex } from "./name-index.ts";
import { narrow } from "./narrowing.ts";
import { isPlainWord } from "./plain-words.ts";
import type { SymbolIndex } from "./symbol-index.ts";
import type { TypoIndex } from "./typo.ts";
import { toKey } from "./words.ts";

/** The indices of a search. */
export interface Indices {
  readonly symbols: SymbolIndex;
  readonly names: NameIndex;
  readonly typos: TypoIndex;
}

const MAX_CANDIDATES = 8;
const MAX_QUERY = 200;

/** Words that people put around a name. */
const NOISE: ReadonlySet<string> = new Set(
  "stock stocks share shares ticker symbol price quote coin token crypto etf company the co phieu ma gia cong ty tap doan dong tien".split(
    " ",
  ),
);

/** Resolves a query. */
export function resolveQuery(indices: Indices, query: string, narrowing: Narrowing): Resolution {
  const text = query.trim().slice(0, MAX_QUERY);
  const found = search(indices, text, narrowing) ?? search(indices, inBrackets(text), narrowing);
  if (found !== undefined) return found;
  const bare = withoutNoise(text);
  const second = bare === "" ? undefined : search(indices, bare, narrowing);
  return second ?? misspelt(indices, text, narrowing) ?? { kind: "none", nearest: nearest(indices, text, narrowing) };
}

function search(indices: Indices, text: string, narrowing: Narrowing): Resolution | undefined {
  if (text === "") return undefined;
  const symbols = narrow(indices.symbols.find(text), narrowing, ({ listing }) => listing);
  if (symbols.length === 0) return byName(indices, text, narrowing);
  const hit = indices.names.exact(toKey(text));
  const named = hit && fromHit(hit, narrowing);
  if (named?.kind !== "one") return bySymbol(symbols);
  const chosen = nameOrSymbol(indices, { symbols, named, text });
  if (chosen !== named || text !== text.toUpperCase()) return chosen;
  return ambiguous([...symbols.map(({ listing }) => listing), named.listing]);
}

function bySymbol(symbols: readonly Ranked[]): Resolution {
  const [first] = symbols;
  if (symbols.length === 1 && first !== undefined) return { kind: "one", listing: first.listing, by: "symbol" };
  return { kind: "ambiguous", candidates: symbols.map(({ listing }) => listing) };
}

interface Rivals {
  readonly symbols: readonly Ranked[];
  readonly named: Resolution & { readonly kind: "one" };
  readonly text: string;
}

function nameOrSymbol({ names }: Indices, { symbols, named, text }: Rivals): Resolution {
  if (symbols.some(({ listing }) => listing === named.listing) || isWritten(text)) return bySymbol(symbols);
  const rank = names.exact(toKey(text))?.companies[0]?.rank ?? Infinity;
  const others = symbols.map((other) => other.rank);
  if (others.every((other) => dwarfs(rank, other))) return named;
  if (named.by === "name" && others.every((other) => dwarfs(other, rank))) return bySymbol(symbols);
  return { kind: "ambiguous", candidates: [named.listing, ...symbols.map(({ listing }) => listing)] };
}

/** Written as only symbols are: `$F`, `^VIX`, `NYSE:F`. */
function isWritten(text: string): boolean {
  return text.startsWith("$") || text.startsWith("^") || text.includes(":");
}

function byName({ names }: Indices, text: string, narrowing: Narrowing): Resolution | undefined {
  // no name has it: `__proto__` is not the beginning of Proto Labs
  if (text.includes("_")) return undefined;
  const key = toKey(text);
  const core = parseCompanyName(text).core;
  const exact = names.exact(key) ?? names.exact(core);
  const begun = names.beginning(core === "" ? key : core);
  const found = exact && fromHit(exact, narrowing);
  if (found !== undefined) return found;
  return begun && fromHit(begun, narrowing);
}

function fromHit(hit: NameHit, narrowing: Narrowing): Resolution | undefined {
  const fitting = hit.companies.flatMap((company) => {
    const [listing] = narrow(company.listings, narrowing, (candidate) => candidate);
    return listing === undefined ? [] : [{ company, listing }];
  });
  const [first, second] = fitting;
  if (first === undefined) return undefined;
  const isOnly = second === undefined && hit.companies.length > 1;
  if (second === undefined && !hit.isSure && !isOnly) return ambiguous([first.listing]);
  if (second === undefined || (hit.isSure && isFirst(hit, first.company))) {
    return { kind: "one", listing: first.listing, by: hit.by };
  }
  if (dwarfs(first.company.rank, second.company.rank) && hit.companies.length <= MAX_CANDIDATES) {
    return { kind: "one", listing: first.listing, by: hit.by };
  }
  return ambiguous(fitting.map(({ listing }) => listing));
}

function isFirst({ companies }: NameHit, company: ListedCompany): boolean {
  return companies[0] === company;
}

function ambiguous(candidates: readonly Listing[]): Resolution {
  return { kind: "ambiguous", candidates: candidates.slice(0, MAX_CANDIDATES) };
}

function misspelt({ typos }: Indices, text: string, narrowing: Narrowing): Resolution | undefined {
  const key = toKey(text);
  if (isPlainWord(key)) return undefined;
  const listings = new Set<Listing>();
  for (const { companies } of typos.nearest(key)) {
    const [listing] = narrow(companies[0]?.listings ?? [], narrowing, (candidate) => candidate);
    if (listing !== undefined) listings.add(listing);
  }
  const [first] = listings;
  if (first === undefined) return undefined;
  return listings.size === 1 ? { kind: "one", listing: first, by: "typo" } : ambiguous([...listings]);
}

/** Prominent listings whose symbol is one letter off. */
function nearest({ symbols }: Indices, text: string, narrowing: Narrowing): readonly Listing[] {
  const wanted = text.toUpperCase();
  if (wanted.length < 2 || wanted.length > 8) return [];
  const near: Ranked[] = [];
  for (const [ticker, [ranked]] of symbols.entries()) {
    if (ranked === undefined || ranked.rank >= PROMINENT * 2) continue;
    if (typoDistance(wanted, ticker, 1) <= 1) near.push(ranked);
  }
  const ordered = near.toSorted((a, b) => a.rank - b.rank).map(({ listing }) => listing);
  return narrow(ordered, narrowing, (listing) => listing).slice(0, 5);
}

/** `AAPL` of `Apple Inc. (AAPL)`. */
function inBrackets(text: string): string {
  const open = text.lastIndexOf("(");
  return open > 0 && text.endsWith(")") ? text.slice(open + 1, -1) : "";
}

function withoutNoise(text: string): string {
  const words = toKey(text).split(" ");
  const kept = words.filter((word) => !NOISE.has(word));
  return kept.length === words.length ? "" : kept.join(" ");
}
