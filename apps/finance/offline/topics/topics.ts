/**
 * Topics: which tools each topic is written from, in the order in which an answer has them.
 */
import type { QueryType } from "../../intent/intent.ts";
import type { Topic } from "../section.ts";
import type { View } from "../view.ts";
import { comparison } from "./compare.ts";
import { fundamental } from "./fundamental.ts";
import { conversion, economicSeries, rates, sourcesCompared } from "./economy.ts";
import { filingHits, filings, filingSection, insiders, institutions } from "./filings.ts";
import { changes, history } from "./history.ts";
import { holdings, holdingSet, imported } from "./holdings.ts";
import { components, listOf } from "./lists.ts";
import { calendar, overview, sectors } from "./market.ts";
import { memorySaved, recalled } from "./memory.ts";
import { news } from "./news.ts";
import { backtest, calculation, figures, symbol, time } from "./others.ts";
import { dividends, earnings } from "./payouts.ts";
import { analysed, portfolioEvents } from "./portfolio.ts";
import { price } from "./price.ts";
import { risk } from "./risk.ts";
import { technical } from "./technical.ts";
import { alertList, alertRemoved, alertSet, scheduleSet, watchlistSet } from "./watching.ts";

/** A topic with its tools. */
export interface ToolTopic {
  readonly tools: ReadonlySet<string>;
  readonly write: Topic;
  /** The questions that it answers first. */
  readonly types: readonly QueryType[];
}

const topic = (write: Topic, types: readonly QueryType[], tools: readonly string[]): ToolTopic => ({
  write,
  types,
  tools: new Set(tools),
});

const TECHNICAL = ["getTechnicalIndicators", "getRSI", "getMACD", "getSMA", "getEMA", "getBands"];
const STATEMENTS = [
  "getIncomeStatement",
  "getBalanceSheet",
  "getCashFlow",
  "getKeyMetrics",
  "getRatios",
  "getFinancialGrowth",
];
const LISTS = ["getScreener", "getGainers", "getLosers", "getMostActive"] as const;

/** What was changed is said before what was asked beside it. */
const CHANGES: readonly ToolTopic[] = [
  topic(memorySaved, ["general"], ["saveToMemory"]),
  topic(holdingSet, ["stock_analysis"], ["setHolding"]),
  topic(imported, ["stock_analysis"], ["importHoldings"]),
  topic(alertSet, ["general"], ["setAlert"]),
  topic(alertRemoved, ["general"], ["removeAlert"]),
  topic(watchlistSet, ["general"], ["setWatchlist"]),
  topic(scheduleSet, ["general"], ["setSchedule"]),
];

const TOPICS: readonly ToolTopic[] = [
  ...CHANGES,
  topic(recalled, ["memory_recall"], ["searchMemory", "recallMemory"]),
  topic(analysed, ["stock_analysis"], ["analyzePortfolio"]),
  topic(holdings, ["stock_analysis"], ["getPortfolio"]),
  topic(portfolioEvents, ["stock_analysis"], ["getPortfolioEvents"]),
  topic(filingSection, ["fundamental"], ["readFilingSection"]),
  topic(filings, ["fundamental"], ["getFilings"]),
  topic(filingHits, ["fundamental"], ["searchFilings"]),
  topic(insiders, ["fundamental"], ["getInsiderTrades"]),
  topic(institutions, ["fundamental"], ["getInstitutionalHoldings"]),
  topic(rates, ["market"], ["getRates"]),
  topic(economicSeries, ["market"], ["getEconomicSeries"]),
  topic(conversion, ["general"], ["convertCurrency"]),
  topic(sourcesCompared, [], ["compareSources"]),
  topic(alertList, ["general"], ["listAlerts"]),
  topic(comparison, ["comparison"], ["compareMetrics"]),
  topic(backtest, [], ["runBacktest"]),
  topic(calculation, [], ["calculate"]),
  topic(price, ["stock_price", "crypto"], ["getStockPrice", "getStockQuote", "getCryptoPrice", "getCryptoQuote"]),
  topic(changes, [], ["getPriceChange"]),
  topic(history, [], ["getHistoricalPrice", "getIntradayPrices", "getCryptoHistorical"]),
  topic(technical, ["technical"], TECHNICAL),
  ...STATEMENTS.map((tool) => topic(fundamental, ["fundamental"], [tool])),
  topic(earnings, ["fundamental"], ["getEarnings"]),
  topic(dividends, ["fundamental"], ["getDividends"]),
  topic(risk, [], ["calculateVaR", "getSharpeRatio", "getVolatilityAnalysis"]),
  topic(overview, ["market"], ["getMarketOverview"]),
  topic(sectors, ["market"], ["getSectorPerformance"]),
  ...LISTS.map((tool) => topic(listOf(tool), ["screener", "market"], [tool])),
  topic(listOf("getCryptoMarkets"), ["crypto"], ["getCryptoMarkets"]),
  topic(components, ["market"], ["getIndexComponents"]),
  topic(calendar, ["market"], ["getEconomicCalendar"]),
  topic(news, ["news"], ["getStockNews", "getGeneralNews", "getCryptoNews", "webSearch"]),
  topic(symbol, [], ["resolveSymbol"]),
  topic(time, [], ["getCurrentTime"]),
];

const KNOWN: ReadonlySet<string> = new Set(TOPICS.flatMap(({ tools }) => [...tools]));

/** The topics, those that answer the question first; figures of other tools come last. */
export function topicsOf({ intent, calls }: View): readonly ToolTopic[] {
  const isFirst = ({ types }: ToolTopic) => intent !== undefined && types.includes(intent.query_type);
  const others = calls.map(({ tool }) => tool).filter((tool) => !KNOWN.has(tool));
  return [...TOPICS.filter(isFirst), ...TOPICS.filter((one) => !isFirst(one)), topic(figures, [], others)];
}
