/**
 * Current time: the clock, whether American markets are open, and the day of the market data.
 */
import { defineTool } from "@baton/core";
import { z } from "zod";
import { newYorkDay, usMarketState } from "../../market/port/market-hours.ts";
import { isTimeZone, toLocalTime } from "../shared/time-zone.ts";
import type { CatalogueTool } from "../frame/market-tool.ts";

/** The clock, and the state of American markets. */
export const currentTimeTool: CatalogueTool = {
  name: "getCurrentTime",
  category: "meta",
  open: (market) =>
    defineTool({
      name: "getCurrentTime",
      description: "Date, weekday and time in a time zone, whether US stock markets are open, and the day of the data.",
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
    }),
};
