/**
 * Period tool: what the tools of statements and metrics share.
 */
import { z } from "zod";
import type { Listing } from "../../market/port/listing.ts";
import type { MetricSet } from "../../market/metrics/metrics.ts";
import type { PeriodKind } from "../../market/port/market-data.ts";
import { limitOf } from "../frame/arguments.ts";
import type { DigestWords } from "../frame/digest-frame.ts";
import { defineListingTool } from "../frame/listing-tool.ts";
import type { MarketContext, ToolCard } from "../frame/market-tool.ts";
import { SECURITIES } from "../frame/require-listing.ts";
import { loadPeriods, type ShownPeriods, toPeriodFigures } from "./periods.ts";

const TTL_MS = 24 * 60 * 60_000;
const MAX_PERIODS = 40;

/** In what the tools of periods differ. */
interface PeriodWords extends Omit<ToolCard, "category" | "chart"> {
  readonly description: string;
  readonly set: MetricSet;
  readonly limit: number;
}

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

/** Defines a tool of one set of values by period. */
export const definePeriodTool = ({ set, limit, ...card }: PeriodWords) =>
  defineListingTool({
    ...card,
    ...PERIOD_CARD,
    chart: { type: "showStockFinancials", about: "symbol", sets: [set] },
    input: toPeriodInput(limit),
    run: (listing, { period, limit: most }, asked) => loadSet(asked, listing, { set, period, limit: most }),
    figures: (data) => toPeriodFigures(data, set),
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

/** Says that statements are as they were reported, and which periods no filing reports. */
export const toPeriodWords = ({ periods }: ShownPeriods): DigestWords => ({
  shared: ["as reported, not adjusted for later splits"],
  notes: periods
    .flatMap(({ label, derived }) => (derived === undefined ? [] : [`${label} is derived: ${derived}`]))
    .slice(0, 4),
});
