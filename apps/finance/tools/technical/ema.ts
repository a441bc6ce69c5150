/**
 * EMA: the tool of one indicator.
 */
import { computeEma } from "./indicator.ts";
import { defineIndicatorTool, Period } from "./single-indicator.ts";

/** Exponential average. */
export const emaTool = defineIndicatorTool({
  name: "getEMA",
  description: "Exponential moving average (EMA) of daily closes, and whether the close is above it.",
  says: `fast average line; đường EMA 50 ngày; trung bình động lũy thừa; EMA; exponential moving average;
    weighted to recent days; đường trung bình động hàm mũ; EMA12 EMA26; exponentially weighted;
    quick moving average; đường EMA`,
  input: { period: Period(20) },
  compute: (bars, { period }) => computeEma(bars, period),
});
