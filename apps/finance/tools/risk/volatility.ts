/**
 * Volatility: how much a price swings and falls, alone and with the market.
 */
import type { Period } from "@baton/assistant";
import { MarketError } from "../../market/port/market-error.ts";
import { maxDrawdown } from "../../math/risk/drawdown.ts";
import { toCommonReturns } from "../../math/risk/returns.ts";
import { annualVolatility, beta, historicalVar, type RiskClass, riskScore } from "../../math/risk/risk.ts";
import { deviation, mean } from "../../math/risk/statistics.ts";
import { daysOf } from "../frame/arguments.ts";
import type { MarketContext } from "../frame/market-tool.ts";
import { defineListingTool } from "../frame/listing-tool.ts";
import { SECURITIES_AND_COINS } from "../frame/require-listing.ts";
import { loadDaily, toDay } from "../shared/daily.ts";
import { cite } from "../shared/figures.ts";
import { percentOf as percent, tidy } from "../shared/number.ts";
import {
  citeDaily,
  loadReturns,
  type LoadedReturns,
  type ReturnsBasis,
  RISK_TTL_MS as TTL_MS,
  toShared,
} from "./daily-returns.ts";

const MARKET = "^GSPC";

interface Volatility extends ReturnsBasis {
  readonly annual_volatility_percent: number;
  readonly daily_volatility_percent: number;
  readonly mean_daily_return_percent: number;
  readonly max_drawdown_percent: number;
  /** From the peak to the trough. */
  readonly drawdown_window: Period;
  readonly beta?: number;
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
    "Risk of a stock, fund, index or coin: annual volatility, maximum drawdown, beta to the S&P 500, VaR, risk score and class.",
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
      ...(await loadBeta(asked, loaded, days)),
      benchmark: MARKET,
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
      { path: "data.beta", value: data.beta, unit: "ratio", metric: `beta to ${MARKET}`, period },
      { path: "data.risk_score", value: risk_score, unit: "points", metric: "risk score", period },
      { path: "data.var_95_percent", value: var_95_percent, unit, metric: "1-day historical VaR(95 %)", period },
      ...citeDaily(data, period),
    ]);
  },
  digest: ({ risk_class, beta_missing, ...data }) => ({
    shared: toShared(data),
    missing: beta_missing === undefined ? [] : [`beta: ${beta_missing}`],
    notes: [`risk class: ${risk_class}`],
  }),
});

type Beta = Pick<Volatility, "beta" | "beta_missing">;

/** Beta on common days, if the benchmark is of the same kind and source: two kinds of data are never blended. */
async function loadBeta(asked: MarketContext, { basis, bars, provenance }: LoadedReturns, days: number): Promise<Beta> {
  const listing = asked.market.directory.get(MARKET);
  if (listing === undefined) return { beta_missing: `${MARKET} is not known` };
  try {
    const limit = basis.type === "crypto" ? days + 1 : days + 11;
    const market = basis.symbol === MARKET ? { data: bars, provenance } : await loadDaily(asked, { listing, limit });
    const isSame = market.provenance.kind === provenance.kind && market.provenance.source === provenance.source;
    if (!isSame) return { beta_missing: `the bars of ${MARKET} are ${market.provenance.kind} data of another source` };
    const common = toCommonReturns([bars, market.data], days);
    if (!common.enough) return { beta_missing: `only ${common.count} common daily returns with ${MARKET}` };
    const [own = new Float64Array(), of = new Float64Array()] = common.values;
    const value = beta(own, of);
    return value === undefined ? { beta_missing: `${MARKET} never changed` } : { beta: tidy(value) };
  } catch (thrown) {
    if (thrown instanceof MarketError) return { beta_missing: thrown.message };
    throw thrown;
  }
}
