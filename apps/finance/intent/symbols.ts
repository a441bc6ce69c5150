/**
 * Symbols: which listings a question names, and what it names that nobody knows.
 *
 * A ticker that is a coin and a stock, or is listed in Vietnam and in America, is decided by the words beside it, then by
 * what the user looks at, then by the language; what only the language decided stays ambiguous.
 */
import type { ListingMention } from "../market/directory/mention.ts";
import { isInMarket } from "../market/directory/narrowing.ts";
import { isJargon, isPlainWord, isSyllable } from "../market/directory/plain-words.ts";
import type { Listing } from "../market/port/listing.ts";
import type { QuestionLanguage } from "./intent.ts";
import { isLexiconWord, type Reading, type QuestionToken } from "./reading.ts";

/** What a question names. */
export interface NamedListing {
  readonly listings: readonly Listing[];
  /** As they are written, known or not. */
  readonly raw: readonly string[];
  readonly unknown: readonly string[];
  readonly ambiguous: readonly Readonly<{ text: string; candidates: readonly Listing[] }>[];
  /** Names that several companies of similar size have; none of them is taken. */
  readonly undecided: readonly Readonly<{ text: string; candidates: readonly Listing[] }>[];
  /** Where each listing is named. */
  readonly located: readonly Readonly<{ start: number; end: number; listing: Listing }>[];
}

/** What decides between the meanings of a ticker. */
export interface Deciding {
  readonly language: QuestionLanguage;
  readonly activeTab: string;
}

/** Finds what a question names. */
export function nameSymbols(reading: Reading, deciding: Deciding): NamedListing {
  const listings = new Map<string, Listing>();
  const located: { start: number; end: number; listing: Listing }[] = [];
  const ambiguous: { text: string; candidates: readonly Listing[] }[] = [];
  const undecided: { text: string; candidates: readonly Listing[] }[] = [];
  for (const mention of reading.mentions) {
    const chosen = decide(reading, mention, deciding);
    if (chosen.listing === undefined) undecided.push({ text: mention.text, candidates: mention.candidates });
    else {
      listings.set(chosen.listing.symbol, chosen.listing);
      located.push({ start: mention.start, end: mention.end, listing: chosen.listing });
    }
    if (chosen.rivals.length > 1) ambiguous.push({ text: mention.text, candidates: chosen.rivals });
  }
  const unknown = findUnknown(reading);
  const raw = [...new Set([...reading.mentions.map(({ text }) => text), ...unknown])];
  return { listings: [...listings.values()], raw, unknown, ambiguous, undecided, located };
}

interface Decision {
  readonly listing: Listing | undefined;
  /** What else it may be, itself first; empty if the text decides. */
  readonly rivals: readonly Listing[];
}

function decide(reading: Reading, mention: ListingMention, deciding: Deciding): Decision {
  if (mention.listing !== undefined) return { listing: mention.listing, rivals: [] };
  const kind = decideKind(reading, mention, deciding);
  const [first, second] = kind;
  if (first === undefined || second === undefined) return { listing: first, rivals: [] };
  if (mention.by !== "symbol") return { listing: undefined, rivals: [] };
  const market = marketOf(reading);
  const inMarket = market === undefined ? [] : kind.filter((listing) => isInMarket(listing, market));
  const [only, another] = inMarket;
  if (only !== undefined && another === undefined) return { listing: only, rivals: [] };
  const preferred = deciding.language === "vi" ? "VN" : "US";
  const ordered = kind.toSorted((a, b) => Number(isInMarket(b, preferred)) - Number(isInMarket(a, preferred)));
  return { listing: ordered[0], rivals: ordered };
}

/** The candidates of the kind that the question means: coins, or what trades on an exchange. */
function decideKind(reading: Reading, mention: ListingMention, { activeTab }: Deciding): readonly Listing[] {
  const coins = mention.candidates.filter(({ type }) => type === "crypto");
  const others = mention.candidates.filter(({ type }) => type !== "crypto");
  const indices = others.filter(({ type }) => type === "index");
  if (indices.length > 0 && isBeside(reading, mention, INDEX_WORDS)) return indices;
  if (coins.length === 0 || others.length === 0) return mention.candidates;
  if (isBeside(reading, mention, COIN_WORDS)) return coins;
  if (isBeside(reading, mention, STOCK_WORDS)) return others;
  if (reading.cues.has("coin")) return coins;
  if (activeTab === "stock") return others;
  return coins;
}

const COIN_WORDS: ReadonlySet<string> = new Set("coin coins crypto token tokens dong usdt cryptocurrency".split(" "));
const STOCK_WORDS: ReadonlySet<string> = new Set(
  "stock stocks share shares etf fund trust ticker equity phieu cp quy co".split(" "),
);
const INDEX_WORDS: ReadonlySet<string> = new Set("index so level".split(" "));
const BESIDE = 2;

/** Whether one of these words is among the two before or after a mention. */
function isBeside({ tokens }: Reading, mention: ListingMention, words: ReadonlySet<string>): boolean {
  const at = tokens.findIndex(({ start, key }) => start === mention.start && key === "@");
  if (at < 0) return false;
  for (let near = Math.max(0, at - BESIDE); near <= at + BESIDE && near < tokens.length; near++) {
    if (near !== at && words.has(tokens[near]?.key ?? "")) return true;
  }
  return false;
}

function marketOf({ cueHits, tokens }: Reading): string | undefined {
  const isMeant = (first: number) => (tokens[first]?.key === "us" ? tokens[first]?.raw === "US" : true);
  const found = cueHits.filter(({ name, first }) => (name === "vietnam" || name === "america") && isMeant(first));
  const names = new Set(found.map(({ name }) => name));
  if (names.size !== 1) return undefined;
  return names.has("vietnam") ? "VN" : "US";
}

const MAX_TICKER = 5;
const MIN_NAME = 4;
const ENDS: ReadonlySet<string> = new Set("stock ticker token coin".split(" "));
const STARTS: ReadonlySet<string> = new Set("ticker symbol phieu ma cp coin token".split(" "));

/** What is written like a ticker or stands like a name, and is in no directory. */
function findUnknown({ text, tokens, mentions }: Reading): readonly string[] {
  const letters = tokens.filter(({ key }) => key !== "@" && /^[a-z]/.test(key));
  const shouted = letters.filter(({ raw }) => raw === raw.toUpperCase()).length;
  const isShouted = letters.length > 2 && shouted > letters.length / 2;
  const found = tokens.filter((token, at) => {
    if (token.key === "@" || !/^[A-Za-z]/.test(token.raw)) return false;
    if (text[token.start - 1] === "$" && token.raw.length <= MAX_TICKER + 1) return true;
    if (isOrdinary(token)) return false;
    if (!isShouted && isTickerLike(text, token)) return true;
    if (mentions.length > 0 || token.raw.length < MIN_NAME) return false;
    const isBesideStock = ENDS.has(tokens[at + 1]?.key ?? "") || STARTS.has(tokens[at - 1]?.key ?? "");
    const isShort = token.raw.length <= MAX_TICKER;
    return (isBesideStock && isShort) || (isNameLike(token) && !isShouted);
  });
  return joinNeighbours(text, found);
}

/** "Saudi Aramco" is one name. */
function joinNeighbours(text: string, found: readonly QuestionToken[]): readonly string[] {
  const spans: { start: number; end: number }[] = [];
  for (const { raw, start, end } of found) {
    const last = spans.at(-1);
    const isNext = last !== undefined && text.slice(last.end, start) === " " && raw.length >= MIN_NAME;
    if (last !== undefined && isNext) last.end = end;
    else spans.push({ start, end });
  }
  return spans.map(({ start, end }) => text.slice(start, end));
}

function isOrdinary({ key }: QuestionToken): boolean {
  return isPlainWord(key) || isSyllable(key) || isJargon(key) || isLexiconWord(key);
}

/** Two to five capitals that are not joined to anything. */
function isTickerLike(text: string, { raw, start, end }: QuestionToken): boolean {
  if (raw.length < 2 || raw.length > MAX_TICKER || !/^[A-Z]+$/.test(raw)) return false;
  return !/[\p{L}\p{N}&/]/u.test(text.charAt(start - 1)) && !/[\p{L}\p{N}&/]/u.test(text.charAt(end));
}

/** A capital, and a word that neither language has. */
function isNameLike({ raw }: QuestionToken): boolean {
  return /^[A-Z][A-Za-z]{3,}$/.test(raw);
}
