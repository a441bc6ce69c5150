/**
 * Fiscal calendar: the fiscal years and quarters of a company, derived from the periods that its statements report.
 *
 * `fy` and `fp` of a fact are those of the filing it stands in, so a period is named by where it lies in its fiscal
 * year. Only the number of the year follows the company's own filings, because companies count years differently.
 */
import { CALENDAR_LINES } from "./concept-lines.ts";
import { fromNumber, spanOf } from "./day-number.ts";
import { type FactTable, SLACK_DAYS, type TableFact } from "./fact-table.ts";

/** One fiscal year or quarter. Days are numbers. */
export interface FiscalPeriod {
  readonly label: string;
  readonly start: number;
  readonly end: number;
}

/** A quarter, its place in a count of all quarters, and the first day of its fiscal year. */
export interface FiscalQuarter extends FiscalPeriod {
  /** Year × 4 + quarter − 1: consecutive quarters have consecutive numbers. */
  readonly index: number;
  readonly yearStart: number;
}

/** The periods of a company, newest first. */
export interface FiscalCalendar {
  readonly years: readonly FiscalPeriod[];
  readonly quarters: readonly FiscalQuarter[];
}

type Span = Readonly<{ start: number; end: number }>;
type Year = Span & Readonly<{ year: number }>;
type Fact = TableFact & Span;

const QUARTER_DAYS = 91.31;
const YEAR_DAYS = 365.25;
const WEEK = 7;

/** The calendar of the company whose facts these are. */
export function toFiscalCalendar(table: FactTable): FiscalCalendar {
  const facts = CALENDAR_LINES.flatMap((line) => table.all(line)).filter((fact) => isSpan(fact));
  const years = toYears(facts);
  const quarters = toQuarters(facts, years);
  return {
    years: years.map(({ start, end, year }) => ({ label: `FY${year}`, start, end })).toReversed(),
    quarters: quarters.toReversed(),
  };
}

const isSpan = (fact: TableFact): fact is Fact => fact.start !== undefined;

/** Fiscal years, oldest first. A rolling year in a quarterly report is not a fiscal year. */
function toYears(facts: readonly Fact[]): readonly Year[] {
  const reported = facts.filter((fact) => spanOf(fact.start, fact.end) === "year" && !isInterim(fact.form));
  const spans: Span[] = [];
  for (const span of bySupport(reported)) if (!spans.some((known) => overlaps(known, span))) spans.push(span);
  const newest = spans.reduce((last, { end }) => Math.max(last, end), 0);
  const count: Count = (end) => nominalYear(newest) - Math.round((newest - end) / YEAR_DAYS);
  const shift = toShift(reported, facts, count);
  return spans.map(({ start, end }) => ({ start, end, year: count(end) + shift })).toSorted((a, b) => a.end - b.end);
}

/** The number of a year by its end. Years of 52 and 53 weeks drift, so they are counted from the newest. */
type Count = (end: number) => number;

const isInterim = (form: string): boolean => form.startsWith("10-Q") || form.startsWith("6-K");

/** A year that ends in the first days of January is the year before. */
const nominalYear = (end: number): number => Number(fromNumber(end - WEEK).slice(0, 4));

/** By how much the company's own count of years differs from the year in which they end, as most of its filings say. */
function toShift(years: readonly Fact[], facts: readonly Fact[], count: Count): number {
  const ends = new Map<string, number>();
  for (const { accession, end } of facts) ends.set(accession, Math.max(end, ends.get(accession) ?? end));
  const votes = new Map<number, number>();
  for (const { accession, end, filingYear } of years) {
    // Only the newest period of a filing is the one that the filing's year names.
    if (filingYear === undefined || ends.get(accession) !== end) continue;
    const shift = filingYear - count(end);
    if (Math.abs(shift) <= 1) votes.set(shift, (votes.get(shift) ?? 0) + 1);
  }
  const [winner] = [...votes].toSorted(([one, a], [other, b]) => b - a || Math.abs(one) - Math.abs(other));
  return winner?.[0] ?? 0;
}

/** Quarters, oldest first: those that are reported, and those between two ends of years to date. */
function toQuarters(facts: readonly Fact[], years: readonly Year[]): readonly FiscalQuarter[] {
  const direct = facts.filter((fact) => spanOf(fact.start, fact.end) === "quarter");
  if (direct.length === 0) return [];
  const ends = new Map<number, Span>();
  for (const span of bySupport(direct)) {
    const index = toIndex(span.end, years);
    if (!ends.has(index)) ends.set(index, span);
  }
  for (const fact of bySupport(facts).toSorted((a, b) => a.end - b.end)) {
    const index = toIndex(fact.end, years);
    const before = ends.get(index - 1);
    const isToDate = isStart(fact.start, index, { ends, years });
    if (ends.has(index) || before === undefined || !isToDate) continue;
    const span = { start: before.end + 1, end: fact.end };
    if (spanOf(span.start, span.end) === "quarter") ends.set(index, span);
  }
  return [...ends]
    .toSorted(([one], [other]) => one - other)
    .map(([index, span]) => ({
      ...span,
      index,
      label: `Q${(index % 4) + 1} ${Math.floor(index / 4)}`,
      yearStart: toYearStart(index, { ends, years }) ?? span.start,
    }));
}

type Known = Readonly<{ ends: ReadonlyMap<number, Span>; years: readonly Year[] }>;

function isStart(start: number, index: number, known: Known): boolean {
  const first = toYearStart(index, known);
  return first !== undefined && Math.abs(first - start) <= SLACK_DAYS;
}

/** The first day of the fiscal year that a quarter belongs to. */
function toYearStart(index: number, { ends, years }: Known): number | undefined {
  const year = Math.floor(index / 4);
  const own = years.find((known) => known.year === year);
  const before = years.find((known) => known.year === year - 1);
  return own?.start ?? (before === undefined ? undefined : before.end + 1) ?? ends.get(year * 4)?.start;
}

/** Where a quarter with this end lies, counted from the nearest end of a fiscal year. */
function toIndex(end: number, years: readonly Year[]): number {
  const nearest = years.toSorted((a, b) => Math.abs(a.end - end) - Math.abs(b.end - end))[0];
  const fallback = { end: Date.UTC(nominalYear(end), 11, 31) / 86_400_000, year: nominalYear(end) };
  const { end: yearEnd, year } = nearest ?? fallback;
  return year * 4 + 3 + Math.round((end - yearEnd) / QUARTER_DAYS);
}

/** Spans, the most often reported first. */
function bySupport(facts: readonly Fact[]): readonly Span[] {
  const counts = new Map<string, Span & { count: number }>();
  for (const { start, end } of facts) {
    const key = `${start} ${end}`;
    counts.set(key, { start, end, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  return [...counts.values()].toSorted((a, b) => b.count - a.count || b.end - a.end || b.start - a.start);
}

const overlaps = (a: Span, b: Span): boolean => Math.min(a.end, b.end) - Math.max(a.start, b.start) > 31;
