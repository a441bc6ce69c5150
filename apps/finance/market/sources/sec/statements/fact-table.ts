/**
 * Fact table: finds what a company reported for a period, which is its start and its end and nothing else.
 *
 * If several filings report a period, the one filed last counts, and the table knows what was first reported. Ends may
 * differ by a few days between filings, because years of 52 or 53 weeks are at times written as calendar months.
 */
import type { CompanyFacts } from "./company-facts.ts";
import type { ConceptLine, LineMeasure } from "./concept-lines.ts";
import { toNumber } from "./day-number.ts";

/** A span of days; without a start it is one day. Days are numbers. */
export type DaySpan = Readonly<{ start?: number; end: number }>;

/** A reported value with its days as numbers. */
export interface TableFact extends DaySpan {
  readonly value: number;
  readonly filed: string;
  readonly form: string;
  readonly accession: string;
  readonly filingYear: number | undefined;
}

/** Fact that counts for a line in a period. */
export interface ReportedFact {
  readonly value: number;
  readonly concept: string;
  readonly filed: string;
  readonly form: string;
  /** Value that was reported first, if it differs. */
  readonly restatedFrom?: Readonly<{ value: number; filed: string }>;
  readonly firstFiled: string;
}

/** Two ends, or two starts, that are this close are the same. */
export const SLACK_DAYS = 6;

/** The facts of one company in the currency of its statements. */
export class FactTable {
  readonly currency: string;
  readonly #facts: CompanyFacts;
  readonly #tables = new Map<string, readonly TableFact[]>();

  constructor(facts: CompanyFacts, currency: string) {
    this.#facts = facts;
    this.currency = currency;
  }

  /** Every fact of a line, of any of its concepts. */
  all({ concepts, measure }: ConceptLine): readonly TableFact[] {
    return concepts.flat().flatMap((concept) => this.#of(concept, measure));
  }

  /** Finds the fact that counts for a line in a period. */
  find({ concepts, measure }: ConceptLine, span: DaySpan): ReportedFact | undefined {
    for (const group of concepts) {
      const found = group.flatMap((concept) => this.findBy({ concept, measure }, span) ?? []);
      const [largest] = found.toSorted((a, b) => b.value - a.value);
      if (largest !== undefined) return largest;
    }
    return undefined;
  }

  /** The same for one concept. */
  findBy(
    { concept, measure }: Readonly<{ concept: string; measure: LineMeasure }>,
    span: DaySpan,
  ): ReportedFact | undefined {
    const facts = this.#of(concept, measure).filter((fact) => isSame(fact, span));
    const last = facts.at(-1);
    const [first] = facts;
    if (last === undefined || first === undefined) return undefined;
    const { value, filed, form } = last;
    const isRestated = first.value !== value && first.filed < filed;
    return {
      value,
      concept,
      filed,
      form,
      firstFiled: first.filed,
      ...(isRestated ? { restatedFrom: { value: first.value, filed: first.filed } } : {}),
    };
  }

  /** In the order in which they were filed. */
  #of(concept: string, measure: LineMeasure): readonly TableFact[] {
    const unit = toUnit(measure, this.currency);
    const key = `${concept} ${unit}`;
    const known = this.#tables.get(key);
    if (known !== undefined) return known;
    const facts = this.#facts.concepts.get(concept)?.get(unit) ?? [];
    const table = facts
      .map(({ start, end, value, filed, form, accession, filingYear }): TableFact => ({
        ...(start === undefined ? {} : { start: toNumber(start) }),
        end: toNumber(end),
        value,
        filed,
        form,
        accession,
        filingYear,
      }))
      .toSorted(byFiling);
    this.#tables.set(key, table);
    return table;
  }
}

/** A total order, so that the order of the answer does not matter. */
function byFiling(a: TableFact, b: TableFact): number {
  if (a.filed !== b.filed) return a.filed < b.filed ? -1 : 1;
  if (a.accession !== b.accession) return a.accession < b.accession ? -1 : 1;
  return a.value - b.value;
}

function isSame(a: DaySpan, b: DaySpan): boolean {
  if (Math.abs(a.end - b.end) > SLACK_DAYS) return false;
  if (a.start === undefined || b.start === undefined) return a.start === b.start;
  return Math.abs(a.start - b.start) <= SLACK_DAYS;
}

function toUnit(measure: LineMeasure, currency: string): string {
  if (measure === "shares") return "shares";
  return measure === "per_share" ? `${currency}/shares` : currency;
}

/** The currency of the newest statements; a translation for convenience covers fewer periods than the real one. */
export function toCurrency({ concepts }: CompanyFacts, lines: readonly ConceptLine[]): string {
  const seen = new Map<string, { newest: string; count: number }>();
  for (const concept of new Set(lines.flatMap((line) => line.concepts.flat()))) {
    for (const [unit, facts] of concepts.get(concept) ?? []) {
      if (!/^[A-Z]{3}$/.test(unit)) continue;
      const { newest, count } = seen.get(unit) ?? { newest: "", count: 0 };
      const ends = facts.map(({ end }) => end);
      const latest = ends.reduce((a, b) => (a > b ? a : b), newest);
      seen.set(unit, { newest: latest, count: count + facts.length });
    }
  }
  const [first] = [...seen].toSorted(([one, a], [other, b]) => {
    if (a.newest !== b.newest) return a.newest < b.newest ? 1 : -1;
    return b.count - a.count || (one < other ? -1 : 1);
  });
  return first?.[0] ?? "USD";
}
