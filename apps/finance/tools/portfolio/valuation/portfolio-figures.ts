/**
 * Portfolio figures: the numbers of holdings and totals as figures. What the user said is of the portfolio; prices and
 * what is computed from them are of the market.
 */
import type { Figure } from "@baton/assistant";
import type { Provenance } from "../../../market/port/provenance.ts";
import { cite, type CitedNumber, priceUnit, volumeUnit } from "../../shared/figures.ts";
import type { CurrencyRate } from "./load-prices.ts";
import { PORTFOLIO, type ShownHolding, type ShownTotals } from "./valued-portfolio.ts";

/** Figures with another origin than the result's. */
export function ofOrigin(
  figures: readonly Figure[],
  origin: Pick<Provenance, "kind" | "source" | "as_of"> | undefined,
): readonly Figure[] {
  if (origin === undefined) return figures;
  const { kind, source, as_of: asOf } = origin;
  return figures.map((figure) => ({ ...figure, kind, source, asOf }));
}

/** Figures that all have a period: those without one are of the day of their origin. */
export function dated(figures: readonly Figure[], { as_of }: Pick<Provenance, "as_of">): readonly Figure[] {
  return figures.map((figure) => ({ period: { end: (figure.asOf ?? as_of).slice(0, 10) }, ...figure }));
}

/** The numbers of the totals. */
export function totalFigures(totals: ShownTotals, currency: string): readonly Figure[] {
  const of = (name: keyof ShownTotals, unit: CitedNumber["unit"], metric: string): CitedNumber => ({
    path: `data.totals.${name}`,
    value: totals[name],
    unit,
    metric,
  });
  return cite({ symbol: PORTFOLIO, currency }, [
    of("value", "money", "value"),
    of("profit", "money", "profit or loss"),
    of("profit_percent", "percent", "profit or loss"),
    of("cost", "money", "cost"),
    of("day_change", "money", "change of the day"),
    of("day_change_percent", "percent", "change of the day"),
  ]);
}

/** Entries of the user for a holding. */
export type OwnHolding = Pick<
  ShownHolding,
  "symbol" | "type" | "currency" | "quantity" | "average_cost" | "cost_currency"
>;

/** Quantity and average cost. */
export function ownFigures(place: string, holding: OwnHolding): readonly Figure[] {
  const { symbol, quantity, average_cost: average, cost_currency: currency = holding.currency } = holding;
  return cite({ symbol, currency }, [
    { path: `${place}.quantity`, value: quantity, unit: volumeUnit(holding), metric: "quantity held" },
    { path: `${place}.average_cost`, value: average, unit: priceUnit(holding), metric: "average cost" },
  ]);
}

/** Origins of a holding's numbers: that of all values together, and that of the user's entries. */
export type Origins = Readonly<{ value?: Provenance; entered: Provenance }>;

/** Context for citing a holding: its path, the currency of its value, and the origins. */
export type Citing = Readonly<{ place: string; currency: string; origins: Origins }>;

/** Value, weight, profit, price, cost and quantity of a holding. */
export function holdingFigures(holding: Omit<ShownHolding, "lots">, citing: Citing): readonly Figure[] {
  const { place, currency, origins } = citing;
  const { symbol, price_currency: of = holding.currency, price_origin: own } = holding;
  const path = (name: keyof ShownHolding) => `${place}.${name}`;
  const value = cite({ symbol, currency }, [
    { path: path("value"), value: holding.value, unit: "money", metric: "value of the holding" },
  ]);
  const shares = cite({ symbol, currency }, [
    { path: path("weight_percent"), value: holding.weight_percent, unit: "percent", metric: "weight" },
  ]);
  const gains = cite({ symbol, currency }, [
    { path: path("profit"), value: holding.profit, unit: "money", metric: "profit or loss" },
    { path: path("profit_percent"), value: holding.profit_percent, unit: "percent", metric: "profit or loss" },
  ]);
  const prices = cite({ symbol, currency: of }, [
    { path: path("price"), value: holding.price, unit: priceUnit(holding), metric: "price" },
    { path: path("change_percent"), value: holding.change_percent, unit: "percent", metric: "change of the day" },
  ]);
  const costs = cite({ symbol, currency }, [
    { path: path("cost"), value: holding.cost, unit: "money", metric: "cost of the holding" },
  ]);
  return [
    ...ofOrigin(value, own),
    ...ofOrigin(shares, origins.value),
    ...ofOrigin([...gains, ...prices], own),
    ...ofOrigin([...costs, ...ownFigures(place, holding)], origins.entered),
  ];
}

/** Quantity and cost of each lot. */
export function lotFigures(place: string, { symbol, type, lots }: Pick<ShownHolding, "symbol" | "type" | "lots">) {
  // One lot is the holding itself.
  if (lots.length < 2) return [];
  return lots.flatMap(({ quantity, cost, currency }, at) =>
    cite({ symbol, currency }, [
      {
        path: `${place}.lots[${at}].quantity`,
        value: quantity,
        unit: volumeUnit({ type }),
        metric: `quantity of lot ${at + 1}`,
      },
      { path: `${place}.lots[${at}].cost`, value: cost, unit: priceUnit({ type }), metric: `cost of lot ${at + 1}` },
    ]),
  );
}

/** A rate as a figure. */
export function rateFigure({ from, to, rate, day, source, kind }: CurrencyRate, at: number): Figure {
  const figure = { path: `data.rates[${at}].rate`, value: rate, unit: "money", currency: to } as const;
  return { ...figure, symbol: `${from}/${to}`, metric: `1 ${from} in ${to}`, period: { end: day }, source, kind };
}
