/**
 * Answer statements: statements, and the metrics that follow from them. Real companies have the years of the pack and
 * nothing else; made-up ones have quarters and years.
 */
import { computeGrowth, computeKeyMetrics, computeRatios } from "../metrics/compute-metrics.ts";
import type { Listing } from "../port/listing.ts";
import type { Capabilities, MetricsQuery, PeriodKind, PeriodRow, StatementKind } from "../port/market-data.ts";
import { MarketError } from "../port/market-error.ts";
import { toDayNumber } from "../pack/days.ts";
import type { PackYear } from "../pack/pack.ts";
import type { Provenance, Sourced } from "../port/provenance.ts";
import { type Quarter, toQuarterRow, toYearRow } from "./books.ts";
import { closeOf } from "./trading-days.ts";
import { lastOnOrBefore } from "./window.ts";
import { notEmbedded, onlyLive, simulated, STOCK_SWITCH, type World } from "./world.ts";

const COMPUTE = { key_metrics: computeKeyMetrics, ratios: computeRatios, growth: computeGrowth } as const;

const REAL_NOTE =
  "annual statements FY2012 to FY2016 that add up; liabilities include minority interest; EPS is basic and as reported";

/** What the embedded source answers about a company's accounts. */
export function statementCapabilities(world: World): Pick<Capabilities, "statements" | "metrics"> {
  return {
    statements: async ({ listing, statement, period, limit }) => {
      const { rows, provenance } = allRows(world, { listing, statement, period });
      return { data: rows.slice(0, limit), provenance };
    },
    metrics: async (query) => metrics(world, query),
  };
}

interface Wanted {
  readonly listing: Listing;
  readonly statement: StatementKind;
  readonly period: PeriodKind;
}

/** All periods of one statement, newest first. */
function allRows(world: World, wanted: Wanted): { rows: readonly PeriodRow[]; provenance: Provenance } {
  const { listing, statement, period } = wanted;
  const company = world.companies.get(listing.symbol);
  if (company !== undefined) {
    const rows = companyRows(company.quarters, statement, period).toReversed();
    return { rows, provenance: simulated(`${listing.name} is a made-up company`) };
  }
  const rows = realRows(world, wanted).toReversed();
  const provenance: Provenance = {
    kind: "history",
    source: "embedded",
    as_of: closeOf(rows[0]?.end ?? ""),
    note: REAL_NOTE,
  };
  return { rows, provenance };
}

function realRows({ pack }: World, { listing, statement, period }: Wanted): readonly PeriodRow[] {
  const years = pack.years(listing.symbol);
  if (years.length === 0) {
    throw pack.indexOf(listing.symbol) === undefined ? notEmbedded(listing) : onlyLive(listing, "statements");
  }
  if (period !== "annual") {
    const list = years.map(({ fiscalYear }) => `FY${fiscalYear}`).join(", ");
    throw new MarketError("no_data", `${listing.symbol} has only annual statements in the embedded data: ${list}`, {
      symbol: listing.symbol,
      available: `annual ${list}`,
      enable: STOCK_SWITCH,
    });
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
    add("ebitda", value("ebit"), year.values("cash_flow").get("depreciationAndAmortization"));
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

function companyRows(quarters: readonly Quarter[], statement: StatementKind, period: PeriodKind): readonly PeriodRow[] {
  if (period === "quarter") return quarters.map((quarter) => toQuarterRow(quarter, statement));
  if (period === "ttm") return [toYearRow(quarters.slice(-4), statement, "TTM")];
  return [...Map.groupBy(quarters, ({ year }) => year)]
    .filter(([, ofYear]) => ofYear.length === 4)
    .map(([year, ofYear]) => toYearRow(ofYear, statement, `FY${year}`));
}

function metrics(world: World, { listing, set, period, limit }: MetricsQuery): Sourced<readonly PeriodRow[]> {
  const rows = (statement: StatementKind) => allRows(world, { listing, statement, period });
  const { rows: income, provenance } = rows("income");
  const price = realPrice(world, listing);
  const computed = COMPUTE[set]({
    income,
    balance: rows("balance").rows,
    cash: rows("cash_flow").rows,
    ...(price === undefined ? {} : { priceAt: price }),
  });
  return {
    data: computed.filter(({ values }) => values.size > 0).slice(0, limit),
    provenance: { ...provenance, derived_from: ["statements"] },
  };
}

/** Closes as they were traded: without real ones nothing is said of what a company was worth. */
function realPrice({ pack }: World, { symbol }: Listing): ((day: string) => number | undefined) | undefined {
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
