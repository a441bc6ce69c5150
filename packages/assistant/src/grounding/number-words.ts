/**
 * Number words: what stands around digits in many languages: scales, percent signs and currencies.
 *
 * A written table. A word that it lacks leaves the number as its digits say.
 */

/** A word in lower case, and its meaning. */
export type WordTable<T> = readonly (readonly [word: string, meaning: T])[];

/** Longest first, so that `nghìn tỷ` is not read as `nghìn`. */
const longestFirst = <T>(table: WordTable<T>): WordTable<T> =>
  table.toSorted(([one], [other]) => other.length - one.length);

const spread = <T>(rows: Iterable<readonly [words: string, meaning: T]>): WordTable<T> =>
  longestFirst(Array.from(rows, ([words, meaning]) => words.split("|").map((word) => [word, meaning] as const)).flat());

/** Scales; `billion` is 10⁹, as English has it. */
export const SCALES: WordTable<number> = spread([
  ["k|thousand|grand|nghìn|ngàn|nghin|ngan|mille|mil|mila|tausend|tsd.|tsd|ribu|тыс.|тыс|тысяч|千|천", 1e3],
  ["万|萬|만", 1e4],
  ["lakh|lakhs|lac|lacs|लाख", 1e5],
  ["m|mn|mm|mio|mio.|million|millions|triệu|trieu|tr|millionen|millón|millones|milhão|milhões|milione|milioni", 1e6],
  ["juta|млн|млн.|миллион|миллиона|миллионов", 1e6],
  ["crore|crores|cr|करोड़", 1e7],
  ["亿|億|억", 1e8],
  ["b|bn|bio|billion|billions|tỷ|tỉ|ty|milliard|milliards|mrd|mrd.|md|mds|milliarde|milliarden", 1e9],
  ["mil millones|bilhão|bilhões|miliardo|miliardi|miliar|млрд|млрд.|миллиард|миллиарда|миллиардов", 1e9],
  ["t|tn|trillion|trillions|nghìn tỷ|ngàn tỷ|nghìn tỉ|ngàn tỉ|nghin ty|billones|трлн|трлн.|兆|조|万亿|萬億", 1e12],
]);

/** Words and signs for a percentage. */
export const PERCENTS: WordTable<"percent"> = spread([
  ["%|％|٪|percent|per cent|percentage points|phần trăm|điểm phần trăm|phan tram|pour cent|prozent", "percent"],
  ["por ciento|por cento|per cento|percento|процент|процента|процентов|pct|persen|パーセント|퍼센트", "percent"],
]);

/** Signs that stand before or after a number. */
export const CURRENCY_SIGNS: ReadonlyMap<string, string> = new Map([
  ["$", "USD"],
  ["€", "EUR"],
  ["£", "GBP"],
  ["¥", "JPY"],
  ["₫", "VND"],
  ["₹", "INR"],
  ["₩", "KRW"],
  ["₽", "RUB"],
  ["฿", "THB"],
]);

/** Words and codes after a number. */
export const CURRENCIES: WordTable<string> = spread([
  [
    "usd|us dollars|us dollar|dollars|dollar|bucks|đô la mỹ|đô la|đô|do la|dólares|dólar|долларов|доллар|美元|ドル|달러",
    "USD",
  ],
  ["eur|euros|euro|евро|欧元", "EUR"],
  ["gbp|pounds|pound", "GBP"],
  ["jpy|yen|円|日元", "JPY"],
  ["vnd|đồng|vnđ|đ", "VND"],
  ["inr|rupees|rupee|rs|रुपये", "INR"],
  ["krw|won|원", "KRW"],
  ["cny|rmb|yuan|元|人民币", "CNY"],
  ["usdt", "USDT"],
  ["chf", "CHF"],
  ["cad", "CAD"],
  ["aud", "AUD"],
  ["rub|рублей|руб.", "RUB"],
]);
