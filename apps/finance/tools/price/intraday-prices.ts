/**
 * Intraday prices: bars within the latest days.
 */
import { z } from "zod";
import { INTERVALS } from "../../market/port/market-data.ts";
import { MarketError } from "../../market/port/market-error.ts";
import { defineListingTool } from "../frame/listing-tool.ts";
import { SECURITIES } from "../frame/require-listing.ts";
import { MAX_POINTS } from "../shared/daily.ts";
import { cite } from "../shared/figures.ts";
import { toCited, toHistory, toSummary } from "./history.ts";

/** Prices within days. */
export const intradayPricesTool = defineListingTool({
  name: "getIntradayPrices",
  category: "price",
  asks: "intraday",
  description: "Prices of a stock, fund or index within the latest days, by bars of 1 to 30 minutes, 1 or 4 hours.",
  chart: { type: "showStockPrice", about: "symbol" },
  of: SECURITIES,
  input: { interval: z.enum(INTERVALS).default("5min").describe("Length of a bar; default 5min") },
  ttlMs: 60_000,
  run: async (listing, { interval }, { market, context }) => {
    const { data: bars, provenance } = await market.intraday({ listing, interval }, context.scope);
    const { symbol } = listing;
    if (bars.t.length === 0) throw new MarketError("no_data", `there are no ${interval} bars of ${symbol}`, { symbol });
    const history = toHistory({ listing, bars, limit: MAX_POINTS, isTimed: true });
    return { data: { ...history, interval }, provenance };
  },
  figures: (data) => cite(data, toCited(data)),
  brief: (data) => cite(data, toSummary(data)),
  digest: ({ interval }) => ({ shared: [`${interval} bars`], isCompact: true }),
});
