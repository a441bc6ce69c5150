/**
 * The catalogue: every tool of the assistant, in the order of its specification.
 */
import { type AssistantMeter, defineCalculate, MemoryCache, type ResultCache } from "@baton/assistant";
import type { Tool } from "@baton/core";
import type { MarketData } from "../market/port/market-data.ts";
import { runBacktest } from "./technical/backtest.ts";
import { compareMetrics } from "./fundamental/compare.ts";
import { compareSources } from "./fundamental/compare-sources.ts";
import { convertCurrency } from "./economy/convert-currency.ts";
import {
  getCryptoHistorical,
  getCryptoMarkets,
  getCryptoNews,
  getCryptoPrice,
  getCryptoQuote,
} from "./crypto/crypto.ts";
import { getGainers, getLosers, getMostActive, getScreener } from "./market/discovery.ts";
import { getEconomicCalendar } from "./economy/economic-calendar.ts";
import { getEconomicSeries } from "./economy/economic-series.ts";
import { EVERYDAY_PHRASES } from "./everyday-phrases.ts";
import { readFilingSection } from "./filings/filing-section.ts";
import { getFilings, searchFilings } from "./filings/filings.ts";
import {
  getBalanceSheet,
  getCashFlow,
  getFinancialGrowth,
  getIncomeStatement,
  getKeyMetrics,
  getRatios,
} from "./fundamental/fundamental.ts";
import { getInsiderTrades } from "./filings/insiders.ts";
import { getInstitutionalHoldings } from "./filings/institutional-holdings.ts";
import type { CatalogueEntry, MarketTool } from "./frame/market-tool.ts";
import { memoryTools } from "./memory/memory.ts";
import { getIndexComponents, getMarketOverview, getSectorPerformance } from "./market/market.ts";
import { getCurrentTime, toolSearch } from "./meta/meta.ts";
import { getGeneralNews, getStockNews, webSearch } from "./news/news.ts";
import { getDividends, getEarnings } from "./fundamental/payouts.ts";
import { getHistoricalPrice, getIntradayPrices } from "./price/price-history.ts";
import { getPriceChange, getStockPrice, getStockQuote } from "./price/price.ts";
import { getRates } from "./economy/rates.ts";
import { calculateVaR, getSharpeRatio, getVolatilityAnalysis } from "./risk/risk.ts";
import { portfolioTools } from "./portfolio/portfolio.ts";
import { resolveSymbol } from "./meta/symbol.ts";
import { checkAlert, watchTools } from "./watch/watch.ts";
import { getBands, getEMA, getMACD, getRSI, getSMA, getTechnicalIndicators } from "./technical/technical.ts";

/** Options for making the tools. */
export interface CatalogueOptions {
  /** Where answers are kept; by default in this process. */
  readonly cache?: ResultCache;
  readonly meter?: AssistantMeter;
}

/** The crew whose runs alerts and schedules start. */
const CREW = "finance";
/** Prefix of tools that programs call and that agents are not offered. */
const LOADS = "load";

const MARKET_TOOLS: readonly MarketTool[] = [
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
];

/** Beyond the 43, after `calculate`. */
const BEYOND: readonly MarketTool[] = [
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
];

/** Every tool on a market, with its category and the phrases it is found by. */
export function createCatalogue(market: MarketData, options: CatalogueOptions = {}): readonly CatalogueEntry[] {
  const deps = { cache: options.cache ?? new MemoryCache(), ...(options.meter && { meter: options.meter }) };
  const core = [...MARKET_TOOLS.map((make) => make(market, deps)), ...memoryTools()];
  const time = getCurrentTime(market);
  const beyond = [
    resolveSymbol(market, deps),
    CALCULATE(),
    ...BEYOND.map((make) => make(market, deps)),
    ...portfolioTools(market, deps),
    ...watchTools(market, { ...deps, crew: CREW }),
  ];
  const found = [...core, time, ...beyond].filter(({ tool }) => !tool.name.startsWith(LOADS));
  const search = toolSearch(found.map(withEverydayPhrases));
  return [...core, search, time, ...beyond].map(withEverydayPhrases);
}

/** Every tool on a market, and the one with which the store's clock looks after alerts. */
export function createTools(market: MarketData, options: CatalogueOptions = {}): readonly Tool[] {
  const { cache = new MemoryCache() } = options;
  return [...createCatalogue(market, { ...options, cache }).map(tag), checkAlert(market, { cache })];
}

function withEverydayPhrases(entry: CatalogueEntry): CatalogueEntry {
  const phrases = [...entry.phrases, ...(EVERYDAY_PHRASES.get(entry.tool.name) ?? [])];
  return { ...entry, phrases };
}

/** The tool says which set and category it belongs to. */
const tag = ({ tool, category, isCore }: CatalogueEntry): Tool =>
  Object.freeze({ ...tool, tags: [isCore ? "core" : "beyond", category] });

const CALCULATE = (): CatalogueEntry => ({
  tool: defineCalculate(),
  category: "beyond",
  isCore: false,
  phrases: [
    "calculate",
    "arithmetic on numbers found before",
    "ratio of one figure to another",
    "tổng hiệu tích thương của các con số",
    "add subtract multiply divide figures",
    "percentage difference between two numbers",
    "profit and loss of a position",
    "tính toán",
    "cộng trừ nhân chia",
    "tính phần trăm chênh lệch",
  ],
});
