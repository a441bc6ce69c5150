/**
 * Holding: what a user holds of one listing, as lots that were bought at a time for a price.
 *
 * Quantities and costs are rounded to 15 digits, which is what a double holds for sure. Only long positions exist: a
 * quantity is above 0.
 */
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import type { Listing } from "../../market/port/listing.ts";
import { difference } from "../shared/number.ts";

/** One purchase. */
export interface Lot {
  readonly quantity: number;
  /** Of one share or coin, in `currency`. */
  readonly cost?: number;
  readonly currency: string;
  readonly account?: string;
  /** YYYY-MM-DD. */
  readonly bought_on?: string;
}

/** All lots of one listing; the version is that of its document. */
export interface Holding {
  readonly listing: Listing;
  readonly lots: readonly Lot[];
  readonly version: number;
  readonly updatedAt: number;
}

/** The most lots of one listing. */
export const MAX_LOTS = 1_000;

/** The largest quantity and cost: what is above is a mistake, and a product of two stays exact enough. */
export const MAX_AMOUNT = 1e15;

/** To 15 digits. */
export const exact = (value: number): number => Number(value.toPrecision(15));

const LotSchema = z.object({
  quantity: z.number().positive(),
  cost: z.number().min(0).optional(),
  currency: z.string(),
  account: z.string().optional(),
  bought_on: z.string().optional(),
});

/** A lot as it came from JSON. */
export const LotsSchema = z.array(LotSchema).transform((lots) => lots.map(toLot));

/** Lots of a parsed value, rounded, without fields that are undefined. */
function toLot({ quantity, cost, ...rest }: z.infer<typeof LotSchema>): Lot {
  const { currency, account, bought_on } = rest;
  return {
    quantity: exact(quantity),
    currency,
    ...omitUndefined({ cost: cost === undefined ? undefined : exact(cost), account, bought_on }),
  };
}

/** Sums the quantities of lots. */
export const quantityOf = (lots: readonly Lot[]): number =>
  exact(lots.reduce((sum, { quantity }) => sum + quantity, 0));

/** Returns the average cost of a share; undefined unless every lot has a cost in one currency. */
export function averageCostOf(lots: readonly Lot[]): Readonly<{ average: number; currency: string }> | undefined {
  const [first] = lots;
  if (first === undefined) return undefined;
  let sum = 0;
  for (const { quantity, cost, currency } of lots) {
    if (cost === undefined || currency !== first.currency) return undefined;
    sum += quantity * cost;
  }
  const average = lots.length === 1 ? first.cost : exact(sum / quantityOf(lots));
  return average === undefined ? undefined : { average, currency: first.currency };
}

/** The lots without those of an account; without an account, none of them. */
export function withoutAccount(lots: readonly Lot[], account: string | undefined): readonly Lot[] {
  return account === undefined ? [] : lots.filter((lot) => lot.account !== account);
}

/** Less of them: taken from the oldest lots, of an account if one is named; lots without a day come last. */
export function takeFrom(lots: readonly Lot[], quantity: number, account?: string): readonly Lot[] {
  const order = lots
    .map((lot, at) => ({ lot, at }))
    .filter(({ lot }) => account === undefined || lot.account === account)
    .toSorted((a, b) => compareDays(a.lot, b.lot) || a.at - b.at);
  let left = quantity;
  const rest = new Map<number, number>();
  for (const { lot, at } of order) {
    const taken = Math.min(left, lot.quantity);
    rest.set(at, difference(lot.quantity, taken));
    left = difference(left, taken);
  }
  return lots.flatMap((lot, at) => {
    const kept = rest.get(at) ?? lot.quantity;
    return kept > 0 ? [{ ...lot, quantity: exact(kept) }] : [];
  });
}

const LAST_DAY = "9999-12-31";

function compareDays({ bought_on: one = LAST_DAY }: Lot, { bought_on: other = LAST_DAY }: Lot): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
