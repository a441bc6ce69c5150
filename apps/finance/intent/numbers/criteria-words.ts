/**
 * Criteria words: bounds, sizes, sectors and industries, as people say them when they look for stocks.
 */
import { toIndustry } from "../../market/directory/industries.ts";
import { toSector } from "../../market/directory/sectors.ts";
import { type Lexicon, toPhraseIndex } from "../topics/phrase-index.ts";
import { type Reading, type QuestionToken, toSearched } from "../reading.ts";

/** What can be bounded. */
export type Measure = "price" | "market_cap" | "beta" | "volume" | "dividend";
type Bound = "more" | "lower" | "between";
type Sizes = Readonly<Record<string, number>>;
type Words = Pick<Reading, "tokens" | "text">;

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
/** Finds what is bounded. */
export const MEASURE_INDEX = toPhraseIndex(MEASURES);
/** Finds in which direction. */
export const BOUND_INDEX = toPhraseIndex(BOUNDS);

/** Whether a question gives a bound such as "under 50", or names a sector or industry. */
export function findCriteria({
  tokens,
  text,
}: Words): Readonly<{ hasBound: boolean; hasSector: boolean; hasSize: boolean }> {
  const bounds = BOUND_INDEX.find(toSearched(tokens, text));
  const isNumber = (at: number) => /^\d/.test(tokens[at]?.key ?? "");
  const hasBound = bounds.some(({ last }) => isNumber(last) || isNumber(last + 1));
  const hasSector = Object.keys(readSector(tokens)).length > 0;
  return { hasBound, hasSector, hasSize: Object.keys(readSizes({ tokens, text })).length > 0 };
}

type Size = readonly [phrases: string, sizes: Sizes];

/** Sizes by name; of each group the first that is said counts. */
const SIZES: readonly (readonly Size[])[] = [
  [
    ["mega cap, mega caps, vốn hóa siêu lớn", { market_cap_more_than: 200e9 }],
    ["large cap, large caps, big cap, big caps, blue chip, blue chips, vốn hóa lớn", { market_cap_more_than: 10e9 }],
    ["mid cap, mid caps, vốn hóa vừa, vốn hóa trung bình", { market_cap_more_than: 2e9, market_cap_lower_than: 10e9 }],
    ["small cap, small caps, vốn hóa nhỏ", { market_cap_lower_than: 2e9 }],
    ["micro cap, micro caps, vốn hóa siêu nhỏ", { market_cap_lower_than: 300e6 }],
  ],
  [["penny stock, penny stocks, penny", { price_lower_than: 5 }]],
  [
    ["low beta, beta thấp", { beta_lower_than: 1 }],
    ["high beta, beta cao", { beta_more_than: 1 }],
  ],
  [
    [
      `pay dividends, paying dividends, pays dividends, pay a dividend, pay dividend, dividend paying, dividend stocks,
       high dividend, high dividends, dividend payers, trả cổ tức, có cổ tức, cổ tức cao, cổ phiếu cổ tức`,
      { dividend_more_than: 0 },
    ],
  ],
];
const SIZE_INDICES = SIZES.map((group) =>
  toPhraseIndex(group.map(([phrases], at): readonly [string, string] => [String(at), phrases])),
);

/** Sizes that a question names: "large cap", "vốn hóa nhỏ", "penny stocks", "low beta". */
export function readSizes({ tokens, text }: Words): Sizes {
  const searched = toSearched(tokens, text);
  const chosen = SIZE_INDICES.map((index, group) => {
    const [hit] = index.find(searched);
    return hit === undefined ? {} : (SIZES[group]?.[Number(hit.name)]?.[1] ?? {});
  });
  return Object.fromEntries(chosen.flatMap((sizes) => Object.entries(sizes)));
}

const MAX_SECTOR_WORDS = 4;
/** Words that say something else unless "stocks", "sector" or "ngành" stands beside them. */
const NEED_COMPANY: ReadonlySet<string> = new Set(
  `power ev than bia dien duoc vang drugs material financial finance health medical media retail industrial industry
   defensive cyclical cars auto oil gold food shipping marine internet movies film gaming insurance hospital
   transportation`
    .split(/\s+/)
    .concat(["chung khoan", "suc khoe", "san xuat", "thuc pham", "van tai"]),
);
/** Words that are never one. */
const NEVER: ReadonlySet<string> = new Set(["it", "industry", "stocks", "companies", "sector", "sectors"]);

/** The sector or industry that is named, the longest name first. */
export function readSector(tokens: readonly QuestionToken[]): Readonly<Record<string, string>> {
  const words = tokens.map(({ key, raw }) => (key === "@" ? "@" : raw));
  const keys = tokens.map(({ key }) => key);
  for (let size = MAX_SECTOR_WORDS; size > 0; size--) {
    for (let at = 0; at + size <= words.length; at++) {
      const isBeside = isBesideSector(keys, at, size);
      const key = keys.slice(at, at + size).join(" ");
      const isMeant = !NEVER.has(key) && (isBeside || !NEED_COMPANY.has(key));
      const found = isMeant ? sectorAt(words.slice(at, at + size).join(" "), key) : undefined;
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

function sectorAt(text: string, key: string): Readonly<Record<string, string>> | undefined {
  const sector = toSector(key);
  const industry = toIndustry(text);
  const known = industry === text ? toIndustry(key) : industry;
  if (sector !== undefined) return { sector };
  return known === text || known === key ? undefined : { industry: known };
}
