/**
 * Fact: a figure that a tool found, with all that is needed to cite it: whose it is, what it measures, in which unit,
 * for which period, and from which source.
 *
 * A fact's id is its position: the fourth fact of call 3.2.1 is `f3.2.1.4`.
 */

/** The unit of a number. A percentage is always `percent` (12.5 means 12.5 %), never a fraction. */
export type Unit =
  | "money" // an amount in `currency`
  | "money/share" // a price, EPS or dividend, in `currency`
  | "money/coin"
  | "percent"
  | "ratio" // a pure number: P/E, beta, Sharpe
  | "shares"
  | "coins"
  | "points" // of an index, or of an indicator such as RSI
  | "count"
  | "days";

/** The kind of the data behind a value. */
export type DataKind = "live" | "delayed" | "snapshot" | "history";

/** A span of days, both included, as YYYY-MM-DD; a moment has only an end. */
export type Period = Readonly<{ start?: string; end: string; label?: string }>;

/** A number that a tool declares in its result. */
export interface Figure {
  /** Its path in the result, such as `data.rows[3].price`. */
  readonly path: string;
  readonly value: number;
  readonly unit: Unit;
  /** ISO 4217, for every unit that has money in it. */
  readonly currency?: string;
  readonly symbol: string;
  /** The measured quantity, as people say it: `RSI(14)`, `revenue`. */
  readonly metric: string;
  readonly period?: Period;
  /** If it differs from the result's; so do the next two. */
  readonly asOf?: string;
  readonly kind?: DataKind;
  readonly source?: string;
}

/** A figure that can be cited. */
export interface Fact extends Omit<Figure, "asOf"> {
  readonly id: string;
  readonly call: string;
  /** RFC 3339 with its offset. */
  readonly as_of: string;
  readonly kind: DataKind;
  readonly source: string;
  /** The expression, if `calculate` made it. */
  readonly formula?: string;
}
