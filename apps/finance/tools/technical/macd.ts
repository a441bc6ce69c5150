/**
 * MACD: the tool of one indicator.
 */
import { computeMacd } from "./indicator.ts";
import { defineIndicatorTool, Period } from "./single-indicator.ts";

/** Convergence of averages. */
export const macdTool = defineIndicatorTool({
  name: "getMACD",
  description: "MACD from daily closes: line, signal and histogram, with the usual reading.",
  says: `moving average convergence divergence; MACD above or below zero; phân kỳ hội tụ trung bình động;
    MACD cắt lên cắt xuống; MACD; momentum crossover; signal line and histogram; động lượng;
    giao cắt đường tín hiệu; macd histogram positive or negative; trend momentum shift; tín hiệu MACD`,
  input: {
    fast: Period(12).describe("Days of the fast average; default 12"),
    slow: Period(26).describe("Days of the slow average; default 26"),
    signal: Period(9).describe("Days of the signal line; default 9"),
  },
  check: ({ fast, slow }) => (fast < slow ? undefined : { path: "fast", message: "fast must be less than slow" }),
  compute: (bars, { fast, slow, signal }) => computeMacd(bars, { fast, slow, signal }),
});
