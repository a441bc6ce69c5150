/**
 * Utterance: the user's own words of a message in sentences, and the places in them where a request or a statement
 * about the user begins.
 *
 * Only what begins a clause counts, with nothing before it but polite words: so neither "how do I …", "don't …",
 * "if I …" nor "the article says …" is a wish.
 */
import { type Hit, toPhraseIndex } from "../topics/phrase-index.ts";
import { FILLERS, SAYING, SUPPOSING, WISH_WORDS, type WishCue } from "../lexicon/wish-words.ts";
import { type Reading, type QuestionToken, toSearched } from "../reading.ts";
import { blank, findForeign, isIn, type Part } from "./own-words.ts";

/** A sentence: tokens from `first` up to, not including, `last`. */
export interface Sentence extends Part {
  readonly first: number;
  readonly last: number;
  readonly isQuestion: boolean;
}

/** A place where something is asked for or said. */
export interface Opening extends Hit<WishCue> {
  /** Where its clause begins, polite words included. */
  readonly from: number;
  /** The token behind its clause: the next opening, or the end of the sentence. */
  readonly to: number;
  readonly sentence: Sentence;
  /** "Can you …", "could you …", "… được không". */
  readonly isPolite: boolean;
}

/** A message as the user said it. */
export interface Utterance {
  readonly text: string;
  /** The text without what others wrote. */
  readonly own: string;
  /** What others wrote. */
  readonly foreign: readonly Part[];
  readonly tokens: readonly QuestionToken[];
  readonly sentences: readonly Sentence[];
  readonly openings: readonly Opening[];
}

const INDEX = toPhraseIndex(WISH_WORDS);
const ASKED_INDEX = toPhraseIndex([
  [
    "asked",
    "what, which, who, how, why, when, where, whether, gì, nào, sao, ai đó, ở đâu, vào đâu, đi đâu, bao nhiêu, thế nào, ra sao, mấy, hay không, có nên, phải không, đúng không, được không, có phải",
  ],
]);

/** Takes a message apart. */
export function toUtterance({ text, tokens: all }: Pick<Reading, "text" | "tokens">): Utterance {
  const foreign = findForeign(text);
  const own = blank(text, foreign);
  const tokens = all.filter(({ start }) => !isIn(foreign, start));
  const sentences = toSentences(own, tokens);
  const hits = INDEX.find(toSearched(tokens, text));
  return { text, own, foreign, tokens, sentences, openings: findOpenings({ text: own, tokens, sentences }, hits) };
}

function toSentences(text: string, tokens: readonly QuestionToken[]): readonly Sentence[] {
  const sentences: Sentence[] = [];
  let first = 0;
  for (const [at, token] of tokens.entries()) {
    const next = tokens[at + 1];
    const gap = text.slice(token.end, next?.start ?? text.length);
    if (next !== undefined && !isEnd(gap)) continue;
    const start = tokens[first]?.start ?? 0;
    sentences.push({ first, last: at + 1, start, end: token.end, isQuestion: gap.includes("?") });
    first = at + 1;
  }
  return sentences;
}

/** Whether a sentence ends between two words: not at the point of `BRK.B` or `1.5`. */
function isEnd(gap: string): boolean {
  if (/[!?;\n。]/.test(gap)) return true;
  const point = gap.indexOf(".");
  return point !== -1 && gap.length > point + 1;
}

/** Whether words ask something. */
export function areAsking(tokens: readonly QuestionToken[], text: string): boolean {
  return ASKED_INDEX.find(toSearched(tokens, text)).length > 0;
}

/** Whether a clause ends between two words. */
export const isBreak = (gap: string): boolean => /[,()–—]|\s-\s/.test(gap) || isEnd(gap);

const CONJUNCTIONS: ReadonlySet<string> = new Set("and but then va nhung roi thi plus also".split(" "));
/** "If NVDA falls below 100, alert me": what an alert waits for may come first. */
const CONDITIONAL: ReadonlySet<string> = new Set("if when once khi neu whenever".split(" "));
const POLITE: ReadonlySet<string> = new Set("can could would will please pls plz giup vui gium dum ho".split(" "));
/** "Can I", "may I", "should I": asked, not requested. */
const ASKING: ReadonlySet<string> = new Set(["can", "could", "would", "will"]);

type Said = Pick<Utterance, "text" | "tokens" | "sentences">;

function findOpenings(said: Said, hits: readonly Hit<WishCue>[]): readonly Opening[] {
  const found = hits.flatMap((hit) => {
    const sentence = said.sentences.find(({ first, last }) => hit.first >= first && hit.first < last);
    const isAwaited = hit.name === "alert" && CONDITIONAL.has(said.tokens[sentence?.first ?? 0]?.key ?? "");
    const from = sentence === undefined ? undefined : isAwaited ? hit.first : clauseStart(said, sentence, hit.first);
    return sentence === undefined || from === undefined ? [] : [{ ...hit, from, sentence }];
  });
  return found.map((opening, at) => {
    const next = found
      .slice(at + 1)
      .find(({ from, sentence }) => sentence === opening.sentence && from >= opening.last);
    const to = next?.from ?? opening.sentence.last;
    const before = said.tokens.slice(opening.from, opening.first);
    const isPolite = before.some(({ key }) => POLITE.has(key)) || endsPolite(said.tokens.slice(opening.last, to));
    return { ...opening, to, isPolite };
  });
}

/** "… được không", "… được chứ", "… nhé". */
function endsPolite(tokens: readonly QuestionToken[]): boolean {
  const keys = tokens.slice(-3).map(({ key }) => key);
  const at = keys.indexOf("duoc");
  return (
    keys.includes("nhe") ||
    keys.includes("please") ||
    (at !== -1 && ["khong", "chu", "k", "ko"].includes(keys[at + 1] ?? ""))
  );
}

/** Where the clause of a place begins; undefined if something other than polite words stands before it. */
function clauseStart({ text, tokens, sentences }: Said, sentence: Sentence, place: number): number | undefined {
  let at = place;
  while (at > sentence.first) {
    const before = tokens[at - 1];
    const here = tokens[at];
    if (before === undefined || here === undefined) return undefined;
    const gap = text.slice(before.end, here.start);
    if (isBreak(gap)) return isReported(tokens.slice(sentence.first, at)) ? undefined : at;
    if (gap.includes(":")) return arePolite(tokens.slice(sentence.first, at)) ? at : undefined;
    if (!FILLERS.has(before.key)) return isJoint(tokens, at, place) ? at : undefined;
    at--;
  }
  const [first, second] = tokens.slice(at, at + 2);
  if (ASKING.has(first?.key ?? "") && second?.key === "i") return undefined;
  return isIntroduced({ text, tokens, sentences }, sentence) ? undefined : at;
}

const arePolite = (tokens: readonly QuestionToken[]): boolean => tokens.every(({ key }) => FILLERS.has(key));

/** A clause joined by "and": the polite words from the conjunction on belong to it. */
function isJoint(tokens: readonly QuestionToken[], at: number, place: number): boolean {
  return at <= place && CONJUNCTIONS.has(tokens[at]?.key ?? "");
}

/** "He told me, …", "if so, …": what comes after is not said by the user, or only supposed. */
function isReported(before: readonly QuestionToken[]): boolean {
  const saying = before.findLastIndex(({ key }) => SAYING.has(key));
  if (saying !== -1 && !before.slice(Math.max(0, saying - 3), saying).some(({ key }) => OWN.has(key))) return true;
  const [first, second] = before;
  return SUPPOSING.has(first?.key ?? "") || (first?.key === "gia" && second?.key === "su");
}

const OWN: ReadonlySet<string> = new Set(["i", "we", "toi", "minh"]);

/** A line after one that ends with a colon and speaks of somebody's words. */
function isIntroduced({ text, tokens, sentences }: Said, sentence: Sentence): boolean {
  const index = sentences.indexOf(sentence);
  const before = sentences[index - 1];
  if (before === undefined) return false;
  const gap = text.slice(before.end, sentence.start);
  return gap.includes(":") && isReported(tokens.slice(before.first, before.last));
}
