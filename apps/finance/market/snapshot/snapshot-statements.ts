/**
 * Snapshot statements: the annual statements of the pack and the metrics that follow from them. The snapshot's own
 * columns (P/E, EPS, yield, capitalization) are the newest row of metrics, before any older year.
 */
import { computeGrowth, computeKeyMetrics, computeRatios } from "../metrics/compute-metrics.ts";
import type { Listing } from "../port/listing.ts";
import type { Capabilities, MetricsQuery, PeriodKind, PeriodRow, StatementKind } from "../port/market-data.ts";
import { MarketError } from "../port/market-error.ts";
import { toDayNumber } from "../pack/days.ts";
import { PACK_DAY, type Pack, type PackYear } from "../pack/pack.ts";
import { toWrittenDay } from "../port/data-line.ts";
import type { Provenance, Sourced } from "../port/provenance.ts";
import { stockOf } from "./snapshot-quotes.ts";
import { closeOf, fromHistory, fromSnapshot, notStored } from "./stored.ts";
import { lastOnOrBefore } from "./window.ts";

const COMPUTE = { key_metrics: computeKeyMetrics, ratios: computeRatios, growth: computeGrowth } as const;

const NOTE =
  "annual statements FY2012 to FY2016 that add up; liabilities include minority interest; EPS is basic and as reported; " +
  "without a known interest expense there is no EBIT, and EBITDA is operating income before depreciation";

/** The answers about a company's accounts. */
export function statementCapabilities(pack: Pack): Pick<Capabilities, "statements" | "metrics"> {
  return {
    statements: async ({ listing, statement, period, limit }) => {
      const rows = toRows(pack, { listing, statement, period });
      return { data: rows.slice(0, limit), provenance: ofYear(rows[0]) };
    },
    metrics: async (query) => metrics(pack, query),
  };
}

const ofYear = (row: PeriodRow | undefined): Provenance => fromHistory(closeOf(row?.end ?? PACK_DAY), { note: NOTE });

interface Wanted {
  readonly listing: Listing;
  readonly statement: StatementKind;
  readonly period: PeriodKind;
}

/** All years of one statement, newest first. */
function toRows(pack: Pack, { listing, statement, period }: Wanted): readonly PeriodRow[] {
  const years = pack.years(listing.symbol).toReversed();
  if (years.length === 0) throw notStored(listing, "statements");
  if (period !== "annual") {
    const list = years
      .map(({ fiscalYear }) => `FY${fiscalYear}`)
      .toReversed()
      .join(", ");
    const message = `the stored data has only annual statements of ${listing.symbol}: ${list}`;
    const details = { symbol: listing.symbol, available: `annual ${list}`, isOutside: true } as const;
    throw new MarketError("no_data", message, details);
  }
  return years.map((year) => ({
    label: `FY${year.fiscalYear}`,
    start: year.start,
    end: year.end,
    currency: "USD",
    values: withSums(year, statement),
  }));
}

/** The statement's values and those that people ask for by another name, if all their parts are known. */
function withSums(year: PackYear, statement: StatementKind): ReadonlyMap<string, number> {
  const values = new Map(year.values(statement));
  const add = (name: string, ...parts: readonly (number | undefined)[]) => {
    let sum = 0;
    for (const part of parts) {
      if (part === undefined) return;
      sum += part;
    }
    values.set(name, sum);
  };
  const value = (name: string) => values.get(name);
  const negative = (name: string) => (value(name) === undefined ? undefined : -(value(name) ?? 0));
  if (statement === "income") {
    // The pack's EBIT is income before tax if it does not know the interest: then it says nothing, and EBITDA is operating.
    if ((value("interestExpense") ?? 0) === 0) values.delete("ebit");
    const profit = value("ebit") ?? value("operatingIncome");
    add("ebitda", profit, year.values("cash_flow").get("depreciationAndAmortization"));
    add("operatingExpenses", value("grossProfit"), negative("operatingIncome"));
  }
  if (statement === "balance") {
    add("cashAndShortTermInvestments", value("cashAndCashEquivalents"), value("shortTermInvestments"));
    add("goodwillAndIntangibleAssets", value("goodwill"), value("intangibleAssets"));
    add("totalDebt", value("shortTermDebt"), value("longTermDebt"));
    add("netDebt", value("totalDebt"), negative("cashAndCashEquivalents"));
  }
  if (statement === "cash_flow") {
    add("operatingCashFlow", value("netCashProvidedByOperatingActivities"));
    add("freeCashFlow", value("netCashProvidedByOperatingActivities"), value("capitalExpenditure"));
  }
  return values;
}

/** The day's own figures first, then the years; each row says which of the two it is. */
function metrics(pack: Pack, query: MetricsQuery): Sourced<readonly PeriodRow[]> {
  const { set, period, limit } = query;
  const own = period === "quarter" ? [] : dayRow(pack, query);
  const years = period === "annual" && pack.years(query.listing.symbol).length > 0 ? yearRows(pack, query) : [];
  const [first] = own;
  if (first === undefined && years.length === 0) {
    toRows(pack, { ...query, statement: "income" });
    throw notStored(query.listing, set.replace("_", " "));
  }
  const derived = { ...ofYear(years[0]), derived_from: ["statements"] };
  const marked = years.map((row) => (first === undefined ? row : { ...row, origin: originOf(ofYear(row)) }));
  return { data: [...own, ...marked].slice(0, limit), provenance: first === undefined ? derived : fromSnapshot() };
}

const originOf = ({ kind, as_of: asOf }: Provenance) => ({ kind, asOf });

function yearRows(pack: Pack, { listing, set }: MetricsQuery): readonly PeriodRow[] {
  const rows = (statement: StatementKind) => toRows(pack, { listing, statement, period: "annual" });
  const priceAt = tradedPrice(pack, listing);
  const books = { income: rows("income"), balance: rows("balance"), cash: rows("cash_flow") };
  const computed = COMPUTE[set]({ ...books, ...(priceAt === undefined ? {} : { priceAt }) });
  return computed.filter(({ values }) => values.size > 0);
}

/** The snapshot's columns as a row; none if it does not know one of them. */
function dayRow(pack: Pack, { listing, set }: MetricsQuery): readonly PeriodRow[] {
  const { pe, eps, dividendYieldPercent, marketCap } = stockOf(pack, listing) ?? {};
  const columns: Readonly<Record<MetricsQuery["set"], Readonly<Record<string, number | undefined>>>> = {
    ratios: { priceToEarningsRatio: pe, netIncomePerShare: eps, dividendYieldPercentage: dividendYieldPercent },
    key_metrics: { marketCap },
    growth: {},
  };
  const values = new Map(
    Object.entries(columns[set]).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  );
  if (values.size === 0) return [];
  return [{ label: toWrittenDay(PACK_DAY), end: PACK_DAY, currency: "USD", values }];
}

/** Closes as they were traded: without real ones nothing is said of what a company was worth. */
function tradedPrice(pack: Pack, { symbol }: Listing): ((day: string) => number | undefined) | undefined {
  const series = pack.series(symbol, "1day");
  if (series?.adjust !== "split") return undefined;
  const { bars } = series;
  return (day) => {
    const number = toDayNumber(day);
    const at = lastOnOrBefore(bars, number);
    const isRecent = at >= 0 && number - Math.floor((bars.t[at] ?? 0) / 86_400) <= 7;
    return isRecent ? bars.c[at] : undefined;
  };
}
