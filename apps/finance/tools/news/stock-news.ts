/**
 * Stock news: headlines about one company, or about the markets.
 */
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import { AnySymbol, limitOf, Page } from "../frame/arguments.ts";
import { defineMarketTool } from "../frame/market-tool.ts";
import { requireListing, SECURITIES_AND_COINS } from "../frame/require-listing.ts";
import { loadHeadlines, NEWS_TTL_MS, toHeadlineLines } from "./headlines.ts";

/** News about one listing, or about all. */
export const stockNewsTool = defineMarketTool({
  name: "getStockNews",
  category: "news",
  asks: "news",
  description:
    "Headlines with source, time and link; of one symbol, or of the markets if none is given. Numbers in them are no " +
    "evidence.",
  isCommon: true,
  chart: { type: "showStockNews", about: "question" },
  input: z.strictObject({ symbol: AnySymbol.optional(), limit: limitOf(20, 50), page: Page }),
  ttlMs: NEWS_TTL_MS,
  run: ({ symbol, limit, page }, asked) => {
    const listing = symbol === undefined ? undefined : requireListing(asked.market, symbol, SECURITIES_AND_COINS);
    const about = listing === undefined ? "general" : listing.type === "crypto" ? "crypto" : "stock";
    return loadHeadlines(asked, { about, limit, page, ...omitUndefined({ listing }) });
  },
  figures: () => [],
  describe: toHeadlineLines,
});
