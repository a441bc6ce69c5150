/**
 * Portfolio figures: the numbers of holdings and totals as figures. What the user said is of the portfolio; prices and
 * what is computed from them are of the market.
 */
import type { Figure, Period } from "@baton/assistant";
import type { Provenance } from "../data/provenance.ts";
import { cite, type Cited, priceUnit, volumeUnit } from "../tools/figures.ts";
import { PORTFOLIO, type ShownHolding, type ShownTotals } from "./valued-portfolio.ts";

/** Figures with another origin than the result's. */
export function ofOrigin(figures: readonly Figure[], origin: Provenance | undefined): readonly Figure[] {
  if (origin === undefined) return figures;
  const { kind, source, as_of: asOf } = origin;
  return figures.map((figure) => ({ ...figure, kind, source, asOf }));
}

/** The numbers of the totals. */
export function totalFigures(totals: ShownTotals, currency: string, period?: Period): readonly Figure[] {
  const of = (name: keyof ShownTotals, unit: Cited["unit"], metric: string): Cited => ({
    path: `data.totals.${name}`,
    value: totals[name],
    unit,
    metric,
    ...(period === undefined ? {} : { period }),
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

/** What the user said of a holding. */
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

/** Value, weight, profit and price of a holding. */
export function valueFigures(place: string, holding: ShownHolding, currency: string): readonly Figure[] {
  const { symbol, price_currency: of = holding.currency } = holding;
  return [
    ...cite({ symbol, currency }, [
      { path: `${place}.value`, value: holding.value, unit: "money", metric: "value of the holding" },
      { path: `${place}.weight_percent`, value: holding.weight_percent, unit: "percent", metric: "weight" },
      { path: `${place}.profit`, value: holding.profit, unit: "money", metric: "profit or loss" },
      { path: `${place}.profit_percent`, value: holding.profit_percent, unit: "percent", metric: "profit or loss" },
      { path: `${place}.cost`, value: holding.cost, unit: "money", metric: "cost of the holding" },
      { path: `${place}.change_percent`, value: holding.change_percent, unit: "percent", metric: "change of the day" },
    ]),
    ...cite({ symbol, currency: of }, [
      { path: `${place}.price`, value: holding.price, unit: priceUnit(holding), metric: "price" },
    ]),
  ];
}
