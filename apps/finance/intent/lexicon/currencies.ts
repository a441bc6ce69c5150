/**
 * Currencies: ISO codes by what people call the money, in English and Vietnamese.
 */
import { foldText } from "../../market/directory/words.ts";
import { type Lexicon, toPhraseIndex } from "../topics/phrase-index.ts";

const CURRENCIES: Lexicon<string> = [
  [
    "USD",
    "usd, dollar, dollars, us dollar, us dollars, american dollar, american dollars, bucks, us$, đô, đô la, đô la mỹ, đô mỹ, mỹ kim, usd mỹ",
  ],
  [
    "VND",
    "vnd, vnđ, dong, dongs, vietnamese dong, vietnam dong, đồng, việt nam đồng, đồng việt nam, tiền việt, tiền việt nam, tiền đồng",
  ],
  ["EUR", "eur, euro, euros, đồng euro, đồng ơ rô"],
  ["JPY", "jpy, yen, yens, japanese yen, yên, yên nhật, đồng yên"],
  ["GBP", "gbp, pound, pounds, british pound, british pounds, sterling, quid, bảng anh, đồng bảng anh"],
  ["CNY", "cny, rmb, yuan, renminbi, chinese yuan, nhân dân tệ, tệ, đồng nhân dân tệ"],
  ["KRW", "krw, won, korean won, won hàn quốc, won hàn"],
  ["CHF", "chf, swiss franc, swiss francs, franc, francs, franc thụy sĩ"],
  ["AUD", "aud, australian dollar, australian dollars, aussie dollar, đô úc, đô la úc"],
  ["CAD", "cad, canadian dollar, canadian dollars, đô canada, đô la canada"],
  ["SGD", "sgd, singapore dollar, singapore dollars, đô sing, đô singapore, đô la singapore"],
  ["HKD", "hkd, hong kong dollar, hong kong dollars, đô hồng kông, đô la hồng kông"],
  ["NZD", "nzd, new zealand dollar, new zealand dollars, đô new zealand"],
  ["THB", "thb, baht, thai baht, bạt, bạt thái, baht thái"],
  ["INR", "inr, rupee, rupees, indian rupee, indian rupees, rupee ấn độ"],
  ["IDR", "idr, rupiah, indonesian rupiah"],
  ["MYR", "myr, ringgit, malaysian ringgit"],
  ["PHP", "php, philippine peso, philippine pesos"],
  ["SEK", "sek, swedish krona, swedish kronor"],
  ["NOK", "nok, norwegian krone, norwegian kroner"],
  ["DKK", "dkk, danish krone, danish kroner"],
  ["PLN", "pln, zloty, polish zloty"],
  ["CZK", "czk, czech koruna"],
  ["HUF", "huf, forint, hungarian forint"],
  ["TRY", "turkish lira, lira"],
  ["ZAR", "zar, rand, south african rand"],
  ["BRL", "brl, brazilian real, reais"],
  ["MXN", "mxn, mexican peso, mexican pesos"],
  ["ILS", "ils, shekel, shekels"],
  ["RON", "romanian leu"],
];
const SIGNS: ReadonlyMap<string, string> = new Map([
  ["$", "USD"],
  ["€", "EUR"],
  ["£", "GBP"],
  ["¥", "JPY"],
  ["₫", "VND"],
  ["₩", "KRW"],
  ["₹", "INR"],
]);

/** Finds the currencies that words name. */
export const CURRENCY_INDEX = toPhraseIndex(CURRENCIES);
/** Every code that is known. */
export const CURRENCY_CODES: ReadonlySet<string> = new Set(CURRENCIES.map(([code]) => code));

/** The currency of a sign such as `€`. */
export const currencyOfSign = (sign: string): string | undefined => SIGNS.get(sign);

const NEXT = /^\s*(?:nghin|ngan|trieu|ty|ti|k|m|thousand|million|billion)?\s*([$€£¥₫₩₹]|[a-z]+(?: [a-z]+){0,2})/;

/** The currency that stands around a number of a text: before it as a sign, or behind it as a word. */
export function currencyAround(
  text: string,
  { start, end }: Readonly<{ start: number; end: number }>,
): string | undefined {
  const before = text.slice(Math.max(0, start - 1), start);
  const sign = currencyOfSign(before);
  if (sign !== undefined) return sign;
  const folded = foldText(text.slice(end, end + 40).normalize("NFC"));
  const [, word = ""] = NEXT.exec(folded) ?? [];
  const named = currencyOfSign(word) ?? longestName(word.split(" "));
  return named ?? (/usd\s?$/i.test(text.slice(Math.max(0, start - 4), start)) ? "USD" : undefined);
}

function longestName(words: readonly string[]): string | undefined {
  for (let last = words.length; last > 0; last--) {
    const keys = words.slice(0, last);
    const [hit] = CURRENCY_INDEX.find({ keys, raws: keys, isBare: true });
    if (hit !== undefined && hit.first === 0 && hit.last === last) return hit.name;
  }
  return undefined;
}
