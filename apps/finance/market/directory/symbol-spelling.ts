/**
 * Symbol spelling: the canonical symbols that a spelling may mean, such as `BRK-B` for `brk.b` and `BTCUSD` for
 * `btc/usdt`, and to which market it is bound (`NASDAQ:AAPL`, `VNM.VN`, `$VNM`).
 */
import { readPairs } from "../tables.ts";

/** Quote currencies with which a pair means the coin itself. */
const QUOTES = ["USDT", "USDC", "BUSD", "FDUSD", "USD"] as const;

/** The parts of a symbol as it was typed. */
export interface SymbolSpelling {
  /** In upper case, with a dash between symbol and class. */
  readonly symbol: string;
  /** A market or exchange it names. */
  readonly market: string | undefined;
  /** The coin's ticker, if it is written as a pair: `BNBUSD` is `BN` in BUSD, or `BNB` in USD. */
  readonly coins: readonly string[];
}

/** No symbol is longer. */
const MAX_SYMBOL = 24;

const SUFFIXES: ReadonlyMap<string, string> = new Map([
  ["VN", "VN"],
  ["US", "US"],
]);

const PREFIXES = readPairs("exchange-prefixes");

/** Reads a spelling; undefined if it cannot be a symbol. */
export function parseSymbol(text: string): SymbolSpelling | undefined {
  const trimmed = text.trim();
  if (trimmed === "" || trimmed.length > MAX_SYMBOL) return undefined;
  const upper = trimmed.toUpperCase();
  const colon = upper.indexOf(":");
  if (colon > 0) return withPrefix(upper, colon);
  if (upper.startsWith("$")) return cashtag(upper.slice(1));
  if (upper.startsWith("^")) return isPlain(upper.slice(1)) ? spelling(upper) : undefined;
  return withSuffix(upper);
}

function withPrefix(upper: string, colon: number): SymbolSpelling | undefined {
  const market = PREFIXES.get(upper.slice(0, colon).trim());
  if (market === undefined) return undefined;
  const rest = withSuffix(upper.slice(colon + 1).trim());
  return rest && { ...rest, market };
}

/** A cashtag is the American listing; that it may be a coin is not excluded. */
function cashtag(rest: string): SymbolSpelling | undefined {
  const parsed = withSuffix(rest.trim());
  return parsed && { ...parsed, market: parsed.market ?? "$" };
}

function withSuffix(upper: string): SymbolSpelling | undefined {
  const dashed = dashes(upper);
  if (dashed === undefined) return undefined;
  const last = dashed.lastIndexOf("-");
  const market = last > 0 ? SUFFIXES.get(dashed.slice(last + 1)) : undefined;
  if (market !== undefined && upper[last] === ".") return spelling(dashed.slice(0, last), market);
  return { symbol: dashed, market: undefined, coins: pairBases(dashed) };
}

/** With `-` for `.`, `/`, `_` and single spaces; undefined if other characters are in it. */
function dashes(upper: string): string | undefined {
  let dashed = "";
  for (const character of upper) {
    if (isPlain(character)) dashed += character;
    else if ("./-_ ".includes(character) && dashed !== "" && !dashed.endsWith("-")) dashed += "-";
    else return undefined;
  }
  return dashed.endsWith("-") ? undefined : dashed;
}

/** `BTC` of `BTCUSDT` and `BTC-USD`. */
function pairBases(dashed: string): readonly string[] {
  return QUOTES.filter((quote) => dashed.endsWith(quote) && dashed.length > quote.length)
    .map((quote) => dashed.slice(0, -quote.length))
    .map((base) => (base.endsWith("-") ? base.slice(0, -1) : base));
}

function spelling(symbol: string, market?: string): SymbolSpelling {
  return { symbol, market, coins: [] };
}

function isPlain(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (!((code >= 65 && code <= 90) || (code >= 48 && code <= 57))) return false;
  }
  return text !== "";
}
