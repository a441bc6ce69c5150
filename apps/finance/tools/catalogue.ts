/**
 * The catalogue: every tool of the assistant, in the order of its specification.
 */
import { join } from "node:path";
import { type AssistantMeter, MemoryCache, readRows, type ResultCache, type Wish } from "@baton/assistant";
import type { Tool } from "@baton/core";
import type { Capability, MarketData } from "../market/port/market-data.ts";
import { toNames } from "../market/tables.ts";
import { optionsChainTool } from "./options/options-chain.ts";
import { compareChartTool } from "./price/compare-chart.ts";
import { valueDcfTool } from "./fundamental/value-dcf.ts";
import { runBacktestTool } from "./technical/backtest.ts";
import { compareMetricsTool } from "./fundamental/compare-metrics.ts";
import { convertCurrencyTool } from "./economy/convert-currency.ts";
import { gainersTool, losersTool, mostActiveTool } from "./market/movers.ts";
import { screenerTool } from "./market/screener.ts";
import {
  cryptoHistoricalTool,
  cryptoMarketsTool,
  cryptoNewsTool,
  cryptoPriceTool,
  cryptoQuoteTool,
} from "./crypto/crypto.ts";
import { economicCalendarTool } from "./economy/economic-calendar.ts";
import { economicSeriesTool } from "./economy/economic-series.ts";
import { readFilingSectionTool } from "./filings/filing-section.ts";
import { filingsTool, searchFilingsTool } from "./filings/filings.ts";
import { incomeStatementTool } from "./fundamental/income-statement.ts";
import {
  balanceSheetTool,
  cashFlowTool,
  financialGrowthTool,
  keyMetricsTool,
  ratiosTool,
} from "./fundamental/period-tool.ts";
import { insiderTradesTool } from "./filings/insiders.ts";
import { institutionalHoldingsTool } from "./filings/institutional-holdings.ts";
import type { ChartRule } from "../answer/charts/chart.ts";
import type { CatalogueTool, ToolCard, ToolDeps } from "./frame/market-tool.ts";
import { forgetMemoryTool, recallMemoryTool, saveToMemoryTool, searchMemoryTool } from "./memory/memory.ts";
import { indexComponentsTool } from "./market/index-components.ts";
import { marketOverviewTool } from "./market/market-overview.ts";
import { sectorPerformanceTool } from "./market/sector-performance.ts";
import { calculateTool } from "./meta/calculate.ts";
import { currentTimeTool } from "./meta/current-time.ts";
import { toolSearchTool, toolSearchOver } from "./meta/tool-search.ts";
import { generalNewsTool } from "./news/general-news.ts";
import { stockNewsTool } from "./news/stock-news.ts";
import { webSearchTool } from "./news/web-search.ts";
import { dividendsTool } from "./fundamental/dividends.ts";
import { earningsTool } from "./fundamental/earnings.ts";
import { historicalPriceTool } from "./price/historical-price.ts";
import { intradayPricesTool } from "./price/intraday-prices.ts";
import { priceChangeTool } from "./price/price-change.ts";
import { stockPriceTool } from "./price/stock-price.ts";
import { stockQuoteTool } from "./price/stock-quote.ts";
import { ratesTool } from "./economy/rates.ts";
import { sharpeRatioTool, vaRTool, volatilityAnalysisTool } from "./risk/risk-tools.ts";
import { analyzePortfolioTool } from "./portfolio/analyze-portfolio.ts";
import { portfolioTool, loadPortfolio } from "./portfolio/get-portfolio.ts";
import { importHoldingsTool } from "./portfolio/import-holdings.ts";
import { setHoldingTool } from "./portfolio/set-holding.ts";
import { resolveSymbolTool } from "./meta/resolve-symbol.ts";
import { checkAlert } from "./watch/check-alert.ts";
import { listAlertsTool } from "./watch/list-alerts.ts";
import { removeAlertTool } from "./watch/remove-alert.ts";
import { setAlertTool } from "./watch/set-alert.ts";
import { setScheduleTool } from "./watch/set-schedule.ts";
import { setWatchlistTool } from "./watch/set-watchlist.ts";
import { bandsTool, emaTool, macdTool, rsiTool, smaTool } from "./technical/single-indicator.ts";
import { technicalIndicatorsTool } from "./technical/technical-indicators.ts";

/** Options for making the tools. */
export interface CatalogueOptions {
  /** Where answers are kept; by default in this process. */
  readonly cache?: ResultCache;
  readonly meter?: AssistantMeter;
}

/** Every tool that agents are offered, in the order of the specification; the search finds all others. */
const CATALOGUE: readonly CatalogueTool[] = [
  stockPriceTool,
  stockQuoteTool,
  historicalPriceTool,
  intradayPricesTool,
  priceChangeTool,
  technicalIndicatorsTool,
  rsiTool,
  macdTool,
  smaTool,
  emaTool,
  bandsTool,
  balanceSheetTool,
  incomeStatementTool,
  cashFlowTool,
  keyMetricsTool,
  financialGrowthTool,
  ratiosTool,
  earningsTool,
  dividendsTool,
  stockNewsTool,
  generalNewsTool,
  webSearchTool,
  screenerTool,
  gainersTool,
  losersTool,
  mostActiveTool,
  cryptoPriceTool,
  cryptoQuoteTool,
  cryptoHistoricalTool,
  cryptoNewsTool,
  cryptoMarketsTool,
  marketOverviewTool,
  sectorPerformanceTool,
  indexComponentsTool,
  economicCalendarTool,
  vaRTool,
  sharpeRatioTool,
  volatilityAnalysisTool,
  saveToMemoryTool,
  recallMemoryTool,
  searchMemoryTool,
  toolSearchTool,
  currentTimeTool,
  resolveSymbolTool,
  calculateTool,
  compareMetricsTool,
  filingsTool,
  readFilingSectionTool,
  searchFilingsTool,
  insiderTradesTool,
  institutionalHoldingsTool,
  ratesTool,
  economicSeriesTool,
  convertCurrencyTool,
  runBacktestTool,
  portfolioTool,
  setHoldingTool,
  importHoldingsTool,
  analyzePortfolioTool,
  setWatchlistTool,
  setAlertTool,
  listAlertsTool,
  removeAlertTool,
  setScheduleTool,
  forgetMemoryTool,
  valueDcfTool,
  compareChartTool,
  optionsChainTool,
];

/** Names of all tools that agents may be offered, in the order of the specification. */
export const ALL_TOOLS: readonly string[] = CATALOGUE.map(({ name }) => name);

/** Names of the tools that are offered at once; the others are found by search. */
export const COMMON_TOOLS: readonly string[] = CATALOGUE.filter(({ isCommon }) => isCommon).map(({ name }) => name);

/** Tools about tools and time: all that a model begins with if it is to search for the others. */
export const META_TOOLS: ReadonlySet<string> = new Set(
  CATALOGUE.filter(({ category }) => category === "meta").map(({ name }) => name),
);

/** The chart of each tool whose results give one. */
export const CHART_RULES: ReadonlyMap<string, ChartRule> = new Map(
  CATALOGUE.flatMap(({ name, chart }) => (chart === undefined ? [] : [[name, chart] as const])),
);

/** The question to the market without which a tool has nothing. */
export const ASKS: ReadonlyMap<string, Capability> = new Map(
  CATALOGUE.flatMap(({ name, asks }) => (asks === undefined ? [] : [[name, asks] as const])),
);

/** Arguments that must be the user's words, of each tool that changes something. */
export const WISHES: ReadonlyMap<string, Wish> = new Map(
  CATALOGUE.flatMap(({ name, wish }) => (wish === undefined ? [] : [[name, wish] as const])),
);

/** Folders of tools, each with the phrases of its own. */
const GROUPS =
  "price technical fundamental news market crypto economy risk memory meta filings portfolio watch options";
const PHRASES: ReadonlyMap<string, readonly string[]> = new Map(
  GROUPS.split(" ")
    .flatMap((group) => readRows(join(import.meta.dirname, group, "phrases.tsv")))
    .map(([name = "", phrases]) => [name, toNames(phrases)]),
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
  const { cache = new MemoryCache(), meter } = options;
  const deps: ToolDeps = { cache, ...(meter && { meter }), tools: () => entries.map(({ tool }) => tool) };
  const entries: readonly CatalogueEntry[] = CATALOGUE.map(({ name, category, open }) => {
    const isCore = category !== "beyond";
    const tool = Object.freeze({ ...open(market, deps), tags: [isCore ? "core" : "beyond", category] });
    return { tool, category, isCore, phrases: PHRASES.get(name) ?? [] };
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

/** Entries as the search reads them. */
const toSearchable = (entries: readonly CatalogueEntry[]) =>
  entries.map(({ tool: { name, description }, phrases }) => ({ name, description, phrases }));
