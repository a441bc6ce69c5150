/**
 * SMA: the tool of one indicator.
 */
import { computeSma } from "./indicator.ts";
import { defineIndicatorTool, Period } from "./single-indicator.ts";

/** Simple average. */
export const smaTool = defineIndicatorTool({
  name: "getSMA",
  description:
    "Simple moving average (SMA) of daily closes over any number of days, and whether the close is above it.",
  says: `price above or below its long-term average; MA line; golden cross of averages;
    giá nằm trên hay dưới đường trung bình; SMA; simple moving average; 200-day average line;
    đường trung bình động đơn giản; MA20 MA50 MA200; 50-day 100-day 200-day MA; moving average; đường MA;
    cắt lên MA50`,
  input: { period: Period(20) },
  compute: (bars, { period }) => computeSma(bars, period),
});
