/**
 * Chart calls: calls of tools as a run has them, on a stub market, and the charts of them.
 */
import type { Json } from "@baton/core";
import { Scope, SystemClock } from "@baton/core/ports";
import { parseJson } from "@baton/core/util";
import type { Bars } from "../../../market/port/bars.ts";
import type { MarketData } from "../../../market/port/market-data.ts";
import {
  ACME,
  answerOf,
  barsOf,
  COIN,
  PROVENANCE,
  sourced,
  stubMarket,
  toolOn,
} from "../../../tools/testing/stub-market.ts";
import type { Chart } from "../chart.ts";
import type { ChartCall } from "../chart-input.ts";
import { resolveCharts } from "../resolve-charts.ts";

export const CLOSES = Array.from({ length: 600 }, (_, at) => 100 + 10 * Math.sin(at / 9) + at / 30);
export const QUOTE = {
  price: 10,
  change: -0.5,
  changePercent: -4.76,
  yearLow: 8,
  yearHigh: 12,
  marketCap: 5e9,
  volume: 7e6,
};

const newest = (bars: Bars, limit = bars.t.length): Bars => barsOf([...bars.c].slice(-limit));

export const MARKET = stubMarket({
  quote: async () => sourced(QUOTE),
  change: async () => sourced({ "1D": 1, "1Y": 20 }),
  bars: async ({ limit }) => sourced(newest(barsOf(CLOSES), limit)),
  coinBars: async ({ limit }) => sourced(newest(barsOf(CLOSES), limit)),
});

/** Bars as results hold them. */
export const CANDLES: Json = Array.from(barsOf(CLOSES).t, (t, at) => {
  const c = CLOSES[at] ?? 0;
  return { t, o: c, h: c + 1, l: c - 1, c, v: 1_000 };
});

export const IDENTITY = { ...ACME };
/** A row of a list. */
export const ROW = { symbol: "ACME", name: "Acme Inc.", price: 10, change_percent: 1.5, volume: 100, market_cap: 5e9 };
const period = { label: "FY2016", end: "2016-12-31", currency: "USD", values: { revenue: 5, netIncome: 2 } };
const balance = { ...period, values: { totalAssets: 9 } };
const rates = (field: string) => [{ ...period, values: { [field]: 3 } }];
/** A headline. */
export const ITEM = {
  title: "Acme opens",
  source: "Wire",
  url: "https://example.com/a",
  published_at: "2024-11-20T10:00:00Z",
};

/** Results of each tool, as far as a chart reads them. */
export const DATA: ReadonlyMap<string, Json> = new Map<string, Json>([
  ["calculateVaR", { ...IDENTITY, var_percent: -2, bars: CANDLES }],
  ["getSharpeRatio", { ...IDENTITY, sharpe: 1, bars: CANDLES }],
  ["getVolatilityAnalysis", { ...IDENTITY, volatility_percent: 20, bars: CANDLES }],
  ["getCryptoPrice", { ...COIN, price: 9 }],
  ["getCryptoQuote", { ...COIN, price: 9 }],
  [
    "getCryptoMarkets",
    {
      count: 2,
      rows: [
        { ...COIN, symbol: "ETHUSD", price: 5 },
        { ...COIN, price: 9 },
      ],
    },
  ],
  ["getIncomeStatement", { ...IDENTITY, periods: [period] }],
  ["getBalanceSheet", { ...IDENTITY, periods: [balance] }],
  ["getCashFlow", { ...IDENTITY, periods: rates("freeCashFlow") }],
  ["getKeyMetrics", { ...IDENTITY, periods: rates("returnOnEquity") }],
  ["getRatios", { ...IDENTITY, periods: rates("netProfitMargin") }],
  ["getFinancialGrowth", { ...IDENTITY, periods: rates("revenueGrowth") }],
  ["getDividends", { ...IDENTITY, dividends: [{ day: "2024-01-02", amount: 0.2, currency: "USD" }] }],
  [
    "getInsiderTrades",
    { ...IDENTITY, by_month: [{ month: "2024-01", start: "2024-01-01", end: "2024-01-31", sold_shares: 5 }] },
  ],
  ["getStockNews", { ...IDENTITY, items: [{ ...ITEM, symbols: ["ACME"] }] }],
  ["getEarnings", { ...IDENTITY, earnings: [{ day: "2024-10-30", eps_actual: 1.2, eps_estimated: 1.1 }] }],
  ["getMarketOverview", { indices: [{ ...ROW, symbol: "^GSPC" }], breadth: { up: 3, down: 2, flat: 1 } }],
  ["getGainers", { rows: [ROW] }],
  ["getLosers", { rows: [ROW] }],
  ["getMostActive", { rows: [ROW] }],
  ["getScreener", { rows: [ROW] }],
  ["getSectorPerformance", { sectors: [{ sector: "Energy", change_percent: 1, market_cap: 4e12 }] }],
]);

export const toCall = (tool: string, data: Json, args: Json = {}): ChartCall => ({
  tool,
  args,
  output: { data, provenance: { ...PROVENANCE } },
  call: "1.1.1",
});

export const callOf = (tool: string): ChartCall => toCall(tool, DATA.get(tool) ?? {});

/** Calls a real tool and returns its answer as a chart call. */
export async function called(make: Parameters<typeof answerOf>[1], args: Json, market = MARKET): Promise<ChartCall> {
  const output = parseJson(JSON.stringify(await answerOf(market, make, args))) ?? null;
  return { tool: toolOn(market, make).name, args, output, call: "1.1.1" };
}

export async function resolve(
  calls: readonly ChartCall[],
  symbols = ["ACME"],
  market: MarketData = MARKET,
): Promise<Chart[]> {
  await using scope = Scope.root({ clock: new SystemClock() });
  return await resolveCharts({ calls, symbols, market, scope });
}

/** The data of the first chart, which is of this type. */
export function dataOf<T extends Chart["type"]>(charts: readonly Chart[], type: T): Extract<Chart, { type: T }>["data"];
export function dataOf([chart]: readonly Chart[], type: string): object | undefined {
  return chart?.type === type ? chart.data : undefined;
}
