/**
 * Tool search: finds tools that are not offered by what they do.
 */
import { defineToolSearch, type SearchableTool } from "@baton/assistant";
import type { Tool } from "@baton/core";
import type { CatalogueTool } from "../frame/market-tool.ts";

/** The search over no tools; the catalogue puts the one over all in its place. */
export const toolSearchTool: CatalogueTool = {
  name: "tool_search",
  category: "meta",
  isCommon: true,
  open: () => defineToolSearch([]),
};

/** The search over tools. */
export const toolSearchOver = (tools: readonly SearchableTool[]): Tool => ({
  ...defineToolSearch(tools),
  description:
    "Finds other tools by what they do: earnings, dividends, filings, insiders, funds' holdings, backtest, currency, " +
    "DCF, options, calendar, crypto markets, watchlist, schedules, memory. They can be called from the next reply on.",
});
