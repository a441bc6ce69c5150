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
  open: (_, { tools = () => [] }) =>
    defineCalculate({
      tools,
      calculus: FINANCE,
      help:
        "compound is the sum at the end: yearly interest, or monthly if an amount is added each month; monthly_investment is what to " +
        "put aside each month to reach a sum; rates are percent a year: 8, not 0.08.",
    }),
};
