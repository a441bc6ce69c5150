/**
 * Volatility: how much a price swings and falls, alone and with the market.
 */
import type { Period } from "@baton/assistant";
import { maxDrawdown } from "../../math/risk/drawdown.ts";
import { annualVolatility, historicalVar, type RiskClass, riskScore } from "../../math/risk/risk.ts";
import { deviation, mean } from "../../math/risk/statistics.ts";
import { daysOf } from "../frame/arguments.ts";
import { defineListingTool } from "../frame/listing-tool.ts";
import { SECURITIES_AND_COINS } from "../frame/require-listing.ts";
import { toDay } from "../shared/daily.ts";
import { cite } from "../shared/figures.ts";
import { percentOf as percent, tidy } from "../shared/number.ts";
import { citeDaily, loadReturns, type ReturnsBasis, RISK_TTL_MS as TTL_MS, toShared } from "./daily-returns.ts";
import { benchmarkOf, loadMarketBeta, type MarketBeta } from "./market-beta.ts";

interface Volatility extends ReturnsBasis {
  readonly annual_volatility_percent: number;
  readonly daily_volatility_percent: number;
  readonly mean_daily_return_percent: number;
  readonly max_drawdown_percent: number;
  /** From the peak to the trough. */
  readonly drawdown_window: Period;
  readonly beta?: number;
  /** Window and number of the returns that both have. */
  readonly beta_basis?: Readonly<{ window: Period; returns: number }>;
  readonly benchmark: string;
  /** Why there is no beta. */
  readonly beta_missing?: string;
  readonly var_95_percent: number;
  readonly risk_score: number;
  readonly risk_class: RiskClass;
}

/** Analyzes the volatility of a listing. */
export const volatilityAnalysisTool = defineListingTool({
  name: "getVolatilityAnalysis",
  category: "risk",
  description:
    "Risk of a stock, fund, index or coin: annual volatility, maximum drawdown, beta to the S&P 500 or VN-Index, VaR, risk score and class.",
  says: `peak to trough fall; how much does the price swing; is it a safe or a speculative investment;
    biến động giá mạnh hay nhẹ; mức độ rủi ro; giảm từ đỉnh xuống đáy; volatility; maximum drawdown;
    beta to the market; how risky is it; risk score; độ biến động; mức sụt giảm tối đa; rủi ro của cổ phiếu;
    hệ số beta; how dangerous or safe is a stock; standard deviation of returns; wild swings; độ lệch chuẩn;
    an toàn hay mạo hiểm`,
  chart: { type: "showStockChart", about: "symbol" },
  of: SECURITIES_AND_COINS,
  input: { days: daysOf(30, 1_260) },
  ttlMs: TTL_MS,
  run: async (listing, { days }, asked) => {
    const loaded = await loadReturns(asked, listing, days);
    const { basis, values, closes, t } = loaded;
    const fall = maxDrawdown(closes);
    const volatility = annualVolatility(values, basis.days_per_year);
    const dailyVar95 = historicalVar(values, 0.95);
    const { score, riskClass } = riskScore({ volatility, drawdown: fall.value, dailyVar95 });
    const data: Volatility = {
      ...basis,
      annual_volatility_percent: percent(volatility),
      daily_volatility_percent: percent(deviation(values)),
      mean_daily_return_percent: percent(mean(values)),
      max_drawdown_percent: percent(fall.value),
      drawdown_window: { start: toDay(t[fall.peak] ?? 0), end: toDay(t[fall.trough] ?? 0) },
      ...toBetaFields(await loadMarketBeta(asked, listing, { ...loaded, data: loaded.bars, days })),
      benchmark: benchmarkOf(listing),
      var_95_percent: percent(dailyVar95),
      risk_score: tidy(score),
      risk_class: riskClass,
    };
    return { data, provenance: loaded.provenance };
  },
  figures: (data) => {
    const { window: period } = data;
    const { annual_volatility_percent, max_drawdown_percent, var_95_percent, risk_score } = data;
    const unit = "percent";
    return cite(data, [
      {
        path: "data.annual_volatility_percent",
        value: annual_volatility_percent,
        unit,
        metric: "annual volatility",
        period,
      },
      {
        path: "data.max_drawdown_percent",
        value: max_drawdown_percent,
        unit,
        metric: "maximum drawdown",
        period: data.drawdown_window,
      },
      {
        path: "data.beta",
        value: data.beta,
        unit: "ratio",
        metric: `beta to ${data.benchmark}`,
        period: data.beta_basis?.window ?? period,
      },
      { path: "data.risk_score", value: risk_score, unit: "points", metric: "risk score", period },
      { path: "data.var_95_percent", value: var_95_percent, unit, metric: "1-day historical VaR(95 %)", period },
      ...citeDaily(data, period),
    ]);
  },
  digest: ({ risk_class, beta_missing, ...data }) => ({
    shared: toShared(data),
    missing: beta_missing === undefined ? [] : [`beta: ${beta_missing}`],
    notes: [
      `risk class: ${risk_class}`,
      ...(data.beta_basis === undefined ? [] : [`beta: of ${data.beta_basis.returns} daily returns on common days`]),
    ],
  }),
});

/** The fields of a beta, or of its absence. */
const toBetaFields = (found: MarketBeta): Pick<Volatility, "beta" | "beta_basis" | "beta_missing"> =>
  "reason" in found
    ? { beta_missing: found.reason }
    : { beta: found.value, beta_basis: { window: found.window, returns: found.returns } };
