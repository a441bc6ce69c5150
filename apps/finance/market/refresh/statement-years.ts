/**
 * Statement years: rows of frames joined to fiscal years of companies.
 *
 * A period is its start and end and nothing else: values are joined only if these are equal, and a balance belongs to
 * the year that ends on its day.
 */
import type { FrameRow } from "../sources/sec/statements/company-facts.ts";
import { toDayNumber } from "../pack/days.ts";
import type { FrameConcept } from "./frame-concepts.ts";

/** One fiscal year of one company, with values by line. */
export interface StatementYear {
  readonly cik: string;
  readonly start: string;
  readonly end: string;
  readonly fiscalYear: number;
  readonly values: ReadonlyMap<string, number>;
}

/** A frame that was fetched. */
export type FetchedFrame = Readonly<{ concept: FrameConcept; rows: readonly FrameRow[] }>;

const LEAST_DAYS = 330;
const MOST_DAYS = 380;

type Found = { readonly value: number; readonly rank: number };
type Values = Map<string, Found>;

/** The years of all companies, each company's oldest first. */
export function toStatementYears(frames: readonly FetchedFrame[]): readonly StatementYear[] {
  const years = new Map<string, { readonly row: FrameRow & { readonly start: string }; readonly values: Values }>();
  const days = new Map<string, Values>();
  for (const { concept, rows } of frames) {
    for (const row of rows) {
      const { start, cik, end } = row;
      if (concept.span === "day") {
        note(days.get(`${cik} ${end}`) ?? create(days, `${cik} ${end}`), concept, row.value);
      } else if (start !== undefined && isYear(start, end)) {
        const key = `${cik} ${start} ${end}`;
        const entry = years.get(key) ?? { row: { ...row, start }, values: new Map<string, Found>() };
        years.set(key, entry);
        note(entry.values, concept, row.value);
      }
    }
  }
  return [...years.values()]
    .filter(({ values }) => values.has("income.revenue") || values.has("income.netIncome"))
    .map(({ row: { cik, start, end }, values }) => {
      const all = [...values, ...(days.get(`${cik} ${end}`) ?? [])].map(([line, { value }]) => [line, value] as const);
      return { cik, start, end, fiscalYear: toFiscalYear(end), values: new Map(all) };
    })
    .toSorted((a, b) => (a.cik === b.cik ? (a.end < b.end ? -1 : 1) : a.cik < b.cik ? -1 : 1));
}

function create(days: Map<string, Values>, key: string): Values {
  const values: Values = new Map();
  days.set(key, values);
  return values;
}

function note(values: Values, { line, sign, rank }: FrameConcept, raw: number): void {
  const known = values.get(line);
  const value = raw === 0 ? 0 : raw * sign;
  const isBetter = known === undefined || rank < known.rank || (rank === known.rank && value > known.value);
  if (isBetter) values.set(line, { value, rank });
}

function isYear(start: string, end: string): boolean {
  const days = toDayNumber(end) - toDayNumber(start) + 1;
  return days >= LEAST_DAYS && days <= MOST_DAYS;
}

/** The calendar year in which it ends; the one before if that is in the first week of January. */
function toFiscalYear(end: string): number {
  const year = Number(end.slice(0, 4));
  return end.slice(5) <= "01-07" ? year - 1 : year;
}
