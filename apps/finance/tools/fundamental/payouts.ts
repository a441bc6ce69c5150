/**
 * Payout tools: what a company reported against what was expected, and what it pays its shareholders.
 */
import type { Figure } from "@baton/assistant";
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import type { Day } from "../../market/port/market-data.ts";
import { MarketError } from "../../market/port/market-error.ts";
import type { Provenance } from "../../market/port/provenance.ts";
import { limitOf, Symbol } from "../frame/arguments.ts";
import { addDays } from "../shared/calendar-day.ts";
import { cite } from "../shared/figures.ts";
import { defineMarketTool } from "../frame/market-tool.ts";
import { finite, tidy } from "../shared/number.ts";
import { identify, type ListingIdentity, requireListing, SECURITIES } from "../frame/require-listing.ts";

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
export const getEarnings = defineMarketTool<Readonly<{ symbol: string; limit: number }>, Earnings>({
  name: "getEarnings",
  category: "fundamental",
  description:
    "Earnings reports of one company, newest first: day, reported and estimated EPS and revenue, and the surprise in " +
    "percent; the next report if its day is known. Use it for earnings dates, beats and misses; getIncomeStatement " +
    "has full results.",
  says: `earnings report; did the company beat EPS estimates; earnings surprise; next earnings date;
    analyst estimates of revenue; kết quả lợi nhuận quý so với dự báo; ngày công bố kết quả kinh doanh;
    EPS thực tế và ước tính; lợi nhuận vượt kỳ vọng; reported versus expected profit; earnings date;
    ngày ra báo cáo quý; vượt kỳ vọng`,
  chart: { type: "showStockNews", about: "question" },
  input: z.strictObject({
    symbol: Symbol,
    limit: limitOf(4, 100).describe("How many reports that were made, 1 to 100; default 4"),
  }),
  ttlMs: 60 * 60_000,
  run: async ({ symbol, limit }, { market, context: { scope } }) => {
    const listing = requireListing(market, symbol, SECURITIES);
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
  describe: ({ next_report }) => (next_report === undefined ? [] : [`next report: ${next_report.day}`]),
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

interface ShownDividend {
  /** The first day on which a buyer no longer gets it. */
  readonly day: Day;
  readonly amount: number;
  readonly currency: string;
  readonly payment_day?: Day;
  readonly record_day?: Day;
  readonly yield_percent?: number;
}

interface Dividends extends ListingIdentity {
  readonly period: Readonly<{ start: Day; end: Day }>;
  /** Of the days up to `period.end`, if all are in one currency. */
  readonly total?: number;
  /** Newest first; those after `period.end` are announced. */
  readonly dividends: readonly ShownDividend[];
}

/** Most a result shows. */
const MAX_DIVIDENDS = 400;

/** Dividends per share. */
export const getDividends = defineMarketTool<Readonly<{ symbol: string; lookback_days: number }>, Dividends>({
  name: "getDividends",
  category: "fundamental",
  description:
    "Dividends per share of one stock or fund by ex-dividend day over the last days, newest first, with payment day, " +
    "yield and their sum. Use it for dividend history and income; getRatios has payout and yield by year.",
  says: `dividend history; dividends per share; ex-dividend date; how much dividend does it pay; dividend yield;
    lịch sử cổ tức; cổ tức mỗi cổ phiếu; ngày giao dịch không hưởng quyền; công ty trả cổ tức bao nhiêu;
    payouts to shareholders; dividend history and ex-date; chia cổ tức; tiền cổ tức`,
  chart: { type: "showStockFinancials", about: "symbol" },
  input: z.strictObject({
    symbol: Symbol,
    lookback_days: z
      .int()
      .min(1)
      .max(36_500)
      .default(365)
      .describe("How many days back from today, 1 to 36500; default 365"),
  }),
  ttlMs: 24 * 60 * 60_000,
  run: async ({ symbol, lookback_days }, { market, context: { scope } }) => {
    const listing = requireListing(market, symbol, SECURITIES);
    const end = market.today();
    const start = addDays(end, -lookback_days);
    const { data, provenance } = await market.dividends({ listing, from: start }, scope);
    const dividends = data
      .filter(({ day }) => day >= start)
      .map(({ day, amount, currency, paymentDay, recordDay, yieldPercent }) => ({
        day,
        amount,
        currency,
        ...omitUndefined({ payment_day: paymentDay, record_day: recordDay, yield_percent: yieldPercent }),
      }))
      .toSorted((a, b) => (a.day < b.day ? 1 : -1))
      .slice(0, MAX_DIVIDENDS);
    if (dividends.length === 0) throw noneOf(listing, `dividends since ${start}`);
    const total = toTotal(dividends.filter(({ day }) => day <= end));
    return {
      data: { ...identify(listing), period: { start, end }, ...omitUndefined({ total }), dividends },
      provenance,
    };
  },
  figures: toDividendFigures,
});

function toTotal(dividends: readonly ShownDividend[]): number | undefined {
  const [first] = dividends;
  if (first === undefined || dividends.some(({ currency }) => currency !== first.currency)) return undefined;
  return tidy(dividends.reduce((sum, { amount }) => sum + amount, 0));
}

function toDividendFigures({ symbol, period, total, dividends }: Dividends): readonly Figure[] {
  const currency = dividends[0]?.currency ?? "";
  const sum = { path: "data.total", value: total, unit: "money/share", metric: "dividends per share, total" } as const;
  return [
    ...cite({ symbol, currency }, [{ ...sum, period }]),
    ...dividends.flatMap((row, at) =>
      cite({ symbol, currency: row.currency }, [
        {
          path: `data.dividends[${at}].amount`,
          value: row.amount,
          unit: "money/share",
          metric: "dividend per share",
          period: { end: row.day },
        },
        {
          path: `data.dividends[${at}].yield_percent`,
          value: row.yield_percent,
          unit: "percent",
          metric: "dividend yield",
          period: { end: row.day },
        },
      ]),
    ),
  ];
}

const noneOf = ({ symbol, name }: ListingIdentity, what: string) =>
  new MarketError("no_data", `there are no ${what} of ${symbol} (${name})`, { symbol });
