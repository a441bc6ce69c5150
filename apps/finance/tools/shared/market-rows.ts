/**
 * Market rows: lists of stocks, funds, indices and coins as results show them, with a figure for every number.
 */
import type { Figure } from "@baton/assistant";
import { omitUndefined } from "@baton/core/util";
import type { MarketRow } from "../../market/port/market-data.ts";
import type { Provenance } from "../../market/port/provenance.ts";
import { citeFields, dayOf, type FigureRow } from "./figures.ts";
import { identify, type ListingIdentity } from "../frame/require-listing.ts";

/** One row of a list. */
export type ShownRow = ReturnType<typeof toShownRow>;

/** A column of numbers. */
export type RowColumn = Exclude<keyof ShownRow, keyof ListingIdentity | "sector" | "industry">;

/** A row as results show it. */
export function toShownRow(row: MarketRow) {
  const { listing, price, changePercent, volume, marketCap, beta, pe, eps, sector, industry } = row;
  const known = { change_percent: changePercent, pe, eps, dividend_yield_percent: row.dividendYieldPercent };
  return {
    ...identify(listing),
    price,
    ...omitUndefined({ ...known, market_cap: marketCap, volume, beta, sector, industry }),
  };
}

const METRICS: Readonly<Record<RowColumn, readonly [unit: FigureRow[1], metric: string]>> = {
  price: ["price", "price"],
  change_percent: ["percent", "change of the day"],
  pe: ["ratio", "P/E"],
  dividend_yield_percent: ["percent", "dividend yield"],
  market_cap: ["money", "market cap"],
  volume: ["volume", "volume"],
  beta: ["ratio", "beta"],
  eps: ["money/share", "EPS"],
};

/** The names of columns in facts. */
export const toColumnMetrics = (columns: readonly RowColumn[]): ReadonlySet<string> =>
  new Set(columns.map((column) => METRICS[column][1]));

const COLUMNS = [
  "price",
  "change_percent",
  "market_cap",
  "pe",
  "dividend_yield_percent",
  "volume",
  "beta",
  "eps",
] as const satisfies readonly RowColumn[];

/** The provenance of rows, and the columns that were asked about, which come first after the price. */
export type RowsShown = Readonly<{ provenance: Provenance; asked?: readonly RowColumn[] }>;

/** Every number of every row; `path` leads to the rows. */
export function toRowFigures(path: string, rows: readonly ShownRow[], shown: RowsShown): readonly Figure[] {
  const { provenance, asked = [] } = shown;
  const period = dayOf(provenance);
  const columns = [...new Set<RowColumn>(["price", ...asked, ...COLUMNS])];
  const cited = columns.map((column): FigureRow => [column, ...METRICS[column]]);
  return rows.flatMap((row, at) => citeFields({ ...row, period }, [`${path}[${at}]`, row], cited));
}
