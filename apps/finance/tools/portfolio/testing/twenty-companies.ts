/**
 * Twenty companies: a market with nothing random in it, a broker's table of twenty holdings on it, and their analysis.
 */
import type { Json } from "@baton/core";
import { parseJson } from "@baton/core/util";
import { z } from "zod";
import type { Bars } from "../../../market/port/bars.ts";
import type { Directory, Listing } from "../../../market/port/listing.ts";
import type { Capabilities, MarketData } from "../../../market/port/market-data.ts";
import { sourced, STUB_DIRECTORY, stubMarket } from "../../testing/stub-market.ts";
import { investorOn } from "./portfolio-kit.ts";

const DAY_S = 86_400;
/** The last day of all prices, in UTC seconds. */
export const LAST = Date.UTC(2024, 10, 22) / 1_000;
/** The sectors, which the companies have in turn. */
export const SECTORS = ["Technology", "Energy", "Healthcare", "Utilities"];

/** Twenty companies, one of them abroad, and the index. */
export const LISTINGS: readonly Listing[] = [
  ...Array.from({ length: 20 }, (_, at) => ({
    symbol: `T${String.fromCharCode(65 + at)}`,
    name: `Company ${at}`,
    exchange: "NYSE",
    type: "stock" as const,
    currency: at === 19 ? "EUR" : "USD",
  })),
  { symbol: "^GSPC", name: "S&P 500", exchange: "INDEX", type: "index", currency: "USD" },
];
/** A listing and its place by symbol. */
export const bySymbol = new Map(LISTINGS.map((listing, at) => [listing.symbol, { listing, at }]));

const directory: Directory = {
  ...STUB_DIRECTORY,
  get: (symbol) => bySymbol.get(symbol.toUpperCase())?.listing,
  resolve: (query) => {
    const listing = bySymbol.get(query.toUpperCase())?.listing;
    return listing === undefined ? { kind: "none", nearest: [] } : { kind: "one", listing, by: "symbol" };
  },
};

/** Prices of a listing, newest last, that nothing random is in. */
export function closesOf(at: number, days = 300): readonly number[] {
  const closes = [50 + at];
  for (let day = 1; day < days; day++) {
    const market = 0.01 * Math.sin(day * 1.7) + 0.0005;
    const own = 0.004 * Math.cos(day * (1.1 + at * 0.37));
    const before = closes[day - 1] ?? 0;
    closes.push(before * (1 + (0.4 + at * 0.08) * market + own));
  }
  return closes;
}

/** Daily bars with these closes, the last on a day. */
export function toBars(closes: readonly number[], last = LAST): Bars {
  const c = Float64Array.from(closes);
  return { t: c.map((_, at) => last - (c.length - 1 - at) * DAY_S), o: c, h: c, l: c, c, v: c };
}

const atOf = ({ symbol }: Listing): number => bySymbol.get(symbol)?.at ?? 0;
/** The last price of a company. */
export const priceOf = (at: number): number => closesOf(at).at(-1) ?? 0;

const WORKING: Partial<Capabilities> = {
  quote: async ({ listing }) => {
    const at = atOf(listing);
    return sourced({ price: priceOf(at), changePercent: at - 10, sector: SECTORS[at % 4] ?? "" }, { kind: "live" });
  },
  bars: async ({ listing, limit = 250 }) => sourced(toBars(closesOf(atOf(listing)).slice(-limit)), { kind: "history" }),
  fx: async ({ from, to }) => sourced({ from, to, day: "2024-11-22", rate: 1.25 }, { source: "ecb", kind: "live" }),
};

/** A market on which all works but what a test replaces. */
export const marketWith = (more: Partial<Capabilities> = {}): MarketData =>
  stubMarket({ ...WORKING, ...more }, { directory });

/** Twenty holdings as a broker writes them. */
export const CSV = [
  "Symbol,Quantity,Average Cost",
  ...LISTINGS.slice(0, 20).map(({ symbol }, at) => `${symbol},${at + 1},"${(40 + at * 2).toFixed(2)}"`),
].join("\n");

const num = z.number();
/** The part of an analysis that tests read. */
const AnalysisSchema = z.looseObject({
  currency: z.string(),
  holdings_count: num,
  totals: z.looseObject({
    valued: num,
    costed: num,
    value: num.optional(),
    profit: num.optional(),
    day_change: num.optional(),
  }),
  holdings: z.array(
    z.looseObject({
      symbol: z.string(),
      version: num,
      value: num.optional(),
      weight_percent: num.optional(),
      beta: num.optional(),
      risk_contribution_percent: num.optional(),
    }),
  ),
  sectors: z.array(z.looseObject({ sector: z.string(), weight_percent: num, holdings: num })),
  concentration: z.looseObject({ hhi: num, top_3_percent: num }),
  risk: z
    .looseObject({
      holdings: num,
      returns: num,
      annual_volatility_percent: num,
      beta: num.optional(),
      beta_missing: z.string().optional(),
      sharpe: num.optional(),
      var: z.looseObject({ percent: num, amount: num }),
    })
    .optional(),
  risk_missing: z.string().optional(),
  correlation: z.looseObject({ symbols: z.array(z.string()), rows: z.array(z.array(num)) }).optional(),
  shocks: z
    .array(
      z.looseObject({ symbol: z.string(), method: z.string(), change: num.optional(), change_percent: num.optional() }),
    )
    .optional(),
  all_shocks: z.looseObject({ change: num }).optional(),
  left_out: z.array(z.looseObject({ symbol: z.string(), of: z.string(), reason: z.string() })).optional(),
  rates: z.json().optional(),
});

/** Somebody who has imported a table. */
export async function imported(market: MarketData, csv = CSV) {
  const investor = investorOn(market);
  await investor.call("importHoldings", { csv, dry_run: false });
  return investor;
}

/** The analysis of an imported table. */
export async function analysed(market: MarketData, args: { readonly [name: string]: Json } = {}, csv = CSV) {
  const investor = await imported(market, csv);
  const output = parseJson(JSON.stringify(await investor.call("analyzePortfolio", args))) ?? null;
  const { data, provenance } = z.object({ data: AnalysisSchema, provenance: z.looseObject({}) }).parse(output);
  return { data, provenance, output, investor };
}
