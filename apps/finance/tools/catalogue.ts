/**
 * The catalogue: every tool of the assistant, in the order of its specification.
 */
import { type AssistantMeter, MemoryCache, type ResultCache } from "@baton/assistant";
import type { Tool } from "@baton/core";
import type { MarketData } from "../market/port/market-data.ts";
import { getOptionsChain } from "./options/options-chain.ts";
import { compareChart } from "./price/compare-chart.ts";
import { valueDcf } from "./fundamental/value-dcf.ts";
import { runBacktest } from "./technical/backtest.ts";
import { compareMetrics } from "./fundamental/compare-metrics.ts";
import { compareSources } from "./fundamental/compare-sources.ts";
import { convertCurrency } from "./economy/convert-currency.ts";
import { getCryptoHistorical } from "./crypto/crypto-historical.ts";
import { getCryptoMarkets } from "./crypto/crypto-markets.ts";
import { getCryptoNews } from "./crypto/crypto-news.ts";
import { getCryptoPrice } from "./crypto/crypto-price.ts";
import { getCryptoQuote } from "./crypto/crypto-quote.ts";
import { getGainers } from "./market/gainers.ts";
import { getLosers } from "./market/losers.ts";
import { getMostActive } from "./market/most-active.ts";
import { getScreener } from "./market/screener.ts";
import { getEconomicCalendar } from "./economy/economic-calendar.ts";
import { getEconomicSeries } from "./economy/economic-series.ts";
import { readFilingSection } from "./filings/filing-section.ts";
import { getFilings, searchFilings } from "./filings/filings.ts";
import { getBalanceSheet } from "./fundamental/balance-sheet.ts";
import { getCashFlow } from "./fundamental/cash-flow.ts";
import { getFinancialGrowth } from "./fundamental/financial-growth.ts";
import { getIncomeStatement } from "./fundamental/income-statement.ts";
import { getKeyMetrics } from "./fundamental/key-metrics.ts";
import { getRatios } from "./fundamental/ratios.ts";
import { getInsiderTrades } from "./filings/insiders.ts";
import { getInstitutionalHoldings } from "./filings/institutional-holdings.ts";
import type { ChartRule } from "../answer/charts/chart.ts";
import type { CatalogueTool, ToolCard, ToolDeps } from "./frame/market-tool.ts";
import { forgetMemory, recallMemory, saveToMemory, searchMemory } from "./memory/memory.ts";
import { getIndexComponents } from "./market/index-components.ts";
import { getMarketOverview } from "./market/market-overview.ts";
import { getSectorPerformance } from "./market/sector-performance.ts";
import { calculate } from "./meta/calculate.ts";
import { getCurrentTime } from "./meta/current-time.ts";
import { toolSearch, toolSearchOver } from "./meta/tool-search.ts";
import { getGeneralNews } from "./news/general-news.ts";
import { getStockNews } from "./news/stock-news.ts";
import { webSearch } from "./news/web-search.ts";
import { getDividends } from "./fundamental/dividends.ts";
import { getEarnings } from "./fundamental/earnings.ts";
import { getHistoricalPrice } from "./price/historical-price.ts";
import { getIntradayPrices } from "./price/intraday-prices.ts";
import { getPriceChange } from "./price/price-change.ts";
import { getStockPrice } from "./price/stock-price.ts";
import { getStockQuote } from "./price/stock-quote.ts";
import { getRates } from "./economy/rates.ts";
import { getSharpeRatio } from "./risk/sharpe-ratio.ts";
import { calculateVaR } from "./risk/value-at-risk.ts";
import { getVolatilityAnalysis } from "./risk/volatility.ts";
import { analyzePortfolio } from "./portfolio/analyze-portfolio.ts";
import { getPortfolio, loadPortfolio } from "./portfolio/get-portfolio.ts";
import { importHoldings } from "./portfolio/import-holdings.ts";
import { getPortfolioEvents } from "./portfolio/portfolio-events.ts";
import { setHolding } from "./portfolio/set-holding.ts";
import { resolveSymbol } from "./meta/resolve-symbol.ts";
import { checkAlert } from "./watch/check-alert.ts";
import { listAlerts } from "./watch/list-alerts.ts";
import { removeAlert } from "./watch/remove-alert.ts";
import { setAlert } from "./watch/set-alert.ts";
import { setSchedule } from "./watch/set-schedule.ts";
import { setWatchlist } from "./watch/set-watchlist.ts";
import { getBands } from "./technical/bands.ts";
import { getEMA } from "./technical/ema.ts";
import { getMACD } from "./technical/macd.ts";
import { getRSI } from "./technical/rsi.ts";
import { getSMA } from "./technical/sma.ts";
import { getTechnicalIndicators } from "./technical/technical-indicators.ts";

/** Options for making the tools. */
export interface CatalogueOptions {
  /** Where answers are kept; by default in this process. */
  readonly cache?: ResultCache;
  readonly meter?: AssistantMeter;
}

/** Every tool that agents are offered, in the order of the specification; the search finds all others. */
const CATALOGUE: readonly CatalogueTool[] = [
  getStockPrice,
  getStockQuote,
  getHistoricalPrice,
  getIntradayPrices,
  getPriceChange,
  getTechnicalIndicators,
  getRSI,
  getMACD,
  getSMA,
  getEMA,
  getBands,
  getBalanceSheet,
  getIncomeStatement,
  getCashFlow,
  getKeyMetrics,
  getFinancialGrowth,
  getRatios,
  getEarnings,
  getDividends,
  getStockNews,
  getGeneralNews,
  webSearch,
  getScreener,
  getGainers,
  getLosers,
  getMostActive,
  getCryptoPrice,
  getCryptoQuote,
  getCryptoHistorical,
  getCryptoNews,
  getCryptoMarkets,
  getMarketOverview,
  getSectorPerformance,
  getIndexComponents,
  getEconomicCalendar,
  calculateVaR,
  getSharpeRatio,
  getVolatilityAnalysis,
  saveToMemory,
  recallMemory,
  searchMemory,
  toolSearch,
  getCurrentTime,
  resolveSymbol,
  calculate,
  compareMetrics,
  getFilings,
  readFilingSection,
  searchFilings,
  getInsiderTrades,
  getInstitutionalHoldings,
  getRates,
  getEconomicSeries,
  convertCurrency,
  runBacktest,
  compareSources,
  getPortfolio,
  setHolding,
  importHoldings,
  analyzePortfolio,
  getPortfolioEvents,
  setWatchlist,
  setAlert,
  listAlerts,
  removeAlert,
  setSchedule,
  forgetMemory,
  valueDcf,
  compareChart,
  getOptionsChain,
];

/** Names of all tools that agents may be offered, in the order of the specification. */
export const ALL_TOOLS: readonly string[] = CATALOGUE.map(({ name }) => name);

/** Names of the tools that are offered at once; the others are found by search. */
export const COMMON_TOOLS: readonly string[] = CATALOGUE.filter(({ isCommon }) => isCommon).map(({ name }) => name);

/** The chart of each tool whose results give one. */
export const CHART_RULES: ReadonlyMap<string, ChartRule> = new Map(
  CATALOGUE.flatMap(({ name, chart }) => (chart === undefined ? [] : [[name, chart] as const])),
);

/** A tool on a market, with what the catalogue knows about it. */
export interface CatalogueEntry extends Pick<ToolCard, "category"> {
  readonly tool: Tool;
  /** One of the 43 of the reference. */
  readonly isCore: boolean;
  /** Phrases that the search finds it by. */
  readonly phrases: readonly string[];
}

/** Every tool on a market. */
export function createCatalogue(market: MarketData, options: CatalogueOptions = {}): readonly CatalogueEntry[] {
  const deps: ToolDeps = { cache: options.cache ?? new MemoryCache(), ...(options.meter && { meter: options.meter }) };
  const entries = CATALOGUE.map(({ category, says, open }) => {
    const isCore = category !== "beyond";
    const tool = Object.freeze({ ...open(market, deps), tags: [isCore ? "core" : "beyond", category] });
    return { tool, category, isCore, phrases: toPhrases(says) };
  });
  const search = Object.freeze({ ...toolSearchOver(toSearchable(entries)), tags: ["core", "meta"] });
  return entries.map((entry) => (entry.tool.name === search.name ? { ...entry, tool: search } : entry));
}

/** Every tool on a market, with those that programs and the store's clock call. */
export function createTools(market: MarketData, options: CatalogueOptions = {}): readonly Tool[] {
  const { cache = new MemoryCache() } = options;
  const offered = createCatalogue(market, { ...options, cache }).map(({ tool }) => tool);
  return [...offered, loadPortfolio(), checkAlert(market, { cache })];
}

const toPhrases = (says: string): readonly string[] =>
  says
    .split(/[;\n]/)
    .map((phrase) => phrase.trim())
    .filter((phrase) => phrase !== "");

/** Entries as the search reads them. */
export const toSearchable = (entries: readonly CatalogueEntry[]) =>
  entries.map(({ tool: { name, description }, phrases }) => ({ name, description, phrases }));
