/**
 * Understand: a question with all it takes over from the conversation: which listings and which topics it is about.
 *
 * A question without a name takes the listings of the exchange before it; one without a topic its topics. The exchange
 * before is read by the same rules, from the user's own words first; what an answer names counts only if they name nothing.
 */
import type { Listing } from "../market/port/listing.ts";
import { toExpression } from "./numbers/arithmetic.ts";
import { findCriteria } from "./numbers/criteria-words.ts";
import { detectLanguage } from "./language.ts";
import { CURRENCY_CODES } from "./lexicon/currencies.ts";
import type { Cue } from "./lexicon/cues.ts";
import type { Topic } from "./lexicon/topics.ts";
import { namedInAnswer } from "./past-messages.ts";
import { hasPeriod } from "./numbers/periods.ts";
import { type Reading, readQuestion } from "./reading.ts";
import { optionsOf, type EarlierMessage, type Situation } from "./situation.ts";
import { type NamedListing, nameSymbols } from "./symbols.ts";
import { chooseTopics } from "./topics/topic-rules.ts";
import { readConversion } from "./numbers/conversion.ts";
import { readFired } from "./fired-alert.ts";
import { type HeardQuestion, hear } from "./hearing.ts";
import { needsListing, type Understood } from "./understood.ts";
import { blank } from "./wishes/own-words.ts";
import type { ChangeWish } from "./wishes/wish.ts";

/** So many earlier messages are looked at. */
const MAX_HISTORY = 10;
/** A pronoun can mean so many listings; with more, the user is asked. */
const MAX_REFERRED = 3;

/** Understands a question. */
export function understand(question: string, situation: Situation): Understood {
  const { alert } = optionsOf(situation);
  if (alert !== undefined) return readFired(question, situation, alert);
  const history = (situation.history ?? []).slice(-MAX_HISTORY);
  return read(question, situation, history);
}

function read(question: string, situation: Situation, history: readonly EarlierMessage[]): Understood {
  const referred = (): readonly Listing[] => readPrevious(situation, history)?.listings ?? fromMemory(situation);
  const heard = hear(question, situation, { history, referred });
  if (heard.wishes.length === 0) return readPlain(heard, situation, history);
  const reading = readQuestion(situation.directory, blank(heard.reading.text, heard.wishes));
  const rest = readPlain({ ...heard, reading }, situation, history);
  const wished = distinct(heard.wishes.flatMap(({ listings }) => listings));
  const isAside = (rest.own.size === 0 || isOnlyOwn(rest, heard.wishes)) && rest.named.raw.length === 0;
  if (isAside)
    return {
      ...rest,
      named: { ...rest.named, raw: heard.raw },
      listings: wished,
      topics: new Set(),
      isFollowUp: false,
      referral: "none",
    };
  const isMissing = rest.named.listings.length === 0 && wished.length > 0 && [...rest.own].some(needsListing);
  return isMissing ? { ...rest, listings: wished, referral: "found" } : rest;
}

/** "Import these holdings" beside a table asks for nothing more. */
function isOnlyOwn({ own }: Understood, wishes: readonly ChangeWish[]): boolean {
  return wishes.some(({ effect }) => effect === "portfolio") && [...own].every((topic) => topic === "holdings");
}

function readPlain(
  { reading, language, wishes }: HeardQuestion,
  situation: Situation,
  history: readonly EarlierMessage[],
): Understood {
  const activeTab = optionsOf(situation).ui_context?.active_tab ?? "none";
  const named = nameSymbols(reading, { language, activeTab });
  const own = withSums(chooseTopics(reading, named.listings), { reading, named, language });
  const refers = { reading, named, own };
  const previous = needsPrevious(refers) ? readPrevious(situation, history) : undefined;
  const before = previous === undefined ? [] : listingsBefore(refers, previous, () => namedBefore(situation, history));
  const { listings, referral } = refer(refers, before, situation);
  const taken = isOpen(refers) && previous !== undefined ? toGoOnWith(previous.topics) : new Set<Topic>();
  const takes = taken.size > 0;
  const topics = takes ? taken : own;
  const isFollowUp = takes || (named.listings.length === 0 && listings.length > 0);
  return {
    reading,
    language,
    named,
    listings,
    own: takes ? new Set() : own,
    topics,
    isFollowUp,
    referral,
    previous,
    wishes,
  };
}

const NO_OTHER: ReadonlySet<Topic> = new Set(["price", "doing", "change", "compare", "history", "time", "convert"]);

/** A sum in figures, or an amount in another currency, is a topic if there is no other. */
function withSums(
  topics: ReadonlySet<Topic>,
  { reading, named, language }: Pick<Understood, "reading" | "named" | "language">,
): ReadonlySet<Topic> {
  const isOther = named.raw.length > 0 || [...topics].some((topic) => topic !== "price" && topic !== "doing");
  if (!isOther && toExpression(reading.text, language) !== undefined) return new Set(["calculate"]);
  const isMoney = [...topics].every((topic) => NO_OTHER.has(topic)) && areCurrencies(named);
  const by = topics.has("convert") ? "rate" : "amount";
  return isMoney && readConversion(reading, { language, by }) !== undefined ? new Set(["convert"]) : topics;
}

/** Nothing is named but what is money too: `VND` is a company's ticker. */
function areCurrencies({ raw }: NamedListing): boolean {
  return raw.every((text) => CURRENCY_CODES.has(text.toUpperCase()));
}

interface Refers {
  readonly reading: Reading;
  readonly named: NamedListing;
  readonly own: ReadonlySet<Topic>;
}

function needsPrevious({ reading, named, own }: Refers): boolean {
  if (isOpen({ reading, named, own })) return true;
  if (own.has("compare") && named.listings.length === 1) return true;
  return named.listings.length === 0 && (hasPronoun(reading) || [...own].some(needsListing) || own.has("news"));
}

function hasPronoun({ cues }: Reading): boolean {
  return cues.has("pronoun") || cues.has("plural_pronoun");
}

/** Words that carry no topic of their own if the question continues another: "how about", "today". */
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

function readPrevious(situation: Situation, history: readonly EarlierMessage[]): Understood | undefined {
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
function inAnswer({ directory }: Situation, answers: readonly EarlierMessage[]): readonly Listing[] {
  const answer = answers.findLast(({ role }) => role === "assistant");
  return answer === undefined ? [] : namedInAnswer(directory, answer.content);
}

/** What the user named last, however long ago; nothing if that is not known. */
function namedBefore(situation: Situation, history: readonly EarlierMessage[]): readonly Listing[] {
  for (const { role, content } of history.toReversed()) {
    if (role !== "user") continue;
    const reading = readQuestion(situation.directory, content);
    const named = nameSymbols(reading, { language: detectLanguage(content), activeTab: "none" });
    if (named.raw.length > 0) return named.listings;
  }
  return [];
}

/** A question that continues another takes its subject; one with a topic of its own may reach further back. */
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
  const recent = hasPronoun(reading) || own.size > 0 ? fromMemory(situation) : [];
  if (recent.length > MAX_REFERRED) return { listings: [], referral: "too_many" };
  if (recent.length > 0 && (situation.history ?? []).length === 0) return { listings: recent, referral: "found" };
  return hasPronoun(reading) ? fromScreen(situation) : { listings: [], referral: "missing" };
}

/** What the session was about before its conversation was lost sight of. */
function fromMemory({ directory, recent = [] }: Situation): readonly Listing[] {
  return distinct(recent.flatMap((symbol) => directory.get(symbol) ?? []));
}

/** The one thing that the user looked at, if there is no conversation to refer to. */
function fromScreen(situation: Situation): Pick<Understood, "listings" | "referral"> {
  const recent = optionsOf(situation).ui_context?.recent_symbols ?? [];
  const [only] = recent;
  const listing = only === undefined || recent.length > 1 ? undefined : situation.directory.get(only);
  if (listing !== undefined) return { listings: [listing], referral: "found" };
  return { listings: [], referral: "missing" };
}

const join = (one: readonly Listing[], other: readonly Listing[]): readonly Listing[] => distinct([...one, ...other]);

function distinct(listings: readonly Listing[]): readonly Listing[] {
  return [...new Map(listings.map((listing) => [listing.symbol, listing])).values()];
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
  "holdings",
  "events",
  "shock",
  "institutions",
  "filing_search",
]);

/** Topics that a question can continue. */
function toGoOnWith(topics: ReadonlySet<Topic>): ReadonlySet<Topic> {
  return new Set([...topics].filter((topic) => !CLOSED.has(topic)));
}
