/**
 * Figures: the numbers of a result as figures, with symbol and currency from the listing they belong to.
 */
import type { Figure, Period, Unit } from "@baton/assistant";
import type { Listing } from "../../market/port/listing.ts";
import type { Provenance } from "../../market/port/provenance.ts";

/** A number of a result; an undefined one is not a figure. */
export interface CitedNumber {
  readonly path: string;
  readonly value: number | undefined;
  readonly unit: Unit;
  readonly metric: string;
  readonly period?: Period;
}

/** The listing that numbers belong to. */
type Owner = Pick<Listing, "symbol" | "currency">;

const WITHOUT_MONEY: readonly Unit[] = ["percent", "ratio", "shares", "coins", "points", "count", "days"];

/** The figures of one listing, in the order they were written. */
export function cite({ symbol, currency }: Owner, cited: readonly CitedNumber[]): readonly Figure[] {
  return cited.flatMap(({ value, ...rest }) => {
    if (value === undefined) return [];
    const money = WITHOUT_MONEY.includes(rest.unit) ? {} : { currency };
    return [{ ...rest, value, symbol, ...money }];
  });
}

/** Returns the unit of a price of this type of listing. */
export function priceUnit({ type }: Pick<Listing, "type">): Unit {
  if (type === "index") return "points";
  return type === "crypto" ? "money/coin" : "money/share";
}

/** Returns the unit of a volume of this type of listing. */
export const volumeUnit = ({ type }: Pick<Listing, "type">): Unit => (type === "crypto" ? "coins" : "shares");

/** The day of a result, in the time zone of its market. */
export const dayOf = ({ as_of }: Pick<Provenance, "as_of">): Period => ({ end: as_of.slice(0, 10) });
