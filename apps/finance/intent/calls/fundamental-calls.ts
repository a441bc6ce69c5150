/**
 * Fundamental calls: statements, metrics, ratios, growth, earnings and dividends, by fiscal periods.
 *
 * "Fundamentals" without more is the income statement with key metrics; "financial statements" are all three.
 */
import type { Json } from "@baton/core";
import { type Ask, call, type ChosenCall, unless } from "../ask.ts";
import type { Topic } from "../lexicon/topics.ts";
import { readFiscal, readLimit, readLookbackDays, readReports } from "../numbers/parameters.ts";
import { each } from "./price-calls.ts";

const TOOLS: ReadonlyMap<Topic, readonly string[]> = new Map([
  ["fundamentals", ["getIncomeStatement", "getKeyMetrics"]],
  ["statements", ["getIncomeStatement", "getBalanceSheet", "getCashFlow"]],
  ["health", ["getBalanceSheet", "getRatios"]],
  ["balance", ["getBalanceSheet"]],
  ["income", ["getIncomeStatement"]],
  ["cash_flow", ["getCashFlow"]],
  ["metrics", ["getKeyMetrics"]],
  ["growth", ["getFinancialGrowth"]],
  ["ratios", ["getRatios"]],
  ["valuation", ["getRatios"]],
  ["score", ["getRatios"]],
  ["earnings", ["getEarnings"]],
  ["eps", ["getIncomeStatement"]],
  ["dividends", ["getDividends"]],
]);

/** The calls of one fundamental topic. */
export function fundamentalCalls(ask: Ask, topic: Topic): readonly ChosenCall[] {
  return each(ask, ({ symbol }) =>
    (TOOLS.get(topic) ?? []).map((tool) => call(tool, { symbol, ...argsOf(ask, tool) })),
  );
}

const MOST = 40;

/** Earnings are reported four times a year. */
function quartersOf(ask: Ask): number | undefined {
  const { period, count } = readFiscal(ask);
  if (count === undefined || count < 1) return readLimit(ask);
  return Math.min(MOST, Math.round(period === "quarter" ? count : count * 4));
}

function argsOf(ask: Ask, tool: string): { readonly [name: string]: Json | undefined } {
  const { period, count } = readFiscal(ask);
  const limit = count === undefined || count < 1 ? undefined : Math.min(MOST, Math.round(count));
  switch (tool) {
    case "getFinancialGrowth":
      return { lookback_years: unless(5, period === undefined ? limit : undefined) };
    case "getEarnings":
      return { limit: unless(4, readReports(ask.base.tokens) ?? quartersOf(ask)) };
    case "getDividends":
      return { lookback_days: unless(365, readLookbackDays(ask)) };
    case "getKeyMetrics":
      return { period, limit: unless(5, limit) };
    case "getRatios":
      return { period, limit: unless(8, limit) };
    case "getBalanceSheet":
      return { period: period === "ttm" ? undefined : period, limit: unless(8, limit) };
    default:
      return { period, limit: unless(8, limit) };
  }
}
