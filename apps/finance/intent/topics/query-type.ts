/**
 * Query type: what kind of question this is, by its topics and what it names, and how sure that is.
 */
import type { Listing } from "../../market/port/listing.ts";
import type { QueryType } from "../intent.ts";
import { countryOf } from "../lexicon/places.ts";
import type { Topic } from "../lexicon/topics.ts";
import { hasPeriod } from "../numbers/periods.ts";
import type { Reading } from "../reading.ts";
import { needsListing, type Understood } from "../understood.ts";
import type { WishEffect } from "../wishes/wish.ts";

/** A type and how sure it is. */
export interface Typed {
  readonly type: QueryType;
  readonly confidence: number;
  /** Whether something has to be looked up. */
  readonly isData: boolean;
}

const TYPE_OF: Readonly<Record<Topic, QueryType>> = {
  price: "stock_price",
  quote: "stock_price",
  history: "stock_price",
  intraday: "stock_price",
  change: "stock_price",
  technical: "technical",
  rsi: "technical",
  macd: "technical",
  sma: "technical",
  ema: "technical",
  bands: "technical",
  atr: "technical",
  stoch: "technical",
  adx: "technical",
  vwap: "technical",
  obv: "technical",
  cross: "technical",
  backtest: "technical",
  fundamentals: "fundamental",
  statements: "fundamental",
  health: "fundamental",
  balance: "fundamental",
  income: "fundamental",
  cash_flow: "fundamental",
  metrics: "fundamental",
  growth: "fundamental",
  ratios: "fundamental",
  valuation: "fundamental",
  earnings: "fundamental",
  eps: "fundamental",
  dividends: "fundamental",
  filings: "fundamental",
  section: "fundamental",
  filing_search: "fundamental",
  insiders: "fundamental",
  institutions: "fundamental",
  rates: "market",
  series: "market",
  sources: "stock_price",
  score: "fundamental",
  news: "news",
  why: "news",
  web: "news",
  screener: "screener",
  gainers: "screener",
  losers: "screener",
  active: "screener",
  overview: "market",
  sectors: "market",
  components: "market",
  calendar: "market",
  var: "stock_analysis",
  sharpe: "stock_analysis",
  volatility: "stock_analysis",
  advice: "stock_analysis",
  analysis: "stock_analysis",
  report: "stock_analysis",
  portfolio: "stock_analysis",
  holdings: "stock_analysis",
  events: "stock_analysis",
  shock: "stock_analysis",
  doing: "stock_analysis",
  compare: "comparison",
  correlation: "comparison",
  time: "general",
  open: "general",
  resolve: "general",
  recall: "memory_recall",
  remember: "general",
  watch: "general",
  convert: "general",
  calculate: "general",
  commodity: "general",
};

/** Topics about the user or the world, not about a listing: they win, and need data only if a tool has it. */
const TALK: ReadonlyMap<Topic, readonly string[]> = new Map<Topic, readonly string[]>([
  ["recall", ["searchMemory", "recallMemory"]],
  ["remember", []],
  ["watch", ["listAlerts"]],
  ["convert", ["convertCurrency"]],
  ["commodity", []],
]);
/** What kind of question asks for a change. */
const TYPE_OF_EFFECT: Readonly<Record<WishEffect, QueryType>> = {
  memory: "general",
  portfolio: "stock_analysis",
  watch: "general",
};
/** Topics that a word of small talk may have by chance. */
const FAINT: ReadonlySet<Topic> = new Set(["doing", "analysis", "compare", "advice"]);
const CLARIFY: Typed = { type: "clarification", confidence: 0.8, isData: false };

const SURE = 0.92;
const LIKELY = 0.75;
const GUESS = 0.4;
const NOTHING = 0.25;

/** Types a question; `has` says which tools there are. */
export function typeQuestion(understood: Understood, has: (tool: string) => boolean): Typed {
  return (
    wished(understood) ??
    smallTalk(understood, has) ??
    unclear(understood) ??
    byTopic(understood) ??
    withoutTopic(understood)
  );
}

/** What asks for a change and for nothing else; if something is lacking, the user is asked for it. */
function wished({ wishes, topics, named }: Understood): Typed | undefined {
  const [first] = wishes;
  if (first === undefined || topics.size > 0) return undefined;
  const done = wishes.find(({ lacks }) => lacks === undefined);
  if (done === undefined) return CLARIFY;
  if (named.listings.length > 0) return undefined;
  return { type: TYPE_OF_EFFECT[done.effect], confidence: SURE, isData: true };
}

/** Greetings, thanks, help, what lies outside, what a word means, and what only the conversation knows. */
function smallTalk({ reading, named, own, referral }: Understood, has: (tool: string) => boolean): Typed | undefined {
  const { cues } = reading;
  if (isHow(reading) && [...own].some((topic) => KEPT.has(topic)))
    return { type: "help", confidence: SURE, isData: false };
  if (isRefusal(reading)) return { type: "general", confidence: SURE, isData: false };
  if (cues.has("tools") && named.listings.length === 0) return { type: "help", confidence: SURE, isData: false };
  const talk = [...own].find((topic) => TALK.has(topic));
  if (talk !== undefined && !isAboutNamed(own, named.listings))
    return { type: TYPE_OF[talk], confidence: SURE, isData: TALK.get(talk)?.some(has) ?? false };
  const isFaint = [...own].every((topic) => FAINT.has(topic));
  if (cues.has("outside") && (isFaint || named.listings.length === 0))
    return { type: "general", confidence: SURE, isData: false };
  if (isDefinition(reading, own, named.listings)) return { type: "general", confidence: SURE, isData: false };
  const isAsked = [...own].some((topic) => topic !== "doing") || cues.has("coin") || cues.has("pronoun");
  if (named.listings.length > 0 || isAsked || referral === "found") return undefined;
  if (cues.has("help")) return { type: "help", confidence: SURE, isData: false };
  if (cues.has("greeting")) return { type: "greeting", confidence: SURE, isData: false };
  if (cues.has("chitchat") || cues.has("thanks")) return { type: "chitchat", confidence: SURE, isData: false };
  return undefined;
}

/** What is kept for the user. */
const KEPT: ReadonlySet<Topic> = new Set(["watch", "remember", "recall", "portfolio", "holdings"]);
const MEANS: readonly (readonly string[])[] = [
  "how do i",
  "how can i",
  "how to",
  "how would i",
  "how does one",
  "how do you",
  "how can you",
  "can i",
  "could i",
  "is it possible",
  "are you able",
  "do you support",
  "does it support",
  "do you have",
  "do you offer",
  "lam sao",
  "lam the nao",
  "cach",
  "co ho tro",
  "ho tro",
  "lam cach nao",
].map((text) => text.split(" "));
const MADE: ReadonlySet<string> = new Set(
  "set add create remove delete import make save store use change edit keep alert alerts support offer reminders watchlist watchlists remember forget work dat tao them xoa nhap luu ghi canh dung sua".split(
    " ",
  ),
);

/** "How do I set an alert", "do you support watchlists": how it works, not what there is. */
function isHow({ tokens }: Reading): boolean {
  const at = tokens.findIndex((_, from) =>
    MEANS.some((words) => words.every((word, next) => tokens[from + next]?.key === word)),
  );
  return (
    at !== -1 &&
    tokens.slice(at).some(({ key }) => MADE.has(key)) &&
    !tokens.slice(0, at + 3).some(({ key }) => key === "my")
  );
}

const REFUSED: readonly (readonly string[])[] = [
  "dont",
  "do not",
  "never",
  "please dont",
  "please do not",
  "khong can",
  "khong muon",
  "thoi khong",
].map((text) => text.split(" "));
const CHANGED: ReadonlySet<Topic> = new Set(["watch", "remember", "portfolio"]);

/** "Do not add it to my portfolio", "đừng nhớ": nothing is to be done. */
function isRefusal({ tokens, topics }: Reading): boolean {
  const isRefused = REFUSED.some((words) => words.every((word, at) => tokens[at]?.key === word));
  const isForbidden = tokens[0]?.raw.toLowerCase() === "đừng";
  return (isRefused || isForbidden) && topics.some(({ name }) => CHANGED.has(name));
}

/** Whether a data topic about something that is named stands beside the talk. */
function isAboutNamed(topics: ReadonlySet<Topic>, listings: readonly Listing[]): boolean {
  const isRemembering = topics.has("remember") || topics.has("recall") || topics.has("watch");
  return !isRemembering && listings.length > 0 && [...topics].some(needsListing);
}

const WHAT: ReadonlySet<string> = new Set(["what"]);
const THE: ReadonlySet<string> = new Set(["the", "up", "new", "your", "this", "that", "going", "happening"]);
const IS: ReadonlySet<string> = new Set(["is", "are"]);

/** "What is RSI", "P/E là gì", "explain margins": what a word means, not what something has. */
function isDefinition(reading: Reading, own: ReadonlySet<Topic>, listings: readonly Listing[]): boolean {
  const { cues, tokens, topics } = reading;
  if (listings.length > 0 || cues.has("pronoun") || cues.has("plural_pronoun") || cues.has("own")) return false;
  if ((["resolve", "time", "open", "calculate", "institutions", "convert"] as const).some((topic) => own.has(topic)))
    return false;
  const isBareSeries =
    own.has("series") && !cues.has("today") && countryOf(reading) === undefined && !hasPeriod(reading);
  const isMarket = !isBareSeries && [...own].some((topic) => !needsListing(topic));
  if (cues.has("definition")) return !isMarket || !cues.has("today");
  if (!WHAT.has(tokens[0]?.key ?? "")) return false;
  const at = IS.has(tokens[1]?.key ?? "") ? 2 : 1;
  if (at === 2 && topics.every(({ isWeak }) => isWeak) && !THE.has(tokens[2]?.key ?? "")) return true;
  return !isMarket && topics.some(({ first, last }) => first <= at && last > at && first > 0);
}

/** A question that says too little, or means several things. */
function unclear({ reading, named, topics, referral, listings }: Understood): Typed | undefined {
  const { tokens, cues } = reading;
  if (referral === "too_many") return CLARIFY;
  if (listings.length > 0) return undefined;
  if (!tokens.some(({ raw }) => /[\p{L}\p{N}]/u.test(raw))) return CLARIFY;
  if (named.undecided.length > 0) return CLARIFY;
  if (named.unknown.length > 0 || cues.has("coin")) return undefined;
  const wanted = [...topics].filter(needsListing);
  const isSelfContained = [...topics].some((topic) => !needsListing(topic));
  if (isSelfContained) return undefined;
  if (cues.has("pronoun") || cues.has("plural_pronoun")) return CLARIFY;
  if (wanted.length === 1 && (wanted[0] === "advice" || wanted[0] === "doing")) return undefined;
  return wanted.length > 0 ? CLARIFY : undefined;
}

function byTopic(understood: Understood): Typed | undefined {
  const { topics, own, listings, named, reading } = understood;
  if (topics.size === 0) return undefined;
  const isCoin = isAboutCoins(understood);
  if (own.size === 0) return { type: "follow_up", confidence: LIKELY, isData: true };
  if (isComparison(understood)) return { type: "comparison", confidence: SURE, isData: true };
  if (
    listings.length === 0 &&
    named.unknown.length === 0 &&
    !isCoin &&
    [...topics].every((topic) => topic === "advice")
  ) {
    return { type: "general", confidence: LIKELY, isData: false };
  }
  if (listings.length === 0 && named.unknown.length === 0 && !isCoin && [...topics].every((topic) => topic === "doing"))
    return undefined;
  const type = combine(topics, listings, reading);
  const confidence = topics.has("doing") ? LIKELY : SURE;
  return { type: isCoin ? ofCoins(type, topics) : type, confidence, isData: true };
}

/** Whether all that is asked about is coins. */
export function isAboutCoins({
  listings,
  reading,
  named,
}: Pick<Understood, "listings" | "reading" | "named">): boolean {
  if (listings.length > 0) return listings.every(({ type }) => type === "crypto");
  return reading.cues.has("coin") && named.unknown.length === 0;
}

const RISK: ReadonlySet<Topic> = new Set(["var", "sharpe", "volatility", "backtest"]);

function ofCoins(type: QueryType, topics: ReadonlySet<Topic>): QueryType {
  if (type === "technical" || type === "news" || type === "general" || type === "comparison") return type;
  return [...topics].some((topic) => RISK.has(topic)) ? type : "crypto";
}

/** Two or more things are weighed against each other. */
function isComparison({ topics, listings, reading }: Understood): boolean {
  if (listings.length < 2) return false;
  if (topics.has("compare") || topics.has("correlation") || topics.has("score")) return true;
  return reading.tokens.some(({ key }, at) => OR.has(key) && isBetweenNames(reading, at));
}

const OR: ReadonlySet<string> = new Set(["or", "hay", "hoac", "vs"]);

function isBetweenNames({ tokens }: Reading, at: number): boolean {
  return tokens[at - 1]?.key === "@" && tokens.slice(at + 1, at + 4).some(({ key }) => key === "@");
}

/** The type of topics together; of different ones, an analysis. */
function combine(topics: ReadonlySet<Topic>, listings: readonly Listing[], reading: Reading): QueryType {
  const asked = [...topics].filter((topic) => topic !== "compare" || topics.size === 1);
  const types = new Set(asked.map((topic) => TYPE_OF[topic]));
  const isIndex = listings.length > 0 && listings.every(({ type }) => type === "index");
  if (
    isIndex &&
    !hasPeriod(reading) &&
    asked.every((topic) => topic === "doing" || topic === "analysis" || topic === "overview")
  )
    return "market";
  if (asked.every((topic) => topic === "doing")) return isAboutPrice(reading) ? "stock_price" : "stock_analysis";
  if (types.size > 1) types.delete("stock_price");
  if (types.size > 1) types.delete("general");
  if (types.size > 1 && types.has("comparison")) types.delete("comparison");
  const [first = "stock_analysis"] = types;
  return types.size === 1 ? first : "stock_analysis";
}

/** "How is it doing" with a time is about its price. */
function isAboutPrice(reading: Reading): boolean {
  return reading.cues.has("today") || hasPeriod(reading);
}

/** Fewer words beside the name say nothing that could be a topic. */
const MAX_BARE_WORDS = 4;
const POLITE: ReadonlySet<string> = new Set(
  "please pls for me us the a of thank thanks you show give tell can could giup minh toi voi nhe a oi cho xem em anh".split(
    " ",
  ),
);

function withoutTopic({ listings, reading, named, referral }: Understood): Typed {
  const { cues, tokens } = reading;
  if (listings.length > 0) {
    if (hasPeriod(reading) && !listings.every(({ type }) => type === "crypto")) {
      return { type: "stock_price", confidence: LIKELY, isData: true };
    }
    const isBare = tokens.filter(({ key }) => key !== "@" && !POLITE.has(key)).length < MAX_BARE_WORDS;
    if (!isBare) return { type: "stock_analysis", confidence: GUESS, isData: true };
    return { type: typeOfName(listings), confidence: LIKELY, isData: true };
  }
  if (cues.has("coin")) return { type: "crypto", confidence: LIKELY, isData: true };
  if (named.unknown.length > 0 || referral === "missing") return CLARIFY;
  return { type: "general", confidence: NOTHING, isData: false };
}

function typeOfName(listings: readonly Listing[]): QueryType {
  if (listings.every(({ type }) => type === "crypto")) return "crypto";
  return listings.every(({ type }) => type === "index") ? "market" : "stock_price";
}
