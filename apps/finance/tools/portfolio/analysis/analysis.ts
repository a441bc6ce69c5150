/**
 * Analysis: how risky the user's holdings are together, and what a move of something would do to them, as results show
 * it.
 */
import { omitUndefined } from "@baton/core/util";
import type { Provenance } from "../../../market/port/provenance.ts";
import { annualVolatility, beta } from "../../../math/risk/risk.ts";
import { periodOf, toDay } from "../../shared/daily.ts";
import type { MarketContext } from "../../frame/market-tool.ts";
import { percentOf as percent, tidy } from "../../shared/number.ts";
import { loadRiskFree } from "../../risk/risk-free.ts";
import { loadBars, loadEach } from "../valuation/load-prices.ts";
import { betasOf, correlationMatrix, portfolioReturns, riskOf, riskShares } from "./portfolio-risk.ts";
import { besideBenchmark, type Member, type RiskSet, toRiskSet } from "./risk-set.ts";
import type { UnvaluedHolding, OrReason, Valued } from "../valuation/valuation.ts";

const BENCHMARK = "^GSPC";
const MAX_CORRELATED = 20;

/** Share of a holding in the risk. */
export type HoldingRisk = Readonly<{
  beta?: number;
  annual_volatility_percent?: number;
  risk_contribution_percent?: number;
}>;

/** The risk of the portfolio; a loss is negative. */
export type ShownRisk = NonNullable<Awaited<ReturnType<typeof describeSet>>["risk"]>;

type Pair = Readonly<{ symbols: readonly [string, string]; value: number }>;

/** Correlations of the largest holdings. */
export type ShownCorrelation = NonNullable<ReturnType<typeof toCorrelation>>;

/** All figures of risk, by holding and together. */
export type RiskAnalysis = Partial<Awaited<ReturnType<typeof describeSet>>> & NoRisk;

type NoRisk = Readonly<{
  byHolding: ReadonlyMap<string, HoldingRisk>;
  leftOut: readonly UnvaluedHolding[];
  /** Of the bars that are in the figures. */
  origins: readonly Provenance[];
}>;

/** Window and confidence of the risk figures. */
export type AnalysisOptions = Readonly<{ days: number; confidence: number }>;

/** Loads daily prices of all holdings with a value, and computes their risk. */
export async function analyseRisk(
  asked: MarketContext,
  holdings: readonly Valued[],
  options: AnalysisOptions,
): Promise<RiskAnalysis> {
  const valued = holdings.filter((one) => (one.value ?? 0) > 0);
  const bars = await loadEach(asked, valued, (one, { holding }) => loadBars(one, holding.listing, options.days));
  const leftOut: UnvaluedHolding[] = [];
  const members = valued.flatMap(({ holding, value = 0 }, index): Member[] => {
    const { symbol, type } = holding.listing;
    const part = bars[index] ?? { reason: "it was not asked for" };
    if (!("reason" in part)) return [{ symbol, type, value, bars: part }];
    leftOut.push({ symbol, of: "risk", reason: part.reason });
    return [];
  });
  const found = toRiskSet(members, options.days);
  leftOut.push(...found.leftOut);
  if (found.set === undefined) return { byHolding: new Map(), leftOut, origins: [] };
  return describeSet(asked, found.set, { ...options, leftOut, total: sum(valued.map(({ value = 0 }) => value)) });
}

type Describing = AnalysisOptions & Readonly<{ leftOut: readonly UnvaluedHolding[]; total: number }>;

async function describeSet(asked: MarketContext, set: RiskSet, options: Describing) {
  const { members, t, daysPerYear, shortest } = set;
  const { days, confidence, leftOut, total } = options;
  const window = periodOf({ t });
  const { rate, ...origin } = await loadRiskFree(asked, window.end);
  const whole = riskOf(portfolioReturns(set), { confidence, riskFreeRate: rate, daysPerYear });
  const market = await loadBetas(asked, set, { symbol: BENCHMARK, days });
  const value = sum(members.map((member) => member.value));
  const { peak, trough } = whole.drawdown;
  const risk = {
    holdings: members.length,
    symbols: members.map(({ symbol }) => symbol),
    value_percent: percent(value / total),
    window,
    returns: t.length - 1,
    days_per_year: daysPerYear,
    annual_volatility_percent: percent(whole.annualVolatility),
    daily_volatility_percent: percent(whole.dailyVolatility),
    mean_daily_return_percent: percent(whole.meanReturn),
    var: {
      method: "historical" as const,
      confidence,
      horizon_days: 1,
      percent: percent(whole.valueAtRisk),
      amount: tidy(whole.valueAtRisk * value),
    },
    max_drawdown_percent: percent(whole.drawdown.value),
    drawdown_window: { start: toDay(t[peak] ?? 0), end: toDay(t[trough] ?? 0) },
    ...omitUndefined({ sharpe: tidied(whole.sharpe), sortino: tidied(whole.sortino) }),
    risk_free: { rate_percent: percent(rate), ...origin },
    ...omitUndefined({
      beta: "reason" in market ? undefined : tidy(market.portfolio),
      beta_missing: "reason" in market ? market.reason : undefined,
    }),
    benchmark: BENCHMARK,
    risk_score: tidy(whole.score),
    risk_class: whole.riskClass,
    ...omitUndefined({ shortest }),
  };
  const correlation = toCorrelation(set);
  return {
    risk,
    set,
    byHolding: toHoldingRisks(set, "reason" in market ? new Map() : market.betas),
    ...omitUndefined({ correlation }),
    leftOut,
    origins: [...members.map(({ bars }) => bars.provenance), ...("reason" in market ? [] : [market.origin])],
  };
}

/** Betas of the members and of all together to something. */
export type Betas = Readonly<{ betas: ReadonlyMap<string, number>; portfolio: number; origin: Provenance }>;

/** Benchmark of the betas, and the number of returns. */
export type BetaQuery = Readonly<{ symbol: string; days: number }>;

/** The betas of a set to an index or fund. */
export async function loadBetas(
  asked: MarketContext,
  set: RiskSet,
  { symbol, days }: BetaQuery,
): Promise<OrReason<Betas>> {
  const listing = asked.market.directory.get(symbol);
  if (listing === undefined) return { reason: `${symbol} is not known` };
  const bars = await loadBars(asked, listing, days);
  if ("reason" in bars) return bars;
  const beside = besideBenchmark(set, bars, days);
  if ("reason" in beside) return { reason: `${symbol}: ${beside.reason}` };
  const betas = betasOf(beside.columns, beside.benchmark);
  const whole = portfolioReturns({ weights: set.weights, columns: beside.columns });
  const portfolio = beta(whole, beside.benchmark);
  if (betas === undefined || portfolio === undefined) return { reason: `${symbol} never changed` };
  const bySymbol = new Map(set.members.map((member, index) => [member.symbol, betas[index] ?? 0]));
  return { betas: bySymbol, portfolio, origin: bars.provenance };
}

function toHoldingRisks(set: RiskSet, betas: ReadonlyMap<string, number>): ReadonlyMap<string, HoldingRisk> {
  const shares = riskShares(set);
  const risks = set.members.map(({ symbol }, index): readonly [string, HoldingRisk] => {
    const column = set.columns[index] ?? new Float64Array();
    const share = shares?.[index];
    const volatility = percent(annualVolatility(column, set.daysPerYear));
    const contribution = share === undefined ? undefined : percent(share);
    const own = { annual_volatility_percent: volatility, risk_contribution_percent: contribution };
    return [symbol, omitUndefined({ beta: tidied(betas.get(symbol)), ...own })];
  });
  return new Map(risks);
}

function toCorrelation({ members, columns }: RiskSet) {
  const symbols = members.slice(0, MAX_CORRELATED).map(({ symbol }) => symbol);
  const matrix = correlationMatrix(symbols, columns);
  if (matrix === undefined) return undefined;
  const rows = matrix.rows.map((row) => row.map(tidy));
  const pairs = rows.flatMap((row, one) =>
    row.flatMap((value, other): Pair[] =>
      other > one ? [{ symbols: [matrix.symbols[one] ?? "", matrix.symbols[other] ?? ""], value }] : [],
    ),
  );
  const sorted = pairs.toSorted((a, b) => b.value - a.value);
  const [highest, lowest] = [sorted[0], sorted.at(-1)];
  const average = tidy(sum(pairs.map(({ value }) => value)) / pairs.length);
  return { symbols: matrix.symbols, rows, average, ...omitUndefined({ highest, lowest }) };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const tidied = (value: number | undefined): number | undefined => (value === undefined ? undefined : tidy(value));
