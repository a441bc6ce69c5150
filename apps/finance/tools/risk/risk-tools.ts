/**
 * Risk tools: value at risk, return for risk, and how much a price swings, from daily returns.
 */
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import { MarketError } from "../../market/port/market-error.ts";
import { maxDrawdown } from "../../math/risk/drawdown.ts";
import {
  annualVolatility,
  historicalVar,
  parametricVar,
  riskScore,
  sharpe as toSharpe,
  sortino as toSortino,
} from "../../math/risk/risk.ts";
import { daysOf } from "../frame/arguments.ts";
import { defineListingTool } from "../frame/listing-tool.ts";
import { SECURITIES_AND_COINS } from "../frame/require-listing.ts";
import { toDay } from "../shared/daily.ts";
import { citeFields } from "../shared/figures.ts";
import { percentOf as percent, tidy } from "../shared/number.ts";
import { DAILY_FIGURES, loadReturns, toShared } from "./daily-returns.ts";
import { benchmarkOf, loadMarketBeta } from "./market-beta.ts";
import { citeRate, DEFAULT_RATE, loadRiskFree } from "./risk-free.ts";

const RISK_CARD = {
  category: "risk",
  chart: { type: "showStockChart", about: "symbol" },
  of: SECURITIES_AND_COINS,
  ttlMs: 60 * 60_000,
} as const;

/** Computes the value at risk of a day. */
export const vaRTool = defineListingTool({
  ...RISK_CARD,
  name: "calculateVaR",
  description:
    "Value at risk of one day for a position in a stock, fund, index or coin, in percent and in money, historical or parametric. A loss is negative.",
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
  run: async (listing, { confidence, method, portfolio_value, days }, asked) => {
    const { basis, values, provenance } = await loadReturns(asked, listing, days);
    const loss = method === "historical" ? historicalVar(values, confidence) : parametricVar(values, confidence);
    const found = { var_percent: percent(loss), var_amount: tidy(loss * portfolio_value) };
    return { data: { ...basis, method, confidence, horizon_days: 1, portfolio_value, ...found }, provenance };
  },
  figures: (data) => {
    const name = `1-day ${data.method} VaR(${percent(data.confidence)} %)`;
    return citeFields(
      { ...data, period: data.window },
      ["data", data],
      [["var_percent", "percent", name], ["var_amount", "money", name], ...DAILY_FIGURES],
    );
  },
  digest: (data) => ({ shared: toShared(data) }),
});

/** Return for risk. */
export const sharpeRatioTool = defineListingTool({
  ...RISK_CARD,
  name: "getSharpeRatio",
  description:
    "Sharpe and Sortino ratio of a stock, fund, index or coin from daily returns, a year; says which risk-free rate was used.",
  input: {
    risk_free_rate: z
      .number()
      .min(-0.1)
      .max(0.5)
      .optional()
      .describe(`Annual, as a fraction; default: 3-month Treasury of the last day if known, else ${DEFAULT_RATE}`),
    days: daysOf(30, 1_260),
  },
  run: async (listing, { risk_free_rate, days }, asked) => {
    const { basis, values, provenance } = await loadReturns(asked, listing, days);
    const { rate, ...origin } = await loadRiskFree(asked, basis.window.end, risk_free_rate);
    const options = { riskFreeRate: rate, daysPerYear: basis.days_per_year };
    const [sharpe, sortino] = [toSharpe(values, options), toSortino(values, options)];
    if (sharpe === undefined && sortino === undefined) throw constant(basis.symbol);
    const data = {
      ...basis,
      ...(sharpe === undefined ? {} : { sharpe: tidy(sharpe) }),
      ...(sortino === undefined ? {} : { sortino: tidy(sortino) }),
      risk_free: { rate_percent: percent(rate), ...origin },
      annual_volatility_percent: percent(annualVolatility(values, basis.days_per_year)),
    };
    return { data, provenance };
  },
  figures: (data) => [
    ...citeFields(
      { ...data, period: data.window },
      ["data", data],
      [
        ["sharpe", "ratio", "Sharpe ratio"],
        ["sortino", "ratio", "Sortino ratio"],
        ["annual_volatility_percent", "percent", "annual volatility"],
        ...DAILY_FIGURES,
      ],
    ),
    ...citeRate(data, "data", data.risk_free),
  ],
  digest: ({ risk_free: { from, day, reason }, ...data }) => ({
    shared: toShared(data),
    notes: [`risk-free rate: ${from === "treasury" ? `3-month Treasury of ${day}` : (reason ?? from)}`],
  }),
});

const constant = (symbol: string) =>
  new MarketError("no_data", `the price of ${symbol} never changed, so there is no ratio of return to risk`, {
    symbol,
  });

/** Analyzes the volatility of a listing. */
export const volatilityAnalysisTool = defineListingTool({
  ...RISK_CARD,
  name: "getVolatilityAnalysis",
  description:
    "Risk of a stock, fund, index or coin: annual volatility, maximum drawdown, beta to the S&P 500 or VN-Index, VaR, risk score and class.",
  input: { days: daysOf(30, 1_260) },
  run: async (listing, { days }, asked) => {
    const { basis, values, closes, t, bars, provenance } = await loadReturns(asked, listing, days);
    const fall = maxDrawdown(closes);
    const volatility = annualVolatility(values, basis.days_per_year);
    const dailyVar95 = historicalVar(values, 0.95);
    const { score, riskClass } = riskScore({ volatility, drawdown: fall.value, dailyVar95 });
    const beta = await loadMarketBeta(asked, listing, { data: bars, provenance, days });
    const data = {
      ...basis,
      annual_volatility_percent: percent(volatility),
      max_drawdown_percent: percent(fall.value),
      drawdown_window: { start: toDay(t[fall.peak] ?? 0), end: toDay(t[fall.trough] ?? 0) },
      ...omitUndefined({
        beta: "reason" in beta ? undefined : beta.value,
        beta_basis: "reason" in beta ? undefined : { window: beta.window, returns: beta.returns },
        beta_missing: "reason" in beta ? beta.reason : undefined,
      }),
      benchmark: benchmarkOf(listing),
      var_95_percent: percent(dailyVar95),
      risk_score: tidy(score),
      risk_class: riskClass,
    };
    return { data, provenance };
  },
  figures: (data) =>
    citeFields(
      { ...data, period: data.window },
      ["data", data],
      [
        ["annual_volatility_percent", "percent", "annual volatility"],
        ["max_drawdown_percent", "percent", "maximum drawdown", data.drawdown_window],
        ["beta", "ratio", `beta to ${data.benchmark}`, data.beta_basis?.window ?? data.window],
        ["risk_score", "points", "risk score"],
        ["var_95_percent", "percent", "1-day historical VaR(95 %)"],
        ...DAILY_FIGURES,
      ],
    ),
  digest: ({ risk_class, beta_missing, ...data }) => ({
    shared: toShared(data),
    missing: beta_missing === undefined ? [] : [`beta: ${beta_missing}`],
    notes: [
      `risk class: ${risk_class}`,
      ...(data.beta_basis === undefined ? [] : [`beta: of ${data.beta_basis.returns} daily returns on common days`]),
    ],
  }),
});
