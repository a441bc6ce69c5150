/**
 * Intraday prices: bars within the latest days.
 */
import { z } from "zod";
import { type Interval, INTERVALS } from "../../market/port/market-data.ts";
import { MarketError } from "../../market/port/market-error.ts";
import { defineListingTool } from "../frame/listing-tool.ts";
import { SECURITIES } from "../frame/require-listing.ts";
import { MAX_POINTS } from "../shared/daily.ts";
import { cite } from "../shared/figures.ts";
import { type History, toCited, toHistory, toSummary } from "./history.ts";

/** Prices within days. */
export const intradayPricesTool = defineListingTool<
  { interval: z.ZodDefault<z.ZodEnum<{ [K in Interval]: K }>> },
  History & Readonly<{ interval: Interval }>
>({
  name: "getIntradayPrices",
  category: "price",
  asks: "intraday",
  description: "Prices of a stock, fund or index within the latest days, by bars of 1 to 30 minutes, 1 or 4 hours.",
  says: `price hour by hour during the session; tick chart of today; biểu đồ theo phút; giá theo giờ hôm nay;
    intraday prices; minute bars; hourly candles today; giá trong phiên; nến 5 phút; diễn biến trong ngày;
    today's moves minute by minute; morning session; 15min 30min bars; giá sáng nay chiều nay`,
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
