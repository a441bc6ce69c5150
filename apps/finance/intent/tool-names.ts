/**
 * Tool names: the tools that rules may choose if a situation does not say which there are.
 */
import { optionsOf, type Situation } from "./situation.ts";

const CATALOGUE: ReadonlySet<string> = new Set(
  `getStockPrice getStockQuote getHistoricalPrice getIntradayPrices getPriceChange getTechnicalIndicators getRSI getMACD
   getSMA getEMA getBands getBalanceSheet getIncomeStatement getCashFlow getKeyMetrics getFinancialGrowth getRatios
   getEarnings getDividends getStockNews getGeneralNews webSearch getScreener getGainers getLosers getMostActive
   getCryptoPrice getCryptoQuote getCryptoHistorical getCryptoNews getCryptoMarkets getMarketOverview
   getSectorPerformance getIndexComponents getEconomicCalendar calculateVaR getSharpeRatio getVolatilityAnalysis
   tool_search getCurrentTime resolveSymbol calculate compareMetrics runBacktest`.split(/\s+/),
);

/** Whether there is a tool of this name. */
export function hasTool(situation: Situation, name: string): boolean {
  if (name === "webSearch" && optionsOf(situation).enable_web_search !== true) return false;
  return (situation.tools ?? CATALOGUE).has(name);
}
