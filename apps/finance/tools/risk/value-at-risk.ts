/**
 * Value at risk: the loss of a day that is exceeded only with a small probability.
 */
import { z } from "zod";
import { historicalVar, parametricVar } from "../../math/risk/risk.ts";
import { deviation, mean } from "../../math/risk/statistics.ts";
import { daysOf } from "../frame/arguments.ts";
import { defineListingTool } from "../frame/listing-tool.ts";
import { SECURITIES_AND_COINS } from "../frame/require-listing.ts";
import { cite } from "../shared/figures.ts";
import { percentOf as percent, tidy } from "../shared/number.ts";
import { citeDaily, loadReturns, type ReturnsBasis, RISK_TTL_MS as TTL_MS, toShared } from "./daily-returns.ts";

type Method = "historical" | "parametric";

interface ValueAtRisk extends ReturnsBasis {
  readonly method: Method;
  readonly confidence: number;
  readonly horizon_days: 1;
  readonly portfolio_value: number;
  readonly var_percent: number;
  readonly var_amount: number;
  readonly mean_daily_return_percent: number;
  readonly daily_volatility_percent: number;
}

/** Computes the value at risk of a day. */
export const vaRTool = defineListingTool({
  name: "calculateVaR",
  category: "risk",
  description:
    "Value at risk of one day for a position in a stock, fund, index or coin, in percent and in money, historical or parametric. A loss is negative.",
  says: `potential loss of a position tomorrow; money at risk at a confidence level;
    rủi ro thua lỗ của danh mục với độ tin cậy; VaR 95% 99%; value at risk; VaR; how much can I lose in a day;
    worst daily loss with 95 percent confidence; giá trị chịu rủi ro; có thể lỗ tối đa bao nhiêu;
    mức lỗ một ngày; loss of a holding in bad case; tail risk in dollars; tính VaR;
    lỗ bao nhiêu trong kịch bản xấu`,
  chart: { type: "showStockChart", about: "symbol" },
  of: SECURITIES_AND_COINS,
  input: {
    confidence: z.number().min(0.9).max(0.99).default(0.95).describe("From 0.90 to 0.99; default 0.95"),
    method: z.enum(["historical", "parametric"]).default("historical").describe("Default historical"),
    portfolio_value: z
      .number()
      .positive()
      .max(1e15)
      .default(10_000)
      .describe("Size of the position in the listing's currency; default 10000"),
    days: daysOf(30, 1_260),
  },
  ttlMs: TTL_MS,
  run: async (listing, { confidence, method, portfolio_value, days }, asked) => {
    const { basis, values, provenance } = await loadReturns(asked, listing, days);
    const loss = method === "historical" ? historicalVar(values, confidence) : parametricVar(values, confidence);
    const data: ValueAtRisk = {
      ...basis,
      method,
      confidence,
      horizon_days: 1,
      portfolio_value,
      var_percent: percent(loss),
      var_amount: tidy(loss * portfolio_value),
      mean_daily_return_percent: percent(mean(values)),
      daily_volatility_percent: percent(deviation(values)),
    };
    return { data, provenance };
  },
  figures: (data) => {
    const { window: period, confidence, method } = data;
    const name = `1-day ${method} VaR(${percent(confidence)} %)`;
    return cite(data, [
      { path: "data.var_percent", value: data.var_percent, unit: "percent", metric: name, period },
      { path: "data.var_amount", value: data.var_amount, unit: "money", metric: name, period },
      ...citeDaily(data, period),
    ]);
  },
  digest: (data) => ({ shared: toShared(data) }),
});
