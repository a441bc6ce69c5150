/**
 * Portfolio risk: figures of the daily returns that today's weights would have had.
 *
 * Pure arithmetic on columns of returns between the same days, one a holding. Weights are fractions that add up to 1;
 * everything is a fraction and a loss is negative.
 */
import { at } from "../../../math/indicators/column.ts";
import { maxDrawdown } from "../../../math/risk/drawdown.ts";
import {
  annualVolatility,
  beta,
  historicalVar,
  riskScore,
  type RiskClass,
  sharpe,
  sortino,
} from "../../../math/risk/risk.ts";
import { correlation, covariance, deviation, mean, ROUNDING } from "../../../math/risk/statistics.ts";

/** Returns of holdings on common days, and their weights. */
export type Weighted = Readonly<{ weights: readonly number[]; columns: readonly Float64Array[] }>;

/** The weights scaled so that they add up to 1. */
export function normalise(weights: readonly number[]): readonly number[] {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

/** The portfolio's return on each day, at these weights on every day. */
export function portfolioReturns({ weights, columns }: Weighted): Float64Array {
  const days = columns[0]?.length ?? 0;
  return Float64Array.from({ length: days }, (_, day) =>
    columns.reduce((sum, column, index) => sum + (weights[index] ?? 0) * at(column, day), 0),
  );
}

/** Shares of the portfolio's variance, which add up to 1 (Euler); undefined if its value never changed. */
export function riskShares(weighted: Weighted): readonly number[] | undefined {
  const whole = portfolioReturns(weighted);
  const variance = covariance(whole, whole);
  if (!(Math.sqrt(variance) > ROUNDING)) return undefined;
  return weighted.columns.map(
    (column, index) => ((weighted.weights[index] ?? 0) * covariance(column, whole)) / variance,
  );
}

/** Assumptions for figures per year. */
export type RiskOptions = Readonly<{ confidence: number; riskFreeRate: number; daysPerYear: number }>;

/** The figures of a portfolio. */
export interface PortfolioRisk {
  readonly annualVolatility: number;
  readonly dailyVolatility: number;
  readonly meanReturn: number;
  readonly valueAtRisk: number;
  readonly sharpe?: number;
  readonly sortino?: number;
  readonly drawdown: Readonly<{ value: number; peak: number; trough: number }>;
  readonly score: number;
  readonly riskClass: RiskClass;
}

/** Volatility, VaR, Sharpe, drawdown and score of a series of daily returns. */
export function riskOf(returns: Float64Array, { confidence, riskFreeRate, daysPerYear }: RiskOptions): PortfolioRisk {
  const volatility = annualVolatility(returns, daysPerYear);
  const drawdown = maxDrawdown(toPath(returns));
  const scored = { volatility, drawdown: drawdown.value, dailyVar95: historicalVar(returns, 0.95) };
  const { score, riskClass } = riskScore(scored);
  const ratio = { riskFreeRate, daysPerYear };
  const [sharpeRatio, sortinoRatio] = [sharpe(returns, ratio), sortino(returns, ratio)];
  return {
    annualVolatility: volatility,
    dailyVolatility: deviation(returns),
    meanReturn: mean(returns),
    valueAtRisk: historicalVar(returns, confidence),
    ...(sharpeRatio === undefined ? {} : { sharpe: sharpeRatio }),
    ...(sortinoRatio === undefined ? {} : { sortino: sortinoRatio }),
    drawdown,
    score,
    riskClass,
  };
}

/** Returns the growth of 1 from day to day; one value more than there are returns. */
function toPath(returns: Float64Array): Float64Array {
  const path = new Float64Array(returns.length + 1).fill(1);
  returns.forEach((value, day) => {
    path[day + 1] = at(path, day) * (1 + value);
  });
  return path;
}

/** The beta of each column to a benchmark on the same days; undefined if the benchmark never moves. */
export function betasOf(columns: readonly Float64Array[], benchmark: Float64Array): readonly number[] | undefined {
  const betas = columns.map((column) => beta(column, benchmark));
  const known = betas.filter((one) => one !== undefined);
  return known.length === columns.length ? known : undefined;
}

/** A symmetric matrix of correlations by symbol; what never changed is not in it. */
export type CorrelationMatrix = Readonly<{ symbols: readonly string[]; rows: readonly (readonly number[])[] }>;

/** Correlations of all pairs. */
export function correlationMatrix(
  symbols: readonly string[],
  columns: readonly Float64Array[],
): CorrelationMatrix | undefined {
  const moving = symbols.flatMap((symbol, index) => {
    const column = columns[index];
    return column !== undefined && deviation(column) > ROUNDING ? [{ symbol, column }] : [];
  });
  if (moving.length < 2) return undefined;
  const rows = moving.map((_, row) =>
    moving.map((_other, column) => (row === column ? 1 : pairOf(moving, row, column))),
  );
  return { symbols: moving.map(({ symbol }) => symbol), rows };
}

/** The same value for a pair in both orders. */
function pairOf(moving: readonly Readonly<{ column: Float64Array }>[], one: number, other: number): number {
  const [first, second] = [moving[Math.min(one, other)], moving[Math.max(one, other)]];
  return first === undefined || second === undefined ? 0 : (correlation(first.column, second.column) ?? 0);
}
