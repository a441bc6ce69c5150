/**
 * Rule: patterns and what they teach. The first rule that fits a clause reads it.
 */
import type { Statement } from "../core/apply-statement.ts";
import type { Clause } from "./clause.ts";
import { splitList, textOf, toObject, withoutTails } from "./object.ts";
import { firstWordsOf, type PatternMatch, matchPattern, type Pattern, toPattern } from "./pattern.ts";
import { type EntryLanguage, toFavourite, toGoal, toTaste, toTasteDenial, toTrait, type TraitKey } from "./phrasing.ts";
import { type Token, toBare } from "./token.ts";
import { toTimeZone } from "./time-zone.ts";
import { VOCABULARIES } from "./vocabulary.ts";

/** The position at which a rule found something. */
export interface RuleMatch extends PatternMatch {
  readonly clause: Clause;
  readonly language: EntryLanguage;
}

/** Reads clauses of some forms. */
export interface Rule {
  readonly patterns: readonly Pattern[];
  /** What it reads asks for something to be done, so it may be asked politely. */
  readonly isRequest: boolean;
  readonly language: EntryLanguage;
  readonly read: (found: RuleMatch) => readonly Statement[] | undefined;
}

/** What a rule is made of: its patterns as they are written. */
export interface RuleText {
  readonly patterns: string;
  readonly read: Rule["read"];
}

/** Rules of one language: what users say of themselves, and what they ask to be done. */
export function defineRules(
  language: EntryLanguage,
  { requests, statements }: Readonly<{ requests: readonly RuleText[]; statements: readonly RuleText[] }>,
): readonly Rule[] {
  const toRule = ({ patterns, read }: RuleText, isRequest: "yes" | "no"): Rule => ({
    patterns: patterns
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "")
      .map(toPattern),
    isRequest: isRequest === "yes",
    language,
    read,
  });
  return [...requests.map((rule) => toRule(rule, "yes")), ...statements.map((rule) => toRule(rule, "no"))];
}

/** The patterns that may begin with a word, by the word without its marks, in the order of their rules. */
export type RuleIndex = ReadonlyMap<string, readonly Readonly<{ rule: Rule; pattern: Pattern }>[]>;

/** Orders the patterns of all rules by their first words, so that a clause is held against few of them. */
export function indexRules(rules: readonly Rule[]): RuleIndex {
  const all = rules.flatMap((rule) => rule.patterns.map((pattern) => ({ rule, pattern })));
  const index = new Map<string, (typeof all)[number][]>();
  for (const one of all) {
    for (const word of new Set(firstWordsOf(one.pattern, VOCABULARIES).map(toBare))) {
      index.set(word, [...(index.get(word) ?? []), one]);
    }
  }
  return index;
}

/** What a clause says, by the first rule that reads it; undefined if none does. */
export function readClause(clause: Clause, rules: RuleIndex): readonly Statement[] | undefined {
  const { tokens } = clause;
  const candidates = rules.get(toBare(tokens[0]?.word ?? "")) ?? [];
  const bare = { en: withoutTails(tokens, "en"), vi: withoutTails(tokens, "vi") };
  for (const { rule, pattern } of candidates) {
    if (clause.isRequest && !rule.isRequest) continue;
    const match =
      matchPattern(pattern, tokens, VOCABULARIES) ?? matchPattern(pattern, bare[rule.language], VOCABULARIES);
    const read = match && rule.read({ ...match, clause, language: rule.language });
    if (read !== undefined && read.length > 0) return read;
  }
  return undefined;
}

/** A trait whose value is a word of a vocabulary. */
export const asTrait =
  (key: TraitKey, vocabulary: string): Rule["read"] =>
  ({ values, language }) => {
    const value = values.get(vocabulary);
    return value === undefined ? undefined : [toTrait(key, value, language)];
  };

/** A trait with a value of its own. */
export const asFixed =
  (key: TraitKey, value: string): Rule["read"] =>
  ({ language }) => [toTrait(key, value, language)];

/** A trait does not hold any more. */
export const asDenial =
  (key: TraitKey, vocabulary: string): Rule["read"] =>
  ({ values }) => {
    const value = values.get(vocabulary);
    return value === undefined ? undefined : [{ kind: "denial", key, value }];
  };

/** Things that somebody likes or does not. */
export const asTaste =
  (value: "like" | "dislike"): Rule["read"] =>
  ({ rest, clause, language }) =>
    splitList(rest, language).map((object) => toTaste(textOf(object, clause.text), value, language));

/** Things that somebody does not like or dislike any more. */
export const asTasteDenial =
  (value: "like" | "dislike"): Rule["read"] =>
  ({ rest, clause, language }) =>
    splitList(rest, language).map((object) => toTasteDenial(textOf(object, clause.text), value));

/** An aim in the user's words. */
export const asGoal: Rule["read"] = ({ rest, clause, language }) => {
  const aim = withoutTails(rest, language);
  const text = textOf(aim, clause.text);
  return aim.length === 0 || text.length > MAX_GOAL_CHARS ? undefined : [toGoal(text, language)];
};

const MAX_GOAL_CHARS = 160;

/** `my favourite colour is blue`: the kind stands before the verb. */
export const asFavourite: Rule["read"] = ({ rest, clause, language }) => {
  const is = rest.findIndex(({ word }) => ["is", "are", ":", "là"].includes(word));
  if (is <= 0) return undefined;
  const object = toObject(rest.slice(is + 1), language);
  const kind = textOf(rest.slice(0, is), clause.text);
  return object === undefined || is > 3 ? undefined : [toFavourite(kind, textOf(object, clause.text), language)];
};

/** A place or work in the user's words. */
export const asText =
  (key: TraitKey): Rule["read"] =>
  ({ rest, clause, language }) => {
    const object = toObject(rest, language);
    return object === undefined ? undefined : [toTrait(key, textOf(object, clause.text), language)];
  };

/** A time zone by its name, its offset or one of its cities. */
export const asTimeZone: Rule["read"] = ({ rest, clause, language }) => {
  const zone = toTimeZone(textOf(withoutTails(rest, language), clause.text));
  return zone === undefined ? undefined : [toTrait("time_zone", zone, language)];
};

/** How old somebody is. */
export const asAge: Rule["read"] = ({ rest, language }) => {
  const years = Number(rest[0]?.word);
  return Number.isInteger(years) && years >= 5 && years <= 120 ? [toTrait("age", `${years}`, language)] : undefined;
};

/** What somebody is called; undefined if the words are not a name. */
export const asName: Rule["read"] = ({ rest, clause, language }) => {
  const name = toName(rest, clause.text, language);
  return name === undefined ? undefined : [toTrait("name", name, language)];
};

/** What somebody is not called. */
export const asNameDenial: Rule["read"] = ({ rest, clause, language }) => {
  const value = toName(rest, clause.text, language);
  return value === undefined ? undefined : [{ kind: "denial", key: "name", value }];
};

/** After a greeting `I'm Lan` is a name; elsewhere `I'm Lan` could be anything. */
export const asGreetedName: Rule["read"] = (found) => {
  const [first] = found.rest;
  const isCapital = first !== undefined && /^\p{Lu}\p{Ll}/u.test(found.clause.text.slice(first.start));
  const isPeople = first !== undefined && /(?:ese|ish|ican|adian|erman|orean|ndian|ussian|rench)$/.test(first.bare);
  return found.clause.isGreeting && isCapital && !isPeople && found.rest.length <= 3 ? asName(found) : undefined;
};

const MAX_NAME_WORDS = 4;
const NAME = /^[\p{L}\p{M}][\p{L}\p{M}'’.-]*$/u;
/** Words after `call me` that are not names, and words that end a name. */
const NO_NAMES: ReadonlySet<string> = new Set(
  (
    "back later when if at on in a an the this that tomorrow today tonight again anytime whatever what maybe crazy old soon " +
    "not now for to by with and or but so please instead is are my your his her lại gì là khi nếu không được phải và hoặc"
  ).split(" "),
);

function toName(tokens: readonly Token[], clause: string, language: EntryLanguage): string | undefined {
  const end = tokens.findIndex(({ word }) => NO_NAMES.has(word));
  const name = withoutTails(end === -1 ? tokens : tokens.slice(0, end), language);
  const text = textOf(name, clause);
  const isName = name.length > 0 && name.length <= MAX_NAME_WORDS && text.split(/\s+/).every((word) => NAME.test(word));
  return isName ? text : undefined;
}
