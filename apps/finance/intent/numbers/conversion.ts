/**
 * Conversion: an amount of one currency in another, as a question says it: "100 USD in VND", "1 tỷ đồng bằng bao nhiêu
 * đô", "tỷ giá USD/JPY".
 */
import { foldText } from "../../market/directory/words.ts";
import { type SpokenAmount, readAmounts } from "./amounts.ts";
import type { QuestionLanguage } from "../intent.ts";
import { CURRENCY_CODES, CURRENCY_INDEX, currencyOfSign } from "../lexicon/currencies.ts";
import type { Hit } from "../topics/phrase-index.ts";
import { type Reading, toSearched } from "../reading.ts";

/** What is converted. */
export interface Conversion {
  readonly amount: number;
  readonly from: string;
  readonly to: string;
}

type Words = Pick<Reading, "text" | "tokens">;

/** How a conversion is asked for: by a word for rates, so that one currency is enough, or by amounts alone. */
export interface Asked {
  readonly language: QuestionLanguage;
  readonly by: "rate" | "amount";
}

/** The conversion that a question asks for. */
export function readConversion({ text, tokens }: Words, { language, by }: Asked): Conversion | undefined {
  const isAsked = by === "rate";
  const hits = currenciesIn({ text, tokens });
  const amounts = readAmounts(text, language).filter(({ isPercent, value }) => !isPercent && value > 0);
  const sums = amounts.flatMap((amount) => withCurrency({ text, tokens }, amount, hits));
  const [sum] = sums;
  const names = [...new Set(hits.map(({ name }) => name))];
  const [first, second] = names;
  if (sum !== undefined) {
    const other = names.find((name) => name !== sum.currency);
    const to = other ?? (isAsked ? usualOther(sum.currency, language) : undefined);
    return to === undefined ? undefined : { amount: sum.value, from: sum.currency, to };
  }
  if (first !== undefined && second !== undefined) return { amount: amounts[0]?.value ?? 1, from: first, to: second };
  if (first === undefined || !(isAsked || isPriced({ text, tokens }, hits))) return undefined;
  return { amount: 1, from: first, to: usualOther(first, language) };
}

/** "Giá đô", "giá USD". */
function isPriced({ tokens }: Words, hits: readonly Hit<string>[]): boolean {
  return hits.some(({ first }) => tokens[first - 1]?.key === "gia");
}

/** What people of a language count in. */
function usualOther(currency: string, language: QuestionLanguage): string {
  const home = language === "vi" ? "VND" : "USD";
  return currency === home ? (home === "VND" ? "USD" : "EUR") : home;
}

function currenciesIn({ text, tokens }: Words): readonly Hit<string>[] {
  const searched = toSearched(tokens, text);
  const keys = tokens.map(({ key, raw }) =>
    key === "@" && CURRENCY_CODES.has(raw.toUpperCase()) ? foldText(raw) : key,
  );
  return CURRENCY_INDEX.find({ ...searched, keys }).filter(({ first }) => tokens[first]?.raw !== "my");
}

const MAX_GAP = 2;

/** An amount whose currency stands beside it. */
function withCurrency(
  { text, tokens }: Words,
  { value, start }: SpokenAmount,
  hits: readonly Hit<string>[],
): readonly Readonly<{ value: number; currency: string }>[] {
  const sign = currencyOfSign(text.charAt(start - 1));
  if (sign !== undefined) return [{ value, currency: sign }];
  const at = tokens.findIndex((token) => start >= token.start && start < token.end);
  const behind = hits.find(
    ({ first }) => first > at && first - at <= numberEnd(tokens, at) - at + MAX_GAP && isScaleOnly(tokens, at, first),
  );
  const before = hits.find(({ last }) => last === at);
  const found = behind ?? before;
  return found === undefined ? [] : [{ value, currency: found.name }];
}

const SCALES: ReadonlySet<string> = new Set(
  "k m b nghin ngan trieu ty thousand million billion trillion bn mn tr".split(" "),
);

/** Where the digits of a number end: `1.000.000` is three words. */
function numberEnd(tokens: Words["tokens"], at: number): number {
  let end = at;
  while (/^\d/.test(tokens[end + 1]?.key ?? "")) end++;
  return end;
}

const isScaleOnly = (tokens: Words["tokens"], at: number, first: number): boolean =>
  tokens.slice(at + 1, first).every(({ key }) => /^\d/.test(key) || SCALES.has(key));
