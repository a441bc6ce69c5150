/**
 * FMP statements: statements, metrics, earnings and dividends.
 *
 * Fractions become percent, an unknown value is absent, and the service's misspelt names are kept as they are.
 */
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import type { Listing } from "../../port/listing.ts";
import type { Capabilities, MetricsQuery, PeriodRow, StatementKind } from "../../port/market-data.ts";
import { MarketError } from "../../port/market-error.ts";
import { fromFmp, type MetricSet } from "../../metrics/metrics.ts";
import type { FmpAccount } from "./fmp-account.ts";
import type { FmpRows } from "./fmp-client.ts";
import { DayText, Num, Text } from "../rows.ts";

const PeriodicRow = z.looseObject({
  symbol: Text,
  date: DayText,
  fiscalYear: z.preprocess((value) => (typeof value === "number" ? `${value}` : value), Text).optional(),
  period: Text,
  reportedCurrency: Text,
  filingDate: DayText,
});
type PeriodicRow = z.infer<typeof PeriodicRow>;

const EarningRow = z.looseObject({
  symbol: Text,
  date: DayText,
  epsActual: Num,
  epsEstimated: Num,
  revenueActual: Num,
  revenueEstimated: Num,
});

const DividendRow = z.looseObject({
  symbol: Text,
  date: DayText,
  recordDate: DayText,
  paymentDate: DayText,
  adjDividend: Num,
  dividend: Num,
  yield: Num,
});

const STATEMENT_PATHS: Readonly<Record<StatementKind, string>> = {
  income: "/income-statement",
  balance: "/balance-sheet-statement",
  cash_flow: "/cash-flow-statement",
};
const METRIC_PATHS: Readonly<Record<MetricsQuery["set"], string>> = {
  key_metrics: "/key-metrics",
  ratios: "/ratios",
  growth: "/financial-growth",
};

/** Numbers that say which period it is, not what was measured in it. */
const LABELS: ReadonlySet<string> = new Set(["fiscalYear", "calendarYear", "cik"]);

/** Names whose 0 means that the value could not be computed. */
const ZERO_IS_UNKNOWN: ReadonlySet<string> = new Set(["interestCoverageRatio"]);

const NO_END = "the source gives trailing twelve months without a date; the period ends on the day of the request";

/** Companies' figures from FMP. */
export function fmpStatements(
  account: FmpAccount,
): Pick<Capabilities, "statements" | "metrics" | "earnings" | "dividends"> {
  const { client } = account;
  const askPeriods = (asked: Periodic, scope: Parameters<Capabilities["metrics"]>[1]) => {
    const { path, listing, period, limit, what } = asked;
    const isTtm = period === "ttm";
    const { symbol } = listing;
    const query = isTtm ? { symbol } : { symbol, period, limit };
    return client.rows({ path: isTtm ? `${path}-ttm` : path, query, row: PeriodicRow, listing, what }, scope);
  };
  return {
    statements: async ({ listing, statement, period, limit }, scope) => {
      const path = STATEMENT_PATHS[statement];
      const what = `${period} ${statement.replace("_", " ")} statement`;
      const answer = await askPeriods({ path, listing, period, limit, what }, scope);
      return toPeriods({ account, listing, answer, set: statement, isTtm: period === "ttm", limit });
    },
    metrics: async ({ listing, set, period, limit }, scope) => {
      const what = `${period} ${set.replace("_", " ")}`;
      if (set === "growth" && period === "ttm") {
        const { symbol } = listing;
        throw new MarketError("no_data", `FMP has no ${what} for ${symbol}`, {
          symbol,
          available: "annual and quarter",
        });
      }
      const answer = await askPeriods({ path: METRIC_PATHS[set], listing, period, limit, what }, scope);
      return toPeriods({ account, listing, answer, set, isTtm: period === "ttm", limit });
    },
    earnings: async ({ listing, limit }, scope) => {
      const { symbol, currency } = listing;
      const query = { symbol, limit };
      const answer = await client.rows({ path: "/earnings", query, row: EarningRow, listing, what: "earnings" }, scope);
      const earnings = answer.rows.flatMap(({ date: day, epsActual, epsEstimated, revenueActual, revenueEstimated }) =>
        day === undefined
          ? []
          : [{ day, currency, ...omitUndefined({ epsActual, epsEstimated, revenueActual, revenueEstimated }) }],
      );
      return account.sourced(newestFirst(earnings).slice(0, limit), answer, { isPrice: false });
    },
    dividends: async ({ listing, from }, scope) => {
      const { symbol, currency } = listing;
      const answer = await client.rows(
        { path: "/dividends", query: { symbol }, row: DividendRow, listing, what: "dividends" },
        scope,
      );
      const dividends = answer.rows.flatMap((row) => {
        const { date: day, recordDate: recordDay, paymentDate: paymentDay, yield: yieldPercent } = row;
        const amount = row.dividend ?? row.adjDividend;
        if (day === undefined || day < from || amount === undefined) return [];
        return [{ day, amount, currency, ...omitUndefined({ recordDay, paymentDay, yieldPercent }) }];
      });
      return account.sourced(newestFirst(dividends), answer, { isPrice: false });
    },
  };
}

type Periodic = Readonly<{
  path: string;
  listing: Listing;
  period: MetricsQuery["period"];
  limit: number;
  what: string;
}>;

type Found = Readonly<{
  account: FmpAccount;
  listing: Listing;
  answer: FmpRows<PeriodicRow>;
  set: MetricSet;
  isTtm: boolean;
  limit: number;
}>;

function toPeriods({ account, listing, answer, set, isTtm, limit }: Found) {
  const today = new Date(answer.fetchedAt).toISOString().slice(0, 10);
  const periods = answer.rows.flatMap((row): PeriodRow[] => {
    const end = row.date ?? (isTtm ? today : undefined);
    const values = toValues(row, set);
    if (end === undefined || values.size === 0) return [];
    const currency = row.reportedCurrency ?? listing.currency;
    return [
      { label: isTtm ? "TTM" : toLabel(row, end), end, currency, values, ...omitUndefined({ filed: row.filingDate }) },
    ];
  });
  const [newest] = periods.toSorted((one, other) => (one.end < other.end ? 1 : -1));
  if (newest === undefined) {
    throw new MarketError("no_data", `FMP knows no value of this for ${listing.symbol}`, { symbol: listing.symbol });
  }
  const isUndated = isTtm && answer.rows[0].date === undefined;
  return account.sourced(periods.slice(0, limit), answer, {
    isPrice: false,
    asOf: isUndated ? undefined : `${newest.filed ?? newest.end}T00:00:00Z`,
    note: isUndated ? NO_END : undefined,
  });
}

/** `FY2025`, `Q3 2025`. */
function toLabel({ fiscalYear, period }: PeriodicRow, end: string): string {
  const year = fiscalYear ?? end.slice(0, 4);
  return period === undefined || period === "FY" ? `FY${year}` : `${period} ${year}`;
}

function toValues(row: PeriodicRow, set: MetricSet): ReadonlyMap<string, number> {
  const values = new Map<string, number>();
  for (const [key, value] of Object.entries(row)) {
    const name = key.endsWith("TTM") ? key.slice(0, -3) : key;
    if (typeof value !== "number" || !Number.isFinite(value) || LABELS.has(name)) continue;
    if (value === 0 && ZERO_IS_UNKNOWN.has(name)) continue;
    values.set(name, fromFmp(set, name, value));
  }
  return values;
}

const newestFirst = <Row extends { readonly day: string }>(rows: readonly Row[]): readonly Row[] =>
  rows.toSorted((one, other) => (one.day < other.day ? 1 : -1));
