/**
 * Object: what a verb is about: `a lot of dividends, thanks` is `dividends`. Words that only point elsewhere are nothing.
 */
import { isWord } from "./pattern.ts";
import type { EntryLanguage } from "./phrasing.ts";
import type { Token } from "./token.ts";

const words = (text: string): readonly string[] => text.split(" ");

interface Lists {
  readonly articles: readonly string[];
  /** What begins like this points to something that is not said. */
  readonly pointing: readonly string[];
  /** What comes after these is about something else. */
  readonly ends: readonly string[];
  readonly tails: readonly string[];
  /** A text that begins like this is not a thing. */
  readonly verbs: readonly string[];
}

const EN: Lists = {
  articles: words("the a an some all any my"),
  pointing: words(
    "it this that these those you your yours him her them they he she we us what how when where who why which whether if " +
      "to_see to_know to_ask to_hear to_check to_look to_compare to_get to_find to_understand to_learn to_have to_be to_make neither ¤",
  ),
  ends: words(
    "because since so although though if when while unless but than instead over rather please thanks thank last_year last_month last_week yesterday recently ¤",
  ),
  tails: words(
    "please thanks too also most best more better now always anymore already instead again then though very_much so_much " +
      "a_lot that_much much the_most from_now_on in_the_future every_time any_more as_well for_now at_the_moment these_days",
  ),
  verbs: words(
    "has have had is am are was were do does did will want live like likes hate prefer own bought sold get i",
  ),
};

const VI: Lists = {
  articles: words("các những mấy"),
  pointing: words(
    "nó này đó bạn anh_ấy cô_ấy họ gì nào sao khi nếu xem biết hỏi điều_này điều_đó cách_bạn câu_trả_lời_này cái_này ¤",
  ),
  ends: words("vì nhưng nếu khi hơn bởi thay_vì nên so_với mà ¤"),
  tails: words(
    "nhất lắm nhé nha nhe ạ đi thôi nữa hơn với nghen nhá rồi cả vậy đó rất_nhiều nhiều cảm_ơn cũng_được là_được được_rồi " +
      "được_không được_chứ được_nhé please ok",
  ),
  verbs: words("có là thích ghét muốn sống tôi mình"),
};

const LISTS = { en: EN, vi: VI } as const;

const MAX_OBJECT_WORDS = 8;

/** The words that are meant; undefined if they say nothing by themselves. */
export function toObject(tokens: readonly Token[], language: EntryLanguage): readonly Token[] | undefined {
  const { ends, pointing, articles, verbs } = LISTS[language];
  const end = tokens.findIndex((_, at) => at > 0 && startsAt(tokens, at, ends));
  const cut = withoutTails(end === -1 ? tokens : tokens.slice(0, end), language);
  if (startsAt(cut, 0, pointing)) return undefined;
  const bare = withoutArticles(cut, articles);
  if (bare.length === 0 || bare.length > MAX_OBJECT_WORDS) return undefined;
  // Without marks a verb looks like many nouns: `co` is `có` and `cổ`.
  return startsAt(bare, 0, pointing) || verbs.includes(bare[0]?.word ?? "") ? undefined : bare;
}

/** The things of a list, `tea, milk and sugar`; none if one of them is not a thing. */
export function splitList(tokens: readonly Token[], language: EntryLanguage): readonly (readonly Token[])[] {
  const parts: Token[][] = [[]];
  for (const token of tokens) {
    if (["and", "or", "và", "hoặc"].some((word) => isWord(token, word))) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  const objects = parts.map((part) => toObject(part, language));
  return objects.includes(undefined) ? [] : objects.flatMap((object) => (object === undefined ? [] : [object]));
}

/** The text that words stand for, as it was written. */
export function textOf(tokens: readonly Token[], clause: string): string {
  const [first, last] = [tokens[0], tokens.at(-1)];
  return first === undefined || last === undefined ? "" : clause.slice(first.start, last.end).trim();
}

/** The words without what is only politeness or degree at their end. */
export function withoutTails(tokens: readonly Token[], language: EntryLanguage): readonly Token[] {
  const tail = LISTS[language].tails.find((phrase) => {
    const parts = phrase.split("_");
    return tokens.length > parts.length && startsAt(tokens, tokens.length - parts.length, [phrase]);
  });
  return tail === undefined ? tokens : withoutTails(tokens.slice(0, -tail.split("_").length), language);
}

function withoutArticles(tokens: readonly Token[], articles: readonly string[]): readonly Token[] {
  return startsAt(tokens, 0, articles) ? withoutArticles(tokens.slice(1), articles) : tokens;
}

function startsAt(tokens: readonly Token[], at: number, phrases: readonly string[]): boolean {
  return phrases.some((phrase) =>
    phrase.split("_").every((wanted, offset) => {
      const token = tokens[at + offset];
      return token !== undefined && isWord(token, wanted);
    }),
  );
}
