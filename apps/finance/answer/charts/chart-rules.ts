/**
 * Chart rules: which tool gives which type of chart, and what one chart is about.
 *
 * A tool that is not named here gives no chart: news that belong to no stock of the question, searches, calendars,
 * lists of components and of filings, rates, series and currencies, and everything without market data.
 */
import type { ChartType } from "./chart.ts";

/**
 * Grouping of results into charts: by symbol, by row of a list, by question, all holdings together, or each call by
 * itself.
 */
type About = "symbol" | "row" | "question" | "holdings" | "call";

/** The chart of a tool's result; `isApart`: it is not drawn together with results of other tools. */
export type ChartRule = Readonly<{ type: ChartType; about: About; isApart?: true }>;

const RULES: readonly (readonly [ChartRule, readonly string[]])[] = [
  [
    { type: "showStockChart", about: "symbol" },
    ["getTechnicalIndicators", "getRSI", "getMACD", "getSMA", "getEMA", "getBands"],
  ],
  [
    { type: "showStockChart", about: "symbol" },
    ["calculateVaR", "getSharpeRatio", "getVolatilityAnalysis", "runBacktest"],
  ],
  [
    { type: "showStockPrice", about: "symbol" },
    ["getStockPrice", "getStockQuote", "getHistoricalPrice", "getIntradayPrices", "getPriceChange"],
  ],
  [{ type: "cryptoChart", about: "symbol" }, ["getCryptoPrice", "getCryptoQuote", "getCryptoHistorical"]],
  [{ type: "cryptoChart", about: "row" }, ["getCryptoMarkets"]],
  [
    { type: "showStockFinancials", about: "symbol" },
    ["getIncomeStatement", "getBalanceSheet", "getCashFlow", "getKeyMetrics", "getRatios", "getFinancialGrowth"],
  ],
  [{ type: "showStockFinancials", about: "symbol" }, ["getDividends"]],
  [{ type: "showStockFinancials", about: "symbol", isApart: true }, ["getInsiderTrades"]],
  [{ type: "showStockNews", about: "question" }, ["getStockNews", "getEarnings"]],
  [{ type: "showMarketOverview", about: "call" }, ["getMarketOverview"]],
  [{ type: "showTrendingStocks", about: "call" }, ["getGainers", "getLosers", "getMostActive", "getScreener"]],
  [{ type: "showStockHeatmap", about: "call" }, ["getSectorPerformance"]],
  [{ type: "showStockHeatmap", about: "holdings" }, ["getPortfolio", "analyzePortfolio"]],
];

const BY_TOOL: ReadonlyMap<string, ChartRule> = new Map(
  RULES.flatMap(([rule, tools]) => tools.map((tool) => [tool, rule] as const)),
);

/** Returns the chart rule of a tool; undefined if it gives no chart. */
export function ruleOf(tool: string): ChartRule | undefined {
  return BY_TOOL.get(tool);
}
