/**
 * Understand: a question with all it takes over from the conversation: which listings and which topics it is about.
 *
 * A question without a name takes the listings of the exchange before it; one without a topic its topics. The exchange
 * before is read by the same rules, from the user's own words first; what an answer names counts only if they name nothing.
 */
import type { Listing } from "../data/listing.ts";
import { toExpression } from "./arithmetic.ts";
import type { Language } from "./intent.ts";
import { findCriteria } from "./criteria-words.ts";
import { detectLanguage } from "./language.ts";
import type { Cue } from "./lexicon/cues.ts";
import type { Topic } from "./lexicon/topics.ts";
import { namedInAnswer } from "./past-messages.ts";
import { hasPeriod } from "./periods.ts";
import { type Reading, readQuestion } from "./reading.ts";
import { optionsOf, type PastMessage, type Situation } from "./situation.ts";
import { type Named, nameSymbols } from "./symbols.ts";
import { chooseTopics } from "./topic-rules.ts";

/** A question and what it is about. */
export interface Understood {
  readonly reading: Reading;
  readonly language: Language;
  readonly named: Named;
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
}

/** So many earlier messages are looked at. */
const MAX_HISTORY = 10;
/** A pronoun can mean so many listings; with more, the user is asked. */
const MAX_REFERRED = 3;

/** Understands a question. */
export function understand(question: string, situation: Situation): Understood {
  const history = (situation.history ?? []).slice(-MAX_HISTORY);
  return read(question, situation, history);
}

function read(question: string, situation: Situation, history: readonly PastMessage[]): Understood {
  const reading = readQuestion(situation.directory, question);
  const language = languageOf(reading, history);
  const activeTab = optionsOf(situation).ui_context?.active_tab ?? "none";
  const named = nameSymbols(reading, { language, activeTab });
  const own = withArithmetic(chooseTopics(reading, named.listings), { reading, named, language });
  const refers = { reading, named, own };
  const previous = needsPrevious(refers) ? readPrevious(situation, history) : undefined;
  const before = previous === undefined ? [] : listingsBefore(refers, previous, () => namedBefore(situation, history));
  const { listings, referral } = refer(refers, before, situation);
  const taken = isOpen(refers) && previous !== undefined ? toGoOnWith(previous.topics) : new Set<Topic>();
  const takes = taken.size > 0;
  const topics = takes ? taken : own;
  const isFollowUp = takes || (named.listings.length === 0 && listings.length > 0);
  return { reading, language, named, listings, own: takes ? new Set() : own, topics, isFollowUp, referral, previous };
}

/** A sum in figures is a topic if there is no other. */
function withArithmetic(
  topics: ReadonlySet<Topic>,
  { reading, named, language }: Pick<Understood, "reading" | "named" | "language">,
): ReadonlySet<Topic> {
  const isOther = named.raw.length > 0 || [...topics].some((topic) => topic !== "price" && topic !== "doing");
  return !isOther && toExpression(reading.text, language) !== undefined ? new Set(["calculate"]) : topics;
}

/** The language of the words beside names; without such words, that of the conversation. */
function languageOf({ text, mentions }: Reading, history: readonly PastMessage[]): Language {
  const beside = mentions.reduceRight((rest, { start, end }) => `${rest.slice(0, start)} @ ${rest.slice(end)}`, text);
  return detectLanguage(beside, languageBefore(history) ?? detectLanguage(text));
}

/** The language of the user's last words that have one. */
function languageBefore(history: readonly PastMessage[]): Language | undefined {
  const asked = history.filter(({ role }) => role === "user");
  return asked.reduce<Language | undefined>((before, { content }) => detectLanguage(content, before), undefined);
}

interface Refers {
  readonly reading: Reading;
  readonly named: Named;
  readonly own: ReadonlySet<Topic>;
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
  ...(["doing", "resolve"] as const),
]);

/** Whether a topic is about something that is listed. */
export function needsListing(topic: Topic): boolean {
  return NEEDS_LISTING.has(topic);
}

function needsPrevious({ reading, named, own }: Refers): boolean {
  if (isOpen({ reading, named, own })) return true;
  if (own.has("compare") && named.listings.length === 1) return true;
  return named.listings.length === 0 && (hasPronoun(reading) || [...own].some(needsListing) || own.has("news"));
}

function hasPronoun({ cues }: Reading): boolean {
  return cues.has("pronoun") || cues.has("plural_pronoun");
}

/** Words that carry no topic of their own if the question goes on from another: "how about", "today". */
const GENERIC: ReadonlySet<Topic> = new Set(["doing"]);
const MAX_OPEN_WORDS = 12;

/** Whether a question leaves its topic open: only a name, a period, or "and what about …". */
function isOpen({ reading, named, own }: Refers): boolean {
  const { cues, tokens } = reading;
  if (tokens.length > MAX_OPEN_WORDS || named.unknown.length + named.undecided.length > 0) return false;
  const isTopicless = [...own].every((topic) => GENERIC.has(topic));
  if (!isTopicless) return false;
  if (TALK.some((cue) => cues.has(cue))) return false;
  const isGoingOn = cues.has("follow") || cues.has("instead");
  if (own.size > 0) return isGoingOn;
  if (isGoingOn || named.listings.length > 0 || hasPeriod(reading) || hasPronoun(reading)) return true;
  return findCriteria(reading).hasBound;
}

function readPrevious(situation: Situation, history: readonly PastMessage[]): Understood | undefined {
  const at = history.findLastIndex(({ role }) => role === "user");
  const message = history[at];
  if (message === undefined) return undefined;
  const earlier = history.slice(0, at);
  const understood = read(message.content, situation, earlier);
  if (understood.listings.length > 0) return understood;
  const listings = isSmallTalk(understood) ? [] : inAnswer(situation, history.slice(at + 1));
  const isEmpty = understood.topics.size === 0 && listings.length === 0;
  return isEmpty ? (readPrevious(situation, earlier) ?? understood) : { ...understood, listings };
}

const TALK: readonly Cue[] = ["greeting", "thanks", "chitchat", "help", "outside"];

/** An answer to small talk names things only as examples. */
function isSmallTalk({ topics, reading: { cues } }: Understood): boolean {
  return topics.size === 0 && TALK.some((cue) => cues.has(cue));
}

/** What the last of these answers names. */
function inAnswer({ directory }: Situation, answers: readonly PastMessage[]): readonly Listing[] {
  const answer = answers.findLast(({ role }) => role === "assistant");
  return answer === undefined ? [] : namedInAnswer(directory, answer.content);
}

/** What the user named last, however long ago; nothing if that is not known. */
function namedBefore(situation: Situation, history: readonly PastMessage[]): readonly Listing[] {
  for (const { role, content } of history.toReversed()) {
    if (role !== "user") continue;
    const reading = readQuestion(situation.directory, content);
    const named = nameSymbols(reading, { language: detectLanguage(content), activeTab: "none" });
    if (named.raw.length > 0) return named.listings;
  }
  return [];
}

/** A question that goes on takes what the one before is about; one with a topic of its own may reach further back. */
function listingsBefore(
  refers: Refers,
  { listings, named }: Understood,
  reachBack: () => readonly Listing[],
): readonly Listing[] {
  return listings.length > 0 || named.raw.length > 0 || isOpen(refers) ? listings : reachBack();
}

function refer(
  { reading, named, own }: Refers,
  before: readonly Listing[],
  situation: Situation,
): Pick<Understood, "listings" | "referral"> {
  if (named.listings.length > 0) {
    const isAdded =
      own.has("compare") && named.listings.length === 1 && before.length > 0 && before.length <= MAX_REFERRED;
    return { listings: isAdded ? join(before, named.listings) : named.listings, referral: "none" };
  }
  if (named.unknown.length + named.undecided.length > 0) return { listings: [], referral: "none" };
  const isReferring = hasPronoun(reading) || [...own].some(needsListing) || isOpen({ reading, named, own });
  if (!isReferring && !(own.has("news") && reading.cues.has("follow"))) return { listings: [], referral: "none" };
  if (before.length > MAX_REFERRED) return { listings: [], referral: "too_many" };
  if (before.length > 0) return { listings: before, referral: "found" };
  return hasPronoun(reading) ? fromScreen(situation) : { listings: [], referral: "missing" };
}

/** The one thing that the user looked at, if there is no conversation to refer to. */
function fromScreen(situation: Situation): Pick<Understood, "listings" | "referral"> {
  const recent = optionsOf(situation).ui_context?.recent_symbols ?? [];
  const [only] = recent;
  const listing = only === undefined || recent.length > 1 ? undefined : situation.directory.get(only);
  if (listing !== undefined) return { listings: [listing], referral: "found" };
  return { listings: [], referral: "missing" };
}

function join(one: readonly Listing[], other: readonly Listing[]): readonly Listing[] {
  return [...new Map([...one, ...other].map((listing) => [listing.symbol, listing])).values()];
}

const CLOSED: ReadonlySet<Topic> = new Set([
  "report",
  "recall",
  "remember",
  "watch",
  "convert",
  "commodity",
  "calculate",
  "time",
  "open",
]);

/** Topics that a question can go on with. */
function toGoOnWith(topics: ReadonlySet<Topic>): ReadonlySet<Topic> {
  return new Set([...topics].filter((topic) => !CLOSED.has(topic)));
}
