/**
 * Risk tools: value at risk, Sharpe and Sortino, volatility, drawdown and beta, computed here from daily returns.
 *
 * A loss is negative. Percentages are percent.
 */
import type { Figure, Period } from "@baton/assistant";
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import { MarketError } from "../../market/port/market-error.ts";
import { maxDrawdown } from "../../math/risk/drawdown.ts";
import { toCommonReturns } from "../../math/risk/returns.ts";
import {
  annualVolatility,
  beta,
  historicalVar,
  parametricVar,
  type RiskClass,
  riskScore,
  sharpe,
  sortino,
} from "../../math/risk/risk.ts";
import { deviation, mean } from "../../math/risk/statistics.ts";
import { AnySymbol, daysOf } from "../frame/arguments.ts";
import { loadDaily, toDay } from "../shared/daily.ts";
import { loadReturns, type LoadedReturns, type ReturnsBasis } from "./daily-returns.ts";
import { cite } from "../shared/figures.ts";
import { defineMarketTool, type MarketContext } from "../frame/market-tool.ts";
import { percentOf as percent, tidy } from "../shared/number.ts";
import { DEFAULT_RATE, loadRiskFree, type RiskFree } from "./risk-free.ts";

const TTL_MS = 60 * 60_000;
const MARKET = "^GSPC";

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

interface VarInput {
  readonly symbol: string;
  readonly confidence: number;
  readonly method: Method;
  readonly portfolio_value: number;
  readonly days: number;
}

/** Computes the value at risk of a day. */
export const calculateVaR = defineMarketTool<VarInput, ValueAtRisk>({
  name: "calculateVaR",
  category: "risk",
  description:
    "Value at risk (VaR) of one day for a position in one stock, ETF, index or coin: the daily loss that is exceeded " +
    "only with the probability 1 − confidence, in percent and in money, historical or parametric. A loss is negative.",
  says: `potential loss of a position tomorrow; money at risk at a confidence level;
    rủi ro thua lỗ của danh mục với độ tin cậy; VaR 95% 99%; value at risk; VaR; how much can I lose in a day;
    worst daily loss with 95 percent confidence; giá trị chịu rủi ro; có thể lỗ tối đa bao nhiêu;
    mức lỗ một ngày; loss of a holding in bad case; tail risk in dollars; tính VaR;
    lỗ bao nhiêu trong kịch bản xấu`,
  chart: { type: "showStockChart", about: "symbol" },
  input: z.strictObject({
    symbol: AnySymbol,
    confidence: z.number().min(0.9).max(0.99).default(0.95).describe("From 0.90 to 0.99; default 0.95"),
    method: z.enum(["historical", "parametric"]).default("historical").describe("Default historical"),
    portfolio_value: z
      .number()
      .positive()
      .max(1e15)
      .default(10_000)
      .describe("Size of the position in the listing's currency; default 10000"),
    days: daysOf(30, 1_260),
  }),
  ttlMs: TTL_MS,
  run: async ({ symbol, confidence, method, portfolio_value, days }, asked) => {
    const { basis, values, provenance } = await loadReturns(asked, symbol, days);
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
});

const citeDaily = (
  data: Readonly<{ mean_daily_return_percent: number; daily_volatility_percent: number }>,
  period: Period,
) =>
  [
    {
      path: "data.mean_daily_return_percent",
      value: data.mean_daily_return_percent,
      unit: "percent",
      metric: "mean daily return",
      period,
    },
    {
      path: "data.daily_volatility_percent",
      value: data.daily_volatility_percent,
      unit: "percent",
      metric: "daily volatility",
      period,
    },
  ] as const;

interface Ratios extends ReturnsBasis {
  readonly sharpe?: number;
  readonly sortino?: number;
  readonly risk_free: Readonly<{ rate_percent: number }> & Omit<RiskFree, "rate">;
  readonly mean_daily_return_percent: number;
  readonly daily_volatility_percent: number;
  readonly annual_volatility_percent: number;
}

type SharpeInput = Readonly<{ symbol: string; risk_free_rate?: number | undefined; days: number }>;

/** Return for risk. */
export const getSharpeRatio = defineMarketTool<SharpeInput, Ratios>({
  name: "getSharpeRatio",
  category: "risk",
  description:
    "Annual Sharpe and Sortino ratio of one stock, ETF, index or coin from daily returns: return above the risk-free " +
    "rate for the risk that was run. Says which risk-free rate it used.",
  says: `return per unit of risk; excess return over the risk-free rate; hệ số Sortino;
    lợi nhuận có xứng đáng với rủi ro; Sharpe ratio; Sortino ratio; risk-adjusted return;
    is the return worth the risk; tỷ lệ Sharpe; lợi nhuận điều chỉnh theo rủi ro; lợi nhuận so với rủi ro;
    reward compared with risk; performance adjusted for risk; hiệu quả đầu tư trên rủi ro`,
  chart: { type: "showStockChart", about: "symbol" },
  input: z.strictObject({
    symbol: AnySymbol,
    risk_free_rate: z
      .number()
      .min(-0.1)
      .max(0.5)
      .optional()
      .describe(`Annual, as a fraction; default: 3-month Treasury of the last day if known, else ${DEFAULT_RATE}`),
    days: daysOf(30, 1_260),
  }),
  ttlMs: TTL_MS,
  run: async ({ symbol, risk_free_rate, days }, asked) => {
    const { basis, values, provenance } = await loadReturns(asked, symbol, days);
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
  describe: ({ risk_free: { rate_percent, from, day, reason } }) => [
    `risk-free rate ${rate_percent} % (${from === "treasury" ? `3-month Treasury of ${day}` : (reason ?? from)})`,
  ],
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
export const getVolatilityAnalysis = defineMarketTool<Readonly<{ symbol: string; days: number }>, Volatility>({
  name: "getVolatilityAnalysis",
  category: "risk",
  description:
    "How risky one stock, ETF, index or coin is: annual volatility, maximum drawdown with its dates, beta to the " +
    "S&P 500 (^GSPC), one-day 95 % VaR, and a risk score from 0 to 100 with its class.",
  says: `peak to trough fall; how much does the price swing; is it a safe or a speculative investment;
    biến động giá mạnh hay nhẹ; mức độ rủi ro; giảm từ đỉnh xuống đáy; volatility; maximum drawdown;
    beta to the market; how risky is it; risk score; độ biến động; mức sụt giảm tối đa; rủi ro của cổ phiếu;
    hệ số beta; how dangerous or safe is a stock; standard deviation of returns; wild swings; độ lệch chuẩn;
    an toàn hay mạo hiểm`,
  chart: { type: "showStockChart", about: "symbol" },
  input: z.strictObject({ symbol: AnySymbol, days: daysOf(30, 1_260) }),
  ttlMs: TTL_MS,
  run: async ({ symbol, days }, asked) => {
    const loaded = await loadReturns(asked, symbol, days);
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
  describe: ({ risk_class, beta_missing }) => [
    `risk class: ${risk_class}`,
    ...(beta_missing === undefined ? [] : [`no beta: ${beta_missing}`]),
  ],
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
