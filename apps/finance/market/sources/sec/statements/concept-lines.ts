/**
 * Concept lines: which concepts of US GAAP and IFRS stand for which line of a statement, in FMP's names.
 *
 * Companies change concepts over the years, so each line has several; which one is used is decided for each period.
 * Money that is paid is negative in cash flow statements, as FMP has it.
 */
import type { StatementKind } from "../../../port/market-data.ts";
import { readTable, toNames } from "../../../tables.ts";

const MEASURES = ["flow", "instant", "per_share", "shares"] as const;

/** Measure of a line: money of a span, of a day, per share, or a number of shares. */
export type LineMeasure = (typeof MEASURES)[number];

/** One line of a statement. A name that begins with # is only for computing others. */
export interface ConceptLine {
  readonly name: string;
  readonly measure: LineMeasure;
  /** The first of these that a period has; of those in one inner list, the largest, which is the total of the others. */
  readonly concepts: readonly (readonly string[])[];
  readonly sign: 1 | -1;
}

const ROWS = readTable("concepts");

const linesOf = (statement: string): readonly ConceptLine[] =>
  ROWS.filter(([of]) => of === statement).map(([, name = "", measure = "", concepts]) => ({
    name,
    measure: MEASURES.find((known) => measure.endsWith(known)) ?? "flow",
    sign: measure.startsWith("-") ? -1 : 1,
    concepts: toNames(concepts).map((several) => several.split("|").map(toConcept)),
  }));

const toConcept = (name: string): string =>
  name.startsWith("ifrs:") ? name.replace("ifrs:", "ifrs-full:") : `us-gaap:${name}`;

/** The lines of each statement. */
export const CONCEPT_LINES: Readonly<Record<StatementKind, readonly ConceptLine[]>> = {
  income: linesOf("income"),
  balance: linesOf("balance"),
  cash_flow: linesOf("cash_flow"),
};

/** Dividends that were declared, per share. */
export const DIVIDEND_LINES: readonly ConceptLine[] = linesOf("dividend");

/** Lines whose periods are those of the company's statements. */
export const CALENDAR_LINES: readonly ConceptLine[] = linesOf("calendar");

/** Every concept that some line has. */
export const CONCEPTS: ReadonlySet<string> = new Set(
  [...Object.values(CONCEPT_LINES).flat(), ...DIVIDEND_LINES].flatMap(({ concepts }) => concepts.flat()),
);
