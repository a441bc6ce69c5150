/**
 * Period tool: the tools of one statement or one set of metrics by period.
 */
import { z } from "zod";
import type { Listing } from "../../market/port/listing.ts";
import type { MetricSet } from "../../market/metrics/metrics.ts";
import type { PeriodKind } from "../../market/port/market-data.ts";
import { limitOf } from "../frame/arguments.ts";
import type { DigestWords } from "../frame/digest-frame.ts";
import { defineListingTool } from "../frame/listing-tool.ts";
import type { MarketContext } from "../frame/market-tool.ts";
import { SECURITIES } from "../frame/require-listing.ts";
import { loadPeriods, type ShownPeriods, toPeriodFigures } from "./periods.ts";

const TTL_MS = 24 * 60 * 60_000;
const MAX_PERIODS = 40;

/** Fields that every tool of periods shares. */
export const PERIOD_CARD = {
  category: "fundamental",
  of: SECURITIES,
  ttlMs: TTL_MS,
} as const;

/** Arguments of a tool of periods; a balance sheet is of a day, so it has no sum of twelve months. */
export const toPeriodInput = (limit: number) => ({
  period: z
    .enum(["annual", "quarter", "ttm"])
    .default("annual")
    .describe("annual: fiscal years; quarter; ttm: the last twelve months; default annual"),
  limit: limitOf(limit, MAX_PERIODS).describe(`Periods, 1 to ${MAX_PERIODS}; default ${limit}`),
});

/** Says that statements are as they were reported, and which periods no filing reports. */
export const toPeriodWords = ({ periods }: ShownPeriods): DigestWords => ({
  shared: ["as reported, not adjusted for later splits"],
  notes: periods
    .flatMap(({ label, derived }) => (derived === undefined ? [] : [`${label} is derived: ${derived}`]))
    .slice(0, 4),
});

/** Defines a tool of one set of values by period. */
const definePeriodTool = (name: string, set: MetricSet, { limit, description }: PeriodWords) =>
  defineListingTool({
    ...PERIOD_CARD,
    name,
    description,
    chart: { type: "showStockFinancials", about: "symbol", sets: [set] },
    input: toPeriodInput(limit),
    run: (listing, { period, limit: most }, asked) => loadSet(asked, listing, { set, period, limit: most }),
    figures: (data) => toPeriodFigures(data, set),
    digest: toPeriodWords,
  });

type PeriodWords = Readonly<{ limit: number; description: string }>;

/** Shows what a company owns and owes. */
export const balanceSheetTool = definePeriodTool("getBalanceSheet", "balance", {
  description:
    "Balance sheets of one company by fiscal year or quarter: assets, liabilities, equity, cash, debt, inventory.",
  limit: 8,
});

/** Shows what cash came in and went out. */
export const cashFlowTool = definePeriodTool("getCashFlow", "cash_flow", {
  description:
    "Cash flow statements of one company by period: operating, investing, financing, capex, free cash flow, buybacks.",
  limit: 8,
});

/** Valuation and returns. */
export const keyMetricsTool = definePeriodTool("getKeyMetrics", "key_metrics", {
  description:
    "Key metrics of one company by period: market cap, EV, EV/EBITDA, ROE, ROA, ROIC, FCF yield, working capital.",
  limit: 5,
});

/** Margins, liquidity, leverage and price ratios. */
export const ratiosTool = definePeriodTool("getRatios", "ratios", {
  description:
    "Ratios of one company by period: P/E, P/B, P/S, margins, liquidity, debt to equity, coverage, payout, per share.",
  limit: 8,
});

/** Growth on the year before. */
export const financialGrowthTool = defineListingTool({
  ...PERIOD_CARD,
  name: "getFinancialGrowth",
  description: "Growth of one company in percent by fiscal year: revenue, income, EPS, free cash flow, assets, debt.",
  chart: { type: "showStockFinancials", about: "symbol", sets: ["growth"] },
  input: {
    lookback_years: z.int().min(1).max(30).default(5).describe("How many fiscal years, 1 to 30; default 5"),
  },
  run: (listing, { lookback_years: limit }, asked) =>
    loadSet(asked, listing, { set: "growth", period: "annual", limit }),
  figures: (data) => toPeriodFigures(data, "growth"),
  digest: toPeriodWords,
});

/** Periods of one set of values. */
export function loadSet(
  { market, context: { scope } }: MarketContext,
  listing: Listing,
  { set, period, limit }: Readonly<{ set: MetricSet; period: PeriodKind; limit: number }>,
) {
  const ask = (kind: PeriodKind, most: number) =>
    set === "income" || set === "balance" || set === "cash_flow"
      ? market.statements({ listing, statement: set, period: kind, limit: most }, scope)
      : market.metrics({ listing, set, period: kind, limit: most }, scope);
  return loadPeriods({ listing, set, period, limit, ask });
}
