/**
 * Financial growth: growth on the year before.
 */
import { z } from "zod";
import { defineListingTool } from "../frame/listing-tool.ts";
import { loadSet, PERIOD_CARD, toPeriodWords } from "./period-tool.ts";
import { toPeriodFigures } from "./periods.ts";

/** Growth on the year before. */
export const financialGrowthTool = defineListingTool({
  ...PERIOD_CARD,
  name: "getFinancialGrowth",
  description: "Growth of one company in percent by fiscal year: revenue, income, EPS, free cash flow, assets, debt.",
  says: `revenue growth rate; earnings growth year over year; how fast is the company growing; EPS growth;
    tăng trưởng doanh thu; tốc độ tăng trưởng lợi nhuận; tăng trưởng so với năm trước;
    công ty tăng trưởng nhanh không; growth rates year over year; is the business growing;
    tăng trưởng qua từng năm; tốc độ phát triển`,
  chart: { type: "showStockFinancials", about: "symbol", sets: ["growth"] },
  input: {
    lookback_years: z.int().min(1).max(30).default(5).describe("How many fiscal years, 1 to 30; default 5"),
  },
  run: (listing, { lookback_years: limit }, asked) =>
    loadSet(asked, listing, { set: "growth", period: "annual", limit }),
  figures: (data) => toPeriodFigures(data, "growth"),
  digest: toPeriodWords,
});
