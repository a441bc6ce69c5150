/**
 * Mentions: the listings that a sentence names, in English or Vietnamese, misspelt or not, in linear time.
 *
 * Written symbols come first (`$F`, `VNM.VN`), then names, the longest first, bare tickers, and last misspelt names.
 * Brands count in any case, so "apple pie" names Apple: what a sentence is about is for its reader to judge.
 */
import type { Listing } from "../port/listing.ts";
import { withoutLegal } from "./company-name.ts";
import type { IndexedDirectory } from "./directory.ts";
import { acceptsName, acceptsTicker, acceptsTypo } from "./mention-rules.ts";
import { readSentence, type Sentence } from "./sentence.ts";
import { joinInitials } from "./words.ts";

/** A listing named in a text. */
export interface ListingMention {
  /** Present if the text decides. */
  readonly listing?: Listing;
  /** All it may mean, the most prominent first; one if the text decides. */
  readonly candidates: readonly Listing[];
  readonly by: "symbol" | "name" | "alias" | "typo";
  readonly start: number;
  readonly end: number;
  /** As it is written. */
  readonly text: string;
}

/** Names have at most so many words. */
const MAX_WORDS = 7;
/** Misspelt names have at most so many. */
const MAX_TYPO_WORDS = 3;
const MAX_CANDIDATES = 8;

/** One match: words from `first` up to, not including, `last`. */
interface Match {
  readonly listings: readonly Listing[];
  readonly by: ListingMention["by"];
  readonly last: number;
  readonly start?: number;
  readonly end?: number;
}

type Matcher = (directory: IndexedDirectory, sentence: Sentence, first: number) => Match | undefined;

/** Finds what a text names, in the order in which it names it. */
export function findMentions(directory: IndexedDirectory, text: string): readonly ListingMention[] {
  const sentence = readSentence(text);
  const mentions: ListingMention[] = [];
  const free: boolean[] = [];
  while (free.length < sentence.words.length) {
    const first = free.length;
    const match = firstMatch(directory, sentence, first);
    if (match !== undefined) mentions.push(toMention(sentence, first, match));
    const last = match?.last ?? first + 1;
    while (free.length < last) free.push(match === undefined);
  }
  const misspelt = findMisspelt(directory, sentence, free);
  return [...mentions, ...misspelt].toSorted((a, b) => a.start - b.start);
}

const MATCHERS: readonly Matcher[] = [matchWritten, matchName, matchTicker];

function firstMatch(directory: IndexedDirectory, sentence: Sentence, first: number): Match | undefined {
  for (const matcher of MATCHERS) {
    const match = matcher(directory, sentence, first);
    if (match !== undefined) return match;
  }
  return undefined;
}

/** `$AAPL`, `^GSPC`, `BRK.B`, `VNM.VN`, `NASDAQ:AAPL`, `BTC/USDT`. */
function matchWritten({ symbols }: IndexedDirectory, sentence: Sentence, first: number): Match | undefined {
  const { text } = sentence;
  const word = sentence.words[first];
  if (word === undefined || word.isAccented) return undefined;
  const sign = text[word.start - 1] ?? "";
  const start = sign === "$" || sign === "^" ? word.start - 1 : word.start;
  for (const { last, end } of tails(sentence, first)) {
    const isBare = last === first + 1 && start === word.start;
    if (isBare) continue;
    const found = symbols.find(text.slice(start, end));
    if (found.length > 0) return { listings: found.map(({ listing }) => listing), by: "symbol", last, start, end };
  }
  return undefined;
}

/** The places where a symbol that starts at a word may end, the farthest first: words joined by one of `.:/-_`. */
function tails({ text, words }: Sentence, first: number): readonly { readonly last: number; readonly end: number }[] {
  const ends: { last: number; end: number }[] = [];
  for (let at = first; at < first + 4; at++) {
    const word = words[at];
    const before = words[at - 1];
    if (word === undefined || (at > first && before === undefined)) break;
    const isJoined =
      at === first || (word.start - (before?.end ?? 0) === 1 && ".:/-_".includes(text[word.start - 1] ?? " "));
    if (!isJoined) break;
    ends.unshift({ last: at + 1, end: word.end });
  }
  return ends;
}

function matchName({ names }: IndexedDirectory, sentence: Sentence, first: number): Match | undefined {
  for (let last = sentence.reach(first, MAX_WORDS); last > first; last--) {
    const key = keyOf(sentence, first, last);
    if (key === undefined) continue;
    const exact = names.exact(key) ?? names.exact(withoutLegal(key));
    const hit = exact ?? names.beginning(key);
    if (hit === undefined) continue;
    if (!acceptsName(sentence, { first, last, key, hit, isExact: exact !== undefined })) continue;
    const listings = (hit.isSure ? hit.companies.slice(0, 1) : hit.companies).flatMap(({ listings: all }) =>
      all.slice(0, 1),
    );
    return { listings, by: hit.by, last };
  }
  return undefined;
}

/** The folded words of a span; undefined if it starts or ends with "and" or has a word that cannot be in a name. */
function keyOf({ words }: Sentence, first: number, last: number): string | undefined {
  const keys = words.slice(first, last).map(({ key }) => key);
  if (keys.includes("") || keys[0] === "and" || keys.at(-1) === "and") return undefined;
  return joinInitials(keys).join(" ");
}

function matchTicker({ symbols }: IndexedDirectory, sentence: Sentence, first: number): Match | undefined {
  const word = sentence.words[first];
  if (word === undefined || word.isAccented || word.raw.length > 10) return undefined;
  const found = symbols.find(word.raw);
  if (found.length === 0 || !acceptsTicker(sentence, first, found)) return undefined;
  return { listings: found.map(({ listing }) => listing), by: "symbol", last: first + 1 };
}

function findMisspelt(
  directory: IndexedDirectory,
  sentence: Sentence,
  free: readonly boolean[],
): readonly ListingMention[] {
  const mentions: ListingMention[] = [];
  for (let at = 0; at < free.length;) {
    const match = free[at] === true ? matchTypo(directory, sentence, { first: at, free }) : undefined;
    if (match !== undefined) mentions.push(toMention(sentence, at, match));
    at = match?.last ?? at + 1;
  }
  return mentions;
}

function matchTypo(
  { typos }: IndexedDirectory,
  sentence: Sentence,
  { first, free }: { readonly first: number; readonly free: readonly boolean[] },
): Match | undefined {
  const end = sentence.reach(first, MAX_TYPO_WORDS);
  for (let last = first + 1; last <= end && free[last - 1] === true; last++) {
    if (!acceptsTypo(sentence, first, last)) continue;
    const key = keyOf(sentence, first, last);
    const hits = key === undefined ? [] : typos.nearest(key).map(({ hit }) => hit);
    if (hits.length === 0) continue;
    const listings = new Set(
      hits.flatMap(({ companies }) => companies.slice(0, 1).flatMap((one) => one.listings.slice(0, 1))),
    );
    return { listings: [...listings], by: "typo", last };
  }
  return undefined;
}

function toMention({ text, words }: Sentence, first: number, match: Match): ListingMention {
  const start = match.start ?? words[first]?.start ?? 0;
  const end = match.end ?? words[match.last - 1]?.end ?? start;
  const candidates = match.listings.slice(0, MAX_CANDIDATES);
  const [only] = candidates;
  const decided = candidates.length === 1 && only !== undefined ? { listing: only } : {};
  return { ...decided, candidates, by: match.by, start, end, text: text.slice(start, end) };
}
