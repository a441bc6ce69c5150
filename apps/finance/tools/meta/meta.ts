/**
 * Meta tools: what time it is and whether American markets are open, and the search for other tools.
 */
import { defineToolSearch } from "@baton/assistant";
import { defineTool } from "@baton/core";
import { z } from "zod";
import type { MarketData } from "../../market/port/market-data.ts";
import { newYorkDay, usMarketState } from "../../market/port/market-hours.ts";
import { isTimeZone, toLocalTime } from "../watch/times/time-zone.ts";
import type { CatalogueEntry } from "../frame/market-tool.ts";

/** The clock, and the state of American markets. */
export function getCurrentTime(market: Pick<MarketData, "today" | "mode">): CatalogueEntry {
  const tool = defineTool({
    name: "getCurrentTime",
    description:
      "Current date and time in a time zone, whether US stock markets are open, and the day that the market data " +
      "calls today. Use it before answering anything about today, yesterday or this week.",
    effect: "read",
    input: z.strictObject({
      timezone: z
        .string()
        .trim()
        .max(64)
        .default("UTC")
        .refine(isTimeZone, { error: "not a time zone; use an IANA name such as Asia/Ho_Chi_Minh" })
        .describe("IANA name such as America/New_York; default UTC"),
    }),
    run: ({ timezone }, { scope }) => {
      const now = scope.clock.now();
      const us_market = { state: usMarketState(now), day: newYorkDay(now) };
      const time = toLocalTime(now, timezone);
      const weekday = new Intl.DateTimeFormat("en-US", { timeZone: timezone, weekday: "long" }).format(now);
      return { data: { timezone, time, weekday, us_market, data_day: market.today(), data: market.mode } };
    },
  });
  const phrases = [
    "what time is it",
    "today's date and weekday",
    "is Wall Street open or closed now",
    "giờ hiện tại ở múi giờ",
    "current date",
    "is the stock market open",
    "trading hours today",
    "bây giờ là mấy giờ",
    "hôm nay ngày mấy",
    "thị trường Mỹ mở cửa chưa",
  ];
  return { tool, category: "meta", isCore: true, phrases };
}

/** The search over a catalogue, itself left out. */
export function toolSearch(catalogue: readonly CatalogueEntry[]): CatalogueEntry {
  const searchable = catalogue.map(({ tool: { name, description }, phrases }) => ({ name, description, phrases }));
  const phrases = [
    "find a tool",
    "what can you do",
    "search for a capability",
    "bạn làm được gì",
    "which tools are there",
    "tìm công cụ phù hợp",
    "có những công cụ nào",
  ];
  return { tool: defineToolSearch(searchable), category: "meta", isCore: true, phrases };
}
