/**
 * General news: headlines about markets and the economy.
 */
import { z } from "zod";
import { limitOf, Page } from "../frame/arguments.ts";
import { defineMarketTool } from "../frame/market-tool.ts";
import { loadHeadlines, NEWS_TTL_MS, toHeadlineLines } from "./headlines.ts";

/** News about the markets. */
export const generalNewsTool = defineMarketTool({
  name: "getGeneralNews",
  category: "news",
  asks: "news",
  description: "Headlines about markets and the economy, with source, time and link. Numbers in them are no evidence.",
  input: z.strictObject({ limit: limitOf(20, 50), page: Page }),
  ttlMs: NEWS_TTL_MS,
  run: ({ limit, page }, asked) => loadHeadlines(asked, { about: "general", limit, page }),
  figures: () => [],
  describe: toHeadlineLines,
});
