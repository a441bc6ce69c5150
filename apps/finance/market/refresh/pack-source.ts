/**
 * Pack source: a pack of `data refresh` as a source of its own: annual statements and what follows from them, rates, and
 * reference rates of currencies. Its answers are as old as the pack, and say so.
 */
import { computeGrowth, computeKeyMetrics, computeRatios } from "../metrics/compute-metrics.ts";
import { PACK_SOURCE } from "../chain/chain-table.ts";
import type { Listing } from "../port/listing.ts";
import type {
  Capabilities,
  FxRate,
  PeriodKind,
  PeriodRow,
  Rate,
  MarketSource,
  StatementKind,
} from "../port/market-data.ts";
import { MarketError } from "../port/market-error.ts";
import { toDayNumber } from "../pack/days.ts";
import type { Pack, PackFx, PackRate, PackYear } from "../pack/pack.ts";
import type { Provenance, Sourced } from "../port/provenance.ts";
import type { PackManifest } from "./pack-folder.ts";

const COMPUTE = { key_metrics: computeKeyMetrics, ratios: computeRatios, growth: computeGrowth } as const;
const DOLLAR = "USD";
/** A day without a rate has that of a day before; holidays are not longer. */
const MAX_AGE_DAYS = 10;

/** The source of a pack. */
export function packSource(pack: Pack, { built_at: builtAt }: Pick<PackManifest, "built_at">): MarketSource {
  const primaries = new Map(pack.companies.map(({ symbol, primary }) => [symbol, primary]));
  const yearsOf = ({ symbol }: Listing) => pack.years(primaries.get(symbol) ?? "");
  let rates: readonly PackRate[] | undefined;
  return {
    name: PACK_SOURCE,
    statements: async ({ listing, statement, period, limit }) => {
      const rows = toRows(requireYears(yearsOf(listing), listing, period), statement);
      return { data: rows.slice(0, limit), provenance: ofStatements(builtAt, rows) };
    },
    metrics: async ({ listing, set, period, limit, price }) => {
      const years = requireYears(yearsOf(listing), listing, period);
      const income = toRows(years, "income");
      const rows = COMPUTE[set]({
        income,
        balance: toRows(years, "balance"),
        cash: toRows(years, "cash_flow"),
        priceAt: (day) => (day === income[0]?.end ? price : undefined),
      }).filter(({ values }) => values.size > 0);
      const provenance = { ...ofStatements(builtAt, income), derived_from: ["statements"] };
      return { data: rows.slice(0, limit), provenance };
    },
    rates: async (query) => {
      rates ??= pack.rates;
      return findRates({ rates, builtAt }, query);
    },
    fx: async (query) => findFx({ pack, builtAt }, query),
  };
}

function requireYears(years: readonly PackYear[], { symbol, name }: Listing, period: PeriodKind): readonly PackYear[] {
  if (years.length === 0) {
    throw new MarketError("no_data", `the pack has no statements of ${symbol} (${name})`, { symbol, isOutside: true });
  }
  if (period === "annual") return years;
  const available = `annual ${years.map(({ fiscalYear }) => `FY${fiscalYear}`).join(", ")}`;
  throw new MarketError("no_data", `the pack has only annual statements of ${symbol}`, {
    symbol,
    available,
    isOutside: true,
  });
}

/** Newest first. */
const toRows = (years: readonly PackYear[], statement: StatementKind): readonly PeriodRow[] =>
  years.toReversed().map((year) => ({
    label: `FY${year.fiscalYear}`,
    start: year.start,
    end: year.end,
    currency: DOLLAR,
    values: withSums(year.values(statement), statement),
  }));

/** Adds the cash flow values that people ask for by another name. */
function withSums(values: ReadonlyMap<string, number>, statement: StatementKind): ReadonlyMap<string, number> {
  const operating = values.get("netCashProvidedByOperatingActivities");
  const spent = values.get("capitalExpenditure");
  if (statement !== "cash_flow" || operating === undefined) return values;
  const free = spent === undefined ? [] : [["freeCashFlow", operating + spent] as const];
  return new Map([...values, ["operatingCashFlow", operating], ...free]);
}

function ofStatements(builtAt: string, rows: readonly PeriodRow[]): Provenance {
  return {
    kind: "history",
    source: PACK_SOURCE,
    url: "https://data.sec.gov/api/xbrl/frames",
    as_of: `${rows[0]?.end ?? builtAt.slice(0, 10)}T00:00:00Z`,
    fetched_at: builtAt,
    note: `frames of the SEC as of ${builtAt.slice(0, 10)}; a year is named by the calendar year in which it ends`,
  };
}

type Rates = Readonly<{ rates: readonly PackRate[]; builtAt: string }>;
type RatesQuery = Parameters<Capabilities["rates"]>[0];

/** A window of days, or the newest day. */
function findRates({ rates, builtAt }: Rates, { series, from, to }: RatesQuery): Sourced<readonly Rate[]> {
  const all = rates.filter((rate) => rate.series === series);
  if (all.length === 0) {
    const message = `the pack has no rates called ${JSON.stringify(series.slice(0, 60))}`;
    throw new MarketError("no_data", message, { isOutside: true });
  }
  const within = all.filter(({ day }) => (from === undefined || day >= from) && (to === undefined || day <= to));
  const newest = within.map(({ day }) => day).reduce((a, b) => (a > b ? a : b), "");
  if (newest === "") {
    const days = all.map(({ day }) => day).toSorted();
    throw new MarketError("no_data", `the pack has no ${series} for these days`, {
      available: `${days[0]} to ${days.at(-1)}`,
      isOutside: true,
    });
  }
  const shown = from === undefined ? within.filter(({ day }) => day === newest) : within;
  return {
    data: shown.map(({ day, name, percent }) => ({ day, name, percent })),
    provenance: dated(builtAt, newest, "in percent"),
  };
}

type FxQuery = Parameters<Capabilities["fx"]>[0];

/** Between any two currencies of the pack, by way of the US dollar. */
function findFx(
  { pack, builtAt }: Readonly<{ pack: Pack; builtAt: string }>,
  { from, to, day }: FxQuery,
): Sourced<FxRate> {
  const [base, quote] = [from.trim().toUpperCase(), to.trim().toUpperCase()];
  const [one, other] = [dollarsTo(pack, base, builtAt), dollarsTo(pack, quote, builtAt)];
  if (one === undefined || other === undefined) {
    const missing = one === undefined ? base : quote;
    throw new MarketError("no_data", `the pack has no rate of ${missing.slice(0, 20)}`, { isOutside: true });
  }
  const oldest = one.day < other.day ? one.day : other.day;
  const ageDays = day === undefined ? 0 : toDayNumber(day) - toDayNumber(oldest);
  if (ageDays < 0 || ageDays > MAX_AGE_DAYS) {
    throw new MarketError("no_data", `the pack has rates of ${oldest} only`, { available: oldest, isOutside: true });
  }
  const isCross = base !== DOLLAR && quote !== DOLLAR;
  const note = `a daily reference rate, not a quote to trade at${isCross ? "; by way of the US dollar" : ""}`;
  return {
    data: { day: oldest, from: base, to: quote, rate: other.rate / one.rate },
    provenance: dated(builtAt, oldest, note),
  };
}

function dollarsTo({ fx }: Pack, currency: string, builtAt: string): PackFx | undefined {
  if (currency === DOLLAR) return { currency, rate: 1, day: builtAt.slice(0, 10) };
  return fx.find((each) => each.currency === currency);
}

const dated = (builtAt: string, day: string, note: string): Provenance => ({
  kind: "snapshot",
  source: PACK_SOURCE,
  as_of: `${day}T00:00:00Z`,
  fetched_at: builtAt,
  note,
});
