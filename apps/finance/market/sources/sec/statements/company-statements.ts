/**
 * Company statements: the statements of one company by year, by quarter and for the last four quarters, from what its
 * filings report, and what is to be said of them: which were restated, which are computed.
 */
import type { PeriodKind, PeriodRow, StatementKind } from "../../../port/market-data.ts";
import type { CompanyFacts } from "./company-facts.ts";
import { completeLines } from "./complete-lines.ts";
import { CALENDAR_LINES, CONCEPT_LINES, type ConceptLine } from "./concept-lines.ts";
import { fromNumber } from "./day-number.ts";
import { FactTable, toCurrency } from "./fact-table.ts";
import { type FiscalCalendar, type FiscalPeriod, type FiscalQuarter, toFiscalCalendar } from "./fiscal-calendar.ts";
import { type LineBooks, type LineValue, quarterValue, reportedValue, yearlyValue } from "./line-values.ts";

/** A row with what its values were computed from, and which of them were restated. */
export interface StatedRow {
  readonly row: PeriodRow;
  readonly derivedFrom: readonly string[];
  readonly restated: readonly Restated[];
}

/** A value that a later filing changed. */
type Restated = Readonly<{ line: string; form: string; filed: string }>;

/** One company's books, ready to be read. */
export interface CompanyBooks extends LineBooks {
  readonly calendar: FiscalCalendar;
}

/** Opens the books of a company. */
export function openBooks(facts: CompanyFacts): CompanyBooks {
  const table = new FactTable(facts, toCurrency(facts, CALENDAR_LINES));
  const calendar = toFiscalCalendar(table);
  return { table, calendar, quarters: new Map(calendar.quarters.map((quarter) => [quarter.index, quarter])) };
}

/** Rows of one statement, newest first; a period without any value of it is left out. */
export function statedRows(books: CompanyBooks, statement: StatementKind, period: PeriodKind): readonly StatedRow[] {
  const { calendar } = books;
  if (period === "annual") return calendar.years.flatMap((year) => toAnnual(books, statement, year));
  if (period === "quarter") return calendar.quarters.flatMap((quarter) => toQuarterly(books, statement, quarter));
  return calendar.quarters.flatMap((quarter) => toTrailing(books, statement, quarter));
}

type Read = (line: ConceptLine) => LineValue | undefined;
type Head = Readonly<{ label: string; start: number; end: number; derived?: string; derivedFrom?: readonly string[] }>;

function toAnnual(books: CompanyBooks, statement: StatementKind, year: FiscalPeriod): readonly StatedRow[] {
  const span = statement === "balance" ? { end: year.end } : year;
  return toRow(books, { statement, head: year, read: (line) => reportedValue(books, line, span) });
}

function toQuarterly(books: CompanyBooks, statement: StatementKind, quarter: FiscalQuarter): readonly StatedRow[] {
  if (statement === "balance") {
    return toRow(books, { statement, head: quarter, read: (line) => reportedValue(books, line, { end: quarter.end }) });
  }
  const parts = toParts(books, quarter);
  const head = { ...quarter, derived: parts.join(" − "), derivedFrom: parts };
  return toRow(books, { statement, head, read: (line) => quarterValue(books, line, quarter) });
}

/** Names the periods from which an unreported quarter is computed: `FY2024`, `9 months to 2024-06-29`. */
function toParts({ quarters }: CompanyBooks, quarter: FiscalQuarter): readonly string[] {
  const before = quarters.get(quarter.index - 1);
  const months = ((quarter.index % 4) + 1) * 3;
  if (before === undefined || months === 3) return [];
  const year = Math.floor(quarter.index / 4);
  const whole = months === 12 ? `FY${year}` : `${months} months to ${fromNumber(quarter.end)}`;
  return [whole, `${months - 3} months to ${fromNumber(before.end)}`];
}

/** The four quarters that end with this one. */
function toTrailing(books: CompanyBooks, statement: StatementKind, newest: FiscalQuarter): readonly StatedRow[] {
  const quarters = [0, 1, 2, 3].flatMap((back) => books.quarters.get(newest.index - back) ?? []);
  const first = quarters.at(-1);
  if (first === undefined || quarters.length !== 4) return [];
  if (statement === "balance") {
    const head = { label: "TTM", start: newest.end, end: newest.end };
    return toRow(books, { statement, head, read: (line) => reportedValue(books, line, { end: newest.end }) });
  }
  const labels = quarters.map(({ label }) => label);
  const derived = labels.toReversed().join(" + ");
  const head = { label: "TTM", start: first.start, end: newest.end, derived, derivedFrom: labels };
  return toRow(books, { statement, head, read: (line) => yearlyValue(books, line, quarters) });
}

type Draft = Readonly<{ statement: StatementKind; head: Head; read: Read }>;

function toRow({ table }: CompanyBooks, { statement, head, read }: Draft): readonly StatedRow[] {
  const found = CONCEPT_LINES[statement].flatMap((line) => {
    const value = read(line);
    return value === undefined ? [] : [{ name: line.name, ...value }];
  });
  if (found.length === 0) return [];
  const values = completeLines(statement, new Map(found.map(({ name, value }) => [name, value])));
  const isDerived = found.some((value) => value.isDerived) && head.derived !== undefined && head.derived !== "";
  const filed = found.map((value) => value.filed).reduce((a, b) => (a > b ? a : b));
  const row: PeriodRow = {
    label: head.label,
    ...(statement === "balance" ? {} : { start: fromNumber(head.start) }),
    end: fromNumber(head.end),
    filed,
    currency: table.currency,
    ...(isDerived && head.derived !== undefined ? { derived: toDerived(head.derived, found) } : {}),
    values,
  };
  const restated = found.flatMap(({ name, sources }) =>
    sources.flatMap((source) =>
      source.restatedFrom === undefined ? [] : [{ line: name, form: source.form, filed: source.filed }],
    ),
  );
  return [{ row, derivedFrom: isDerived ? (head.derivedFrom ?? []) : [], restated }];
}

/** `FY2024 − 9 months to 2024-06-29`; with the names of the lines if the others are reported. */
function toDerived(how: string, found: readonly (LineValue & Readonly<{ name: string }>)[]): string {
  const names = found.filter(({ isDerived }) => isDerived).map(({ name }) => name);
  if (names.length === found.length) return how;
  const shown = names.filter((name) => !name.startsWith("#")).slice(0, 5);
  return `${shown.join(", ")}${names.length > shown.length ? " …" : ""}: ${how}`;
}
