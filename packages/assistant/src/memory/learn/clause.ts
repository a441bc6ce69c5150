/**
 * Clause: a message cut into what it states and what it asks to be done; questions, suppositions and reported words are
 * left out, for they say nothing of the user.
 */
import { refuseMemory } from "../refuse/refuse-memory.ts";
import { toOwnWords } from "./own-words.ts";
import { isWord } from "./pattern.ts";
import { type Token, toTokens } from "./token.ts";

/** A part of a sentence that may say something of the user. */
export interface Clause {
  readonly text: string;
  readonly tokens: readonly Token[];
  /** Only what it asks to be done counts: it is a polite question, or follows a condition. */
  readonly isRequest: boolean;
  /** Somebody is greeted in its sentence. */
  readonly isGreeting: boolean;
}

const words = (text: string): readonly string[] => text.split(" ");

const QUESTION_WORDS = words(
  "what who whom whose which when where why how do does did is are am was were can could would will shall should may might " +
    "have has had tại_sao vì_sao làm_sao bao_giờ có_phải liệu bao_nhiêu",
);
const QUESTION_ENDS = words("không chưa hả nhỉ gì nào sao đâu chăng là_ai");
const CONDITIONS = words(
  "if suppose supposing imagine pretend assume assuming unless when whenever nếu giả_sử giả_dụ khi hễ maybe perhaps",
);
const REPORTS = words("said says say told tells wrote writes thinks asks asked claims nói bảo kể viết hỏi cho_rằng");
const TAGS = words("right correct ok okay alright phải_không đúng_không được_không được_chứ nhé");
const REQUEST_TAGS = words("ok okay alright please được_không được_chứ nhé");
const GREETINGS = words("hi hello hey chào xin_chào alo");

/** Words before what is really said. The longest first. */
const LEADERS = [
  "you should know that",
  "don't forget that",
  "do not forget that",
  "please remember that",
  "keep in mind that",
  "keep in mind",
  "by the way",
  "to be honest",
  "from now on",
  "in the future",
  "for the record",
  "remember that",
  "as you know",
  "note that",
  "know that",
  "save that",
  "given that",
  "in general",
  "in fact",
  "i think that",
  "i believe that",
  "i changed my mind",
  "these days",
  "at the moment",
  "i told you that",
  "xin chào",
  "hãy nhớ rằng",
  "hãy nhớ là",
  "hãy nhớ",
  "ghi nhớ rằng",
  "ghi nhớ là",
  "ghi nhớ",
  "hãy ghi nhớ",
  "nhớ rằng",
  "nhớ là",
  "nhớ giúp tôi là",
  "nhớ giúp tôi rằng",
  "nhớ giúp mình là",
  "nhớ giúp em là",
  "nhớ giúp",
  "bây giờ",
  "hiện tại",
  "lưu lại rằng",
  "lưu lại",
  "lưu ý",
  "thật ra",
  "thực ra",
  "bởi vì",
  "tôi nghĩ là",
  "tôi nghĩ rằng",
  "làm ơn",
  "vui lòng",
  "bạn có thể",
  "bạn hãy",
  "bạn cứ",
  "từ nay trở đi",
  "từ nay",
  "từ giờ",
  ..."and but so also well hi hello hey ok okay please yes no oh actually btw honestly just simply now lately nowadays currently since as because although though fyi".split(
    " ",
  ),
  ..."remember save note generally usually always và nhưng thì ừ dạ vâng vì hãy cứ nhớ chào luôn xin này".split(" "),
].map((phrase) => phrase.split(" "));

const SUBJECT =
  "(?:i|i'm|i’m|im|i'd|my|call|please|use|answer|reply|tôi|toi|mình|minh|gọi|goi|tên|ten|hãy|trả|what|how|should|can|could|do)(?![\\p{L}\\p{M}])";
const BREAK = new RegExp(
  `[,()–—]|(?<=\\s)(?:but|nhưng)(?=\\s)|(?<=\\s)(?:and|so|và|nên)(?=\\s+${SUBJECT})|:(?=\\s+${SUBJECT})`,
  "iu",
);

const OPINIONS = ["i think", "i believe", "i guess", "tôi nghĩ", "mình nghĩ"].map((phrase) => phrase.split(" "));

/** What comes after so many clauses is not learned from. */
const MAX_CLAUSES = 40;

/** The clauses of a message that may say something of the user. */
export function toClauses(message: string): readonly Clause[] {
  const clauses: Clause[] = [];
  for (const sentence of splitSentences(toOwnWords(message))) {
    if (clauses.length >= MAX_CLAUSES) break;
    if (refuseMemory(sentence) === undefined) clauses.push(...readSentence(sentence));
  }
  return clauses.slice(0, MAX_CLAUSES);
}

function splitSentences(text: string): readonly string[] {
  return text.split(/(?<=(?<!\b(?:mr|mrs|ms|dr|prof))[.!?…])\s+|[\n;]+/iu).filter((sentence) => sentence.trim() !== "");
}

interface Part {
  readonly text: string;
  readonly tokens: readonly Token[];
}

function readSentence(sentence: string): readonly Clause[] {
  const parts = splitParts(sentence);
  const isGreeting = parts.some(({ tokens }) => startsWith(tokens, GREETINGS));
  const ended = sentence.trimEnd().endsWith("?");
  const clauses: Clause[] = [];
  let isConditional = false;
  let isPolite = ended && isRequestTag(parts.at(-1));
  const hasQuestion = parts.some((part) => isQuestion(part));
  if (ended && (!hasQuestion || isTag(parts.at(-1))) && !isPolite) return [];
  for (const part of parts) {
    const tokens = withoutLeaders(part.tokens);
    const asked = askedOf(tokens);
    if (asked === undefined && isQuestion({ ...part, tokens })) break;
    isPolite ||= asked !== undefined;
    if (startsWith(tokens, CONDITIONS)) isConditional = true;
    else clauses.push({ text: part.text, tokens: asked ?? tokens, isRequest: isPolite || isConditional, isGreeting });
    if (endsWith(part.tokens, REPORTS) || isExample(part.tokens)) break;
  }
  return clauses.filter(({ tokens }) => tokens.length > 0);
}

/** The start of a new statement within a sentence: after a comma, `but`, or `and` or a colon before a new subject. */
function splitParts(sentence: string): readonly Part[] {
  return sentence
    .split(BREAK)
    .map((text) =>
      text
        .trim()
        .replace(/:+\)?$/, "")
        .trimEnd(),
    )
    .map((text) => ({ text, tokens: toTokens(text) }))
    .filter(({ tokens }) => tokens.length > 0);
}

function withoutLeaders(tokens: readonly Token[]): readonly Token[] {
  const leader = LEADERS.find((phrase) => isAt(tokens, phrase)) ?? opinionOf(tokens);
  if (leader === undefined) return tokens[0]?.word === ":" ? withoutLeaders(tokens.slice(1)) : tokens;
  return withoutLeaders(tokens.slice(leader.length));
}

/** `I think` before what one thinks of oneself; `I think in euros` is something else. */
function opinionOf(tokens: readonly Token[]): readonly string[] | undefined {
  const opinion = OPINIONS.find((phrase) => isAt(tokens, phrase));
  return opinion !== undefined && startsWith(tokens.slice(opinion.length), ["i", "my", "tôi", "mình"])
    ? opinion
    : undefined;
}

function isAt(tokens: readonly Token[], phrase: readonly string[]): boolean {
  return phrase.every((wanted, index) => {
    const token = tokens[index];
    return token !== undefined && isWord(token, wanted);
  });
}

const startsWith = (tokens: readonly Token[], phrases: readonly string[]): boolean =>
  phrases.some((phrase) => isAt(tokens, phrase.split("_")));

function endsWith(tokens: readonly Token[], phrases: readonly string[]): boolean {
  return phrases.some((phrase) => {
    const wanted = phrase.split("_");
    const object = tokens.at(-1);
    const isMe = object !== undefined && ["me", "tôi", ":"].some((word) => isWord(object, word));
    return isAt(tokens.slice(-wanted.length), wanted) || (isMe && isAt(tokens.slice(-wanted.length - 1, -1), wanted));
  });
}

const isExample = (tokens: readonly Token[]): boolean =>
  startsWith(tokens, ["for_example", "e.g", "ví_dụ", "chẳng_hạn"]);

/** `could you call me Lan`: what is asked to be done; undefined if nothing is. */
function askedOf(tokens: readonly Token[]): readonly Token[] | undefined {
  const [can, you, ...rest] = tokens;
  if (can === undefined || you === undefined || !isWord(you, "you")) return undefined;
  if (!["can", "could", "would", "will"].some((word) => isWord(can, word))) return undefined;
  return withoutLeaders(rest);
}

function isQuestion({ tokens }: Part): boolean {
  const [first, second, third] = tokens;
  if (first === undefined) return false;
  // `do not call me …` is a request.
  const isProhibition =
    isWord(first, "do") && second?.word === "not" && !["you", "i", "we", "they"].includes(third?.word ?? "");
  if (!isProhibition && startsWith(tokens, QUESTION_WORDS)) return true;
  return tokens.length > 1 && hasEnd(tokens, QUESTION_ENDS) && !isRequestTag({ tokens, text: "" });
}

const isTag = (part: Part | undefined): boolean => part !== undefined && hasEnd(part.tokens, TAGS);

const isRequestTag = (part: Part | undefined): boolean => part !== undefined && hasEnd(part.tokens, REQUEST_TAGS);

const hasEnd = (tokens: readonly Token[], phrases: readonly string[]): boolean =>
  phrases.some((phrase) => isAt(tokens.slice(-phrase.split("_").length), phrase.split("_")));
