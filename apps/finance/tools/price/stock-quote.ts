/**
 * Stock quote: the newest price with all that belongs to it.
 */
import { omitUndefined } from "@baton/core/util";
import { defineListingTool } from "../frame/listing-tool.ts";
import { identify, type ListingIdentity, SECURITIES_AND_COINS } from "../frame/require-listing.ts";
import { citeFields, dayOf, type FigureRow } from "../shared/figures.ts";
import { loadQuote, type PricedQuote, QUOTE_TTL_MS } from "./quote.ts";

type Field = Exclude<keyof PricedQuote, "currency" | "sector" | "industry">;

/** Each number of a quote: its name in results, its unit and its words, the most telling first. */
const FIELDS = [
  ["price", "price", "price", "price"],
  ["changePercent", "change_percent", "percent", "change of the day"],
  ["change", "change", "price", "change of the day"],
  ["marketCap", "market_cap", "money", "market cap"],
  ["pe", "pe", "ratio", "P/E"],
  ["eps", "eps", "money/share", "EPS"],
  ["dividendYieldPercent", "dividend_yield_percent", "percent", "dividend yield"],
  ["yearLow", "year_low", "price", "52-week low"],
  ["yearHigh", "year_high", "price", "52-week high"],
  ["dayLow", "day_low", "price", "day low"],
  ["dayHigh", "day_high", "price", "day high"],
  ["open", "open", "price", "open"],
  ["previousClose", "previous_close", "price", "previous close"],
  ["volume", "volume", "volume", "volume"],
  ["averageVolume", "average_volume", "volume", "average volume"],
  ["average50", "average_50_days", "price", "50-day average"],
  ["average200", "average_200_days", "price", "200-day average"],
  ["beta", "beta", "ratio", "beta"],
] as const satisfies readonly (readonly [Field, string, FigureRow[1], string])[];

type Shown = (typeof FIELDS)[number][1];
type StockQuote = ListingIdentity &
  Readonly<Partial<Record<Shown, number>>> &
  Readonly<{ price: number; sector?: string; industry?: string }>;

/** Fields that people ask a quote for, by what is said if they are missing. */
const EXPECTED: readonly (readonly [words: string, ...fields: readonly Shown[]])[] = [
  ["52-week range", "year_low", "year_high"],
  ["P/E", "pe"],
  ["dividend yield", "dividend_yield_percent"],
  ["market cap", "market_cap"],
];

/** The price now with all that belongs to it. */
export const stockQuoteTool = defineListingTool({
  name: "getStockQuote",
  category: "price",
  description:
    "Newest price of stocks, funds, indices and coins, with change, day and year range, volume, market cap, P/E, EPS, " +
    "dividend yield.",
  isCommon: true,
  chart: { type: "showStockPrice", about: "symbol" },
  of: SECURITIES_AND_COINS,
  offers: "symbols",
  input: {},
  ttlMs: QUOTE_TTL_MS,
  run: async (listing, _args, asked) => {
    const { data, provenance } = await loadQuote(asked, listing);
    const { currency, sector, industry, price } = data;
    const shown = FIELDS.flatMap(([from, to]) => (data[from] === undefined ? [] : [[to, data[from]] as const]));
    const quote: StockQuote = {
      ...identify(listing),
      currency,
      ...Object.fromEntries(shown),
      price,
      ...omitUndefined({ sector, industry }),
    };
    return { data: quote, provenance };
  },
  figures: (data, provenance) => {
    const rows = FIELDS.map(([, ...row]) => row);
    return citeFields({ ...data, period: dayOf(provenance) }, ["data", data], rows);
  },
  digest: (data) => {
    const isMissing = ([, ...fields]: (typeof EXPECTED)[number]) => fields.every((field) => data[field] === undefined);
    const missing = data.type === "stock" ? EXPECTED.filter(isMissing).map(([words]) => words) : [];
    const place = [data.sector, data.industry].filter((part) => part !== undefined).join(", ");
    return { missing, ...(place !== "" && { notes: [`${data.symbol}: sector ${place}`] }) };
  },
});
