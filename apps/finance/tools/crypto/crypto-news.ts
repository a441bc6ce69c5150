/**
 * Crypto news: headlines about a coin or all of crypto.
 */
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import { CoinSymbol, limitOf, Page } from "../frame/arguments.ts";
import { defineMarketTool } from "../frame/market-tool.ts";
import { COINS, requireListing } from "../frame/require-listing.ts";
import { type Headlines, loadHeadlines, toHeadlineLines } from "../news/headlines.ts";

type NewsInput = Readonly<{ symbol?: string | undefined; limit: number; page: number }>;

/** News about coins. */
export const cryptoNewsTool = defineMarketTool<NewsInput, Headlines>({
  name: "getCryptoNews",
  category: "crypto",
  asks: "news",
  description:
    "Headlines about one coin, or about crypto, with source, time and link. Numbers in them are no evidence.",
  says: `crypto news; bitcoin headlines; what happened to ethereum; tin tức tiền điện tử; tin bitcoin mới nhất;
    tin crypto hôm nay; blockchain stories; news on a coin; tin nóng về tiền số; bản tin tiền số`,
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
