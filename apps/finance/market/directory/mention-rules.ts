/**
 * Mention rules: when a word of a sentence is a ticker or a name and not just a word.
 *
 * - A ticker that is a word (ALL, IT, ON, NOW, A) counts in capitals, or beside "stock" or "ticker", "cổ phiếu", "mã".
 * - A well-known ticker that is not a word counts in any case (`nvda`, `hpg`); jargon (ETF, CEO) only beside such a word.
 * - Brands count in any case; a name that is a word (Target, Block) with a capital inside a sentence, or beside "stock".
 */
import { withoutLegal } from "./company-name.ts";
import { PROMINENT, type Ranked } from "./company.ts";
import type { NameHit } from "./name-index.ts";
import {
  isFunctionWord,
  isJargon,
  isKindOfStock,
  isListable,
  isPlainWord,
  isProperName,
  isSyllable,
} from "./plain-words.ts";
import type { Sentence, WrittenWord } from "./sentence.ts";

const AFTER: ReadonlySet<string> = new Set(["stock", "shares", "share", "ticker", "equity", "adr"]);
const AFTER_COIN: ReadonlySet<string> = new Set(["coin", "token", "crypto", "price", "usdt"]);
const BEFORE: ReadonlySet<string> = new Set(["ticker", "symbol", "ma", "phieu", "cp", "tickers", "symbols"]);
const BEFORE_COIN: ReadonlySet<string> = new Set(["coin", "token", "dong", "gia", "crypto"]);
/** After these, "all stock" can only be the ticker. */
const BEFORE_GRAMMAR: ReadonlySet<string> = new Set(["of", "for", "about", "is", "analyze", "analyse", "mua", "ban"]);
const NOT_AFTER_STOCK: ReadonlySet<string> = new Set(
  "market markets exchange exchanges index indices prices split".split(" "),
);
/** Before these a single letter is an ordinal. */
const ORDINALS: ReadonlySet<string> = new Set(
  "altman plan class series vitamin type grade option phase tier level group category point part section schedule form".split(
    " ",
  ),
);
/** Hasty spellings of question words that are tickers in lower case. */
const CHAT_SPELLINGS: ReadonlySet<string> = new Set("wat wats wut hw wen cud shud wud hav giv tel".split(" "));
/** Names that are also phrases. */
const PHRASES: ReadonlySet<string> = new Set([
  "best buy",
  "take two",
  "service now",
  "sales force",
  "black rock",
  "chain link",
  "realty income",
  "public storage",
  "trade desk",
  "dollar tree",
  "capital one",
  "the dow",
  "the graph",
  "the sandbox",
]);
/** Ranks up to which a ticker, and a name that is not a word, count in lower case. */
const KNOWN_TICKER = 2500;
/** Words that join tickers to a list, and the longest list that is followed. */
const LINKS: ReadonlySet<string> = new Set("or and vs versus with va hoac hay voi".split(" "));
const MAX_LIST = 8;
/** After these words a capital at the start of a sentence is a name's. */
const NEWS: ReadonlySet<string> = new Set(
  "earnings revenue revenues dividend dividends vs versus guidance results ceo valuation".split(" "),
);
/** Ends of names that people leave out. */
const GENERIC: ReadonlySet<string> = new Set(
  "group holdings holding platforms brands industries international technologies technology systems".split(" "),
);
const LISTED = 6000;

/** A span that is a name. */
export interface NamedSpan {
  readonly first: number;
  readonly last: number;
  readonly key: string;
  readonly hit: NameHit;
  readonly isExact: boolean;
}

/** Whether a bare ticker is meant as one. */
export function acceptsTicker(sentence: Sentence, at: number, found: readonly Ranked[]): boolean {
  const word = sentence.words[at];
  if (word === undefined || !/[A-Za-z]/.test(word.raw)) return false;
  if (word.raw.length < 3 && isJoined(sentence, word)) return false;
  if (CHAT_SPELLINGS.has(word.raw) || isAverage(sentence, at)) return false;
  const isCoin = found.some(({ listing }) => listing.type === "crypto");
  if (word.isCaps) return acceptsCaps(sentence, at) || isBeside(sentence, at);
  if (isBeside(sentence, at) || (isCoin && isCoinHere(sentence, at))) return true;
  if (word.raw.length < 3 || isPlainWord(word.key) || isJargon(word.key) || isSyllable(word.key)) return false;
  return found.some(({ rank }) => rank < KNOWN_TICKER);
}

/** The averages of "200 DMA" and "50-DMA". */
function isAverage({ words }: Sentence, at: number): boolean {
  return words[at]?.key === "dma" && /^[0-9]+$/.test(words[at - 1]?.key ?? "");
}

function acceptsCaps(sentence: Sentence, at: number): boolean {
  const word = sentence.words[at];
  if (word === undefined) return false;
  if (isJargon(word.key)) return isListable(word.key) && isListed(sentence, at);
  if (word.raw.length > 1) return true;
  const before = sentence.words[at - 1];
  if (word.raw === "I" || (before !== undefined && ORDINALS.has(before.key))) return false;
  if (sentence.words[at + 1]?.key === "score") return false;
  return word.isCapital || word.raw !== "A" || sentence.words.length === 1 || isListed(sentence, at);
}

/** Joined by commas, "or", "vs" or "và" to a ticker in capitals. */
function isListed(sentence: Sentence, at: number): boolean {
  return isListedOn(sentence, at, -1) || isListedOn(sentence, at, 1);
}

function isListedOn({ text, words }: Sentence, at: number, step: 1 | -1): boolean {
  let here = at;
  for (let hops = 0; hops < MAX_LIST; hops++) {
    const near = words[here + step];
    const isLinked = near !== undefined && LINKS.has(near.key);
    const next = isLinked ? words[here + step * 2] : near;
    const word = words[here];
    if (next === undefined || word === undefined || !next.isCaps) return false;
    const gap = step > 0 ? text.slice(word.end, next.start) : text.slice(next.end, word.start);
    if (!isLinked && !/^\s*[,/;&+]\s*$/.test(gap.slice(0, 8))) return false;
    if (!isJargon(next.key)) return true;
    here += isLinked ? step * 2 : step;
  }
  return false;
}

/** Whether a name is meant as one. */
export function acceptsName(sentence: Sentence, span: NamedSpan): boolean {
  const words = sentence.words.slice(span.first, span.last);
  const [edge] = words.slice(-1);
  if (words.length > 1 && edge !== undefined && edge.raw.length === 1 && isJoined(sentence, edge)) return false;
  return words.length === 1 ? acceptsWord(sentence, span) : acceptsPhrase(sentence, span, words);
}

function acceptsWord(sentence: Sentence, span: NamedSpan): boolean {
  const { first, key, hit, isExact } = span;
  const word = sentence.words[first];
  const rank = hit.companies[0]?.rank ?? Infinity;
  if (word === undefined || key.length < 2) return false;
  if (word.isCaps && key.length <= 5 && hit.by !== "alias") return false;
  const isName = isNamed(word) || (word.isUpper && NEWS.has(sentence.words[first + 1]?.key ?? ""));
  if (hit.by === "alias" && hit.isSure)
    return !isFunctionWord(key) && (!isPlainWord(key) || isName || isNameBeside(sentence, first));
  if (word.isAccented || key.length < 3) return false;
  if (isNameBeside(sentence, first)) return isExact || rank < PROMINENT;
  if (isProperName(key) || isFunctionWord(key)) return false;
  if (isPlainWord(key) || isJargon(key) || isSyllable(key))
    return (isExact || isLoose(span)) && rank < PROMINENT && isName;
  if (!hit.isSure) return word.isUpper && rank < PROMINENT;
  if (!isExact) return key.length >= 4 && rank < PROMINENT;
  return rank < PROMINENT || (rank < LISTED && key.length >= 6) || word.isCapital;
}

/** The whole name but for words like "group". */
function isLoose({ key, hit }: NamedSpan): boolean {
  const [company] = hit.companies;
  if (company === undefined || !hit.isSure) return false;
  return company.core
    .slice(key.length + 1)
    .split(" ")
    .every((word) => GENERIC.has(word));
}

function isNamed(word: WrittenWord): boolean {
  return word.isCapital || (word.isUpper && word.isPossessive);
}

function acceptsPhrase(
  sentence: Sentence,
  { first, last, key, hit, isExact }: NamedSpan,
  words: readonly WrittenWord[],
): boolean {
  const rank = hit.companies[0]?.rank ?? Infinity;
  const isNamedPhrase = words.some(({ isUpper }) => isUpper) && words.every(isUpperOrSmall);
  const hasCue = AFTER.has(sentence.words[last]?.key ?? "") || isBeforeName(sentence, first);
  if (PHRASES.has(key) || PHRASES.has(withoutLegal(key))) return isNamedPhrase || hasCue;
  if (hit.by === "alias") return true;
  if (!hit.isSure) return isExact && (isNamedPhrase || hasCue);
  if (words.every((word) => isFunctionWord(word.key) || /^[0-9]/.test(word.key))) return false;
  if (rank < PROMINENT) return isExact || isNamedPhrase || hasCue || words.some(isUnlikeWords);
  return isExact && (isNamedPhrase || hasCue || words.length > 2);
}

function isUpperOrSmall({ isUpper, key }: WrittenWord): boolean {
  return isUpper || isFunctionWord(key);
}

/** Neither English nor Vietnamese: it must be a name. */
function isUnlikeWords({ key }: WrittenWord): boolean {
  return !isPlainWord(key) && !isSyllable(key);
}

/** Whether words may be a misspelt name. */
export function acceptsTypo(sentence: Sentence, first: number, last: number): boolean {
  const words = sentence.words.slice(first, last);
  const [only] = words;
  if (only === undefined) return false;
  if (words.some((word) => word.isAccented || /^[0-9]/.test(word.key))) return false;
  if (words.length === 1) return !isPlainWord(only.key) && !isSyllable(only.key) && !isJargon(only.key);
  const edge = words.at(-1);
  if (isFunctionWord(only.key) || isFunctionWord(edge?.key ?? "")) return false;
  return words.some(isUnlikeWords);
}

/** Beside "stock", "ticker", "mã", "cổ phiếu". */
function isBeside(sentence: Sentence, at: number): boolean {
  const word = sentence.words[at];
  const before = sentence.words[at - 1]?.key ?? "";
  const after = sentence.words[at + 1];
  if (word === undefined) return false;
  if (BEFORE.has(before) && isCalled(sentence, at, word)) return true;
  if (after === undefined || !AFTER.has(after.key) || !isNext(sentence, word, after)) return false;
  if (word.isCaps) return true;
  const behind = sentence.words[at + 2]?.key ?? "";
  if (NOT_AFTER_STOCK.has(behind)) return false;
  if (isFunctionWord(word.key) && !isKindOfStock(word.key)) return before === "" || BEFORE_GRAMMAR.has(before);
  return !isKindOfStock(word.key) && !isSyllableOnly(word);
}

/** After "mã" or "ticker" any word is a ticker but one that asks which ("mã nào") or continues the sentence ("the ticker is"). */
function isCalled(sentence: Sentence, at: number, word: WrittenWord): boolean {
  if (word.isCaps) return true;
  const before = sentence.words[at - 1]?.key ?? "";
  const isEnglish = before.startsWith("ticker") || before.startsWith("symbol");
  if (isEnglish) return !isKindOfStock(word.key);
  return (
    !isSyllable(word.key) && (before !== "ma" || sentence.words[at - 1]?.isAccented === true || !isPlainWord(word.key))
  );
}

function isSyllableOnly(word: WrittenWord): boolean {
  return isSyllable(word.key) && !isPlainWord(word.key);
}

/** Beside "coin" or "price"; in a Vietnamese sentence also an English word (`sol hôm nay`). */
function isCoinHere(sentence: Sentence, at: number): boolean {
  const word = sentence.words[at];
  if (word === undefined || isFunctionWord(word.key)) return false;
  if (sentence.isVietnamese && word.key.length > 2 && !isSyllable(word.key)) return true;
  return BEFORE_COIN.has(sentence.words[at - 1]?.key ?? "") || AFTER_COIN.has(sentence.words[at + 1]?.key ?? "");
}

function isNameBeside(sentence: Sentence, at: number): boolean {
  const word = sentence.words[at];
  const after = sentence.words[at + 1];
  if (word === undefined || isKindOfStock(word.key) || isFunctionWord(word.key)) return false;
  const isFollowed = after !== undefined && AFTER.has(after.key) && isNext(sentence, word, after);
  return isFollowed || (isBeforeName(sentence, at) && (!isSyllable(word.key) || word.isUpper));
}

function isBeforeName({ words }: Sentence, at: number): boolean {
  const before = words[at - 1]?.key ?? "";
  const further = words[at - 2]?.key ?? "";
  if (before === "of" && (further === "shares" || further === "stock")) return true;
  return before === "phieu" || before === "ticker" || (before === "ma" && words[at - 1]?.isAccented === true);
}

function isNext({ text }: Sentence, word: WrittenWord, after: WrittenWord): boolean {
  return after.start - word.end <= 3 && !/[.,;:!?\n]/.test(text.slice(word.end, after.start));
}

/** Joined to another word as in `A/B`, `T-shirt`, `P/E`, `U.S.`. */
function isJoined({ text }: Sentence, { start, end, isPossessive }: WrittenWord): boolean {
  const isJoint = (character: string) => character !== "" && "./-+'’&".includes(character);
  const isLetter = (character: string) => /[\p{L}\p{N}]/u.test(character);
  const before = isJoint(text.charAt(start - 1)) && isLetter(text.charAt(start - 2));
  const after = !isPossessive && isJoint(text.charAt(end)) && isLetter(text.charAt(end + 1));
  return before || after || text.charAt(end) === "+";
}
