/**
 * Valuation: what holdings are worth and cost in one currency, their weights, and how they are spread.
 *
 * Pure arithmetic. What is not known is left out and named; totals say over how many holdings they are.
 */
import { omitUndefined } from "@baton/core/util";
import type { Provenance } from "../../../market/port/provenance.ts";
import { difference, finite, percentChange, tidy } from "../../shared/number.ts";
import { type Holding, quantityOf } from "../holding.ts";

/** Current price of one share or coin, with its source. */
export type HoldingPrice = Readonly<{
  price: number;
  currency: string;
  changePercent?: number;
  sector?: string;
  origin: Pick<Provenance, "kind" | "source" | "as_of">;
}>;

/** A part that is known, or why it is not, and the switch that brings it. */
export type OrReason<T> = T | Readonly<{ reason: string; enable?: string }>;

/** Why something is not in a figure. */
export type UnvaluedHolding = Readonly<{ symbol: string; of: "value" | "cost" | "risk"; reason: string }>;

/** One unit of a currency in the currency of the totals; a reason if there is no rate. */
export type RateOf = (currency: string) => OrReason<Readonly<{ rate: number }>>;

/** A holding with its price, or with why it has none. */
export type Priced = Readonly<{ holding: Holding; price: OrReason<HoldingPrice> }>;

/** A holding in the currency of the totals. */
export interface Valued {
  readonly holding: Holding;
  readonly quantity: number;
  readonly price?: HoldingPrice;
  readonly value?: number;
  readonly cost?: number;
  readonly profit?: number;
  readonly profitPercent?: number;
  /** By how much the value changed on its last day. */
  readonly dayChange?: number;
  /** A fraction of all values; those of all holdings with a value add up to 1. */
  readonly weight?: number;
  readonly sector: string;
}

/** Sums, and over how many holdings they are. */
export interface Totals {
  readonly valued: number;
  readonly value?: number;
  readonly costed: number;
  readonly cost?: number;
  readonly profit?: number;
  readonly profitPercent?: number;
  readonly dayChange?: number;
  readonly dayChangePercent?: number;
}

/** The whole portfolio in one currency, largest first. */
export type Valuation = Readonly<{ holdings: readonly Valued[]; totals: Totals; leftOut: readonly UnvaluedHolding[] }>;

/** Values all holdings at their prices. */
export function value(priced: readonly Priced[], rateOf: RateOf): Valuation {
  const leftOut: UnvaluedHolding[] = [];
  const single = priced.map((one) => valueOne(one, rateOf, leftOut));
  const total = sumOf(single.map((one) => one.value));
  const holdings = single
    .map((one) => ({ ...one, ...omitUndefined({ weight: toWeight(one.value, total) }) }))
    .toSorted((a, b) => (b.value ?? -1) - (a.value ?? -1) || compareSymbols(a, b));
  return { holdings, totals: toTotals(holdings), leftOut };
}

function toWeight(part: number | undefined, total: number | undefined): number | undefined {
  return part === undefined || total === undefined || !(total > 0) ? undefined : part / total;
}

function compareSymbols(a: Valued, b: Valued): number {
  return a.holding.listing.symbol < b.holding.listing.symbol ? -1 : 1;
}

function valueOne({ holding, price }: Priced, rateOf: RateOf, leftOut: UnvaluedHolding[]): Valued {
  const { symbol } = holding.listing;
  const quantity = quantityOf(holding.lots);
  const sector = sectorName(holding, "reason" in price ? undefined : price.sector);
  const worth = toWorth(quantity, price, rateOf);
  const cost = toCost(holding, rateOf);
  if ("reason" in worth) leftOut.push({ symbol, of: "value", reason: worth.reason });
  if ("reason" in cost) leftOut.push({ symbol, of: "cost", reason: cost.reason });
  const known = { worth: "reason" in worth ? undefined : worth, cost: "reason" in cost ? undefined : cost.amount };
  return {
    holding,
    quantity,
    sector,
    ...("reason" in price ? {} : { price }),
    ...omitUndefined({ value: known.worth?.amount, dayChange: known.worth?.dayChange, cost: known.cost }),
    ...toProfit(known.worth?.amount, known.cost),
  };
}

type Worth = Readonly<{ amount: number; dayChange?: number }>;

function toWorth(quantity: number, price: OrReason<HoldingPrice>, rateOf: RateOf): OrReason<Worth> {
  if ("reason" in price) return price;
  const converted = rateOf(price.currency);
  if ("reason" in converted) return converted;
  const amount = finite(tidy(quantity * price.price * converted.rate));
  if (amount === undefined) return { reason: "its price is not a number" };
  const { changePercent: change } = price;
  const dayChange = change === undefined || !(change > -100) ? undefined : amount - amount / (1 + change / 100);
  return { amount, ...omitUndefined({ dayChange: dayChange === undefined ? undefined : finite(tidy(dayChange)) }) };
}

/**
 * Sums the cost of all lots; one without a cost or a rate leaves the whole holding out, because half a cost is not a
 * cost.
 */
function toCost({ lots }: Holding, rateOf: RateOf): OrReason<Readonly<{ amount: number }>> {
  const without = lots.filter(({ cost }) => cost === undefined).length;
  if (without > 0) return { reason: toCostReason(without, lots.length) };
  let sum = 0;
  for (const { quantity, cost = 0, currency } of lots) {
    const converted = rateOf(currency);
    if ("reason" in converted) return converted;
    sum += quantity * cost * converted.rate;
  }
  const amount = finite(tidy(sum));
  return amount === undefined ? { reason: "its cost is not a number" } : { amount };
}

function toCostReason(without: number, all: number): string {
  if (without === all) return "its cost is not known";
  return `${without} of its ${all} lots ${without === 1 ? "has" : "have"} no cost`;
}

function toProfit(worth: number | undefined, cost: number | undefined): Pick<Valued, "profit" | "profitPercent"> {
  if (worth === undefined || cost === undefined) return {};
  return { profit: difference(worth, cost), ...omitUndefined({ profitPercent: percentChange(cost, worth) }) };
}

function toTotals(holdings: readonly Valued[]): Totals {
  const both = holdings.filter((one) => one.value !== undefined && one.cost !== undefined);
  const [worth, cost] = [sumOf(both.map((one) => one.value)), sumOf(both.map((one) => one.cost))];
  const moved = holdings.filter((one) => one.dayChange !== undefined);
  const [movedValue, dayChange] = [sumOf(moved.map((one) => one.value)), sumOf(moved.map((one) => one.dayChange))];
  const before = movedValue === undefined || dayChange === undefined ? undefined : difference(movedValue, dayChange);
  return {
    valued: holdings.filter((one) => one.value !== undefined).length,
    costed: both.length,
    ...omitUndefined({ value: sumOf(holdings.map((one) => one.value)), cost }),
    ...toProfit(worth, cost),
    ...omitUndefined({ dayChange, dayChangePercent: percentChange(before, movedValue) }),
  };
}

/** The sum of what is known; undefined if nothing is. */
function sumOf(amounts: readonly (number | undefined)[]): number | undefined {
  const known = amounts.filter((amount) => amount !== undefined);
  return known.length === 0 ? undefined : tidy(known.reduce((sum, amount) => sum + amount, 0));
}

function sectorName({ listing }: Holding, sector: string | undefined): string {
  if (listing.type === "crypto") return "Crypto";
  return listing.type === "etf" ? "Funds" : (sector ?? "Unknown");
}

/** The holdings of one sector. */
export type SectorShare = Readonly<{
  sector: string;
  value: number;
  /** A fraction; those of all sectors add up to 1. */
  weight: number;
  symbols: readonly string[];
  changePercent?: number;
}>;

/** Values by sector, largest first. */
export function bySector(holdings: readonly Valued[]): readonly SectorShare[] {
  const groups = new Map<string, Valued[]>();
  for (const one of holdings) {
    if (one.value === undefined) continue;
    const group = groups.get(one.sector) ?? [];
    groups.set(one.sector, group);
    group.push(one);
  }
  const shares = [...groups].map(([sector, group]) => {
    const { value: worth = 0, dayChangePercent: changePercent } = toTotals(group);
    const weight = group.reduce((sum, one) => sum + (one.weight ?? 0), 0);
    const symbols = group.map(({ holding }) => holding.listing.symbol);
    return { sector, value: worth, weight, symbols, ...omitUndefined({ changePercent }) };
  });
  return shares.toSorted((a, b) => b.value - a.value || (a.sector < b.sector ? -1 : 1));
}

/** Concentration of the value in few holdings. */
export type Concentration = Readonly<{
  /** Herfindahl–Hirschman index: the sum of squared weights, 1 if everything is one holding. */
  hhi: number;
  /** Number of equal holdings that would be as concentrated. */
  effective: number;
  topThree: number;
}>;

/** Computes the concentration of weights; undefined if there are none. */
export function concentrationOf(weights: readonly number[]): Concentration | undefined {
  const hhi = weights.reduce((sum, weight) => sum + weight ** 2, 0);
  if (!(hhi > 0)) return undefined;
  const largest = weights.toSorted((a, b) => b - a).slice(0, 3);
  return { hhi, effective: 1 / hhi, topThree: largest.reduce((sum, weight) => sum + weight, 0) };
}
