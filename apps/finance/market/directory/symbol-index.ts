/**
 * Symbol index: listings by symbol in any usual spelling. A bare ticker of several markets finds them all.
 */
import type { Listing } from "../port/listing.ts";
import { PROMINENT, type Ranked } from "./company.ts";
import { differingBits, letterBits, typoDistance } from "./damerau.ts";
import type { Known } from "./known.ts";
import { isInMarket } from "./narrowing.ts";
import type { Pieces } from "./pieces.ts";
import { parseSymbol } from "./symbol-spelling.ts";

/** Listings by symbol. */
export interface SymbolIndex {
  /** All that a spelling may mean, the most prominent first. */
  find(spelling: string): readonly Ranked[];
  /** The one it means, if it is only one. */
  only(spelling: string): Listing | undefined;
  /** Well-known listings whose ticker is one letter off. */
  near(ticker: string): readonly Ranked[];
}

/** Files listings under their symbols. */
export function* fileSymbols(members: readonly Ranked[], known: readonly Known[]): Pieces<SymbolIndex> {
  const byTicker = new Map<string, Ranked[]>();
  const coins = new Map<string, Ranked>();
  const file = (ticker: string, member: Ranked) => {
    const others = byTicker.get(ticker);
    if (others === undefined) byTicker.set(ticker, [member]);
    else if (!others.includes(member)) others.push(member);
  };
  for (const member of members) {
    yield;
    const ticker = bareTicker(member.listing);
    file(ticker, member);
    if (member.listing.type === "crypto") coins.set(ticker, member);
  }
  for (const member of members) addSquashed(byTicker, member);
  for (const { listing, spellings } of known) {
    const [member] = byTicker.get(bareTicker(listing)) ?? [];
    if (member !== undefined) for (const spelling of spellings) file(spelling, member);
  }
  for (const several of byTicker.values()) if (several.length > 1) several.sort((a, b) => a.rank - b.rank);

  const find = (spelling: string): readonly Ranked[] => {
    const parsed = parseSymbol(spelling);
    if (parsed === undefined) return [];
    const { symbol, market } = parsed;
    const pair = parsed.coins.map((coin) => coins.get(coin)).find((coin) => coin !== undefined);
    if (pair !== undefined) return [pair];
    const found = byTicker.get(symbol) ?? [];
    if (market === undefined) return found;
    if (market !== "$") return found.filter(({ listing }) => isInMarket(listing, market));
    const others = found.filter(({ listing }) => !isInMarket(listing, "VN"));
    return others.length === 0 ? found : others;
  };
  const only = (spelling: string): Listing | undefined => {
    const found = find(spelling);
    return found.length === 1 ? found[0]?.listing : undefined;
  };
  let tickers: readonly KnownTicker[] | undefined;
  const near = (ticker: string): readonly Ranked[] => tickersNear(ticker, (tickers ??= knownTickers(byTicker)));
  return { find, only, near };
}

type KnownTicker = Readonly<{ ticker: string; bits: number; ranked: Ranked }>;

function knownTickers(byTicker: ReadonlyMap<string, readonly Ranked[]>): readonly KnownTicker[] {
  return [...byTicker].flatMap(([ticker, [ranked]]): readonly KnownTicker[] =>
    ranked === undefined || ranked.rank >= PROMINENT * 2
      ? []
      : [{ ticker, bits: letterBits(ticker.toLowerCase()), ranked }],
  );
}

function tickersNear(wanted: string, known: readonly KnownTicker[]): readonly Ranked[] {
  if (wanted.length < 2 || wanted.length > 8) return [];
  const bits = letterBits(wanted.toLowerCase());
  const near = known.filter((each) => differingBits(each.bits, bits) <= 2 && typoDistance(wanted, each.ticker, 1) <= 1);
  return near.map(({ ranked }) => ranked);
}

/** Returns the ticker as people type it: `VNM` of `VNM.VN`, `BTC` of `BTCUSD`. */
function bareTicker({ symbol, type }: Listing): string {
  if (type === "crypto" && symbol.endsWith("USD")) return symbol.slice(0, -3);
  return symbol.endsWith(".VN") ? symbol.slice(0, -3) : symbol;
}

/** `BRKB` is `BRK-B` unless it is a symbol of its own. */
function addSquashed(byTicker: Map<string, Ranked[]>, member: Ranked): void {
  const { symbol } = member.listing;
  if (!symbol.includes("-")) return;
  const squashed = symbol.replaceAll("-", "");
  if (!byTicker.has(squashed)) byTicker.set(squashed, [member]);
}
