/**
 * Topic rules: which of the topics that a question's words have it is really about.
 *
 * A topic that says more takes the place of one that says less: a price range of a price, a named indicator of "technical".
 */
import type { Listing } from "../../market/port/listing.ts";
import type { Topic } from "../lexicon/topics.ts";
import type { Hit } from "./phrase-index.ts";
import type { Reading } from "../reading.ts";
import { findCriteria } from "../numbers/criteria-words.ts";
import { adjustToPortfolio } from "./portfolio-topics.ts";

/** Indicators that are computed from prices. */
export const INDICATOR_TOPICS = [
  "rsi",
  "macd",
  "sma",
  "ema",
  "bands",
  "atr",
  "stoch",
  "adx",
  "vwap",
  "obv",
  "cross",
] as const;
/** Topics that are about the market as a whole. */
const MARKET_WIDE: readonly Topic[] = [
  "gainers",
  "losers",
  "active",
  "overview",
  "sectors",
  "components",
  "calendar",
  "screener",
];

type Rule = readonly [present: Topic, removes: readonly Topic[]];

/** Applied in order. */
const RULES: readonly Rule[] = [
  [
    "remember",
    [...MARKET_WIDE, "recall", "advice", "analysis", "price", "dividends", "growth", "volatility", "portfolio"],
  ],
  [
    "recall",
    [
      ...MARKET_WIDE,
      "advice",
      "analysis",
      "price",
      "history",
      "compare",
      "news",
      "portfolio",
      "dividends",
      "volatility",
    ],
  ],
  ["web", [...MARKET_WIDE, "news", "why", "analysis", "advice", "price", "doing"]],
  [
    "watch",
    ["price", "rsi", "change", "earnings", "portfolio", "calendar", "filings", "doing", "analysis", "components"],
  ],
  ["sources", ["compare", "price", "analysis", "doing", "news"]],
  [
    "section",
    ["filings", "volatility", "analysis", "statements", "news", "report", "fundamentals", "balance", "overview"],
  ],
  ["filing_search", ["filings", "section", "insiders", "web", "news", "analysis", "report", "screener"]],
  ["insiders", ["filings", "price", "change", "history", "advice", "news", "analysis", "doing", "compare"]],
  ["institutions", ["filings", "portfolio", "price", "analysis", "balance", "history", "doing", "components"]],
  [
    "rates",
    [
      "price",
      "change",
      "doing",
      "dividends",
      "analysis",
      "overview",
      "history",
      "volatility",
      "balance",
      "quote",
      "time",
    ],
  ],
  [
    "series",
    ["price", "change", "doing", "analysis", "overview", "history", "growth", "quote", "compare", "income", "earnings"],
  ],
  ["convert", ["price", "change", "compare"]],
  ["commodity", ["price", "doing", "change"]],
  [
    "backtest",
    [
      ...INDICATOR_TOPICS,
      "technical",
      "price",
      "history",
      "change",
      "advice",
      "analysis",
      "compare",
      "growth",
      "income",
      "var",
      "volatility",
      "quote",
    ],
  ],
  [
    "calendar",
    [
      "overview",
      "news",
      "time",
      "price",
      "analysis",
      "sectors",
      "screener",
      "quote",
      "growth",
      "earnings",
      "volatility",
    ],
  ],
  ["open", ["time", "overview", "history", "price", "intraday"]],
  ["components", ["screener", "overview", "quote", "sectors", "analysis", "compare"]],
  ["sectors", ["gainers", "losers", "change", "overview", "analysis", "price", "active"]],
  ["gainers", ["screener", "sma", "change", "overview", "price", "analysis", "advice"]],
  ["losers", ["screener", "sma", "change", "overview", "price", "analysis", "advice"]],
  ["active", ["screener", "sma", "quote", "overview", "price", "analysis"]],
  [
    "screener",
    [
      "overview",
      "quote",
      "price",
      "dividends",
      "advice",
      "analysis",
      "growth",
      "volatility",
      "valuation",
      "ratios",
      "income",
      "change",
      "compare",
      "sectors",
      "metrics",
    ],
  ],
  ["why", ["change", "price", "gainers", "losers", "analysis", "advice", "doing"]],
  ["advice", ["analysis", "price", "valuation", "change", "doing", "history", "volatility"]],
  ["growth", ["income", "eps", "earnings", "dividends", "cash_flow", "change", "fundamentals"]],
  ["earnings", ["eps", "history", "fundamentals", "calendar"]],
  ["dividends", ["history", "price", "income"]],
  ["intraday", ["history", "price", "change", "quote"]],
  ["quote", ["price"]],
  ["history", ["price"]],
  ["change", ["price"]],
  ["valuation", ["price", "analysis"]],
  ["ratios", ["eps", "valuation", "income"]],
  ["score", ["volatility", "ratios"]],
  ["health", ["fundamentals", "balance", "analysis"]],
  ["statements", ["fundamentals", "analysis"]],
  ["balance", ["fundamentals", "analysis"]],
  ["income", ["fundamentals", "analysis"]],
  ["cash_flow", ["fundamentals", "analysis"]],
  ["fundamentals", ["analysis"]],
  ["technical", ["analysis", "history"]],
  ["bands", ["volatility"]],
  ["var", ["volatility", "sharpe", "portfolio"]],
  ["sharpe", ["volatility", "change", "ratios", "portfolio", "income"]],
  ["volatility", ["analysis", "overview"]],
  ["resolve", ["analysis"]],
  ["news", ["overview", "analysis", "sectors", "screener", "history"]],
  ["portfolio", ["analysis", "price", "change", "advice", "overview", "volatility"]],
];

/** The topics of a question, with what it names. */
export function chooseTopics(reading: Reading, listings: readonly Listing[]): ReadonlySet<Topic> {
  const hits = reading.topics.filter((hit) => isMeant(reading, hit));
  const strong = hits.filter(({ isWeak }) => !isWeak);
  const used = strong.some(({ name }) => name !== "compare" && name !== "report") ? strong : hits;
  const topics = new Set(used.map(({ name }) => name));
  adjustToNamed(topics, listings);
  if (!strong.some(({ name }) => name === "screener")) topics.delete("screener");
  adjustToCriteria(topics, reading, listings);
  adjustToTrade(topics, reading, listings);
  adjustToSeries(topics, reading, listings);
  adjustToPortfolio(topics, reading, listings);
  keepNamedIndicator(topics);
  for (const [present, removes] of RULES) if (topics.has(present)) for (const topic of removes) topics.delete(topic);
  if (listings.length === 0 && topics.has("news")) topics.delete("fundamentals");
  keepIfJoined(topics, { reading, hits: used, topic: "price" });
  if (topics.has("earnings")) keepIfJoined(topics, { reading, hits: used, topic: "income" });
  if (topics.size > 1) topics.delete("doing");
  if (topics.size > 1 && topics.has("analysis") && !isOnlyAside(topics)) topics.delete("analysis");
  return topics;
}

const ASIDES: ReadonlySet<Topic> = new Set(["analysis", "compare", "report"]);

function isOnlyAside(topics: ReadonlySet<Topic>): boolean {
  return [...topics].every((topic) => ASIDES.has(topic));
}

/** `10k` is a sum of money unless it is written like the form; "đổi sang Apple" changes what is asked about. */
function isMeant({ text, tokens, cues }: Reading, { name, first, last }: Hit<Topic>): boolean {
  if (name === "convert") return !(cues.has("instead") && tokens[last]?.key === "@");
  if (name !== "filings" || last - first !== 2) return true;
  const [number, letter] = [tokens[first], tokens[first + 1]];
  if (number === undefined || letter === undefined || !/^\d/.test(number.raw)) return true;
  return text[number.end] === "-" || letter.raw === letter.raw.toUpperCase();
}

/** Words that lists are made by mean something else beside a name, and the other way round. */
function adjustToNamed(topics: Set<Topic>, listings: readonly Listing[]): void {
  const isNamed = listings.some(({ type }) => type !== "index");
  const isIndex = listings.some(({ type }) => type === "index");
  if (!isIndex) topics.delete("components");
  if (!isNamed) return;
  topics.delete("screener");
  topics.delete("sectors");
  if (topics.delete("gainers") || topics.delete("losers")) topics.add("change");
  if (topics.delete("active")) topics.add("quote");
  if (!isIndex) topics.delete("overview");
  topics.delete("components");
}

const PLURALS: ReadonlySet<string> = new Set(["stocks", "companies", "shares", "phieu", "ty", "ma", "names", "firms"]);

const RANKS: ReadonlySet<string> = new Set(["top", "best", "biggest", "largest"]);

/** "Bank stocks above 1 billion" and "top 5 banks" are searches for stocks, whatever words they have. */
function adjustToCriteria(topics: Set<Topic>, reading: Reading, listings: readonly Listing[]): void {
  const { cues, tokens } = reading;
  if (
    listings.some(({ type }) => type !== "index") ||
    cues.has("pronoun") ||
    cues.has("plural_pronoun") ||
    cues.has("coin")
  )
    return;
  if (topics.has("backtest") || topics.has("calendar") || topics.has("components")) return;
  const { hasBound, hasSector, hasSize } = findCriteria(reading);
  const isPlural = tokens.some(({ key }) => PLURALS.has(key));
  const isRanked = hasSector && tokens.some(({ key }, at) => RANKS.has(key) && /^\d/.test(tokens[at + 1]?.key ?? ""));
  if (!isPlural && !isRanked && !(hasSector && (hasBound || hasSize))) return;
  if (
    hasSector &&
    !hasBound &&
    (topics.has("doing") || topics.has("change") || topics.has("overview")) &&
    !topics.has("screener")
  ) {
    topics.add("sectors");
  } else if (hasBound || hasSize || isRanked || (hasSector && !topics.has("sectors"))) topics.add("screener");
}

const RELEASED: ReadonlySet<string> = new Set(
  "when next upcoming release releases released calendar schedule date tomorrow coming lich bo sap announcement announcements event events meeting".split(
    " ",
  ),
);

/** "When is the CPI release" asks the calendar, "what is the CPI" the figures; growth of a company is not that of a country. */
function adjustToSeries(topics: Set<Topic>, { tokens }: Reading, listings: readonly Listing[]): void {
  if (!topics.has("series")) return;
  const isReleased = tokens.some(({ key }) => RELEASED.has(key));
  if (listings.some(({ type }) => type !== "index")) topics.delete("series");
  else if (isReleased) {
    topics.delete("series");
    topics.add("calendar");
  } else topics.delete("calendar");
}

const TRADED: ReadonlySet<string> = new Set(["bought", "sold", "mua", "ban"]);

/** "Bought 20 Intel at 30, how much profit": what the user gains, not what the company earns. */
function adjustToTrade(topics: Set<Topic>, { tokens }: Reading, listings: readonly Listing[]): void {
  const numbers = tokens.filter(({ key }) => /^\d/.test(key)).length;
  const isTrade = numbers > 1 && listings.length > 0 && tokens.some(({ key }) => TRADED.has(key));
  if (isTrade && !topics.has("backtest") && topics.delete("income")) topics.add("price");
}

function keepNamedIndicator(topics: Set<Topic>): void {
  const isNamed = INDICATOR_TOPICS.some((topic) => topics.has(topic));
  if (!isNamed) return;
  topics.delete("technical");
  topics.delete("analysis");
  if (topics.has("ema") || topics.has("macd") || topics.has("cross")) dropPlainAverage(topics);
}

/** "Moving average" is a part of longer names that were found whole. */
function dropPlainAverage(topics: Set<Topic>): void {
  if (topics.has("cross")) topics.delete("sma");
}

const JOINTS: ReadonlySet<string> = new Set(["and", "va", "with", "plus", "cung", "&", "kem"]);

interface Joined {
  readonly reading: Reading;
  readonly hits: readonly Hit<Topic>[];
  readonly topic: Topic;
}

/** "The price above its average" asks for the average; "the price and the RSI" for both. */
function keepIfJoined(topics: Set<Topic>, { reading: { text, tokens }, hits, topic }: Joined): void {
  if (!topics.has(topic)) return;
  const others = [...topics].filter((other) => other !== topic && !ASIDES.has(other) && other !== "doing");
  if (others.length === 0) return;
  const isJoined = hits.some(({ name, first, last }) => {
    if (name !== topic) return false;
    const [before, after] = [tokens[first - 1], tokens[last]];
    const comma = text.slice(tokens[last - 1]?.end ?? 0, after?.start ?? 0).includes(",");
    return JOINTS.has(before?.key ?? "") || JOINTS.has(after?.key ?? "") || comma;
  });
  if (!isJoined) topics.delete(topic);
}
