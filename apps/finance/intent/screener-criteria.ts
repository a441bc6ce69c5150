/**
 * Screener criteria: bounds on price, market cap, beta, volume and dividend, sectors, industries, exchanges and
 * countries, as a question says them.
 */
import type { Json } from "@baton/core";
import { toIndustry } from "../data/industries.ts";
import { toSector } from "../data/sectors.ts";
import { foldText } from "../data/directory/words.ts";
import type { Amount } from "./amounts.ts";
import type { Ask } from "./ask.ts";
import { countryOf } from "./lexicon/places.ts";
import { type Lexicon, toPhraseIndex } from "./phrase-index.ts";
import type { Token } from "./reading.ts";

type Criteria = { readonly [name: string]: Json | undefined };
type Measure = "price" | "market_cap" | "beta" | "volume" | "dividend";
type Bound = "more" | "lower" | "between";

const MEASURES: Lexicon<Measure> = [
  [
    "price",
    "price, prices, priced, share price, stock price, trading, trade, cost, costing, giá, thị giá, dollars, dollar, usd, đô, đô la, a share, per share, mỗi cổ phiếu",
  ],
  [
    "market_cap",
    "market cap, market caps, market capitalization, market capitalisation, cap, caps, capitalization, valued, worth, market value, vốn hóa, giá trị vốn hóa, vốn hóa thị trường",
  ],
  ["beta", "beta, hệ số beta"],
  ["volume", "volume, trading volume, shares traded, khối lượng, khối lượng giao dịch, thanh khoản"],
  [
    "dividend",
    "dividend, dividends, yield, dividend yield, yielding, pay, paying, cổ tức, tỷ suất cổ tức, lợi suất cổ tức",
  ],
];
const BOUNDS: Lexicon<Bound> = [
  [
    "more",
    `over, above, more than, greater than, at least, higher than, bigger than, larger than, exceeding, exceeds, from, minimum, min, starting at, no less than, or more, not below,
     trên, hơn, lớn hơn, cao hơn, từ, ít nhất, tối thiểu, vượt, nhiều hơn, trở lên, không dưới`,
  ],
  [
    "lower",
    `under, below, less than, lower than, cheaper than, smaller than, at most, up to, no more than, beneath, maximum, max, or less, not above, not over, within,
     dưới, ít hơn, nhỏ hơn, thấp hơn, rẻ hơn, bé hơn, tối đa, không quá, chưa đến, chưa tới, trở xuống`,
  ],
  ["between", "between, in the range, trong khoảng, giữa, from # to, từ # đến"],
];
const MEASURE_INDEX = toPhraseIndex(MEASURES);
const BOUND_INDEX = toPhraseIndex(BOUNDS);

/** Reads the criteria of a question. */
export function readCriteria(ask: Ask): Criteria {
  const { base } = ask;
  return {
    ...namedSizes(ask),
    ...readBounds(ask),
    ...readSector(base.tokens),
    exchange: exchangeOf(base.tokens),
    country: countryOf(base),
  };
}

function readBounds(ask: Ask): Criteria {
  const { base, amounts } = ask;
  const keys = base.tokens.map(({ key, raw }) => (key === "@" ? foldText(raw) : key));
  const measures = MEASURE_INDEX.find(keys);
  const bounds = BOUND_INDEX.find(keys);
  const criteria: Record<string, number> = {};
  const tokenAt = (position: number) => base.tokens.findIndex(({ start, end }) => position >= start && position < end);
  let open: { measure: Measure; at: number } | undefined;
  for (const amount of amounts) {
    const at = tokenAt(amount.start);
    const bound =
      bounds.findLast(({ last, first, name }) => last <= at && at - last <= 3 && name !== "between" && at > first) ??
      bounds.find(({ first }) => first > at && first - at <= 4 && isBehind(keys, first));
    const openAt = open?.at ?? 0;
    const isSecond =
      open !== undefined &&
      at - open.at <= 4 &&
      bounds.every(({ first, name }) => first < openAt || first > at || name === "between");
    const range = bounds.find(({ name, last }) => name === "between" && last <= at && at - last <= 3);
    const measure = isSecond && open !== undefined ? open.measure : measureOf(measures, amount, at);
    if (measure === undefined) continue;
    const direction = isSecond ? "lower" : range !== undefined ? "more" : bound?.name;
    if (direction === undefined || direction === "between") continue;
    const name = criterionName(measure, direction);
    if (name !== undefined && criteria[name] === undefined) criteria[name] = amount.value;
    open = range === undefined || isSecond ? undefined : { measure, at };
  }
  return criteria;
}

/** "10 billion or more", "10 tỷ trở lên". */
function isBehind(keys: readonly string[], first: number): boolean {
  return ["or", "tro"].includes(keys[first] ?? "");
}

function criterionName(measure: Measure, direction: "more" | "lower"): string | undefined {
  if (measure === "volume" || measure === "dividend") return direction === "more" ? `${measure}_more_than` : undefined;
  return `${measure}_${direction === "more" ? "more" : "lower"}_than`;
}

const BIG = 1e6;

/** What an amount measures: what is named nearest before it, else behind it, else what its size says. */
function measureOf(
  measures: readonly Readonly<{ name: Measure; first: number; last: number }>[],
  amount: Amount,
  at: number,
): Measure | undefined {
  const fits = ({ name }: { readonly name: Measure }): boolean => {
    if (amount.isPercent) return name === "dividend";
    if (name === "price") return amount.value < BIG;
    return name !== "market_cap" || amount.isScaled || amount.value >= BIG;
  };
  const before = measures.findLast((hit) => hit.last <= at && at - hit.last <= 5 && fits(hit));
  const after = measures.find((hit) => hit.first >= at && hit.first - at <= 6 && fits(hit));
  const isMoneyWord = before === undefined && amount.isMoney;
  if (before !== undefined) return before.name;
  if (after !== undefined && !(isMoneyWord && after.name === "dividend" && !amount.isPercent))
    return after.name === "price" && amount.isScaled && amount.value >= BIG ? "market_cap" : after.name;
  if (amount.isPercent) return "dividend";
  if (amount.isScaled && amount.value >= BIG) return "market_cap";
  return amount.isMoney || amount.value < BIG ? "price" : undefined;
}

/** Sizes by name: "large cap", "vốn hóa nhỏ", "penny stocks", "low beta". */
function namedSizes({ base: { tokens } }: Ask): Criteria {
  const keys = ` ${tokens.map(({ key }) => key).join(" ")} `;
  const has = (...phrases: readonly string[]) => phrases.some((phrase) => keys.includes(` ${phrase} `));
  const sizes: Record<string, number> = {};
  if (has("mega cap", "mega caps", "von hoa sieu lon")) sizes["market_cap_more_than"] = 200e9;
  else if (has("large cap", "large caps", "big cap", "big caps", "blue chip", "blue chips", "von hoa lon"))
    sizes["market_cap_more_than"] = 10e9;
  else if (has("mid cap", "mid caps", "von hoa vua", "von hoa trung binh"))
    [sizes["market_cap_more_than"], sizes["market_cap_lower_than"]] = [2e9, 10e9];
  else if (has("small cap", "small caps", "von hoa nho")) sizes["market_cap_lower_than"] = 2e9;
  else if (has("micro cap", "micro caps", "von hoa sieu nho")) sizes["market_cap_lower_than"] = 300e6;
  if (has("penny stock", "penny stocks", "penny", "co phieu tra da")) sizes["price_lower_than"] = 5;
  if (has("low beta", "beta thap")) sizes["beta_lower_than"] = 1;
  if (has("high beta", "beta cao")) sizes["beta_more_than"] = 1;
  if (
    has(
      "pay dividends",
      "paying dividends",
      "pays dividends",
      "pay a dividend",
      "dividend paying",
      "dividend stocks",
      "high dividend",
      "high dividends",
      "co tra co tuc",
      "co co tuc",
      "tra co tuc",
      "co tuc cao",
    )
  )
    sizes["dividend_more_than"] = 0;
  return sizes;
}

const MAX_SECTOR_WORDS = 4;
const NOT_SECTORS: ReadonlySet<string> = new Set([
  "it",
  "industry",
  "stocks",
  "companies",
  "power",
  "ev",
  "than",
  "bia",
  "dien",
  "duoc",
  "vang",
  "drugs",
  "material",
]);

/** The sector or industry that is named, the longest name first. */
function readSector(tokens: readonly Token[]): Criteria {
  const words = tokens.map(({ key, raw }) => (key === "@" ? "@" : raw));
  const keys = tokens.map(({ key }) => key);
  for (let size = MAX_SECTOR_WORDS; size > 0; size--) {
    for (let at = 0; at + size <= words.length; at++) {
      const found = sectorAt(
        words.slice(at, at + size).join(" "),
        keys.slice(at, at + size).join(" "),
        isBesideSector(keys, at, size),
      );
      if (found !== undefined) return found;
    }
  }
  return {};
}

function isBesideSector(keys: readonly string[], at: number, size: number): boolean {
  const beside = [keys[at - 1], keys[at - 2], keys[at + size], keys[at + size + 1]].map((key) => key ?? "");
  return beside.some((key) =>
    ["nganh", "nhom", "sector", "industry", "stocks", "companies", "phieu", "linh", "vuc"].includes(key),
  );
}

function sectorAt(text: string, key: string, isBeside: boolean): Criteria | undefined {
  if (
    NOT_SECTORS.has(key) &&
    !(isBeside && key !== "industry" && key !== "stocks" && key !== "companies" && key !== "it")
  )
    return undefined;
  const sector = toSector(key);
  const industry = toIndustry(text);
  const known = industry === text ? toIndustry(key) : industry;
  if (sector !== undefined) return { sector };
  return known === text || known === key ? undefined : { industry: known };
}

/** `NASDAQ`, `NYSE`, `AMEX`. */
function exchangeOf(tokens: readonly Token[]): string | undefined {
  for (const { raw } of tokens) {
    const name = raw.toUpperCase();
    if (
      name === "NASDAQ" ||
      name === "NYSE" ||
      name === "AMEX" ||
      name === "HOSE" ||
      name === "HNX" ||
      name === "UPCOM"
    )
      return name;
  }
  return undefined;
}
