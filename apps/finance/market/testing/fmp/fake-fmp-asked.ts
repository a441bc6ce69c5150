/**
 * Fake FMP asked: one question to the fake, read, and the rows that answer it.
 */

/** One question. */
export interface Asked {
  readonly path: string;
  readonly symbol: string;
  readonly query: ReadonlyMap<string, string>;
  /** The last day with data. */
  readonly today: string;
}

/** Rows as they go out. */
export type Rows = readonly Readonly<Record<string, unknown>>[];
