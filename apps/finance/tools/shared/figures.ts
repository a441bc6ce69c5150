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

/** A field with a number, its unit and its words; `price` and `volume` are in the unit of the listing's type. */
export type FigureRow = readonly [field: string, unit: Unit | "price" | "volume", metric: string, period?: Period];

/** Owner of numbers, and the period of those that name none. */
export type FigureOwner = Owner & Readonly<{ type?: Listing["type"]; period?: Period }>;

/** The fields of a part of a result that hold a number; `place` leads to the part, a field may be a path within it. */
export function citeFields(
  { type = "stock", period: usual, ...owner }: FigureOwner,
  [place, part]: readonly [place: string, part: object],
  rows: readonly FigureRow[],
): readonly Figure[] {
  const cited = rows.map(([field, unit, metric, period = usual]): CitedNumber => {
    const own = unit === "price" ? priceUnit({ type }) : unit === "volume" ? volumeUnit({ type }) : unit;
    const at = { path: `${place}.${field}`, value: numberAt(part, field), unit: own, metric };
    return period === undefined ? at : { ...at, period };
  });
  return cite(owner, cited);
}

function numberAt(part: object, field: string): number | undefined {
  let found: unknown = part;
  for (const name of field.split(".")) {
    if (typeof found !== "object" || found === null) return undefined;
    found = new Map<string, unknown>(Object.entries(found)).get(name);
  }
  return typeof found === "number" ? found : undefined;
}

/** Figures with another origin than the result's. */
export function ofOrigin(
  figures: readonly Figure[],
  origin: Pick<Provenance, "kind" | "source" | "as_of"> | undefined,
): readonly Figure[] {
  if (origin === undefined) return figures;
  const { kind, source, as_of: asOf } = origin;
  return figures.map((figure) => ({ ...figure, kind, source, asOf }));
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
