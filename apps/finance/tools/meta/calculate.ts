/**
 * Calculate: arithmetic over the facts of a run and the user's own numbers.
 */
import { defineCalculate } from "@baton/assistant";
import { FINANCE } from "./finance-formulas.ts";
import type { CatalogueTool } from "../frame/market-tool.ts";

/** Arithmetic whose results are facts. */
export const calculateTool: CatalogueTool = {
  name: "calculate",
  category: "beyond",
  isCommon: true,
  says: `calculate; arithmetic on numbers found before; ratio of one figure to another; add subtract multiply divide;
    percentage difference between two numbers; profit and loss of a position; compound interest; loan payment;
    how much to save each month; option price by Black-Scholes; tax on a profit; sum and average of values;
    tổng hiệu tích thương của các con số; tính toán; cộng trừ nhân chia; tính phần trăm chênh lệch; lãi kép;
    trả góp mỗi tháng; nhân chia hai số; cộng các con số`,
  open: (_, { tools = () => [] }) =>
    defineCalculate({
      tools,
      calculus: FINANCE,
      help:
        "compound is the sum at the end: yearly interest, or monthly if an amount is added each month; monthly_investment is what to " +
        "put aside each month to reach a sum; rates are percent a year: 8, not 0.08.",
    }),
};
