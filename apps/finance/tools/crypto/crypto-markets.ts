/**
 * Crypto markets: the coins that trade or move most.
 */
import { z } from "zod";
import { MarketError } from "../../market/port/market-error.ts";
import { limitOf } from "../frame/arguments.ts";
import { defineMarketTool } from "../frame/market-tool.ts";
import { type ShownCoin, toCoinFigures, toShownCoin } from "./coin.ts";

interface Coins {
  readonly count: number;
  readonly rows: readonly ShownCoin[];
}
type MarketsInput = Readonly<{ limit: number; sort: "volume" | "gainers" | "losers" }>;

/** Coins that trade or move most. */
export const cryptoMarketsTool = defineMarketTool<MarketsInput, Coins>({
  name: "getCryptoMarkets",
  category: "crypto",
  asks: "coinMarkets",
  description: "Coins by traded volume, or those that rose or fell most, over the last 24 hours.",
  says: `top cryptocurrencies; crypto market overview; biggest crypto gainers; coins with the highest volume;
    thị trường tiền điện tử; coin tăng mạnh nhất; top coin theo khối lượng; ranking of coins;
    which coins are hot; thị trường tiền mã hóa; coin nào tăng`,
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
