/**
 * Memory wishes: what the user asks to be remembered, and statements about the user, each as one short text.
 *
 * "Remember that …" keeps what follows; "I am a cautious investor, I like dividends, call me Lan" is three texts.
 */
import { call } from "../calls/chosen-call.ts";
import type { QuestionToken } from "../reading.ts";
import { areAsking, isBreak, type Opening, type Utterance } from "./utterance.ts";
import type { ChangeWish } from "./wish.ts";

type Category = "preference" | "fact" | "goal" | "skill" | "context" | "other";

const MAX_CHARS = 200;
const MAX_TEXTS = 8;
const SELF: ReadonlySet<string> = new Set(["preference", "goal", "skill", "fact", "being"]);

/** What is to be remembered. */
export function memoryWishes(utterance: Utterance): readonly ChangeWish[] {
  const wishes = utterance.openings.flatMap((opening) => {
    if (opening.name === "remember") return fromRequest(utterance, opening);
    const isRequested = utterance.openings.some(
      ({ name, first }) => name === "remember" && first >= opening.from && first < opening.first,
    );
    return SELF.has(opening.name) && !isRequested ? fromStatement(utterance, opening) : [];
  });
  return distinct(wishes).slice(0, MAX_TEXTS);
}

interface Kept {
  readonly first: number;
  readonly last: number;
  readonly category: Category;
}

/** What stands behind "remember", unless statements of its own follow; "…, remember that" keeps what was said before. */
function fromRequest(utterance: Utterance, opening: Opening): readonly ChangeWish[] {
  const { tokens, openings } = utterance;
  if (opening.sentence.isQuestion && !opening.isPolite) return [];
  const first = skip(tokens, opening.last, opening.to);
  const hasMore = tokens.slice(first, opening.to).some(({ key }) => !CLOSING.has(key));
  if (hasMore)
    return [
      toWish(utterance, opening, {
        first,
        last: opening.to,
        category: categoryOf(utterance, { first, last: opening.to }),
      }),
    ];
  const isSaid = openings.some(
    ({ name, first: at, sentence }) => at !== opening.first && SELF.has(name) && isNear(utterance, sentence, opening),
  );
  const before = utterance.sentences[utterance.sentences.indexOf(opening.sentence) - 1];
  const rest = { first: opening.sentence.first, last: opening.from };
  if (isSaid)
    return [
      {
        start: startOf(utterance, opening.from),
        end: endOf(utterance, opening.to),
        effect: "memory",
        calls: [],
        listings: [],
      },
    ];
  if (rest.last > rest.first) return [toWish(utterance, opening, { ...rest, category: categoryOf(utterance, rest) })];
  if (before === undefined || before.isQuestion) return [];
  return [toWish(utterance, opening, { ...before, category: categoryOf(utterance, before) })];
}

/** The same sentence, or one beside it. */
function isNear({ sentences }: Utterance, sentence: Opening["sentence"], opening: Opening): boolean {
  return Math.abs(sentences.indexOf(sentence) - sentences.indexOf(opening.sentence)) <= 1;
}

/** Words between "remember" and what is to be remembered. */
const LEADING: ReadonlySet<string> = new Set(
  "that this to my memory your rang la giup toi minh em cho ho dum voi nhe ve dieu nay for me please the fact following tui to mk sau".split(
    " ",
  ),
);
/** Words that say nothing to remember. */
const CLOSING: ReadonlySet<string> = new Set(
  "that this it please too also now nhe nha a giup toi minh em dieu nay do thanks thank you cam on voi ok".split(" "),
);

/** Words that join go, but not "my" before what is mine, nor "tôi" before what I do. */
function skip(tokens: readonly QuestionToken[], from: number, to: number): number {
  let at = from;
  while (at < to && LEADING.has(tokens[at]?.key ?? "") && !isSubject(tokens, at, to)) at++;
  return at;
}

const SUBJECTS: ReadonlySet<string> = new Set("my toi minh em tui to mk".split(" "));

/** "remember my budget", "nhớ giúp tôi tôi thích": the last of these words before another word begins the statement. */
function isSubject(tokens: readonly QuestionToken[], at: number, to: number): boolean {
  const next = tokens[at + 1]?.key ?? "";
  return SUBJECTS.has(tokens[at]?.key ?? "") && at + 1 < to && !LEADING.has(next);
}

/** A statement about the user: no question, no "I am looking for". */
function fromStatement(utterance: Utterance, opening: Opening): readonly ChangeWish[] {
  const { tokens } = utterance;
  const last = statementEnd(utterance, opening);
  const said = tokens.slice(opening.last, last);
  if (said.length === 0 || isAsked(utterance, opening, last)) return [];
  if (opening.name === "being" && !isTrait(said, tokens[opening.last - 1])) return [];
  const [own, ...others] = splitAtVerbs(utterance, opening, last);
  if (own === undefined) return [];
  const category = opening.name === "being" ? categoryOf(utterance, own) : categoryOfCue(utterance, opening, own.last);
  return [
    toWish(utterance, opening, { ...own, category }),
    ...others.map((part) =>
      toWish(utterance, { ...opening, from: part.first, last: part.first }, { ...part, category: "preference" }),
    ),
  ];
}

type Span = Readonly<{ first: number; last: number }>;

const VERBS: ReadonlySet<string> = new Set(
  "like love prefer hate dislike avoid enjoy thich ua ghet tranh chuong".split(" "),
);

/** "I am cautious, like dividends": clauses that begin with a verb of liking are statements of their own. */
function splitAtVerbs({ own, tokens }: Utterance, { first, last: from }: Opening, last: number): readonly Span[] {
  const starts = [first];
  for (let at = from; at < last; at++) {
    const [before, here, next] = [tokens[at - 1], tokens[at], tokens[at + 1]];
    if (before === undefined || here === undefined || !isBreak(own.slice(before.end, here.start))) continue;
    const isVerb = VERBS.has(here.key) || (VERBS.has(next?.key ?? "") && NEGATED.has(here.key));
    if (isVerb) starts.push(at);
  }
  return starts.map((start, at) => ({ first: start, last: starts[at + 1] ?? last }));
}

const NEGATED: ReadonlySet<string> = new Set(["and", "va", "khong", "dont", "not", "rat", "chi", "also"]);

function categoryOfCue(utterance: Utterance, { name, first }: Opening, last: number): Category {
  if (name === "goal" || name === "skill" || name === "preference") return name;
  return categoryOf(utterance, { first, last });
}

/** A statement ends at the start of a clause that does not continue it. */
function statementEnd(utterance: Utterance, { last, to, sentence }: Opening): number {
  const { own, tokens } = utterance;
  for (let at = last; at < to; at++) {
    const [before, here] = [tokens[at - 1], tokens[at]];
    if (before === undefined || here === undefined || !isBreak(own.slice(before.end, here.start))) continue;
    if (sentence.isQuestion || !isGoingOn(utterance, at, to)) return at;
  }
  return to;
}

const MAX_LISTED = 6;
const ASKED: ReadonlySet<string> = new Set(
  `what which who how why when where is are does do did can could should would will show give tell find compare list price analyze analyse
   xem tim giup hay`.split(/\s+/),
);

/** "I like dividends, utilities and bonds" is one statement; "…, what is its RSI" is not. */
function isGoingOn({ tokens, text }: Utterance, at: number, to: number): boolean {
  const rest = tokens.slice(at, Math.min(to, at + MAX_LISTED));
  return !rest.slice(0, 3).some(({ key }) => ASKED.has(key)) && !areAsking(tokens.slice(at, to), text);
}

const PARTICLES: ReadonlySet<string> = new Set("khong chua ha nhi ko".split(" "));

/** "Tôi thích cổ phiếu nào?", "am I …": asked, not said. */
function isAsked({ tokens, text }: Utterance, opening: Opening, last: number): boolean {
  const said = tokens.slice(opening.last, last);
  const isWhole = last === opening.sentence.last;
  if (isWhole && opening.sentence.isQuestion) return true;
  if (isWhole && PARTICLES.has(said.at(-1)?.key ?? "")) return true;
  return areAsking(said, text);
}

const ARTICLES: ReadonlySet<string> = new Set(["a", "an", "the"]);
const NO_TRAIT: ReadonlySet<string> = new Set("bit little lot tad few one couple person".split(" "));
/** What people are, without an article. */
const TRAITS: ReadonlySet<string> = new Set(
  `cautious conservative aggressive careful patient risk averse retired young old experienced married single vegan vegetarian vietnamese american
   long short income value growth dividend not very quite rather fairly extremely more less moderately pretty based working living studying self nearing close from nervous comfortable afraid`.split(
    /\s+/,
  ),
);
const NOT_TRAITS: ReadonlySet<string> = new Set(
  "sure looking asking wondering trying going thinking fine ok good ready done here back curious confused sorry interested".split(
    " ",
  ),
);

/** "I am a cautious investor", "I am risk averse"; not "I am looking for". After "là" all is what the user is. */
function isTrait(said: readonly QuestionToken[], cue: QuestionToken | undefined): boolean {
  const [first, second] = said;
  if (first === undefined || first.key === "@") return false;
  if (cue?.key === "la") return true;
  if (ARTICLES.has(first.key)) return second !== undefined && second.key !== "@" && !NO_TRAIT.has(second.key);
  if (!TRAITS.has(first.key)) return false;
  return !said.slice(0, 3).some(({ key }) => NOT_TRAITS.has(key) || (key.endsWith("ing") && first.key === "not"));
}

const GOALS = "goal goals aim objective retire retirement saving muc nghi tiet".split(" ");
const PREFERENCES =
  `like likes prefer prefers love hate dislike avoid favor favour favorite favourite cautious conservative aggressive careful risk call never always short brief detailed
  thich ua ghet tranh uu chuong than rui goi dai`.split(/\s+/);
const SKILLS = "beginner experienced experience expert new novice".split(" ");
const FACTS = "i my am im name live work years old toi minh ten tuoi song lam la em".split(" ");

/** What kind of thing is said. */
function categoryOf({ tokens }: Utterance, { first, last }: Readonly<{ first: number; last: number }>): Category {
  const keys = new Set(tokens.slice(first, last).map(({ key }) => key));
  const has = (words: readonly string[]): boolean => words.some((word) => keys.has(word));
  if (has(GOALS) && (keys.has("my") || keys.has("i") || keys.has("muc") || keys.has("nghi") || keys.has("tiet")))
    return "goal";
  if (has(PREFERENCES)) return "preference";
  if (has(SKILLS) && has(FACTS)) return "skill";
  return has(FACTS) ? "fact" : "other";
}

const POLITE: readonly (readonly string[])[] = [
  "thank you",
  "thanks",
  "please",
  "pls",
  "giup minh voi",
  "giup toi voi",
  "giup minh",
  "giup toi",
  "giup em",
  "nhe",
  "nha",
  "a",
  "voi",
  "cam on",
  "cam on ban",
  "ok",
].map((text) => text.split(" "));

/** Where a text ends without its polite words. */
function withoutPolite(tokens: readonly QuestionToken[], first: number, last: number): number {
  const ends = POLITE.find(
    (words) => last - words.length > first && words.every((word, at) => tokens[last - words.length + at]?.key === word),
  );
  return ends === undefined ? last : withoutPolite(tokens, first, last - ends.length);
}

function toWish(utterance: Utterance, opening: Opening, { first, last: whole, category }: Kept): ChangeWish {
  const last = withoutPolite(utterance.tokens, first, whole);
  const start = Math.min(startOf(utterance, opening.from), startOf(utterance, first));
  const end = Math.max(endOf(utterance, whole), endOf(utterance, opening.last));
  const content = shorten(utterance.text.slice(startOf(utterance, first), endOf(utterance, last)));
  const calls = content === "" ? [] : [call("saveToMemory", { content, category })];
  return { start, end, effect: "memory", calls, listings: [] };
}

const startOf = ({ tokens, text }: Utterance, at: number): number => tokens[at]?.start ?? text.length;
const endOf = ({ tokens }: Utterance, last: number): number => tokens[last - 1]?.end ?? 0;

/** On one line, whole words. */
function shorten(text: string): string {
  const line = text.split(/\s+/).join(" ").trim();
  if (line.length <= MAX_CHARS) return line;
  const cut = line.slice(0, MAX_CHARS - 1);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), MAX_CHARS / 2)).trimEnd()}…`;
}

function distinct(wishes: readonly ChangeWish[]): readonly ChangeWish[] {
  return [
    ...new Map(
      wishes.map((wish) => [JSON.stringify([wish.calls, wish.calls.length === 0 ? wish.start : 0]), wish]),
    ).values(),
  ];
}
