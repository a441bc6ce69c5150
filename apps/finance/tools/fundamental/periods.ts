/**
 * Periods: statements and metrics as results show them, newest first, with a figure for every value.
 *
 * A value whose name has no known unit is left out, because nobody could cite it.
 */
import type { Figure, Period } from "@baton/assistant";
import { omitUndefined } from "@baton/core/util";
import type { Listing } from "../../market/port/listing.ts";
import type { Day, PeriodKind, PeriodRow } from "../../market/port/market-data.ts";
import { MarketError } from "../../market/port/market-error.ts";
import { METRICS, type MetricSet } from "../../market/metrics/metrics.ts";
import { addMonths, toDay, toDayNumber } from "../../market/pack/days.ts";
import type { Sourced } from "../../market/port/provenance.ts";
import { addDays, daysFrom } from "../shared/calendar-day.ts";
import { cite } from "../shared/figures.ts";
import { identify, type ListingIdentity } from "../frame/require-listing.ts";

/** One period of a result. */
interface ShownPeriod {
  /** Of several statements, the one whose values these are. */
  readonly statement?: MetricSet;
  readonly label: string;
  readonly start?: Day;
  readonly end: Day;
  readonly filed?: Day;
  readonly currency: string;
  /** Computation of the period, if no filing reports it, or the lines that begin it. */
  readonly derived?: string;
  /** Kind and time of the values, if they are not those of the whole result. */
  readonly origin?: PeriodRow["origin"];
  /** Names are those of `METRICS`. */
  readonly values: Readonly<Record<string, number>>;
}

/** Result of tools for statements and metrics. */
export interface ShownPeriods extends ListingIdentity {
  readonly period: PeriodKind;
  /** Newest first. */
  readonly periods: readonly ShownPeriod[];
}

/** Query for periods of a company. */
export interface PeriodsQuery {
  readonly listing: Listing;
  readonly set: MetricSet;
  readonly period: PeriodKind;
  readonly limit: number;
  readonly ask: (period: PeriodKind, limit: number) => Promise<Sourced<readonly PeriodRow[]>>;
}

/** Metrics of which every period comes before the rest of any. */
const HEADLINES = 5;
/** Lines that come before the rest of another statement. */
const FURTHER = 10;
const MAX_YEARS = 30;

const WORDS: Readonly<Record<MetricSet, string>> = {
  income: "income statements",
  balance: "balance sheets",
  cash_flow: "cash flow statements",
  key_metrics: "key metrics",
  ratios: "ratios",
  growth: "growth rates",
};
const KIND_WORDS: Readonly<Record<PeriodKind, string>> = { annual: "annual", quarter: "quarterly", ttm: "TTM" };

/** The newest periods; if there are only annual ones, the error names their years. */
export async function loadPeriods(query: PeriodsQuery): Promise<Sourced<ShownPeriods>> {
  const { listing, set, period, limit } = query;
  const answer = await askOrNone(query, period, limit);
  if (answer instanceof MarketError) throw await toMissing(query, answer);
  const periods = toShown(answer.data, set).slice(0, limit);
  if (periods.length === 0) throw await toMissing(query);
  return { data: { ...identify(listing), period, periods }, provenance: answer.provenance };
}

/** Every value of these sets: the headlines of each in all periods, then further lines of each, then all else. */
export function toPeriodFigures(data: ShownPeriods, ...sets: readonly MetricSet[]): readonly Figure[] {
  const parts = sets.map((set) => ({ set, names: [...METRICS[set].keys()] }));
  return [
    [0, HEADLINES],
    [HEADLINES, FURTHER],
    [FURTHER, Infinity],
  ].flatMap(([from, to]) => parts.flatMap(({ set, names }) => toSetFigures(data, set, names.slice(from, to))));
}

function toSetFigures({ symbol, periods }: ShownPeriods, set: MetricSet, names: readonly string[]): readonly Figure[] {
  return periods.flatMap((shown, at) => {
    if (shown.statement !== undefined && shown.statement !== set) return [];
    const cited = names.flatMap((name) => {
      const metric = METRICS[set].get(name);
      const path = `data.periods[${at}].values.${name}`;
      if (metric === undefined || !Object.hasOwn(shown.values, name)) return [];
      const period = toPeriod(shown, set, name);
      return [{ path, value: shown.values[name], unit: metric.unit, metric: metric.label, period }];
    });
    const figures = cite({ symbol, currency: shown.currency }, cited);
    return shown.origin === undefined ? figures : figures.map((figure) => ({ ...figure, ...shown.origin }));
  });
}

/** A balance sheet is of a day, all else of a span. The label says that a value is computed and not reported. */
function toPeriod({ start, end, label, derived }: ShownPeriod, set: MetricSet, name: string): Period {
  const told = derived !== undefined && label !== "TTM" && isDerived(derived, name) ? `${label} (derived)` : label;
  return { end, label: told, ...(set === "balance" ? {} : omitUndefined({ start })) };
}

/** `FY2024 − 9 months …` is about all lines, `eps, revenue: FY2024 − …` about those, `eps, …` about more than it names. */
function isDerived(derived: string, name: string): boolean {
  const colon = derived.indexOf(": ");
  const lines = colon === -1 ? "" : derived.slice(0, colon);
  return lines === "" || lines.endsWith("…") || lines.split(", ").includes(name);
}

function toShown(rows: readonly PeriodRow[], set: MetricSet): readonly ShownPeriod[] {
  const shown = rows.map(({ label, start, end, filed, currency, derived, origin, values }) => ({
    label,
    ...omitUndefined({ start }),
    end,
    ...omitUndefined({ filed }),
    currency,
    ...omitUndefined({ derived, origin }),
    values: Object.fromEntries(toValues(values, set)),
  }));
  const newestFirst = shown
    .filter(({ values }) => Object.keys(values).length > 0)
    .toSorted((a, b) => (a.end < b.end ? 1 : -1));
  return newestFirst.map((row, at) => ({
    ...row,
    ...omitUndefined({ start: row.start ?? findStart(row, newestFirst[at + 1]) }),
  }));
}

/** A period begins the day after the one before it, if that is the one right before it; else by the calendar. */
function findStart({ label, end }: ShownPeriod, before: ShownPeriod | undefined): Day | undefined {
  const isQuarter = label.startsWith("Q");
  const [least, most] = isQuarter ? [80, 105] : [350, 380];
  const days = before === undefined ? Infinity : daysFrom(before.end, end);
  if (before !== undefined && days >= least && days <= most) return addDays(before.end, 1);
  // a shorter one is a year that was changed
  if (days < least) return undefined;
  return label === "TTM" || isMonthEnd(end) ? toMonthsBefore(addDays(end, 1), isQuarter ? 3 : 12) : undefined;
}

/** Only then a fiscal year or quarter is one of whole months; others count in weeks. */
const isMonthEnd = (day: Day): boolean => addDays(day, 1).endsWith("-01");

const toMonthsBefore = (day: Day, months: number): Day => toDay(addMonths(toDayNumber(day), -months));

function toValues(values: ReadonlyMap<string, number>, set: MetricSet): readonly (readonly [string, number])[] {
  return [...METRICS[set].keys()].flatMap((name) => {
    const value = values.get(name);
    // FMP says 0 if there was no interest to cover
    const isUnknown =
      value === undefined || !Number.isFinite(value) || (name === "interestCoverageRatio" && value === 0);
    return isUnknown ? [] : [[name, value] as const];
  });
}

type Answer = Sourced<readonly PeriodRow[]>;

/** The answer; an error that says that there is none is returned. */
async function askOrNone({ ask }: PeriodsQuery, period: PeriodKind, limit: number): Promise<Answer | MarketError> {
  try {
    return await ask(period, limit);
  } catch (thrown) {
    if (thrown instanceof MarketError && thrown.kind === "no_data") return thrown;
    throw thrown;
  }
}

/** Why there is nothing, with the years there are if the source has not said so. */
async function toMissing(query: PeriodsQuery, said?: MarketError): Promise<MarketError> {
  const { listing, set, period } = query;
  const message = `there are no ${KIND_WORDS[period]} ${WORDS[set]} of ${listing.symbol} (${listing.name})`;
  const known = said ?? new MarketError("no_data", message, { symbol: listing.symbol });
  if (period === "annual" || known.details.available !== undefined) return known;
  const available = await findYears(query);
  if (available === undefined) return known;
  const details = { ...known.details, symbol: listing.symbol, available };
  return new MarketError("no_data", `${message}; there are ${available}`, details);
}

/** `annual FY2014, FY2015, FY2016`; undefined if that is not available either. */
async function findYears(query: PeriodsQuery): Promise<string | undefined> {
  const answer = await askOrNone(query, "annual", MAX_YEARS);
  if (answer instanceof MarketError) return undefined;
  const labels = toShown(answer.data, query.set).map(({ label }) => label);
  return labels.length === 0 ? undefined : `annual ${labels.toReversed().join(", ")}`;
}
