/**
 * Reading: a question taken apart once: its words, what it names, its topics and cues. All rules work on this.
 *
 * What the question names is one word, `@`; a misspelt word of the lexicon is the word it means.
 */
import { differingBits, letterBits, typoDistance } from "../market/directory/damerau.ts";
import type { IndexedDirectory } from "../market/directory/directory.ts";
import { findMentions, type ListingMention } from "../market/directory/mention.ts";
import { isPlainWord, isSyllable } from "../market/directory/plain-words.ts";
import { toWords } from "../market/directory/words.ts";
import { detectLanguage } from "./language.ts";
import { type Cue, CUES } from "./lexicon/cues.ts";
import { type Topic, TOPICS } from "./lexicon/topics.ts";
import { WISH_WORDS } from "./lexicon/wish-words.ts";
import { type Hit, type Searched, toPhraseIndex, toSpelling } from "./topics/phrase-index.ts";
import { findForeign, isIn } from "./wishes/own-words.ts";

/** One word of a question, or all words of one thing it names. */
export interface QuestionToken {
  /** Folded and spelt right; `@` for something listed. */
  readonly key: string;
  readonly raw: string;
  readonly start: number;
  readonly end: number;
}

/** A question taken apart. */
export interface Reading {
  readonly text: string;
  readonly tokens: readonly QuestionToken[];
  readonly mentions: readonly ListingMention[];
  readonly topics: readonly Hit<Topic>[];
  readonly cues: ReadonlySet<Cue>;
  readonly cueHits: readonly Hit<Cue>[];
}

const TOPIC_INDEX = toPhraseIndex(TOPICS);
const CUE_INDEX = toPhraseIndex(CUES);
/** Topics of what is kept for the user: only the user's own words ask for them. */
const OWN_TOPICS: ReadonlySet<Topic> = new Set([
  "remember",
  "recall",
  "watch",
  "portfolio",
  "holdings",
  "events",
  "shock",
]);
/** Longer questions are read up to here. */
const MAX_TEXT = 1_500;

/** Takes a question apart. */
export function readQuestion(directory: IndexedDirectory, question: string): Reading {
  const text = question.slice(0, MAX_TEXT).normalize("NFC");
  const mentions = findMentions(directory, text)
    .map((mention) => withWholeName(directory, text, mention))
    .filter((mention) => !isLexiconTypo(mention) && !isShoutedWord(text, mention));
  const tokens = toTokens(text, mentions);
  const searched = toSearched(tokens, text);
  const cueHits = CUE_INDEX.find(searched);
  const foreign = findForeign(text);
  const isMeant = ({ name, first }: Hit<Topic>): boolean =>
    !OWN_TOPICS.has(name) || !isIn(foreign, tokens[first]?.start ?? 0);
  return {
    text,
    tokens,
    mentions,
    topics: TOPIC_INDEX.find(searched).filter(isMeant),
    cues: new Set(cueHits.map(({ name }) => name)),
    cueHits,
  };
}

/** The words of a question as phrases are looked for in them. */
export function toSearched(tokens: readonly QuestionToken[], text: string): Searched {
  const isBare = /^\p{ASCII}*$/u.test(text) && detectLanguage(text) === "vi";
  return { keys: tokens.map(({ key }) => key), raws: tokens.map(({ raw }) => raw), isBare };
}

const COUNTED = /^(?:đồng|dong)\s+/i;

/** "Đồng Ethereum Classic": the word before a coin must not hide the rest of its name. */
function withWholeName(directory: IndexedDirectory, text: string, mention: ListingMention): ListingMention {
  const [word] = COUNTED.exec(mention.text) ?? [];
  if (word === undefined) return mention;
  const start = mention.start + word.length;
  const [whole] = findMentions(directory, text.slice(start));
  if (whole === undefined || whole.start !== 0 || start + whole.end <= mention.end) return mention;
  return { ...whole, start: mention.start, end: start + whole.end, text: text.slice(mention.start, start + whole.end) };
}

/** What people do at once: "BUY NOW". */
const TRADING: ReadonlySet<string> = new Set("buy sell hold act invest trade start go wait exit enter".split(" "));

/** A word in capitals that is a ticker by chance: the words around it are in capitals too, or it says when to trade. */
function isShoutedWord(text: string, { by, text: word, start, end }: ListingMention): boolean {
  const key = word.toLowerCase();
  if (by !== "symbol" || word !== word.toUpperCase() || !isPlainWord(key)) return false;
  const before = toWords(text.slice(Math.max(0, start - 40), start));
  const verb = before.at(-1);
  const isAfterVerb =
    verb !== undefined &&
    TRADING.has(verb.key) &&
    /^[ ]+$/.test(text.slice(text.lastIndexOf(verb.raw, start - 1) + verb.raw.length, start));
  if (isAfterVerb && (key === "now" || verb.raw === verb.raw.toUpperCase())) return true;
  const others = toWords(text.slice(0, start) + text.slice(end)).filter(({ raw }) => /^\p{L}/u.test(raw));
  const isAllCaps = others.length > 0 && others.every(({ raw }) => raw === raw.toUpperCase());
  return isAllCaps && others.some((other) => isPlainWord(other.key) && !CUED.has(other.key));
}

/** Beside these a word in capitals is meant as a ticker. */
const CUED: ReadonlySet<string> = new Set(
  "price stock shares share ticker rsi macd news earnings chart quote analysis vs and or".split(" "),
);

/** A misspelt word that may be a name, and is nearer to a word that people ask with. */
function isLexiconTypo({ by, text }: ListingMention): boolean {
  return by === "typo" && !text.includes(" ") && correct(text.toLowerCase()) !== text.toLowerCase();
}

/** "what's" is "what is". */
const CONTRACTED: ReadonlySet<string> = new Set("what how where who when why it that there here".split(" "));
const ASKED: ReadonlyMap<string, string> = new Map(
  ["what", "how", "where", "who", "when"].map((word) => [`${word}s`, word]),
);

function toTokens(text: string, mentions: readonly ListingMention[]): readonly QuestionToken[] {
  const tokens: QuestionToken[] = [];
  let next = 0;
  for (const word of toWords(text)) {
    const mention = mentions[next];
    if (mention !== undefined && word.start >= mention.start) {
      if (tokens.at(-1)?.start !== mention.start || tokens.at(-1)?.key !== "@") {
        tokens.push({ key: "@", raw: mention.text, start: mention.start, end: mention.end });
      }
      if (word.end >= mention.end) next++;
      continue;
    }
    const asked = ASKED.get(word.key);
    if (asked !== undefined || (word.isPossessive && CONTRACTED.has(word.key))) {
      tokens.push({ key: asked ?? word.key, raw: word.raw, start: word.start, end: word.end });
      tokens.push({ key: "is", raw: "is", start: word.end, end: word.end });
    } else tokens.push(...split(word.key, word.raw, word.start));
  }
  return tokens;
}

/** `ma200` is `ma 200`, `24h` is `24 h`. */
function split(key: string, raw: string, start: number): readonly QuestionToken[] {
  const end = start + raw.length;
  const parts =
    key.length === raw.length && key.length <= 12 ? (/^(\d+)([a-z]+)$/.exec(key) ?? /^([a-z]+)(\d+)$/.exec(key)) : null;
  const [, first, second] = parts ?? [];
  if (first === undefined || second === undefined) return [toToken({ key, raw, start, end })];
  const middle = start + first.length;
  return [
    toToken({ key: first, raw: raw.slice(0, first.length), start, end: middle }),
    toToken({ key: second, raw: raw.slice(first.length), start: middle, end }),
  ];
}

function toToken({ key, ...rest }: QuestionToken): QuestionToken {
  return { key: correct(toSpelling(key)), ...rest };
}

/** Whether people ask with this word, so that it is not a name. */
export function isLexiconWord(key: string): boolean {
  return VOCABULARY.all.has(key);
}

interface Vocabulary {
  readonly words: readonly string[];
  readonly bits: Int32Array;
  readonly all: ReadonlySet<string>;
}

const MIN_LETTERS = 5;
const MAX_LETTERS = 24;
const VOCABULARY: Vocabulary = toVocabulary([
  ...TOPIC_INDEX.words,
  ...CUE_INDEX.words,
  ...toPhraseIndex(WISH_WORDS).words,
]);

function toVocabulary(all: readonly string[]): Vocabulary {
  const words = [...new Set(all)].filter(
    (word) => word.length >= MIN_LETTERS && !isSyllable(word) && word !== "google",
  );
  return { words, bits: Int32Array.from(words, letterBits), all: new Set(all) };
}

/** A word of either language, or the plural of one. */
function isOrdinary(key: string): boolean {
  return isPlainWord(key) || isSyllable(key) || (key.endsWith("s") && isPlainWord(key.slice(0, -1)));
}

/** The word of the lexicon that a misspelt word means; the word itself if there is none. */
function correct(key: string): string {
  const { words, bits, all } = VOCABULARY;
  if (key.length < MIN_LETTERS || key.length > MAX_LETTERS || all.has(key) || isOrdinary(key)) return key;
  const wanted = letterBits(key);
  const limit = key.length < 9 ? 1 : 2;
  let best = limit + 1;
  let found = key;
  for (const [at, word] of words.entries()) {
    if (word.charAt(0) !== key.charAt(0) || differingBits(bits[at] ?? 0, wanted) > limit * 2) continue;
    const distance = typoDistance(key, word, limit);
    if (distance < best) [best, found] = [distance, word];
  }
  return found;
}
