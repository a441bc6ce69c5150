/**
 * Discovery tools: stocks that meet criteria, and those that move or trade most.
 */
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import { toIndustry } from "../../market/directory/industries.ts";
import type { MarketData, ScreenerQuery } from "../../market/port/market-data.ts";
import { MarketError } from "../../market/port/market-error.ts";
import { SECTORS, toSector } from "../../market/directory/sectors.ts";
import { limitOf } from "../frame/arguments.ts";
import { defineMarketTool, type ToolCard } from "../frame/market-tool.ts";
import { type ShownRow, toRowFigures, toRowLines, toShownRow } from "../shared/market-rows.ts";

interface Rows {
  readonly count: number;
  readonly rows: readonly ShownRow[];
}

/** Criteria as the source received them. */
type Criteria = Readonly<Record<string, string | number>>;

const Amount = z.number().min(0).max(1e18);
const Text = z.string().trim().min(1).max(80);
const COUNTRY = /^[A-Za-z]{2}$/;

const ScreenerInput = z.strictObject({
  sector: Text.optional().describe(`One of ${SECTORS.join(", ")}; common names such as tech or công nghệ do too`),
  industry: Text.optional().describe("Industry within a sector, such as Semiconductors, banks or airlines"),
  market_cap_more_than: Amount.optional().describe("Market cap above this, in dollars: 1000000000 is one billion"),
  market_cap_lower_than: Amount.optional().describe("Market cap below this, in dollars"),
  price_more_than: Amount.optional().describe("Price of a share above this, in dollars"),
  price_lower_than: Amount.optional().describe("Price of a share below this, in dollars"),
  beta_more_than: z.number().min(-100).max(100).optional().describe("Beta above this"),
  beta_lower_than: z.number().min(-100).max(100).optional().describe("Beta below this"),
  volume_more_than: Amount.optional().describe("Shares traded in a day above this"),
  dividend_more_than: Amount.optional().describe("Yearly dividend per share above this, in dollars"),
  exchange: Text.optional().describe("Exchange such as NASDAQ, NYSE or AMEX"),
  country: z.string().trim().regex(COUNTRY, "a code of two letters").optional().describe("Country such as US or VN"),
  limit: limitOf(10, 100),
});
type ScreenerArguments = z.infer<typeof ScreenerInput>;

/** Lower bounds that have an upper one. */
const RANGES = [
  ["market_cap_more_than", "market_cap_lower_than"],
  ["price_more_than", "price_lower_than"],
  ["beta_more_than", "beta_lower_than"],
] as const;

function isRange(input: ScreenerArguments): boolean {
  return RANGES.every(([low, high]) => (input[low] ?? -Infinity) < (input[high] ?? Infinity));
}

/** Stocks by criteria. */
export const getScreener = defineMarketTool<ScreenerArguments, Rows & Readonly<{ criteria: Criteria }>>({
  name: "getScreener",
  category: "discovery",
  description:
    "Finds stocks by criteria: sector, industry, market cap, price, beta, volume, dividend, exchange, country; all " +
    "criteria must hold. Use it to find or filter stocks; getGainers, getLosers and getMostActive have the day's " +
    "lists.",
  says: `stock screener; find stocks that match criteria; largest companies in a sector;
    cheap stocks with high dividends; tech stocks with market cap above 10 billion; bộ lọc cổ phiếu;
    lọc cổ phiếu theo tiêu chí; tìm cổ phiếu ngành công nghệ vốn hóa lớn; cổ phiếu trả cổ tức cao;
    stocks that meet criteria; find shares by sector price dividend; ideas for cheap stocks;
    tìm cổ phiếu theo tiêu chí; sàng lọc`,
  isCommon: true,
  chart: { type: "showTrendingStocks", about: "call" },
  input: ScreenerInput.refine(isRange, { error: "a more_than bound must be below its lower_than bound" }),
  ttlMs: 15 * 60_000,
  run: async (input, { market, context: { scope } }) => {
    const query = toQuery(input);
    const { data, provenance } = await market.screener(query, scope);
    const rows = data.rows.slice(0, input.limit).map(toShownRow);
    const criteria = toCriteria(input, query);
    if (rows.length === 0) throw new MarketError("no_data", `no stock meets these criteria: ${toText(criteria)}`);
    return { data: { criteria, count: rows.length, rows }, provenance };
  },
  figures: ({ rows }, provenance) => toRowFigures("rows", rows, provenance),
  describe: ({ criteria, rows }) => [`criteria: ${toText(criteria)}`, ...toRowLines(rows)],
});

function toQuery(input: ScreenerArguments): ScreenerQuery {
  const { limit, sector, industry, exchange, country } = input;
  return {
    limit,
    ...omitUndefined({
      sector: sector === undefined ? undefined : requireSector(sector),
      industry: industry === undefined ? undefined : toIndustry(industry),
      exchange: exchange?.toUpperCase(),
      country: country?.toUpperCase(),
      marketCapMoreThan: input.market_cap_more_than,
      marketCapLowerThan: input.market_cap_lower_than,
      priceMoreThan: input.price_more_than,
      priceLowerThan: input.price_lower_than,
      betaMoreThan: input.beta_more_than,
      betaLowerThan: input.beta_lower_than,
      volumeMoreThan: input.volume_more_than,
      dividendMoreThan: input.dividend_more_than,
    }),
  };
}

function requireSector(text: string): string {
  const sector = toSector(text);
  if (sector !== undefined) return sector;
  const available = SECTORS.join(", ");
  throw new MarketError("no_data", `no sector is called "${text}"; the sectors are ${available}`, { available });
}

function toCriteria(input: ScreenerArguments, { sector, industry, exchange, country }: ScreenerQuery): Criteria {
  const { limit, ...criteria } = omitUndefined({ ...input, sector, industry, exchange, country });
  return limit === undefined ? {} : criteria;
}

const toText = (criteria: Criteria): string =>
  Object.entries(criteria)
    .map(([name, value]) => `${name} ${value}`)
    .join(", ") || "none given";

/** Words in which the three lists differ. */
interface MoverWords extends Omit<ToolCard, "category"> {
  readonly list: Parameters<MarketData["movers"]>[0]["list"];
  readonly description: string;
}

const MIN_PRICE = 1;

const defineMovers = ({ list, ...card }: MoverWords) =>
  defineMarketTool<Readonly<{ limit: number }>, Rows>({
    ...card,
    category: "discovery",
    input: z.strictObject({ limit: limitOf(20, 100) }),
    ttlMs: 60_000,
    run: async ({ limit }, { market, context: { scope } }) => {
      const { data, provenance } = await market.movers({ list, limit }, scope);
      // penny stocks move by chance
      const rows = data.filter(({ price }) => price >= MIN_PRICE).slice(0, limit);
      if (rows.length === 0) throw new MarketError("no_data", `the list of ${list} is empty`);
      return { data: { count: rows.length, rows: rows.map(toShownRow) }, provenance };
    },
    figures: ({ rows }, provenance) => toRowFigures("rows", rows, provenance),
    describe: ({ rows }) => toRowLines(rows),
  });

/** Lists the stocks that rose most. */
export const getGainers = defineMovers({
  name: "getGainers",
  list: "gainers",
  description:
    "US stocks that rose most in percent on the latest day, at prices of at least 1 dollar. Use it for the day's " +
    "winners; getLosers has what fell, getMostActive what traded most.",
  says: `biggest gainers; top gaining stocks today; which stocks rose most; cổ phiếu tăng mạnh nhất;
    mã tăng giá nhiều nhất hôm nay; top tăng giá; stocks with the best day; winners today; what is soaring;
    tăng trần; mã thắng lớn`,
  chart: { type: "showTrendingStocks", about: "call" },
});

/** Lists the stocks that fell most. */
export const getLosers = defineMovers({
  name: "getLosers",
  list: "losers",
  description:
    "US stocks that fell most in percent on the latest day, at prices of at least 1 dollar. Use it for the day's " +
    "losers; getGainers has what rose, getMostActive what traded most.",
  says: `biggest losers; top losing stocks today; which stocks fell most; cổ phiếu giảm mạnh nhất;
    mã giảm giá nhiều nhất hôm nay; top giảm giá; worst performers of the day; what is crashing;
    stocks that fell; giảm sàn; mã lao dốc`,
  chart: { type: "showTrendingStocks", about: "call" },
});

/** Lists the stocks that traded most. */
export const getMostActive = defineMovers({
  name: "getMostActive",
  list: "active",
  description:
    "US stocks that traded most on the latest day, with price and change. Use it for what people trade; getGainers " +
    "and getLosers are by change.",
  says: `most active stocks; highest trading volume; most traded shares today; cổ phiếu giao dịch nhiều nhất;
    khối lượng giao dịch lớn nhất; mã sôi động nhất; what is everyone trading; most liquid shares by volume;
    thanh khoản cao nhất; giao dịch sôi động`,
  chart: { type: "showTrendingStocks", about: "call" },
});
