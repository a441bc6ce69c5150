/**
 * Sharpe ratio: return above the risk-free rate for the risk that was run.
 */
import type { Figure } from "@baton/assistant";
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import { MarketError } from "../../market/port/market-error.ts";
import { annualVolatility, sharpe, sortino } from "../../math/risk/risk.ts";
import { deviation, mean } from "../../math/risk/statistics.ts";
import { daysOf } from "../frame/arguments.ts";
import { defineListingTool } from "../frame/listing-tool.ts";
import { SECURITIES_AND_COINS } from "../frame/require-listing.ts";
import { cite } from "../shared/figures.ts";
import { percentOf as percent, tidy } from "../shared/number.ts";
import { citeDaily, loadReturns, type ReturnsBasis, RISK_TTL_MS as TTL_MS, toShared } from "./daily-returns.ts";
import { DEFAULT_RATE, loadRiskFree, type RiskFree } from "./risk-free.ts";

interface Ratios extends ReturnsBasis {
  readonly sharpe?: number;
  readonly sortino?: number;
  readonly risk_free: Readonly<{ rate_percent: number }> & Omit<RiskFree, "rate">;
  readonly mean_daily_return_percent: number;
  readonly daily_volatility_percent: number;
  readonly annual_volatility_percent: number;
}

/** Return for risk. */
export const sharpeRatioTool = defineListingTool({
  name: "getSharpeRatio",
  category: "risk",
  description:
    "Sharpe and Sortino ratio of a stock, fund, index or coin from daily returns, a year; says which risk-free rate was used.",
  says: `return per unit of risk; excess return over the risk-free rate; hệ số Sortino;
    lợi nhuận có xứng đáng với rủi ro; Sharpe ratio; Sortino ratio; risk-adjusted return;
    is the return worth the risk; tỷ lệ Sharpe; lợi nhuận điều chỉnh theo rủi ro; lợi nhuận so với rủi ro;
    reward compared with risk; performance adjusted for risk; hiệu quả đầu tư trên rủi ro`,
  chart: { type: "showStockChart", about: "symbol" },
  of: SECURITIES_AND_COINS,
  input: {
    risk_free_rate: z
      .number()
      .min(-0.1)
      .max(0.5)
      .optional()
      .describe(`Annual, as a fraction; default: 3-month Treasury of the last day if known, else ${DEFAULT_RATE}`),
    days: daysOf(30, 1_260),
  },
  ttlMs: TTL_MS,
  run: async (listing, { risk_free_rate, days }, asked) => {
    const { basis, values, provenance } = await loadReturns(asked, listing, days);
    const { rate, ...origin } = await loadRiskFree(asked, basis.window.end, risk_free_rate);
    const options = { riskFreeRate: rate, daysPerYear: basis.days_per_year };
    const ratios = { sharpe: sharpe(values, options), sortino: sortino(values, options) };
    if (ratios.sharpe === undefined && ratios.sortino === undefined) throw constant(basis.symbol);
    const data = {
      ...basis,
      ...(ratios.sharpe === undefined ? {} : { sharpe: tidy(ratios.sharpe) }),
      ...(ratios.sortino === undefined ? {} : { sortino: tidy(ratios.sortino) }),
      risk_free: { rate_percent: percent(rate), ...origin },
      mean_daily_return_percent: percent(mean(values)),
      daily_volatility_percent: percent(deviation(values)),
      annual_volatility_percent: percent(annualVolatility(values, basis.days_per_year)),
    };
    return { data, provenance };
  },
  figures: (data) => {
    const { window: period } = data;
    const volatility = data.annual_volatility_percent;
    const ratios = cite(data, [
      { path: "data.sharpe", value: data.sharpe, unit: "ratio", metric: "Sharpe ratio", period },
      { path: "data.sortino", value: data.sortino, unit: "ratio", metric: "Sortino ratio", period },
      {
        path: "data.annual_volatility_percent",
        value: volatility,
        unit: "percent",
        metric: "annual volatility",
        period,
      },
      ...citeDaily(data, period),
    ]);
    return [...ratios, ...citeRate(data)];
  },
  digest: ({ risk_free: { from, day, reason }, ...data }) => ({
    shared: toShared(data),
    notes: [`risk-free rate: ${from === "treasury" ? `3-month Treasury of ${day}` : (reason ?? from)}`],
  }),
});

/** The rate with where it comes from, which is not where the prices do; one that was given is not evidence. */
function citeRate(data: Ratios): readonly Figure[] {
  const { rate_percent: value, from, day, source, kind, as_of: asOf } = data.risk_free;
  if (from === "given") return [];
  const period = { end: day ?? data.window.end };
  const [rate] = cite(data, [
    { path: "data.risk_free.rate_percent", value, unit: "percent", metric: "risk-free rate", period },
  ]);
  return rate === undefined ? [] : [{ ...rate, ...omitUndefined({ source, kind, asOf }) }];
}

const constant = (symbol: string) =>
  new MarketError("no_data", `the price of ${symbol} never changed, so there is no ratio of return to risk`, {
    symbol,
  });
