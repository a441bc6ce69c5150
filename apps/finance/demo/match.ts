/**
 * QuestionMatch: which form a question has. Every word must be accounted for: as a name, a number, a word of the form or a filler.
 */
import type { ScoredListing } from "../market/directory/resolve-names.ts";
import type { Form, Grammar, FormPhrase } from "./form.ts";
import { keysAt, MAX_TOKENS, type Token, toTokens } from "./token.ts";
import { type FoundYears, takeYears, toSpan, type YearSpan } from "./year-span.ts";

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
  /** The years that it names; without `to` up to now. */
  readonly years?: YearSpan;
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
const CURRENCIES: ReadonlyMap<string, string> = new Map(
  [
    ..."usd eur gbp jpy vnd inr krw cny chf cad aud hkd sgd thb nzd sek nok mxn brl zar"
      .split(" ")
      .map((code) => [code.toUpperCase(), code] as const),
    ...Object.entries({
      USD: "dollar dollars do do_la do_la_my us_dollar us_dollars",
      EUR: "euro euros",
      GBP: "pound pounds bang_anh",
      JPY: "yen yen_nhat",
      CNY: "yuan nhan_dan_te",
      VND: "dong dong_viet_nam viet_nam_dong",
      INR: "rupee rupees",
      KRW: "won",
      CHF: "franc",
    }),
  ].flatMap(([code, names]) => names.split(" ").map((name) => [name.replaceAll("_", " "), code] as const)),
);
const MAX_CURRENCY_WORDS = 3;

/** The longest name of a currency at a token. */
function currencyAt(tokens: readonly Token[], at: number): Readonly<{ code: string; words: number }> | undefined {
  for (let words = MAX_CURRENCY_WORDS; words > 0; words -= 1) {
    const code = CURRENCIES.get(keysAt(tokens, at, words));
    if (code !== undefined) return { code, words };
  }
  return undefined;
}

interface Found {
  readonly names: FoundName[];
  readonly numbers: { value: number; at: number; text: string }[];
  readonly currencies: string[];
  readonly choices: Map<string, readonly string[]>;
  readonly years: FoundYears;
  /** A number that waits for a choice with a parameter, and the last such choice that has none. */
  waiting?: Readonly<{ value: number; at: number }> | undefined;
  open?: Readonly<{ name: string; value: string; end: number }> | undefined;
  /** Key lists that have a phrase. */
  readonly keys: Set<number>;
  weight: number;
}

function readForm(form: Form, parts: Parts): QuestionReading | undefined {
  if (form.begins.length > 0) return readRest(form, parts);
  const found: Found = {
    names: [],
    numbers: [],
    currencies: [],
    choices: new Map(),
    years: { named: [], isOpenEnded: false },
    keys: new Set(),
    weight: 0,
  };
  for (let at = 0; at < parts.tokens.length;) {
    const taken = take(form, parts, { found, at });
    if (taken === 0) return undefined;
    at += taken;
  }
  if (!isWhole(form, found)) return undefined;
  const { names, numbers, currencies, choices, weight } = found;
  return { form, names, numbers, currencies, choices, weight, ...toSpan(found.years), text: "" };
}

type Place = Readonly<{ found: Found; at: number }>;

/** Takes the next words as what the form knows; the number of words, 0 if it knows none. */
function take(form: Form, parts: Parts, { found, at }: Place): number {
  const { tokens, grammar, findName } = parts;
  const token = tokens[at];
  if (token === undefined) return 0;
  // Without words of its own, a form would take "its RSI" for the company with that ticker.
  const isMeasure = form.keys.length === 0 && !token.text.startsWith("$") && grammar.measures.has(token.key);
  const name = form.names[1] > 0 && !isMeasure ? findName(tokens, at) : undefined;
  const isOwnWord = longest([...choicesOf(form), ...form.keys.flat()], tokens, at) !== undefined;
  const isSureName = name !== undefined && (name.tokens > 1 || (!isOwnWord && isWrittenAsTicker(token, tokens)));
  if (isSureName) return addName(found, name);
  const currency = form.currencies > 0 ? currencyAt(tokens, at) : undefined;
  if (currency !== undefined) {
    found.currencies.push(currency.code);
    return currency.words;
  }
  const years = form.hasYears ? takeYears(found.years, tokens, at) : 0;
  if (years > 0) return years;
  if (token.number !== undefined && form.numbers[1] > 0) return addNumber(form, found, { token, at });
  const takesParameter = choicesOf(form).some(({ value }) => value?.endsWith(PARAMETER));
  if (token.number !== undefined && takesParameter && longest(choicesOf(form), tokens, at) === undefined) {
    return addParameter(found, token.number, { tokens, at });
  }
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
  const written = chosen?.phrases.find(fits)?.value;
  if (chosen !== undefined && written !== undefined) {
    const value = withParameter(found, written, { tokens, at });
    found.choices.set(chosen.name, [...new Set([...(found.choices.get(chosen.name) ?? []), value])]);
    const isOpen = written.endsWith(PARAMETER) && !value.includes("(");
    found.open = isOpen ? { name: chosen.name, value, end: at + most } : undefined;
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

/** The end of a choice's value that takes a number. */
const PARAMETER = "()";
/** `200 day moving average`: what may stand between the number and the choice. */
const DAYS: ReadonlySet<string> = new Set(["", "day", "days", "ngay", "phien"]);

/** `50 day SMA`: the number before it is the choice's. */
function withParameter(
  found: Found,
  written: string,
  { tokens, at }: Readonly<{ tokens: readonly Token[]; at: number }>,
): string {
  if (!written.endsWith(PARAMETER)) return written;
  const name = written.slice(0, -PARAMETER.length);
  const { waiting } = found;
  if (waiting === undefined || !DAYS.has(keysAt(tokens, waiting.at + 1, at - waiting.at - 1))) return name;
  found.waiting = undefined;
  return `${name}(${waiting.value})`;
}

/** `SMA 50`, `SMA(50)`: the number is that of the choice before it; else it waits for the next one. */
function addParameter(found: Found, value: number, { tokens, at }: Readonly<{ tokens: readonly Token[]; at: number }>) {
  const { open } = found;
  const isBeside = open !== undefined && (open.end === at || (open.end === at - 1 && tokens[at - 1]?.text === "("));
  if (isBeside) {
    const others = (found.choices.get(open.name) ?? []).filter((one) => one !== open.value);
    found.choices.set(open.name, [...others, `${open.value}(${value})`]);
    found.open = undefined;
  } else if (found.waiting === undefined) found.waiting = { value, at };
  else return 0;
  return 1;
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
  if (form.currencies > 0 && token.currency !== undefined) found.currencies.push(token.currency);
  return 1;
}

/** `AAPL` among words that are not in capitals, or `$aapl`. */
function isWrittenAsTicker({ text }: Token, tokens: readonly Token[]): boolean {
  if (text.startsWith("$") || text.startsWith("^")) return true;
  const isCapital = text.length > 1 && text === text.toUpperCase() && /\p{Lu}/u.test(text);
  return isCapital && tokens.some(({ text: other }) => /\p{Ll}/u.test(other)) ? true : isCapital && tokens.length === 1;
}

function longest(
  phrases: readonly FormPhrase[],
  tokens: readonly Pick<Token, "key">[],
  at: number,
): FormPhrase | undefined {
  let best: FormPhrase | undefined;
  for (const phrase of phrases) {
    if (phrase.words.length > (best?.words.length ?? 0) && isAt(phrase, tokens, at)) best = phrase;
  }
  return best;
}

const isAt = ({ words }: FormPhrase, tokens: readonly Pick<Token, "key">[], at: number): boolean =>
  words.every((word, index) => tokens[at + index]?.key === word);

function isWhole(form: Form, { names, numbers, currencies, choices, keys, years, waiting }: Found): boolean {
  const isWithin = (count: number, [least, most]: readonly [number, number]): boolean =>
    count >= least && count <= most;
  if (keys.size < form.keys.length || currencies.length !== form.currencies) return false;
  if (form.choices.some(({ name, isNeeded }) => isNeeded && choices.get(name)?.length !== 1)) return false;
  if (!isWithin(new Set(names.map(({ listings }) => listings[0]?.symbol)).size, form.names)) return false;
  if (!isWithin(numbers.length, form.numbers)) return false;
  if (waiting !== undefined) return false;
  if (years.named.length > (years.last === undefined ? 2 : 0)) return false;
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

/** A day, or a number alone, is not arithmetic unless it is said to be. */
const BARE = /^(?!\d{1,4}[-/]\d{1,2}(?:[-/]\d{1,4})?[\s?=.]*$).*\d\s?(?:[+*/^x×÷]|-\s|%?\s(?:of|của|cua)\s)/iu;

/** `remember …`, `calculate …`: the rest is the text, or arithmetic with nothing else in it. */
function readRest(form: Form, { tokens, question }: Parts): QuestionReading | undefined {
  const begin = longest(form.begins, tokens, 0);
  const isBare = begin === undefined && form.rest === "expression" && BARE.test(question);
  const next = tokens[begin?.words.length ?? 0];
  if ((begin === undefined && !isBare) || next === undefined) return undefined;
  const text = question
    .normalize("NFC")
    .slice(isBare ? 0 : next.start)
    .trim();
  const isArithmetic = EXPRESSION.test(text) && /\d/.test(text) && /[+*/^x×÷%-]/.test(text);
  if (form.rest === "expression" && !isArithmetic) return undefined;
  if (form.rest === "text" && /[?？]\s*$/.test(text)) return undefined;
  const weight = begin?.words.length ?? 1;
  return { form, names: [], numbers: [], currencies: [], choices: new Map(), text, weight };
}

/** Forms that have some of the question's words as keys: what was perhaps meant. */
function nearForms({ tokens, findName, grammar }: Parts): readonly QuestionReading[] {
  const names = tokens
    .flatMap((token, at) => {
      const name = findName(tokens, at)?.name;
      const isSure = name !== undefined && (name.said.length > MAX_CHANCE || isWrittenAsTicker(token, tokens));
      return isSure ? [name] : [];
    })
    .toSorted((one, other) => other.said.length - one.said.length);
  const scored = grammar.forms.flatMap((form) => {
    const phrases = [...form.keys.flatMap(withoutChoices), ...choicesOf(form)].filter(
      (phrase) => longest(grammar.fillers, toWords(phrase), 0)?.words.length !== phrase.words.length,
    );
    const weight = tokens.reduce((sum, _, at) => sum + (longest(phrases, tokens, at)?.words.length ?? 0), 0);
    const isPossible = form.help.en !== undefined && (weight > 0 || (names.length > 0 && form.names[1] > 0));
    return isPossible ? [{ form, names, numbers: [], currencies: [], choices: new Map(), text: "", weight }] : [];
  });
  return scored.toSorted((one, other) => other.weight - one.weight).slice(0, 2);
}

/** Shorter words in small letters are often tickers by chance: `le`, `de`, `m`. */
const MAX_CHANCE = 3;

const toWords = ({ words }: FormPhrase): readonly Pick<Token, "key">[] => words.map((key) => ({ key }));
