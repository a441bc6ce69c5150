/**
 * Crypto historical: past prices of a coin.
 */
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import { sliceBars } from "../../market/port/bars.ts";
import { COIN_INTERVALS } from "../../market/port/market-data.ts";
import { MarketError } from "../../market/port/market-error.ts";
import { defineListingTool } from "../frame/listing-tool.ts";
import { COINS } from "../frame/require-listing.ts";
import { cite } from "../shared/figures.ts";
import { toCited, toHistory, toSummary } from "../price/history.ts";

/** A coin's history. */
export const cryptoHistoricalTool = defineListingTool({
  name: "getCryptoHistorical",
  category: "crypto",
  description: "Past prices of one coin by bars of a minute to a week: change, highest, lowest and some closes.",
  says: `bitcoin price history; crypto candles; coin chart over the last month; hourly prices of ETH;
    lịch sử giá bitcoin; biểu đồ nến coin; giá ETH tháng qua; klines; candlestick data of a coin;
    past prices of a cryptocurrency; dữ liệu nến coin; biểu đồ coin`,
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
