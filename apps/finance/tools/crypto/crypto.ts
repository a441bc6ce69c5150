/**
 * Crypto: the tools about coins.
 */
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import { sliceBars } from "../../market/port/bars.ts";
import { COIN_INTERVALS } from "../../market/port/market-data.ts";
import { MarketError } from "../../market/port/market-error.ts";
import { CoinSymbol, limitOf, Page } from "../frame/arguments.ts";
import { defineListingTool } from "../frame/listing-tool.ts";
import { defineMarketTool } from "../frame/market-tool.ts";
import { COINS, requireListing } from "../frame/require-listing.ts";
import { loadHeadlines, toHeadlineLines } from "../news/headlines.ts";
import { toCited, toHistory, toSummary } from "../price/history.ts";
import { cite } from "../shared/figures.ts";
import { toCoinFigures, toShownCoin } from "./coin.ts";

const defineCoinTool = (name: string, asks: "coinPrice" | "coinQuote", description: string) =>
  defineListingTool({
    name,
    category: "crypto",
    asks,
    description,
    chart: { type: "cryptoChart", about: "symbol" },
    of: COINS,
    input: {},
    ttlMs: 5_000,
    run: async (listing, _args, { market, context }) => {
      const { data, provenance } = await market[asks]({ listing }, context.scope);
      return { data: toShownCoin(listing, data), provenance };
    },
    figures: (data, provenance) => toCoinFigures("data", data, provenance),
  });

/** A coin's price. */
export const cryptoPriceTool = defineCoinTool(
  "getCryptoPrice",
  "coinPrice",
  "Newest price of one coin, such as BTC or ETH.",
);

/** A coin's 24 hours. */
export const cryptoQuoteTool = defineCoinTool(
  "getCryptoQuote",
  "coinQuote",
  "Price of one coin with its last 24 hours: change, high, low and volume.",
);

/** A coin's history. */
export const cryptoHistoricalTool = defineListingTool({
  name: "getCryptoHistorical",
  category: "crypto",
  description: "Past prices of one coin by bars of a minute to a week: change, highest, lowest and some closes.",
  chart: { type: "cryptoChart", about: "symbol" },
  of: COINS,
  input: {
    interval: z.enum(COIN_INTERVALS).default("1h").describe("Length of a bar; default 1h"),
    limit: z.int().min(1).max(1_000).default(200).describe("How many of the newest bars, 1 to 1000; default 200"),
  },
  ttlMs: 60_000,
  run: async (listing, { interval, limit }, { market, context }) => {
    const { data: bars, provenance } = await market.coinBars({ listing, interval, limit }, context.scope);
    const { symbol } = listing;
    if (bars.t.length === 0) throw new MarketError("no_data", `there are no ${interval} bars of ${symbol}`, { symbol });
    const priced = { ...listing, ...omitUndefined({ currency: bars.currency }) };
    const newest = sliceBars(bars, Math.max(0, bars.t.length - limit));
    const isTimed = interval !== "1d" && interval !== "1w";
    return { data: { ...toHistory({ listing: priced, bars: newest, limit, isTimed }), interval }, provenance };
  },
  figures: (data) => cite(data, toCited(data)),
  brief: (data) => cite(data, toSummary(data)),
  digest: ({ interval }) => ({ shared: [`${interval} bars`], isCompact: true }),
});

/** Coins that trade or move most. */
export const cryptoMarketsTool = defineMarketTool({
  name: "getCryptoMarkets",
  category: "crypto",
  asks: "coinMarkets",
  description: "Coins by traded volume, or those that rose or fell most, over the last 24 hours.",
  chart: { type: "cryptoChart", about: "row" },
  input: z.strictObject({
    limit: limitOf(20, 100),
    sort: z
      .enum(["volume", "gainers", "losers"])
      .default("volume")
      .describe("volume: most traded; gainers: rose most; losers: fell most; default volume"),
  }),
  ttlMs: 60_000,
  run: async ({ limit, sort }, { market, context: { scope } }) => {
    const { data, provenance } = await market.coinMarkets({ limit, sort }, scope);
    const rows = data.slice(0, limit).map(({ listing, quote }) => toShownCoin(listing, quote));
    if (rows.length === 0) throw new MarketError("no_data", "no coin's last 24 hours are known");
    return { data: { count: rows.length, rows }, provenance };
  },
  figures: ({ rows }, provenance) => rows.flatMap((row, at) => toCoinFigures(`data.rows[${at}]`, row, provenance)),
});

/** News about coins. */
export const cryptoNewsTool = defineMarketTool({
  name: "getCryptoNews",
  category: "crypto",
  asks: "news",
  description:
    "Headlines about one coin, or about crypto, with source, time and link. Numbers in them are no evidence.",
  input: z.strictObject({
    symbol: CoinSymbol.optional().describe("Coin such as BTC; without it, all of crypto"),
    limit: limitOf(20, 50),
    page: Page,
  }),
  ttlMs: 15 * 60_000,
  run: ({ symbol, limit, page }, asked) => {
    const listing = symbol === undefined ? undefined : requireListing(asked.market, symbol, COINS);
    return loadHeadlines(asked, { about: "crypto", limit, page, ...omitUndefined({ listing }) });
  },
  figures: () => [],
  describe: toHeadlineLines,
});
