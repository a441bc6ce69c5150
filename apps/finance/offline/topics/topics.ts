/**
 * Topics: which tools each topic is written from, in the order in which an answer has them.
 */
import type { QueryType } from "../../intent/intent.ts";
import type { Topic } from "../section.ts";
import type { View } from "../view.ts";
import { comparison } from "./compare.ts";
import { fundamental } from "./fundamental.ts";
import { changes, history } from "./history.ts";
import { components, listOf } from "./lists.ts";
import { calendar, overview, sectors } from "./market.ts";
import { news } from "./news.ts";
import { backtest, calculation, figures, symbol, time } from "./others.ts";
import { dividends, earnings } from "./payouts.ts";
import { price } from "./price.ts";
import { risk } from "./risk.ts";
import { technical } from "./technical.ts";

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

const TOPICS: readonly ToolTopic[] = [
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
