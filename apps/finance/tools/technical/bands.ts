/**
 * Bands: the tool of one indicator.
 */
import { z } from "zod";
import { computeBands } from "./indicator.ts";
import { defineIndicatorTool, Period } from "./single-indicator.ts";

/** Bollinger bands. */
export const bandsTool = defineIndicatorTool({
  name: "getBands",
  description: "Bollinger bands from daily closes: upper, middle and lower band, %B and bandwidth.",
  says: `standard deviation envelope around the average; price touches the upper band; độ rộng dải Bollinger;
    giá chạm dải trên; Bollinger bands; upper and lower band; price channel squeeze; dải Bollinger;
    dải băng trên dưới; bollinger squeeze; volatility bands around price; băng Bollinger`,
  input: {
    period: Period(20),
    stdDev: z.number().min(0.1).max(10).default(2).describe("Standard deviations from the middle; default 2"),
  },
  compute: (bars, { period, stdDev }) => computeBands(bars, { period, stdDev }),
});
