/**
 * Market rows: lists of stocks, funds, indices and coins as results show them, with a figure for every number.
 */
import type { Figure } from "@baton/assistant";
import { omitUndefined } from "@baton/core/util";
import type { MarketRow } from "../../market/port/market-data.ts";
import type { Provenance } from "../../market/port/provenance.ts";
import { cite, dayOf, priceUnit, volumeUnit } from "./figures.ts";
import { identify, type ListingIdentity } from "../frame/require-listing.ts";

/** One row of a list. */
export interface ShownRow extends ListingIdentity {
  readonly price: number;
  readonly change_percent?: number;
  readonly volume?: number;
  readonly market_cap?: number;
  readonly beta?: number;
  readonly dividend_yield_percent?: number;
  readonly sector?: string;
  readonly industry?: string;
}

/** A row as results show it. */
export function toShownRow(row: MarketRow): ShownRow {
  const { listing, price, changePercent, volume, marketCap, beta, dividendYieldPercent, sector, industry } = row;
  const rest = {
    change_percent: changePercent,
    volume,
    market_cap: marketCap,
    beta,
    dividend_yield_percent: dividendYieldPercent,
    sector,
    industry,
  };
  return { ...identify(listing), price, ...omitUndefined(rest) };
}

/** Price and change of every row, then all else; `list` is the rows' field in `data`. */
export function toRowFigures(list: string, rows: readonly ShownRow[], provenance: Provenance): readonly Figure[] {
  const period = dayOf(provenance);
  const pathOf = (at: number) => (name: keyof ShownRow) => `data.${list}[${at}].${name}`;
  const first = rows.flatMap((row, at) => {
    const path = pathOf(at);
    return cite(row, [
      { path: path("price"), value: row.price, unit: priceUnit(row), metric: "price", period },
      { path: path("change_percent"), value: row.change_percent, unit: "percent", metric: "change", period },
    ]);
  });
  const rest = rows.flatMap((row, at) => {
    const path = pathOf(at);
    const dividends = "dividend_yield_percent";
    return cite(row, [
      { path: path("market_cap"), value: row.market_cap, unit: "money", metric: "market cap", period },
      { path: path("volume"), value: row.volume, unit: volumeUnit(row), metric: "volume", period },
      { path: path(dividends), value: row[dividends], unit: "percent", metric: "dividend yield", period },
      { path: path("beta"), value: row.beta, unit: "ratio", metric: "beta", period },
    ]);
  });
  return [...first, ...rest];
}

/** A line for each row: what its symbol stands for. */
export const toRowLines = (rows: readonly ShownRow[]): readonly string[] =>
  rows.map(({ symbol, name, exchange, sector, industry }) =>
    [`${symbol}: ${name}, ${exchange}`, sector, industry].filter((part) => part !== undefined).join(", "),
  );
