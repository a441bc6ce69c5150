/**
 * Stub market: a small in-memory market for tests of tools, with the capabilities that a test gives it.
 *
 * Its listings stand for the cases of the real directory: plain symbols, a name two companies share, a stock and a
 * coin with one ticker.
 */
import { MemoryCache } from "@baton/assistant";
import type { Json, Tool } from "@baton/core";
import { parseJson } from "@baton/core/util";
import { callTool, toolContext } from "@baton/core/testing";
import { z } from "zod";
import type { Bars } from "../../market/port/bars.ts";
import type { Directory, Listing, ListingMatch, LookUp, Narrowing, Resolution } from "../../market/port/listing.ts";
import { type MarketAsk, type Capabilities, type Capability, type MarketData } from "../../market/port/market-data.ts";
import { MarketError } from "../../market/port/market-error.ts";
import type { Provenance, Sourced } from "../../market/port/provenance.ts";
import type { MarketTool } from "../frame/market-tool.ts";
import { factsIn } from "./facts-in.ts";
import { numbersOf } from "./numbers-of.ts";

const DAY_S = 86_400;

export const PROVENANCE: Provenance = { kind: "history", source: "stub", as_of: "2024-11-22T16:00:00-05:00" };

export const ACME: Listing = { symbol: "ACME", name: "Acme Inc.", exchange: "NYSE", type: "stock", currency: "USD" };
export const BOLT: Listing = { ...ACME, symbol: "BOLT", name: "Bolt Corp.", exchange: "NASDAQ" };
const FAKE: Listing = { ...ACME, symbol: "FAKE", name: "Fake Industries", exchange: "FICTIONAL" };
export const MARKET: Listing = { ...ACME, symbol: "^GSPC", name: "S&P 500", exchange: "INDEX", type: "index" };
export const COIN: Listing = { ...ACME, symbol: "BTCUSD", name: "Bitcoin", exchange: "CRYPTO", type: "crypto" };
export const FUND: Listing = { ...ACME, symbol: "BTC", name: "Bitcoin Mini Trust", type: "etf" };
export const HOME: Listing = { ...ACME, symbol: "VNM.VN", name: "Vinamilk", exchange: "HOSE", currency: "VND" };
export const ABROAD: Listing = { ...ACME, symbol: "VNM", name: "Vietnam ETF", type: "etf" };

const LISTINGS: readonly Listing[] = [ACME, BOLT, FAKE, MARKET, COIN, FUND, HOME, ABROAD];
/** Tickers that two listings share. */
const SHARED: readonly string[] = ["VNM", "BTC"];
const NEAR: ReadonlyMap<string, Listing> = new Map([["ACNE", ACME]]);

/** A directory that knows the listings above by symbol, by ticker without suffix or quote currency, and by name. */
export const STUB_DIRECTORY: Directory = {
  size: LISTINGS.length,
  listings: () => LISTINGS,
  get(symbol) {
    const found = LISTINGS.filter((listing) => listing.symbol === symbol.toUpperCase());
    return found.length === 1 && !SHARED.includes(symbol.toUpperCase()) ? found[0] : undefined;
  },
  resolve(query, { type = "any" }: Narrowing = {}): Resolution {
    const text = query.toUpperCase();
    const tickers = ({ symbol }: Listing) => [symbol, symbol.replace(/\.VN$/, ""), symbol.replace(/USD$/, "")];
    const found = LISTINGS.filter((listing) => type === "any" || listing.type === type).filter(
      (listing) => tickers(listing).includes(text) || listing.name.toUpperCase() === text,
    );
    const [listing] = found;
    if (listing !== undefined && found.length === 1) return { kind: "one", listing, by: "symbol" };
    if (listing !== undefined) return { kind: "ambiguous", candidates: found };
    const near = NEAR.get(text);
    return near === undefined ? { kind: "none", nearest: [ACME] } : { kind: "one", listing: near, by: "typo" };
  },
  lookUp: (query, narrowing) => toLookUp(STUB_DIRECTORY.resolve(query, narrowing)),
};

/** The listings that a resolution names, as matches. */
function toLookUp(resolution: Resolution): LookUp {
  const match = (listing: Listing, by: ListingMatch["by"]): ListingMatch => ({ listing, by, score: 1, rank: 0 });
  if (resolution.kind === "none") {
    return { exact: [], near: [], nearest: resolution.nearest.map((listing) => match(listing, "typo")) };
  }
  if (resolution.kind === "ambiguous") {
    return { exact: resolution.candidates.map((listing) => match(listing, "symbol")), near: [], nearest: [] };
  }
  const found = [match(resolution.listing, resolution.by)];
  return resolution.by === "typo" ? { exact: [], near: found, nearest: [] } : { exact: found, near: [], nearest: [] };
}

/** An answer with the provenance of the stub. */
export const sourced = <T>(data: T, provenance: Partial<Provenance> = {}): Sourced<T> => ({
  data,
  provenance: { ...PROVENANCE, ...provenance },
});

/** A market with these capabilities; the others are not configured. */
export function stubMarket(capabilities: Partial<Capabilities>, rest: Partial<MarketData> = {}): MarketData {
  const missing = (name: Capability) => async (): Promise<never> => {
    throw new MarketError("not_configured", `no source has ${name}`, { enable: "FMP_API_KEY" });
  };
  const ask = <Q, A>(name: Capability, given: MarketAsk<Q, A> | undefined): MarketAsk<Q, A> => given ?? missing(name);
  const c = capabilities;
  return {
    quote: ask("quote", c.quote),
    change: ask("change", c.change),
    bars: ask("bars", c.bars),
    intraday: ask("intraday", c.intraday),
    statements: ask("statements", c.statements),
    metrics: ask("metrics", c.metrics),
    earnings: ask("earnings", c.earnings),
    dividends: ask("dividends", c.dividends),
    news: ask("news", c.news),
    movers: ask("movers", c.movers),
    screener: ask("screener", c.screener),
    sectors: ask("sectors", c.sectors),
    constituents: ask("constituents", c.constituents),
    overview: ask("overview", c.overview),
    calendar: ask("calendar", c.calendar),
    coinPrice: ask("coinPrice", c.coinPrice),
    coinQuote: ask("coinQuote", c.coinQuote),
    coinBars: ask("coinBars", c.coinBars),
    coinMarkets: ask("coinMarkets", c.coinMarkets),
    coinSupply: ask("coinSupply", c.coinSupply),
    search: ask("search", c.search),
    rates: ask("rates", c.rates),
    series: ask("series", c.series),
    fx: ask("fx", c.fx),
    filings: ask("filings", c.filings),
    filingSection: ask("filingSection", c.filingSection),
    filingSearch: ask("filingSearch", c.filingSearch),
    insiderTrades: ask("insiderTrades", c.insiderTrades),
    holdings: ask("holdings", c.holdings),
    options: ask("options", c.options),
    directory: STUB_DIRECTORY,
    mode: "stub",
    today: () => "2024-11-22",
    serves: () => true,
    dataLine: () => ({ mode: "offline", asOf: "2024-11-22", age: "two years old", headline: "", has: [], lacks: [] }),
    ...rest,
  };
}

/** Daily bars that end on 2024-11-22, one a day, with these closes; a bar's range is its close ± 1. */
export function barsOf(closes: readonly number[]): Bars {
  const c = Float64Array.from(closes);
  const end = Date.UTC(2024, 10, 22) / 1_000;
  return {
    t: c.map((_, at) => end - (c.length - 1 - at) * DAY_S),
    o: c.map((close, at) => c[at - 1] ?? close),
    h: c.map((close) => close + 1),
    l: c.map((close) => close - 1),
    c,
    v: c.map(() => 1_000),
  };
}

/** The tool itself on a market, with a cache of its own. */
export const toolOn = (market: MarketData, make: MarketTool): Tool => make.open(market, { cache: new MemoryCache() });

/** Calls a tool on a market and returns its answer. */
export async function answerOf(market: MarketData, make: MarketTool, args: Json): Promise<Json> {
  const answer = parseJson(JSON.stringify(await callTool(toolOn(market, make), args, toolContext()()))) ?? {};
  return withoutDay(answer);
}

const Fields = z.record(z.string(), z.json());

/** An answer without the day on which it was asked for. */
function withoutDay(answer: Json): Json {
  const { asked_on: _, ...rest } = Fields.safeParse(answer).data ?? {};
  return rest;
}

/** Returns a tool's answer, its facts, and every number of `data` that no fact cites and no path in `but` excuses. */
export async function inspect(tool: Tool, args: Json, but: RegExp = /(?!)/): Promise<Inspected> {
  const context = toolContext()();
  const output = parseJson(JSON.stringify(await callTool(tool, args, context))) ?? {};
  const facts = FactList.parse(await factsIn(tool, output));
  const cited = new Set(facts.map(({ path }) => path));
  const uncited = numbersOf(output).filter(({ path }) => !cited.has(path) && !but.test(path));
  const digest = tool.digest?.(output, { call: "1.1.1" }) ?? "";
  return { output, facts, uncited: uncited.map(({ path }) => path), digest };
}

type Inspected = Readonly<{
  output: Json;
  facts: z.infer<typeof FactList>;
  uncited: readonly string[];
  digest: string;
}>;

const FactList = z.array(
  z.looseObject({
    path: z.string(),
    value: z.number(),
    unit: z.string(),
    metric: z.string(),
    symbol: z.string(),
    currency: z.string().optional(),
    period: z.looseObject({ end: z.string(), start: z.string().optional(), label: z.string().optional() }).optional(),
  }),
);
