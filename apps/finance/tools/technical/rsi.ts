/**
 * RSI: the tool of one indicator.
 */
import { computeRsi } from "./indicator.ts";
import { defineIndicatorTool, Period } from "./single-indicator.ts";

/** Relative strength. */
export const rsiTool = defineIndicatorTool({
  name: "getRSI",
  description:
    "Relative strength index (RSI) from daily closes, with the usual reading: above 70 overbought, below 30 oversold.",
  says: `has it risen too far too fast; is it oversold now; đã tăng quá đà chưa; chỉ báo RSI 14 ngày; RSI;
    relative strength index; overbought or oversold; quá mua quá bán; chỉ số sức mạnh tương đối; rsi value;
    too hot or too cold; bán quá mức; mua quá nhiều`,
  input: { period: Period(14) },
  compute: (bars, { period }) => computeRsi(bars, period),
});
