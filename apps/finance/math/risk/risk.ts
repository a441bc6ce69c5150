/**
 * Risk: value at risk, Sharpe, Sortino, volatility, beta and the risk score, of daily returns as `toReturns` gives them.
 *
 * Everything is a fraction (0.2 is 20 %) and a loss is negative. What cannot be computed is undefined.
 */
import type { ListingType } from "../../market/port/listing.ts";
import { normalQuantile } from "./normal.ts";
import { covariance, deviation, mean, quantile, ROUNDING } from "./statistics.ts";

/** The annual risk-free rate as a fraction, and how many daily returns a year has. */
export type RatioOptions = Readonly<{ riskFreeRate: number; daysPerYear: number }>;

/** Risk level in words. */
export type RiskClass = "conservative" | "moderate" | "aggressive" | "speculative";

/** Trading days of a year: coins trade on all of them. */
export function daysPerYear(type: ListingType): 252 | 365 {
  return type === "crypto" ? 365 : 252;
}

/** Historical value at risk of one day: the return that is undercut with the probability 1 − confidence. */
export function historicalVar(returns: Float64Array, confidence = 0.95): number {
  return quantile(returns, 1 - confidence);
}

/** Value at risk of one day if returns were normal: μ + z σ with the z of 1 − confidence. */
export function parametricVar(returns: Float64Array, confidence = 0.95): number {
  return mean(returns) + normalQuantile(1 - confidence) * deviation(returns);
}

/** Annual volatility: the deviation of daily returns times the root of the days of a year. */
export function annualVolatility(returns: Float64Array, days = 252): number {
  return deviation(returns) * Math.sqrt(days);
}

/** Annual Sharpe ratio; undefined if returns never change. */
export function sharpe(returns: Float64Array, { riskFreeRate, daysPerYear: days }: RatioOptions): number | undefined {
  const sigma = deviation(returns);
  return sigma <= ROUNDING ? undefined : ((mean(returns) - riskFreeRate / days) / sigma) * Math.sqrt(days);
}

/** Annual Sortino ratio: only what is below the risk-free rate counts, over all days; undefined if nothing is. */
export function sortino(returns: Float64Array, { riskFreeRate, daysPerYear: days }: RatioOptions): number | undefined {
  const target = riskFreeRate / days;
  const downside = Math.sqrt(mean(returns.map((value) => Math.min(value - target, 0) ** 2)));
  return downside <= ROUNDING ? undefined : ((mean(returns) - target) / downside) * Math.sqrt(days);
}

/** Beta of returns to those of a benchmark on the same days; undefined if the benchmark never moves. */
export function beta(returns: Float64Array, benchmark: Float64Array): number | undefined {
  const sigma = deviation(benchmark);
  return sigma <= ROUNDING ? undefined : covariance(returns, benchmark) / sigma ** 2;
}

/** Score from 0 to 100 of annual volatility, maximum drawdown and one-day 95 % historical VaR, all as fractions. */
export function riskScore(parts: Readonly<{ volatility: number; drawdown: number; dailyVar95: number }>): {
  readonly score: number;
  readonly riskClass: RiskClass;
} {
  const score =
    Math.min((parts.volatility / 0.5) * 40, 40) +
    Math.min((Math.abs(parts.drawdown) / 0.4) * 35, 35) +
    Math.min(((Math.abs(parts.dailyVar95) * 100) / 5) * 25, 25);
  return { score, riskClass: toRiskClass(score) };
}

function toRiskClass(score: number): RiskClass {
  if (score < 25) return "conservative";
  if (score < 50) return "moderate";
  return score < 75 ? "aggressive" : "speculative";
}
