/**
 * QuestionMatch: which form a question has. Every word must be accounted for: as a name, a number, a word of the form or a filler.
 */
import type { ScoredListing } from "../market/directory/resolve-names.ts";
import type { Form, Grammar, FormPhrase } from "./form.ts";
import { MAX_TOKENS, type Token, toTokens } from "./token.ts";

/** A name in a question: the user's words, and what they may mean, the likeliest first. */
export type FoundName = Readonly<{
  said: string;
  at: number;
  listings: readonly ScoredListing[];
  /** It may be another, better known name, misspelt. */
  isUnclear: boolean;
}>;

/** Finds the longest name that begins at a token; `tokens` says how long it is. */
export type FindName = (
  tokens: readonly Token[],
  at: number,
) => Readonly<{ name: FoundName; tokens: number }> | undefined;

/** The parts of a question that has a form. */
export interface QuestionReading {
  readonly form: Form;
  readonly names: readonly FoundName[];
  readonly numbers: readonly Readonly<{ value: number; at: number; text: string }>[];
  readonly currencies: readonly string[];
  /** Values by the names of their choices. */
  readonly choices: ReadonlyMap<string, readonly string[]>;
  readonly text: string;
  /** The number of words that are the form's keys. */
  readonly weight: number;
}

/** The reading of a question, or the words that no form accounts for. */
export type QuestionMatch =
  | Readonly<{ reading: QuestionReading }>
  | Readonly<{ reading?: undefined; near: readonly QuestionReading[] }>;

interface Parts {
  readonly tokens: readonly Token[];
  readonly question: string;
  readonly grammar: Grammar;
  readonly findName: FindName;
}

/** Reads a question by the grammar. */
export function matchQuestion(question: string, grammar: Grammar, findName: FindName): QuestionMatch {
  const tokens = toTokens(question);
  const parts = { tokens, question, grammar, findName };
  if (tokens.length === 0 || tokens.length > MAX_TOKENS) return { near: [] };
  const readings = grammar.forms.flatMap((form) => readForm(form, parts) ?? []);
  const [best] = readings.toSorted((one, other) => other.weight - one.weight);
  if (best !== undefined) return { reading: best };
  return { near: nearForms(parts) };
}

/** Currencies by code and name, without marks. */
const CURRENCIES: ReadonlyMap<string, string> = new Map([
  ..."usd eur gbp jpy vnd inr krw cny chf cad aud hkd sgd thb nzd sek nok mxn brl zar"
    .split(" ")
    .map((code) => [code, code.toUpperCase()] as const),
  ...Object.entries({
    dollar: "USD",
    dollars: "USD",
    euro: "EUR",
    euros: "EUR",
    pound: "GBP",
    pounds: "GBP",
    yen: "JPY",
    yuan: "CNY",
    dong: "VND",
    rupee: "INR",
    rupees: "INR",
    won: "KRW",
    franc: "CHF",
  }),
]);

interface Found {
  readonly names: FoundName[];
  readonly numbers: { value: number; at: number; text: string }[];
  readonly currencies: string[];
  readonly choices: Map<string, readonly string[]>;
  /** Key lists that have a phrase. */
  readonly keys: Set<number>;
  weight: number;
}

function readForm(form: Form, parts: Parts): QuestionReading | undefined {
  if (form.begins.length > 0) return readRest(form, parts);
  const found: Found = { names: [], numbers: [], currencies: [], choices: new Map(), keys: new Set(), weight: 0 };
  for (let at = 0; at < parts.tokens.length;) {
    const taken = take(form, parts, { found, at });
    if (taken === 0) return undefined;
    at += taken;
  }
  return isWhole(form, found) ? { form, ...found, text: "" } : undefined;
}

type Place = Readonly<{ found: Found; at: number }>;

/** Takes the next words as what the form knows; the number of words, 0 if it knows none. */
function take(form: Form, parts: Parts, { found, at }: Place): number {
  const { tokens, grammar, findName } = parts;
  const token = tokens[at];
  if (token === undefined) return 0;
  const name = form.names[1] > 0 ? findName(tokens, at) : undefined;
  const isOwnWord = longest([...choicesOf(form), ...form.keys.flat()], tokens, at) !== undefined;
  const isSureName = name !== undefined && (name.tokens > 1 || (!isOwnWord && isWrittenAsTicker(token, tokens)));
  if (isSureName) return addName(found, name);
  const currency = CURRENCIES.get(token.key);
  if (form.currencies > 0 && currency !== undefined) {
    found.currencies.push(currency);
    return 1;
  }
  if (token.number !== undefined && form.numbers[1] > 0) return addNumber(form, found, { token, at });
  const key = longest(form.keys.flatMap(withoutChoices), tokens, at);
  const word = longest(form.words, tokens, at);
  const choice = longest(choicesOf(form), tokens, at);
  const filler = longest(grammar.fillers, tokens, at);
  const most = Math.max(key?.words.length ?? 0, word?.words.length ?? 0, choice?.words.length ?? 0);
  if (most === 0 || most < (filler?.words.length ?? 0)) {
    if (name !== undefined && (filler === undefined || filler.words.length === 0)) return addName(found, name);
    return filler?.words.length ?? (name === undefined ? 0 : addName(found, name));
  }
  addPhrases(form, found, { tokens, at, most });
  return most;
}

/** Every list of keys that has a phrase of these words is satisfied; a choice is noted. */
function addPhrases(
  form: Form,
  found: Found,
  { tokens, at, most }: Readonly<{ tokens: readonly Token[]; at: number; most: number }>,
): void {
  const fits = (phrase: FormPhrase): boolean => phrase.words.length === most && isAt(phrase, tokens, at);
  const chosen = form.choices.find(({ phrases }) => phrases.some(fits));
  const value = chosen?.phrases.find(fits)?.value;
  if (chosen !== undefined && value !== undefined) {
    const before = found.choices.get(chosen.name) ?? [];
    found.choices.set(chosen.name, [...new Set([...before, value])]);
  }
  let isKey = false;
  for (const [list, phrases] of form.keys.entries()) {
    const isChoice = chosen !== undefined && phrases.some(({ words }) => words[0] === `$${chosen.name}`);
    if (!isChoice && !phrases.some(fits)) continue;
    found.keys.add(list);
    isKey = true;
  }
  if (isKey) found.weight += most;
}

const choicesOf = ({ choices }: Form): readonly FormPhrase[] => choices.flatMap(({ phrases }) => phrases);

const withoutChoices = (phrases: readonly FormPhrase[]): readonly FormPhrase[] =>
  phrases.filter(({ words }) => words[0]?.startsWith("$") !== true);

function addName(found: Found, { name, tokens }: Readonly<{ name: FoundName; tokens: number }>): number {
  found.names.push(name);
  return tokens;
}

function addNumber(form: Form, found: Found, { token, at }: Readonly<{ token: Token; at: number }>): number {
  found.numbers.push({ value: token.number ?? 0, at, text: token.text });
  // `100 usd`: the currency is part of the number.
  const [, code] = /([a-z$€£¥]+)$/i.exec(token.text) ?? [];
  const currency = CURRENCIES.get(code?.toLowerCase() ?? "") ?? SIGNS.get(token.text[0] ?? "");
  if (form.currencies > 0 && currency !== undefined) found.currencies.push(currency);
  return 1;
}

const SIGNS: ReadonlyMap<string, string> = new Map([
  ["$", "USD"],
  ["€", "EUR"],
  ["£", "GBP"],
  ["¥", "JPY"],
]);

/** `AAPL` among words that are not in capitals, or `$aapl`. */
function isWrittenAsTicker({ text }: Token, tokens: readonly Token[]): boolean {
  if (text.startsWith("$") || text.startsWith("^")) return true;
  const isCapital = text.length > 1 && text === text.toUpperCase() && /\p{Lu}/u.test(text);
  return isCapital && tokens.some(({ text: other }) => /\p{Ll}/u.test(other)) ? true : isCapital && tokens.length === 1;
}

function longest(phrases: readonly FormPhrase[], tokens: readonly Token[], at: number): FormPhrase | undefined {
  let best: FormPhrase | undefined;
  for (const phrase of phrases) {
    if (phrase.words.length > (best?.words.length ?? 0) && isAt(phrase, tokens, at)) best = phrase;
  }
  return best;
}

const isAt = ({ words }: FormPhrase, tokens: readonly Token[], at: number): boolean =>
  words.every((word, index) => tokens[at + index]?.key === word);

function isWhole(form: Form, { names, numbers, currencies, choices, keys }: Found): boolean {
  const isWithin = (count: number, [least, most]: readonly [number, number]): boolean =>
    count >= least && count <= most;
  if (keys.size < form.keys.length || currencies.length !== form.currencies) return false;
  if (form.choices.some(({ name, isNeeded }) => isNeeded && choices.get(name)?.length !== 1)) return false;
  if (!isWithin(new Set(names.map(({ listings }) => listings[0]?.symbol)).size, form.names)) return false;
  if (!isWithin(numbers.length, form.numbers)) return false;
  return !form.hasPairs || toHoldings(names, numbers) !== undefined;
}

/** One holding: how many of what, and what one cost. */
export type Holding = Readonly<{ name: FoundName; quantity: number; cost?: number }>;

/** `10 AAPL at 150 and 5 MSFT`: a number before each name, and at most one after it; undefined if it reads otherwise. */
export function toHoldings(
  names: QuestionReading["names"],
  numbers: QuestionReading["numbers"],
): readonly Holding[] | undefined {
  const items = [
    ...names.map((name) => ({ at: name.at, name })),
    ...numbers.map((number) => ({ at: number.at, number })),
  ];
  const holdings: { name: FoundName; quantity: number; cost?: number }[] = [];
  let quantity: number | undefined;
  for (const item of items.toSorted((one, other) => one.at - other.at)) {
    const last = holdings.at(-1);
    if ("name" in item) {
      if (quantity === undefined) return undefined;
      holdings.push({ name: item.name, quantity });
      quantity = undefined;
    } else if (quantity !== undefined) {
      // Two numbers in a row: the first was the cost of the one before.
      if (last === undefined || last.cost !== undefined) return undefined;
      last.cost = quantity;
      quantity = item.number.value;
    } else quantity = item.number.value;
  }
  const last = holdings.at(-1);
  if (quantity !== undefined && (last === undefined || last.cost !== undefined)) return undefined;
  if (quantity !== undefined && last !== undefined) last.cost = quantity;
  return holdings.length === 0 ? undefined : holdings;
}

const EXPRESSION = /^[\d\s.,%+*/^()x×÷-]+(?:\s?(?:of|của|cua)\s[\d\s.,%+*/^()x×÷-]+)?[\s?=.]*$/iu;

/** `remember …`, `calculate …`: the rest is the text, or arithmetic with nothing else in it. */
function readRest(form: Form, { tokens, question }: Parts): QuestionReading | undefined {
  const begin = longest(form.begins, tokens, 0);
  const next = begin === undefined ? undefined : tokens[begin.words.length];
  if (begin === undefined || next === undefined) return undefined;
  const text = question.normalize("NFC").slice(next.start).trim();
  const isArithmetic = EXPRESSION.test(text) && /\d/.test(text) && /[+*/^x×÷%-]/.test(text);
  if (form.rest === "expression" && !isArithmetic) return undefined;
  if (form.rest === "text" && /[?？]\s*$/.test(text)) return undefined;
  return { form, names: [], numbers: [], currencies: [], choices: new Map(), text, weight: begin.words.length };
}

/** Forms that have some of the question's words as keys: what was perhaps meant. */
function nearForms({ tokens, findName, grammar }: Parts): readonly QuestionReading[] {
  const names = tokens.flatMap((_, at) => findName(tokens, at)?.name ?? []);
  const scored = grammar.forms.flatMap((form) => {
    const phrases = [...form.keys.flatMap(withoutChoices), ...choicesOf(form)];
    const weight = tokens.reduce((sum, _, at) => sum + (longest(phrases, tokens, at)?.words.length ?? 0), 0);
    const isPossible = form.help.en !== undefined && (weight > 0 || (names.length > 0 && form.names[1] > 0));
    return isPossible ? [{ form, names, numbers: [], currencies: [], choices: new Map(), text: "", weight }] : [];
  });
  return scored.toSorted((one, other) => other.weight - one.weight).slice(0, 2);
}
