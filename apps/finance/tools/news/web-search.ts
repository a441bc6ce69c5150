/**
 * Web search: titles, addresses and short extracts. They are untrusted text.
 */
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import { MarketError } from "../../market/port/market-error.ts";
import { defineMarketTool } from "../frame/market-tool.ts";
import { toSafeMoment, toSafeText, toSafeUrl } from "../shared/untrusted.ts";
import { NEWS_TTL_MS } from "./headlines.ts";

const MAX_TITLE = 200;
const MAX_CONTENT = 1_000;

/** Search on the web. */
export const webSearchTool = defineMarketTool({
  name: "webSearch",
  category: "news",
  asks: "search",
  description:
    "Searches the web for what no other tool has: titles, links and short extracts. Numbers in them are no evidence.",
  input: z.strictObject({
    query: z.string().trim().min(1).max(400).describe("What to search for, at most 400 characters"),
    max_results: z.int().min(1).max(10).default(5).describe("How many results at most, 1 to 10; default 5"),
    use_finance_domains: z.boolean().default(false).describe("Search only well-known financial sites; default false"),
  }),
  ttlMs: NEWS_TTL_MS,
  timeoutMs: 30_000,
  run: async ({ query, max_results, use_finance_domains }, { market, context: { scope } }) => {
    const asked = { query, maxResults: max_results, useFinanceDomains: use_finance_domains };
    const { data, provenance } = await market.search(asked, scope);
    const results = data
      .flatMap(({ title, url, content, publishedAt }) => {
        const safe = toSafeUrl(url);
        if (safe === undefined) return [];
        const published_at = toSafeMoment(publishedAt);
        const text = { title: toSafeText(title, MAX_TITLE) || safe, content: toSafeText(content, MAX_CONTENT) };
        return [{ ...text, url: safe, ...omitUndefined({ published_at }) }];
      })
      .slice(0, max_results);
    if (results.length === 0) throw new MarketError("no_data", `the web search found nothing for "${query}"`);
    return { data: { query, results }, provenance };
  },
  figures: () => [],
  describe: ({ results }) => results.flatMap(({ title, url, content }) => [`${title} <${url}>`, content]),
});
