/**
 * Understood: a question with all that it is about, and which topics need something that is listed.
 */
import type { Listing } from "../market/port/listing.ts";
import type { QuestionLanguage } from "./intent.ts";
import type { Topic } from "./lexicon/topics.ts";
import type { Reading } from "./reading.ts";
import type { NamedListing } from "./symbols.ts";
import type { ChangeWish } from "./wishes/wish.ts";

/** A question and what it is about. */
export interface Understood {
  readonly reading: Reading;
  readonly language: QuestionLanguage;
  readonly named: NamedListing;
  /** The listings it is about: its own, or those it refers to. */
  readonly listings: readonly Listing[];
  /** The topics of its own words. */
  readonly own: ReadonlySet<Topic>;
  /** The topics it is about: its own, or those of the question before. */
  readonly topics: ReadonlySet<Topic>;
  /** Whether it takes something over. */
  readonly isFollowUp: boolean;
  /** It refers to something: that is found, missing, or too many. */
  readonly referral: "none" | "found" | "missing" | "too_many";
  readonly previous: Understood | undefined;
  /** What it asks to be kept or changed; its topics are what it asks beside. */
  readonly wishes: readonly ChangeWish[];
}

/** Topics that need something that is listed. */
const NEEDS_LISTING: ReadonlySet<Topic> = new Set<Topic>([
  ...([
    "price",
    "quote",
    "history",
    "intraday",
    "change",
    "technical",
    "rsi",
    "macd",
    "sma",
    "ema",
    "bands",
    "atr",
  ] as const),
  ...(["stoch", "adx", "vwap", "obv", "cross", "fundamentals", "statements", "health", "balance", "income"] as const),
  ...([
    "cash_flow",
    "metrics",
    "growth",
    "ratios",
    "valuation",
    "earnings",
    "eps",
    "dividends",
    "filings",
    "why",
  ] as const),
  ...([
    "var",
    "sharpe",
    "volatility",
    "backtest",
    "advice",
    "analysis",
    "report",
    "compare",
    "correlation",
    "score",
  ] as const),
  ...(["doing", "resolve", "section", "insiders", "sources"] as const),
]);

/** Whether a topic is about something that is listed. */
export function needsListing(topic: Topic): boolean {
  return NEEDS_LISTING.has(topic);
}
