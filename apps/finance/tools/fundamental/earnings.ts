/**
 * Earnings: what a company reported against what was expected.
 */
import type { Figure } from "@baton/assistant";
import { omitUndefined } from "@baton/core/util";
import type { Day } from "../../market/port/market-data.ts";
import { MarketError } from "../../market/port/market-error.ts";
import type { Provenance, Sourced } from "../../market/port/provenance.ts";
import { limitOf } from "../frame/arguments.ts";
import { defineListingTool } from "../frame/listing-tool.ts";
import { identify, type ListingIdentity, SECURITIES } from "../frame/require-listing.ts";
import { cite } from "../shared/figures.ts";
import { finite, tidy } from "../shared/number.ts";

interface ShownEarning {
  readonly day: Day;
  /** The quarter, such as `Q3 2025`, and its last day. */
  readonly label?: string;
  readonly end?: Day;
  /** No filing reports the quarter: it is the year without the other three. */
  readonly is_derived?: true;
  readonly currency: string;
  readonly eps_actual?: number;
  readonly eps_estimated?: number;
  readonly eps_surprise_percent?: number;
  readonly revenue_actual?: number;
  readonly revenue_estimated?: number;
  readonly revenue_surprise_percent?: number;
}

interface Earnings extends ListingIdentity {
  /** The nearest report to come, with what is expected of it. */
  readonly next_report?: ShownEarning;
  /** Newest first. */
  readonly earnings: readonly ShownEarning[];
}

/** Sources list reports to come before those that were made. */
const MAX_TO_COME = 8;

/** By how many percent what came is above what was expected. */
function toSurprise(actual: number | undefined, expected: number | undefined): number | undefined {
  if (actual === undefined || expected === undefined || expected === 0) return undefined;
  return finite(tidy(((actual - expected) / Math.abs(expected)) * 100));
}

/** Earnings against estimates. */
export const earningsTool = defineListingTool({
  name: "getEarnings",
  category: "fundamental",
  asks: "earnings",
  description:
    "Earnings reports of one company, newest first: reported and estimated EPS and revenue, surprise, and the next report's day.",
  says: `earnings report; did the company beat EPS estimates; earnings surprise; next earnings date;
    analyst estimates of revenue; kết quả lợi nhuận quý so với dự báo; ngày công bố kết quả kinh doanh;
    EPS thực tế và ước tính; lợi nhuận vượt kỳ vọng; reported versus expected profit; earnings date;
    ngày ra báo cáo quý; vượt kỳ vọng`,
  chart: { type: "showStockNews", about: "question" },
  of: SECURITIES,
  input: { limit: limitOf(4, 100).describe("How many reports that were made, 1 to 100; default 4") },
  ttlMs: 60 * 60_000,
  run: async (listing, { limit }, { market, context: { scope } }): Promise<Sourced<Earnings>> => {
    const { data, provenance } = await market.earnings({ listing, limit: limit + MAX_TO_COME }, scope);
    const rows = data
      .map(({ day, label, end, currency, epsActual, epsEstimated, revenueActual, revenueEstimated }) => ({
        day,
        ...omitUndefined({ label, end, is_derived: isDerived(provenance, label) }),
        currency,
        ...omitUndefined({
          eps_actual: epsActual,
          eps_estimated: epsEstimated,
          eps_surprise_percent: toSurprise(epsActual, epsEstimated),
          revenue_actual: revenueActual,
          revenue_estimated: revenueEstimated,
          revenue_surprise_percent: toSurprise(revenueActual, revenueEstimated),
        }),
      }))
      .toSorted((a, b) => (a.day < b.day ? 1 : -1));
    const isToCome = (row: ShownEarning) => row.day >= market.today() && !isReported(row);
    const next_report = rows.findLast(isToCome);
    const earnings = rows.filter((row) => !isToCome(row) && hasValues(row)).slice(0, limit);
    if (earnings.length === 0 && next_report === undefined) throw noneOf(listing, "earnings reports");
    return { data: { ...identify(listing), ...omitUndefined({ next_report }), earnings }, provenance };
  },
  figures: ({ symbol, next_report, earnings }) => [
    ...earnings.flatMap((row, at) => toEarningFigures(symbol, `data.earnings[${at}]`, row)),
    ...(next_report === undefined ? [] : toEarningFigures(symbol, "data.next_report", next_report)),
  ],
  digest: ({ next_report }) => (next_report === undefined ? {} : { notes: [`next report: ${next_report.day}`] }),
});

const isDerived = ({ derived_from = [] }: Provenance, label: string | undefined): true | undefined =>
  label !== undefined && derived_from.includes(label) ? true : undefined;

const isReported = ({ eps_actual, revenue_actual }: ShownEarning): boolean =>
  eps_actual !== undefined || revenue_actual !== undefined;

const hasValues = (row: ShownEarning): boolean =>
  isReported(row) || row.eps_estimated !== undefined || row.revenue_estimated !== undefined;

function toEarningFigures(symbol: string, place: string, row: ShownEarning): readonly Figure[] {
  const path = (name: keyof ShownEarning) => `${place}.${name}`;
  const quarter = row.label === undefined ? "" : ` on ${row.label}${row.is_derived === true ? " (derived)" : ""}`;
  const period = { end: row.day, label: `report of ${row.day}${quarter}` };
  const share = "money/share" as const;
  return cite({ symbol, currency: row.currency }, [
    { path: path("eps_actual"), value: row.eps_actual, unit: share, metric: "reported EPS", period },
    { path: path("eps_estimated"), value: row.eps_estimated, unit: share, metric: "estimated EPS", period },
    {
      path: path("eps_surprise_percent"),
      value: row.eps_surprise_percent,
      unit: "percent",
      metric: "EPS surprise",
      period,
    },
    { path: path("revenue_actual"), value: row.revenue_actual, unit: "money", metric: "reported revenue", period },
    {
      path: path("revenue_estimated"),
      value: row.revenue_estimated,
      unit: "money",
      metric: "estimated revenue",
      period,
    },
    {
      path: path("revenue_surprise_percent"),
      value: row.revenue_surprise_percent,
      unit: "percent",
      metric: "revenue surprise",
      period,
    },
  ]);
}

const noneOf = ({ symbol, name }: ListingIdentity, what: string) =>
  new MarketError("no_data", `there are no ${what} of ${symbol} (${name})`, { symbol });
