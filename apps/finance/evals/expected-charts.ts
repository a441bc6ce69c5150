/**
 * Expected charts: which types of charts the calls of an answer give, as the specification says.
 */

/** In the order in which charts are shown. */
const TYPES: readonly (readonly [type: string, tools: string])[] = [
  [
    "showStockChart",
    "getTechnicalIndicators getRSI getMACD getSMA getEMA getBands calculateVaR getSharpeRatio getVolatilityAnalysis runBacktest",
  ],
  ["showStockPrice", "getStockPrice getStockQuote getHistoricalPrice getIntradayPrices getPriceChange"],
  ["cryptoChart", "getCryptoPrice getCryptoQuote getCryptoHistorical getCryptoMarkets"],
  [
    "showStockFinancials",
    "getBalanceSheet getIncomeStatement getCashFlow getKeyMetrics getFinancialGrowth getRatios getDividends",
  ],
  ["showStockNews", "getStockNews getEarnings"],
  ["showMarketOverview", "getMarketOverview"],
  ["showTrendingStocks", "getGainers getLosers getMostActive getScreener"],
  ["showStockHeatmap", "getSectorPerformance analyzePortfolio getPortfolio"],
];

const MAX_CHARTS = 3;

/** A call with data. */
export type Drawn = Readonly<{ tool: string; symbol?: string }>;

/** The types that calls give, in their order, each once. */
export function chartTypesOf(calls: readonly Drawn[]): readonly string[] {
  const charts = TYPES.flatMap(([type, tools]) => {
    const about = calls.filter(({ tool }) => tools.split(" ").includes(tool)).map(({ symbol = "" }) => symbol);
    return [...new Set(about)].map(() => type);
  });
  return [...new Set(charts.slice(0, MAX_CHARTS))];
}
