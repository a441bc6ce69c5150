/**
 * Earnings: what a company reported against what was expected.
 */
import type { Figure } from "@baton/assistant";
import { omitUndefined } from "@baton/core/util";
import type { Earning } from "../../market/port/market-data.ts";
import { MarketError } from "../../market/port/market-error.ts";
import type { Provenance } from "../../market/port/provenance.ts";
import { limitOf } from "../frame/arguments.ts";
import { defineListingTool } from "../frame/listing-tool.ts";
import { identify, type ListingIdentity, SECURITIES } from "../frame/require-listing.ts";
import { citeFields } from "../shared/figures.ts";
import { finite, tidy } from "../shared/number.ts";

type ShownEarning = ReturnType<typeof toEarning>;

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
  chart: { type: "showStockNews", about: "question" },
  of: SECURITIES,
  input: { limit: limitOf(4, 100).describe("How many reports that were made, 1 to 100; default 4") },
  ttlMs: 60 * 60_000,
  run: async (listing, { limit }, { market, context: { scope } }) => {
    const { data, provenance } = await market.earnings({ listing, limit: limit + MAX_TO_COME }, scope);
    const rows = data.map((row) => toEarning(row, provenance)).toSorted((a, b) => (a.day < b.day ? 1 : -1));
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

/** A report; a quarter that no filing reports is the year without the other three. */
function toEarning(row: Earning, { derived_from = [] }: Provenance) {
  const { day, label, end, currency, epsActual, epsEstimated, revenueActual, revenueEstimated } = row;
  return {
    day,
    currency,
    ...omitUndefined({
      label,
      end,
      is_derived: label !== undefined && derived_from.includes(label) ? true : undefined,
      eps_actual: epsActual,
      eps_estimated: epsEstimated,
      eps_surprise_percent: toSurprise(epsActual, epsEstimated),
      revenue_actual: revenueActual,
      revenue_estimated: revenueEstimated,
      revenue_surprise_percent: toSurprise(revenueActual, revenueEstimated),
    }),
  };
}

const isReported = ({ eps_actual, revenue_actual }: ShownEarning): boolean =>
  eps_actual !== undefined || revenue_actual !== undefined;

const hasValues = (row: ShownEarning): boolean =>
  isReported(row) || row.eps_estimated !== undefined || row.revenue_estimated !== undefined;

function toEarningFigures(symbol: string, place: string, row: ShownEarning): readonly Figure[] {
  const quarter = row.label === undefined ? "" : ` on ${row.label}${row.is_derived === true ? " (derived)" : ""}`;
  const period = { end: row.day, label: `report of ${row.day}${quarter}` };
  return citeFields(
    { symbol, currency: row.currency, period },
    [place, row],
    [
      ["eps_actual", "money/share", "reported EPS"],
      ["eps_estimated", "money/share", "estimated EPS"],
      ["eps_surprise_percent", "percent", "EPS surprise"],
      ["revenue_actual", "money", "reported revenue"],
      ["revenue_estimated", "money", "estimated revenue"],
      ["revenue_surprise_percent", "percent", "revenue surprise"],
    ],
  );
}

const noneOf = ({ symbol, name }: ListingIdentity, what: string) =>
  new MarketError("no_data", `there are no ${what} of ${symbol} (${name})`, { symbol });
