/**
 * Line values: the value of a line in a fiscal year, a quarter or four quarters.
 *
 * What a filing reports counts. A quarter that no filing reports, as most fourth quarters and most quarters of cash flow
 * statements, is the year to date minus the year to date before, and says so.
 */
import type { ConceptLine } from "./concept-lines.ts";
import { CONCEPT_LINES } from "./concept-lines.ts";
import type { DaySpan, FactTable, ReportedFact } from "./fact-table.ts";
import type { FiscalQuarter } from "./fiscal-calendar.ts";

/** A value, the filings it comes from, and how it was computed if no filing reports it. */
export interface LineValue {
  readonly value: number;
  readonly filed: string;
  readonly firstFiled: string;
  readonly isDerived: boolean;
  readonly sources: readonly ReportedFact[];
}

/** Source of the values. Quarters are found by their index. */
export interface LineBooks {
  readonly table: FactTable;
  readonly quarters: ReadonlyMap<number, FiscalQuarter>;
}

type Span = Readonly<{ start: number; end: number }>;

/** A split of shares changes their number by more than a company buys back or issues in a year. */
const MAX_SHARE_CHANGE = 1.4;
const SHARES = CONCEPT_LINES.income.filter(({ measure }) => measure === "shares");

/** Returns the value that filings report for the line in this very period. */
export function reportedValue({ table }: LineBooks, line: ConceptLine, span: DaySpan): LineValue | undefined {
  const found = table.find(line, span);
  return found === undefined ? undefined : toValue(found, found.value * line.sign);
}

/** The value of a quarter. */
export function quarterValue(books: LineBooks, line: ConceptLine, quarter: FiscalQuarter): LineValue | undefined {
  const reported = reportedValue(books, line, quarter);
  if (reported !== undefined) return reported;
  const before = books.quarters.get(quarter.index - 1);
  if (quarter.index % 4 === 0 || before === undefined) return undefined;
  const whole = { start: quarter.yearStart, end: quarter.end };
  const part = { start: quarter.yearStart, end: before.end };
  const year = books.table.find(line, whole);
  if (year === undefined) return undefined;
  const base = findBase(books, line, { part, concept: year.concept, before });
  if (base === undefined) return undefined;
  const value = toDifference(books, line, { whole, part, year: year.value * line.sign, base: base.value });
  if (value === undefined) return undefined;
  return join(value, [toValue(year, year.value), base]);
}

/** The sum of a line over four quarters; of shares their mean. */
export function yearlyValue(
  books: LineBooks,
  line: ConceptLine,
  quarters: readonly FiscalQuarter[],
): LineValue | undefined {
  const values = quarters.flatMap((quarter) => quarterValue(books, line, quarter) ?? []);
  if (values.length !== 4) return undefined;
  if (line.measure === "per_share" && !isSteady(quarters.map((quarter) => toShares(books, quarter)))) return undefined;
  const sum = values.reduce((total, { value }) => total + value, 0);
  return join(line.measure === "shares" ? sum / 4 : tidy(line, sum), values);
}

type Base = Readonly<{ part: Span; concept: string; before: FiscalQuarter }>;

/** The year to date before the quarter: by the same concept if it can be, else by any, else as a sum of quarters. */
function findBase(books: LineBooks, line: ConceptLine, { part, concept, before }: Base): LineValue | undefined {
  const same = books.table.findBy({ concept, measure: line.measure }, part);
  const found = same ?? books.table.find(line, part);
  if (found !== undefined) return toValue(found, found.value * line.sign);
  const count = (before.index % 4) + 1;
  const quarters = Array.from({ length: count }, (_, at) => books.quarters.get(before.index - at));
  const values = quarters.flatMap((quarter) =>
    quarter === undefined ? [] : (quarterValue(books, line, quarter) ?? []),
  );
  if (values.length !== count) return undefined;
  const sum = values.reduce((total, { value }) => total + value, 0);
  return join(line.measure === "shares" ? sum / count : sum, values);
}

type Difference = Readonly<{ whole: Span; part: Span; year: number; base: number }>;

function toDifference(books: LineBooks, line: ConceptLine, parts: Difference): number | undefined {
  const { whole, part, year, base } = parts;
  if (line.measure === "flow") return year - base;
  if (line.measure === "per_share") {
    const isComparable = isSteady([toShares(books, whole), toShares(books, part)]);
    return isComparable ? tidy(line, year - base) : undefined;
  }
  if (!isSteady([year, base])) return undefined;
  // An average over the year is the averages of its parts, weighted by their days.
  const wholeDays = whole.end - whole.start + 1;
  const partDays = part.end - part.start + 1;
  return Math.round((year * wholeDays - base * partDays) / (wholeDays - partDays));
}

function toShares({ table }: LineBooks, span: Span): number | undefined {
  for (const line of SHARES) {
    const found = table.find(line, span);
    if (found !== undefined) return found.value;
  }
  return undefined;
}

/** Whether numbers of shares, as far as they are known, are before or after the same splits. */
function isSteady(shares: readonly (number | undefined)[]): boolean {
  const known = shares.filter((count) => count !== undefined);
  return known.length < 2 || Math.max(...known) <= MAX_SHARE_CHANGE * Math.min(...known);
}

/** 6.13 − 5.16 is 0.9699999999999998. */
const tidy = (line: ConceptLine, value: number): number =>
  line.measure === "per_share" ? Number(value.toFixed(6)) : value;

const toValue = (found: ReportedFact, value: number): LineValue => ({
  value,
  filed: found.filed,
  firstFiled: found.firstFiled,
  isDerived: false,
  sources: [found],
});

function join(value: number, parts: readonly LineValue[]): LineValue {
  const latest = (days: readonly string[]) => days.reduce((a, b) => (a > b ? a : b), "");
  return {
    value,
    filed: latest(parts.map(({ filed }) => filed)),
    firstFiled: latest(parts.map(({ firstFiled }) => firstFiled)),
    isDerived: true,
    sources: parts.flatMap(({ sources }) => sources),
  };
}
