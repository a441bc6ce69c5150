/**
 * Crypto price: what a coin costs now.
 */
import { defineListingTool, type NoArguments } from "../frame/listing-tool.ts";
import { COINS } from "../frame/require-listing.ts";
import { type ShownCoin, toCoinFigures, toShownCoin } from "./coin.ts";

/** A coin's price. */
export const cryptoPriceTool = defineListingTool<NoArguments, ShownCoin>({
  name: "getCryptoPrice",
  category: "crypto",
  asks: "coinPrice",
  description: "Newest price of one coin, such as BTC or ETH.",
  says: `bitcoin price; crypto price now; how much is one ETH; giá bitcoin; giá coin hiện tại; giá tiền điện tử;
    một BTC bao nhiêu tiền; value of one coin in dollars; what is btc at; giá đồng coin;
    một bitcoin bao nhiêu tiền`,
  chart: { type: "cryptoChart", about: "symbol" },
  of: COINS,
  input: {},
  ttlMs: 5_000,
  run: async (listing, _args, { market, context }) => {
    const { data, provenance } = await market.coinPrice({ listing }, context.scope);
    return { data: toShownCoin(listing, data), provenance };
  },
  figures: (data, provenance) => toCoinFigures("data", data, provenance),
});
