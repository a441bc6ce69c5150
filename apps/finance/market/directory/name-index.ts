/**
 * Name index: companies by the names people use, exact or by how the name begins.
 *
 * A name that several companies share means the one that dwarfs the others by size, if there is one; the first word of
 * many companies' names ("American", "First") never means one of them.
 */
import type { Listing } from "../port/listing.ts";
import { parseCompanyName } from "./company-name.ts";
import { dwarfs, PROMINENT, toCompanies, type ListedCompany, type Ranked } from "./company.ts";
import type { Known } from "./known.ts";
import { finish, type Pieces } from "./pieces.ts";
import { readTable, toNames } from "../tables.ts";
import { toKey } from "./words.ts";

/** By what kind of name a company was found. */
export type NameKind = "name" | "alias";

/** Companies that a name may mean, the most prominent first. */
export interface NameHit {
  readonly by: NameKind;
  readonly companies: readonly ListedCompany[];
  /** The first is meant. */
  readonly isSure: boolean;
}

/** A company and how much of its name and a text is the same, from 0 to 1. */
export type SimilarName = Readonly<{ company: ListedCompany; score: number }>;

/** Companies by name. */
export interface NameIndex {
  /** By the whole name, its short form or an alias; the key is folded. */
  exact(key: string): NameHit | undefined;
  /** By the first words of a name. */
  beginning(key: string): NameHit | undefined;
  /** Companies whose names share words with a key, those with the rarest words in common first. */
  similar(key: string): readonly SimilarName[];
  /** Names whose typing errors are worth finding: those of prominent companies. */
  prominent(): Iterable<readonly [key: string, hit: NameHit]>;
}

/** The number of companies that may share a first word before it stops being a name. */
const MAX_NAMESAKES = 8;

/** A name index that can be filed before the first name is asked for. */
export interface PreparedNames extends NameIndex {
  prepare(): Pieces<void>;
}

/** Files all companies under their names, at the latest when the first name is asked for. */
export function openNames(members: readonly Ranked[], known: readonly Known[]): PreparedNames {
  let names: NameIndex | undefined;
  const filed = () => (names ??= finish(fileNames(members, known)));
  return {
    *prepare() {
      names ??= yield* fileNames(members, known);
    },
    exact: (key) => filed().exact(key),
    beginning: (key) => filed().beginning(key),
    similar: (key) => filed().similar(key),
    prominent: () => filed().prominent(),
  };
}

function* fileNames(members: readonly Ranked[], known: readonly Known[]): Pieces<NameIndex> {
  const byCore = new Map<string, ListedCompany[]>();
  const byFirst = new Map<string, ListedCompany[]>();
  const aliases = new Map<string, ListedCompany[]>();
  const bySymbol = new Map<string, ListedCompany>();
  for (const company of yield* companiesOf(members)) {
    yield;
    push(byCore, company.core, company);
    push(byFirst, firstWord(company.core), company);
    for (const { symbol } of company.listings) bySymbol.set(symbol, company);
    if (company.rank < PROMINENT) addVariants(aliases, company);
  }
  for (const { listing, aliases: names } of known) addAliases(aliases, names, bySymbol.get(listing.symbol));
  for (const [symbol = "", names] of readTable("brands"))
    addAliases(aliases, toNames(names), preferring(bySymbol, symbol));
  let words: ReadonlyMap<string, readonly ListedCompany[]> | undefined;
  return {
    exact,
    beginning,
    prominent,
    similar: (key) => similarTo(key, (words ??= byWord([...byCore.values()].flat()))),
  };

  function exact(key: string): NameHit | undefined {
    const alias = aliases.get(key);
    const named = byCore.get(key) ?? [];
    if (alias !== undefined)
      return { ...toHit("alias", merged(alias, named)), ...(alias.length === 1 && { isSure: true }) };
    return named.length === 0 ? undefined : toHit("name", sorted(named));
  }

  function beginning(key: string): NameHit | undefined {
    if (key === "") return undefined;
    const all = byFirst.get(firstWord(key)) ?? [];
    const found = key.includes(" ") ? all.filter(({ core }) => core.startsWith(`${key} `) || core === key) : all;
    if (found.length === 0) return undefined;
    const hit = toHit("name", sorted(found));
    return found.length > MAX_NAMESAKES && !key.includes(" ") ? { ...hit, isSure: false } : hit;
  }

  function* prominent(): Iterable<readonly [key: string, hit: NameHit]> {
    for (const key of aliases.keys()) yield* sure(key, exact(key));
    for (const [key, companies] of byCore) if (companies.some(isProminent)) yield* sure(key, exact(key));
    for (const [key, companies] of byFirst) {
      if (companies.some(isProminent)) yield* sure(key, exact(key) ?? beginning(key));
    }
  }
}

function byWord(companies: readonly ListedCompany[]): ReadonlyMap<string, readonly ListedCompany[]> {
  const found = new Map<string, ListedCompany[]>();
  for (const company of companies) for (const word of new Set(company.core.split(" "))) push(found, word, company);
  return found;
}

/** More companies than that share a word that says nothing. */
const MAX_SHARING = 400;
const MAX_SIMILAR = 8;

/** Scores by the words that two names share, each weighed by how few names have it. */
function similarTo(key: string, words: ReadonlyMap<string, readonly ListedCompany[]>): readonly SimilarName[] {
  const weightOf = (word: string) => 1 / Math.log2(2 + (words.get(word)?.length ?? 0));
  const asked = [...new Set(key.split(" "))];
  const total = (list: readonly string[]) => list.reduce((sum, word) => sum + weightOf(word), 0);
  const shared = new Map<ListedCompany, number>();
  for (const word of asked) {
    const companies = words.get(word) ?? [];
    if (companies.length > MAX_SHARING) continue;
    for (const company of companies) shared.set(company, (shared.get(company) ?? 0) + weightOf(word));
  }
  const scored = [...shared].map(([company, weight]) => {
    return { company, score: (2 * weight) / (total(asked) + total([...new Set(company.core.split(" "))])) };
  });
  return scored.toSorted((a, b) => b.score - a.score || a.company.rank - b.company.rank).slice(0, MAX_SIMILAR);
}

function* sure(key: string, hit: NameHit | undefined): Iterable<readonly [key: string, hit: NameHit]> {
  const rank = hit?.companies[0]?.rank ?? Infinity;
  if (hit?.isSure === true && rank < PROMINENT) yield [key, hit];
}

function isProminent({ rank }: ListedCompany): boolean {
  return rank < PROMINENT;
}

function* companiesOf(members: readonly Ranked[]): Pieces<readonly ListedCompany[]> {
  const groups = new Map<string, Ranked[]>();
  for (const member of members) {
    yield;
    const { core, isSecondary } = parseCompanyName(member.listing.name);
    push(groups, core, isSecondary ? { ...member, isSecondary } : member);
  }
  const companies: ListedCompany[] = [];
  for (const [core, group] of groups) {
    yield;
    companies.push(...toCompanies(core, group));
  }
  return companies;
}

/** `cocacola` for `coca cola`; `mcdonalds` for `mcdonald`. */
function addVariants(aliases: Map<string, ListedCompany[]>, company: ListedCompany): void {
  const squashed = company.core.replaceAll(" ", "");
  if (squashed !== company.core && squashed.length >= 6) push(aliases, squashed, company);
  const plural = parseCompanyName(company.listings[0]?.name ?? "").plural;
  if (plural !== undefined) push(aliases, plural, company);
}

function addAliases(
  aliases: Map<string, ListedCompany[]>,
  names: readonly string[],
  company: ListedCompany | undefined,
): void {
  if (company === undefined) return;
  for (const name of names) {
    const key = toKey(name);
    const others = aliases.get(key) ?? [];
    if (!others.some(({ listings }) => listings[0] === company.listings[0])) aliases.set(key, [company, ...others]);
  }
}

/** The company of a symbol, with that symbol as its preferred listing. */
function preferring(bySymbol: ReadonlyMap<string, ListedCompany>, symbol: string): ListedCompany | undefined {
  const company = bySymbol.get(symbol);
  const listing = company?.listings.find((candidate) => candidate.symbol === symbol);
  if (company === undefined || listing === undefined || company.listings[0] === listing) return company;
  return { ...company, listings: [listing, ...company.listings.filter((other) => other !== listing)] };
}

/** Aliases say whom a name means, so they come first; namesakes follow. */
function merged(alias: readonly ListedCompany[], named: readonly ListedCompany[]): readonly ListedCompany[] {
  const symbols = new Set(alias.flatMap(({ listings }) => listings.map(({ symbol }: Listing) => symbol)));
  return [...alias, ...named.filter(({ listings }) => listings.every(({ symbol }) => !symbols.has(symbol)))];
}

function toHit(by: NameKind, companies: readonly ListedCompany[]): NameHit {
  const [first, second] = companies;
  const isSure = first !== undefined && (second === undefined || dwarfs(first.rank, second.rank));
  return { by, companies, isSure };
}

function sorted(companies: readonly ListedCompany[]): readonly ListedCompany[] {
  return companies.length < 2 ? companies : companies.toSorted((a, b) => a.rank - b.rank);
}

function firstWord(key: string): string {
  const space = key.indexOf(" ");
  return space < 0 ? key : key.slice(0, space);
}

function push<V>(map: Map<string, V[]>, key: string, value: V): void {
  const values = map.get(key);
  if (values) values.push(value);
  else map.set(key, [value]);
}
