/**
 * Tool choice: which calls answer a question, as few as do, with only those arguments that a default does not give.
 *
 * A name and nothing else is its price; what is compared is named for each, or one call of compareMetrics.
 */
import { toExpression } from "../numbers/arithmetic.ts";
import type { Intent, QueryType } from "../intent.ts";
import { type Ask, call, type ChosenCall, toAsk } from "../ask.ts";
import { fundamentalCalls } from "./fundamental-calls.ts";
import * as market from "./market-calls.ts";
import { changeCalls, each, historyCalls, intradayCalls, priceCalls, quoteCalls } from "./price-calls.ts";
import { backtestCalls, sharpeCalls, varCalls, volatilityCalls } from "./risk-calls.ts";
import { indicatorCalls, technicalCalls } from "./technical-calls.ts";
import { comparisonCalls } from "./comparison-calls.ts";
import { analysisCalls, adviceCalls } from "./analysis-calls.ts";
import type { Topic } from "../lexicon/topics.ts";
import { followingCalls, type MadeCall, readsChanged } from "./next-calls.ts";
import { optionsOf, type Situation } from "../situation.ts";
import { hasTool } from "./tool-names.ts";
import * as official from "./official-calls.ts";
import { portfolioCalls, recallCalls, watchCalls } from "./own-calls.ts";
import { understand } from "../understand.ts";
import type { Understood } from "../understood.ts";

export type { ChosenCall } from "../ask.ts";

/** At most so many calls answer one question. */
const MAX_CALLS = 24;

/** Chooses the calls that answer a question of this intent. */
export function chooseTools(intent: Intent, question: string, asked: Situation): readonly ChosenCall[] {
  if (!isLookedUp(intent, asked)) return [];
  const situation = onDayOf(question, asked);
  const understood = understand(question, situation);
  const calls = allCalls(intent, understood, situation);
  return readsChanged(understood) ? calls.filter(({ tool }) => !PORTFOLIO_READS.has(tool)) : calls;
}

/** Chooses the calls that follow from the results of the first ones. */
export function chooseNext(
  { intent, question, made }: Readonly<{ intent: Intent; question: string; made: readonly MadeCall[] }>,
  asked: Situation,
): readonly ChosenCall[] {
  if (!isLookedUp(intent, asked)) return [];
  const situation = onDayOf(question, asked);
  const understood = understand(question, situation);
  const late = readsChanged(understood)
    ? allCalls(intent, understood, situation).filter(({ tool }) => PORTFOLIO_READS.has(tool))
    : [];
  return [...late, ...followingCalls(understood, made)]
    .filter(({ tool }) => hasTool(situation, tool))
    .slice(0, MAX_CALLS);
}

/** Topics whose records continue although prices do not. */
const RECORDS: readonly Topic[] = [
  "filings",
  "section",
  "filing_search",
  "insiders",
  "institutions",
  "rates",
  "series",
  "convert",
];

/** The situation on the day of what is asked: "this month" of records ends on their own day. */
function onDayOf(question: string, situation: Situation): Situation {
  const { recordsToday: today = situation.today } = situation;
  if (today === situation.today) return situation;
  const { topics } = understand(question, situation);
  return RECORDS.some((topic) => topics.has(topic)) ? { ...situation, today } : situation;
}

const PORTFOLIO_READS: ReadonlySet<string> = new Set(["getPortfolio", "analyzePortfolio", "getPortfolioEvents"]);

function isLookedUp({ requires_tools, query_type }: Intent, situation: Situation): boolean {
  return requires_tools && query_type !== "clarification" && optionsOf(situation).enable_tools !== false;
}

function allCalls(intent: Intent, understood: Understood, situation: Situation): readonly ChosenCall[] {
  const ask = toAsk(understood, listingsOf(understood, intent), situation);
  const topics = intent.by === "model" ? fitTopics(understood.topics, intent.query_type) : understood.topics;
  const changes = wishedCalls(understood);
  const isOnlyWish = understood.wishes.length > 0 && topics.size === 0 && understood.named.listings.length === 0;
  const calls = isOnlyWish ? [] : chooseCalls({ ...ask, topics }, intent.query_type);
  return distinct([...changes, ...calls].filter(({ tool }) => ask.has(tool))).slice(0, MAX_CALLS);
}

/** What a question asks about beside what it asks to be changed. */
function listingsOf({ wishes, listings }: Understood, intent: Intent): Ask["listings"] {
  return wishes.length === 0 ? intent.listings : listings;
}

/** The changes, and the prices that the side of a level is decided by. */
function wishedCalls({ wishes }: Understood): readonly ChosenCall[] {
  return wishes.flatMap(({ calls, levels = [] }) => [
    ...calls,
    ...levels.map(({ symbol, type }) => call(type === "crypto" ? "getCryptoPrice" : "getStockPrice", { symbol })),
  ]);
}

function chooseCalls(ask: Ask, type: QueryType): readonly ChosenCall[] {
  const isCompared = type === "comparison" || (ask.topics.has("compare") && ask.listings.length > 1);
  if (isCompared && ask.listings.length > 1) return comparisonCalls(ask, topicCalls);
  if (ask.topics.has("sources")) return topicCalls(ask, "sources");
  const topics = [...ask.topics].filter((topic) => topic !== "compare");
  if (topics.length === 0) return bareCalls(ask, type);
  const calls = topics.flatMap((topic) => topicCalls(ask, topic));
  return calls.length === 0 ? bareCalls(ask, type) : calls;
}

type Chooser = (ask: Ask, topic: Topic) => readonly ChosenCall[];

const BY_TOPIC: ReadonlyMap<Topic, Chooser> = new Map<Topic, Chooser>([
  ["price", priceCalls],
  ["quote", quoteCalls],
  ["history", historyCalls],
  ["intraday", intradayCalls],
  ["change", changeCalls],
  ["technical", technicalCalls],
  ...(["rsi", "macd", "sma", "ema", "bands", "atr", "stoch", "adx", "vwap", "obv", "cross"] as const).map(
    (topic) => [topic, indicatorCalls] as const,
  ),
  ...(["fundamentals", "statements", "health", "balance", "income", "cash_flow", "metrics", "growth"] as const).map(
    (topic) => [topic, fundamentalCalls] as const,
  ),
  ...(["ratios", "valuation", "score", "earnings", "eps", "dividends"] as const).map(
    (topic) => [topic, fundamentalCalls] as const,
  ),
  ["news", market.newsCalls],
  ["why", market.newsCalls],
  ["web", market.webCalls],
  ["screener", market.screenerCalls],
  ["gainers", market.moverCalls],
  ["losers", market.moverCalls],
  ["active", market.moverCalls],
  ["overview", market.overviewCalls],
  ["sectors", market.sectorCalls],
  ["components", market.componentCalls],
  ["calendar", market.calendarCalls],
  ["var", varCalls],
  ["sharpe", sharpeCalls],
  ["volatility", volatilityCalls],
  ["backtest", backtestCalls],
  ["advice", adviceCalls],
  ["report", adviceCalls],
  ["analysis", analysisCalls],
  ["correlation", volatilityCalls],
  ...(["portfolio", "holdings", "events", "shock"] as const).map((topic) => [topic, portfolioCalls] as const),
  ["recall", recallCalls],
  ["watch", watchCalls],
  ["filings", official.filingCalls],
  ["section", official.sectionCalls],
  ["filing_search", official.filingSearchCalls],
  ["insiders", official.insiderCalls],
  ["institutions", official.institutionCalls],
  ["rates", official.rateCalls],
  ["series", official.seriesCalls],
  ["convert", official.conversionCalls],
  ["sources", official.sourceCalls],
  ["time", market.timeCalls],
  ["open", market.timeCalls],
  ["resolve", market.resolveCalls],
  ["doing", doingCalls],
  ["calculate", calculateCalls],
]);

function topicCalls(ask: Ask, topic: Topic): readonly ChosenCall[] {
  return BY_TOPIC.get(topic)?.(ask, topic) ?? [];
}

function calculateCalls({ question, language }: Ask): readonly ChosenCall[] {
  const expression = toExpression(question, language);
  return expression === undefined ? [] : [call("calculate", { expression })];
}

/** "How is it doing": today its price, else an analysis; of an index, the market. */
function doingCalls(ask: Ask): readonly ChosenCall[] {
  if (ask.listings.length === 0) return ask.reading.cues.has("coin") ? market.coinMarketCalls(ask) : [];
  if (ask.periods.window !== undefined || ask.periods.rolling !== undefined) return changeCalls(ask);
  if (ask.listings.every(({ type }) => type === "index")) return market.overviewCalls(ask);
  if (ask.reading.cues.has("today"))
    return each(ask, ({ symbol, type }) => [call(type === "crypto" ? "getCryptoQuote" : "getStockPrice", { symbol })]);
  return analysisCalls(ask);
}

/** What a type of question needs if no topic says more. */
const STANDARD: ReadonlyMap<QueryType, Topic> = new Map<QueryType, Topic>([
  ["stock_price", "price"],
  ["crypto", "price"],
  ["stock_analysis", "analysis"],
  ["technical", "technical"],
  ["fundamental", "fundamentals"],
  ["comparison", "analysis"],
  ["news", "news"],
  ["screener", "screener"],
  ["market", "overview"],
  ["follow_up", "price"],
]);

function bareCalls(ask: Ask, type: QueryType): readonly ChosenCall[] {
  if (type === "crypto" && ask.listings.length === 0) return market.coinMarketCalls(ask);
  const topic = STANDARD.get(type);
  return topic === undefined ? [] : topicCalls(ask, topic);
}

/** The topics that fit the type a model gave, else what that type needs. */
function fitTopics(topics: ReadonlySet<Topic>, type: QueryType): ReadonlySet<Topic> {
  const standard = STANDARD.get(type);
  return topics.size > 0 || standard === undefined ? topics : new Set([standard]);
}

function distinct(calls: readonly ChosenCall[]): readonly ChosenCall[] {
  return [...new Map(calls.map((chosen) => [`${chosen.tool} ${JSON.stringify(chosen.args)}`, chosen])).values()];
}
