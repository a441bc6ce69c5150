/**
 * Crypto quote: the last 24 hours of a coin.
 */
import { defineListingTool, type NoArguments } from "../frame/listing-tool.ts";
import { COINS } from "../frame/require-listing.ts";
import { type ShownCoin, toCoinFigures, toShownCoin } from "./coin.ts";

/** A coin's 24 hours. */
export const cryptoQuoteTool = defineListingTool<NoArguments, ShownCoin>({
  name: "getCryptoQuote",
  category: "crypto",
  asks: "coinQuote",
  description: "Price of one coin with its last 24 hours: change, high, low and volume.",
  says: `bitcoin 24 hour change; crypto quote; 24h high low volume of a coin; biến động bitcoin 24 giờ;
    khối lượng giao dịch coin; coin tăng giảm bao nhiêu hôm nay; coin statistics of the last day;
    bitcoin up or down in 24 hours; biến động coin 24h`,
  chart: { type: "cryptoChart", about: "symbol" },
  of: COINS,
  input: {},
  ttlMs: 5_000,
  run: async (listing, _args, { market, context }) => {
    const { data, provenance } = await market.coinQuote({ listing }, context.scope);
    return { data: toShownCoin(listing, data), provenance };
  },
  figures: (data, provenance) => toCoinFigures("data", data, provenance),
});
